"""Patches of kustomizations, applied to objects: partial objects that are merged, and JSON Patch operations.

Lists of custom resources are replaced as a whole, as kustomize knows no schema of theirs; lists of Kubernetes' own
kinds merge by ``name``. Source: RFC 7386, RFC 6902; kustomize's reference of ``patches``.
"""

from collections.abc import Iterable
from typing import Any, Final

from kubectl_fairshare.input.linear_pattern import PatternError, is_whole
from kubectl_fairshare.input.units.unit import Patch
from kubectl_fairshare.model.json import FieldPath, Json
from kubectl_fairshare.model.location import Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import replace

_LONGEST_NAME: Final = 254
"""One character more than a name, a namespace or a group may have."""


def patched(manifest: Manifest, patches: Iterable[Patch]) -> Manifest | None:
    """The object with the patches that are for it; None for one that a patch deletes."""
    data: Any = manifest.data
    written: list[tuple[Origin, Json]] = []
    for patch in patches:
        if _is_for(manifest, patch):
            data = _applied(manifest, data, patch.content)
            if patch.origin is not None:
                written.append((patch.origin, patch.content))
        if not isinstance(data, dict):
            return None
    unchanged = data is manifest.data
    return manifest if unchanged else replace(manifest, held_data=data, patched=True, patches=tuple(written))


def written_at(manifest: Manifest, path: FieldPath) -> tuple[Origin, FieldPath]:
    """Where a field of an object is written, and its path there: in the last patch that sets it, else in the object.

    Fields inside lists of Kubernetes' own kinds are looked for in the object alone: patches merge such lists by name.
    """
    merges = "." not in manifest.key.group and any(isinstance(part, int) for part in path)
    for origin, content in reversed(() if merges else manifest.patches):
        within = _path_within(content, path)
        if within:
            return origin, within
    return manifest.origin, path


def _path_within(content: Json, path: FieldPath) -> FieldPath:
    """The path of a field in a patch; empty if the patch does not set it."""
    if isinstance(content, dict):
        return path if _has(content, path) else ()
    for number, operation in reversed(list(enumerate(content if isinstance(content, list) else ()))):
        if not isinstance(operation, dict) or operation.get("op") not in ("add", "replace"):
            continue
        parts = _parts(operation.get("path"))
        rest = path[len(parts) :]
        if parts and list(map(str, path[: len(parts)])) == parts and _has(operation.get("value"), rest):
            return (number, "value", *rest)
    return ()


def _has(value: Json, path: FieldPath) -> bool:
    for part in path:
        if isinstance(value, dict) and part in value:
            value = value[str(part)]
        elif isinstance(value, list) and isinstance(part, int) and part < len(value):
            value = value[part]
        else:
            return False
    return True


def _parts(path: Json) -> list[str]:
    """The steps of a JSON pointer."""
    return [p.replace("~1", "/").replace("~0", "~") for p in path.split("/")[1:]] if isinstance(path, str) else []


def _is_for(manifest: Manifest, patch: Patch) -> bool:
    key = manifest.key
    if patch.target:
        found = {
            "group": key.group,
            "version": manifest.version,
            "kind": key.kind,
            "namespace": key.namespace,
            "name": key.name,
        }
        return all(_matches(found.get(k, ""), wanted) for k, wanted in patch.target.items() if k in found)
    content = patch.content
    metadata = content.get("metadata") if isinstance(content, dict) else None
    return (
        isinstance(content, dict)
        and isinstance(metadata, dict)
        and (content.get("kind"), metadata.get("name")) == (key.kind, key.name)
    )


def _matches(value: str, pattern: str) -> bool:
    try:
        return is_whole(pattern, value[:_LONGEST_NAME])
    except PatternError:
        return value == pattern


def _applied(manifest: Manifest, data: Any, content: Json) -> Any:
    if isinstance(content, list):
        for operation in content:
            if isinstance(operation, dict):
                data = _operated(data, operation)
        return data
    if not isinstance(content, dict):
        return data
    merged = _merged(data, content, by_name="." not in manifest.key.group)
    if isinstance(merged, dict) and isinstance(merged.get("metadata"), dict):
        merged = {**merged, "metadata": {**merged["metadata"], "name": data.get("metadata", {}).get("name")}}
    return merged


def _merged(data: Any, change: Any, *, by_name: bool) -> Any:
    if isinstance(change, dict):
        if change.get("$patch") == "delete":
            return None
        base = data if isinstance(data, dict) and change.get("$patch") != "replace" else {}
        found = dict(base)
        for name, value in change.items():
            new = None if name == "$patch" else _merged(base.get(name), value, by_name=by_name)
            if new is None:
                found.pop(name, None)
            else:
                found[name] = new
        return found
    if by_name and isinstance(change, list) and isinstance(data, list) and _have_names(change) and _have_names(data):
        return _merged_list(data, change)
    return change


def _have_names(items: list[Any]) -> bool:
    return all(isinstance(item, dict) and "name" in item for item in items)


def _merged_list(data: list[Any], change: list[Any]) -> list[Any]:
    by_name = {item["name"]: item for item in data}
    for item in change:
        merged = _merged(by_name.get(item["name"]), item, by_name=True)
        by_name = {**by_name, item["name"]: merged}
    return [item for item in by_name.values() if item is not None]


def _operated(data: Any, operation: dict[str, Any]) -> Any:
    """The data after one JSON Patch operation; one whose path is not there changes nothing."""
    parts = _parts(operation.get("path"))
    action = operation.get("op")
    if not parts or action not in ("add", "replace", "remove"):
        return data
    return _changed(data, parts, action, operation.get("value"))


def _changed(data: Any, parts: list[str], action: str, value: Any) -> Any:
    first, rest = parts[0], parts[1:]
    if isinstance(data, dict):
        if rest:
            return {**data, first: _changed(data[first], rest, action, value)} if first in data else data
        kept = {name: each for name, each in data.items() if name != first}
        return kept if action == "remove" else {**data, first: value}
    if isinstance(data, list) and (first == "-" or first.isdecimal()):
        return _changed_item(data, len(data) if first == "-" else int(first), rest, action, value)
    return data


def _changed_item(data: list[Any], at: int, rest: list[str], action: str, value: Any) -> list[Any]:
    if rest:
        return [_changed(each, rest, action, value) if i == at else each for i, each in enumerate(data)]
    if action == "remove":
        return [*data[:at], *data[at + 1 :]]
    if action == "replace":
        return [value if i == at else each for i, each in enumerate(data)]
    return [*data[:at], value, *data[at:]]
