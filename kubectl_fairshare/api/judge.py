"""What the API server and the webhooks behind it do with one write: reject it, and why, or store it, and as what.

The stages, in order: decoding, conversion and defaulting webhook (these two before the schema only for kinds that have
such a webhook), schema with CEL rules, validating webhook, conversion for storage. A stage is reached only if those
before it reject nothing. Source: kube-apiserver 1.35.
"""

from collections.abc import Mapping
from typing import Final

from kubectl_fairshare.api.judgement import NOT_FOUND, Judgement
from kubectl_fairshare.api.kinds import STATUS, Api, Served
from kubectl_fairshare.api.label_syntax import SIMPLE_META, naming_causes, object_meta_causes
from kubectl_fairshare.api.swift import quick_form
from kubectl_fairshare.api.webhooks import Object, RefusedWriteError, Webhooks, refusal_judgement, webhook_warnings
from kubectl_fairshare.model.json import JsonObject

_NONE: Final = Webhooks()
_LABELLED: Final = frozenset({"labels", "annotations"})


def judge_write(
    api: Api,
    webhooks: Mapping[str, Webhooks],
    data: JsonObject,
    old: JsonObject | None = None,
    subresource: str | None = None,
) -> Judgement:
    """The judgement of writing ``data``: a create, or with ``old`` an update of that object.

    ``old`` is the object in the cluster, as stored or as written; ``subresource`` is ``status`` for a
    write that goes there. ``webhooks`` are the API's, by kind. Objects of other groups are not served.
    """
    served = api.served(data)
    if served is None:
        return Judgement(False, NOT_FOUND)
    hooks = webhooks.get(served.kind, _NONE)
    quick = _at_once(served, hooks, data) if old is None and served.is_stored else None
    if quick is not None:
        return quick
    from kubectl_fairshare.api.stages import judge_by_stages

    return judge_by_stages(served, hooks, data, old, subresource)


def _at_once(served: Served, hooks: Webhooks, data: JsonObject) -> Judgement | None:
    """The judgement of a create that the schema accepts; None if the stages have to decide."""
    whole = _quick_object(served, data, spelt=bool(hooks.finalizer))
    if whole is None:
        return None
    try:
        spoken = webhook_warnings(served, hooks, whole, None, spelt=bool(hooks.finalizer)) if hooks.validate else ()
    except RefusedWriteError as refusal:
        return refusal_judgement(refusal)
    if hooks.finalizer:
        whole["metadata"]["finalizers"] = [hooks.finalizer]
    return Judgement(True, "accepted", (), (), spoken, whole)


def _quick_object(served: Served, data: JsonObject, spelt: bool = False) -> Object | None:
    """The object that a create stores if nothing about it is unusual; None if the stages have to decide.

    ``spelt`` puts values into Go's spelling.
    """
    metadata = data.get("metadata")
    if metadata.__class__ is not dict or not metadata.keys() <= SIMPLE_META:
        return None
    out = quick_form(served.struct, data, spelt)
    meta = _simple_meta(metadata, served.namespaced)
    if out is None or meta is None:
        return None
    if served.has_status:
        out.pop(STATUS, None)
    return {**out, "apiVersion": data["apiVersion"], "kind": served.kind, "metadata": meta}


def _simple_meta(metadata: Object, namespaced: bool) -> Object | None:
    """Metadata of names, labels and annotations alone, all valid; None for any other."""
    for key, each in metadata.items():
        if key in _LABELLED:
            if each.__class__ is not dict or not all(value.__class__ is str for value in each.values()):
                return None
        elif each.__class__ is not str:
            return None
    kept = {key: each for key, each in metadata.items() if each and (namespaced or key != "namespace")}
    if any(naming_causes(kept, namespaced)) or (_LABELLED & kept.keys() and any(object_meta_causes(kept))):
        return None
    return kept
