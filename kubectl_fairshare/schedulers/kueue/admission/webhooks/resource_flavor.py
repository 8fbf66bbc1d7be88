"""Kueue's webhook for ResourceFlavors, in their Go view (v1beta2)."""

from collections.abc import Iterator

from kubectl_fairshare.api.causes import DUPLICATE, Cause, cause, of_law
from kubectl_fairshare.api.label_syntax import key_causes, label_causes, value_causes
from kubectl_fairshare.model.json import FieldPath, Json, JsonObject


def causes(view: JsonObject, _old: JsonObject | None) -> Iterator[Cause]:
    """What is wrong with the object."""
    spec = view.get("spec", {})
    yield from of_law("1.4-node-labels", label_causes(spec.get("nodeLabels", {}), ("spec", "nodeLabels")))
    yield from _taint_causes(spec.get("nodeTaints", []), ("spec", "nodeTaints"))
    yield from toleration_causes(spec.get("tolerations", []), ("spec", "tolerations"))


def _taint_causes(taints: Json, path: FieldPath) -> Iterator[Cause]:
    seen: set[tuple[str, str]] = set()
    for index, taint in enumerate(taints):
        key, place = taint.get("key", ""), (*path, index)
        yield from of_law("1.4-taint-syntax", key_causes(key, (*place, "key")))
        yield from of_law("1.4-taint-syntax", value_causes(taint.get("value", ""), (*place, "value")))
        mark = (key, taint.get("effect", ""))
        if mark in seen:
            yield cause(DUPLICATE, place, "a taint of this key and effect is there already", "1.4-taint-twice")
        seen.add(mark)


def toleration_causes(tolerations: Json, path: FieldPath) -> Iterator[Cause]:
    """What is wrong with the keys of tolerations; an empty key counts as absent."""
    for index, each in enumerate(tolerations):
        if each.get("key"):
            yield from of_law("1.4-toleration-key", key_causes(each["key"], (*path, index, "key")))
