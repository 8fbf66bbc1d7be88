"""What the API server says later of objects that it takes now: at the next apply, and in the stored version."""

from kubectl_fairshare.api.causes import Cause
from kubectl_fairshare.api.structures.structure import Struct
from kubectl_fairshare.lint.given import Examined
from kubectl_fairshare.model.amounts import UNLIMITED
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.schedulers.kueue.rules.versions.structures import known_structure

_REWRITTEN = ("ClusterQueue", "ResourceFlavor")


def next_apply_causes(each: Examined) -> tuple[Cause, ...]:
    """Why the text of an object that was accepted is refused as an update of what it became.

    Only the kinds that a webhook rewrites on creation can be, and of those written in v1beta2 only what Go's types
    spell otherwise than the text. ``status`` is not written by an apply.
    """
    judgement, data = each.judgement, each.manifest.data
    if judgement is None or not judgement.accepted or each.key.kind not in _REWRITTEN:
        return ()
    if each.manifest.version == "v1beta2" and not _is_respelt(data.get("spec")):
        return ()
    from kubectl_fairshare.schedulers.kueue.admission.judge import judge

    applied = {key: value for key, value in data.items() if key != "status"}
    return judge(applied, applied).all_causes


def _is_respelt(value: Json) -> bool:
    """Whether there is anything that decoding and encoding leaves out, fills in or trims."""
    todo = [value]
    for each in todo:  # which grows: calls would cost more than all else here
        if isinstance(each, str):
            if not each or each[0].isspace() or each[-1].isspace():
                return True
        elif isinstance(each, dict):
            todo.extend(each.values())
        elif isinstance(each, list):
            if not each:
                return True
            todo.extend(each)
        elif each is None or isinstance(each, float) or (isinstance(each, int) and abs(each) > UNLIMITED):
            return True
    return False


def stored_form_causes(each: Examined) -> tuple[Cause, ...]:
    """What v1beta2, in which it is stored, has against an accepted object of v1beta1."""
    judgement = each.judgement
    if each.manifest.version != "v1beta1" or judgement is None or judgement.stored is None:
        return ()
    stored = judgement.stored
    if _passes(known_structure("v1beta2", each.key.kind), stored):
        return ()
    from kubectl_fairshare.schedulers.kueue.admission.judge import judge

    return judge(stored).all_causes


def _passes(struct: Struct | None, data: JsonObject) -> bool:
    """Whether nothing is unusual about the text, so that the schema takes it as it stands."""
    from kubectl_fairshare.api.swift import quick_form

    return struct is None or quick_form(struct, data, spelt=False) is not None
