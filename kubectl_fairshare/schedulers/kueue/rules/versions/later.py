"""Objects that the API server accepts now but rejects later: at the next apply, or in the stored version."""

from kubectl_fairshare.api.causes import Cause
from kubectl_fairshare.api.structures.structure import Struct
from kubectl_fairshare.lint.given import Examined
from kubectl_fairshare.model.alike import once_for_equal
from kubectl_fairshare.model.amounts import UNLIMITED
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.schedulers.kueue.release.writes import WriteLaws
from kubectl_fairshare.schedulers.kueue.rules.versions.structures import known_structure

_REWRITTEN = ("ClusterQueue", "ResourceFlavor")


def next_apply_causes(each: Examined, laws: WriteLaws) -> tuple[Cause, ...]:
    """Why the text of an accepted object is rejected as an update of the stored object.

    This happens only for kinds that a webhook rewrites on creation, and in v1beta2 only where Go's types encode a
    value differently from the text. An apply does not write ``status``.
    """
    judgement = each.judgement
    if judgement is None or not judgement.accepted or each.key.kind not in _REWRITTEN:
        return ()
    data = each.manifest.data
    if each.manifest.version == "v1beta2" and not _is_respelt(data.get("spec")):
        return ()
    from kubectl_fairshare.schedulers.kueue.admission.judge import judge

    applied = {key: value for key, value in data.items() if key != "status"}
    return judge(applied, applied, laws=laws).all_causes


def _is_respelt(value: Json) -> bool:
    """Whether decoding and encoding would remove, add or trim a value."""
    todo = [value]
    for each in todo:  # the list grows while it is read: calls would cost more than all else here
        if isinstance(each, str):
            if not each or each[0].isspace() or each[-1].isspace():
                return True
        elif isinstance(each, dict):
            todo.extend(each.values())
        elif isinstance(each, list):
            if not each or _holds_respelt(each):
                return True
        elif each is None or isinstance(each, float) or (isinstance(each, int) and abs(each) > UNLIMITED):
            return True
    return False


@once_for_equal
def _holds_respelt(items: Json) -> bool:
    return any(map(_is_respelt, items))


def stored_form_causes(each: Examined, laws: WriteLaws) -> tuple[Cause, ...]:
    """Why an accepted v1beta1 object is invalid in v1beta2, the stored version."""
    judgement = each.judgement
    if each.manifest.version != "v1beta1" or judgement is None or judgement.stored is None:
        return ()
    stored = judgement.stored
    if _passes(known_structure("v1beta2", each.key.kind), stored):
        return ()
    from kubectl_fairshare.schedulers.kueue.admission.judge import judge

    return judge(stored, laws=laws).all_causes


def _passes(struct: Struct | None, data: JsonObject) -> bool:
    """Whether the text has no unusual values, so that the schema accepts it as it is."""
    from kubectl_fairshare.api.swift import quick_form

    return struct is None or quick_form(struct, data, spelt=False) is not None
