"""Which fields of a policy changed, and which are only written in another way.

An object counts as changed where the scheduler understands something else by it. Its fields that differ are
listed; amounts that are equal as quantities do not differ. What differs in an object that means the same is
counted. Lists whose items have names are compared by name.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final

from kubectl_fairshare.answers.diff import FieldChange
from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.json import FieldPath, Json, JsonObject, field_text
from kubectl_fairshare.model.location import Location, ObjectKey, Place
from kubectl_fairshare.model.packed import Packed
from kubectl_fairshare.policy.version import Version

Understood = Mapping[ObjectKey, object]
_NAMES: Final = ("name", "key", "type")
_UNCOMPARED: Final = frozenset({"status", "apiVersion", "kind"})
_METADATA: Final = frozenset({"labels", "annotations"})


def field_changes(
    before: Version, after: Version, was: Understood, now: Understood
) -> tuple[tuple[FieldChange, ...], int]:
    """The fields that changed, by object and field, and how many are only written in another way."""
    changed: list[FieldChange] = []
    rewritten = 0
    for key in sorted({*was, *now}):
        if key not in was or key not in now:
            changed.append(_whole(key, before, after, there=key in now))
            continue
        written = list(_differences(*(_written(version, key) for version in (before, after))))
        if was[key] == now[key]:
            rewritten += len(written)
            continue
        rewritten += sum(_is_same(pair[2], pair[3]) for pair in written)
        stored = _differences(*(_stored(version, key) for version in (before, after)))
        found = [_change(key, pair, before, after) for pair in stored if not _is_same(pair[2], pair[3])]
        changed += found or [FieldChange(key, "", "one meaning", "another", _at(before, key), _at(after, key))]
    return tuple(sorted(changed, key=lambda each: (each.object, each.field))), rewritten


def _whole(key: ObjectKey, before: Version, after: Version, *, there: bool) -> FieldChange:
    """An object that is new, or gone."""
    if there:
        return FieldChange(key, "", None, "there", None, _at(after, key))
    return FieldChange(key, "", "there", None, _at(before, key), None)


def _at(version: Version, key: ObjectKey, path: FieldPath = ()) -> Location | None:
    """The line of a field, or of the nearest field around it that has one."""
    for length in range(len(path), -1, -1):
        found = version.places.get(Place(key, path[:length]))
        if found is not None:
            return found
    return None


_Pair = tuple[tuple[FieldPath, FieldPath], str, Any, Any]


def _change(key: ObjectKey, pair: _Pair, before: Version, after: Version) -> FieldChange:
    (path_before, path_after), field, was, now = pair
    return FieldChange(key, field, _text(was), _text(now), _at(before, key, path_before), _at(after, key, path_after))


def _stored(version: Version, key: ObjectKey) -> JsonObject:
    """An object as an API server would store it; as it is written, where that is not known."""
    found = version.stored.get(key)
    return (found.data() if isinstance(found, Packed) else found) or _written(version, key)


def _written(version: Version, key: ObjectKey) -> JsonObject:
    """An object as it is written; empty where no manifest has it."""
    manifest = version.snapshot.manifests.get(key)
    return {} if manifest is None else manifest.data


def _differences(before: JsonObject, after: JsonObject) -> Iterator[_Pair]:
    """The leaves in which two objects differ: both paths, the field, both values (None: not there)."""
    return _descend(_compared(before), _compared(after), (), (), "")


def _compared(data: Mapping[str, Json]) -> dict[str, Json]:
    """What of an object its author writes."""
    metadata = data.get("metadata")
    kept = {name: value for name, value in data.items() if name not in _UNCOMPARED and name != "metadata"}
    if isinstance(metadata, dict) and (own := {n: v for n, v in metadata.items() if n in _METADATA}):
        kept["metadata"] = own
    return kept


def _descend(was: Json, now: Json, at_was: FieldPath, at_now: FieldPath, field: str) -> Iterator[_Pair]:
    if was == now and type(was) is type(now):
        return
    if isinstance(was, dict) and isinstance(now, dict):
        for name in dict.fromkeys((*was, *now)):
            step = _step(field, name)
            yield from _descend(was.get(name), now.get(name), (*at_was, name), (*at_now, name), step)
    elif isinstance(was, list) and isinstance(now, list) and (by := _naming((was, now))) is not None:
        yield from _named_items(was, now, (at_was, at_now), field, by)
    elif isinstance(was, list) and isinstance(now, list) and len(was) == len(now) and _are_objects((*was, *now)):
        for i, (one, other) in enumerate(zip(was, now, strict=True)):
            yield from _descend(one, other, (*at_was, i), (*at_now, i), f"{field}[{i}]")
    else:
        yield (at_was, at_now), field, was, now


def _step(field: str, name: str) -> str:
    """A field below another; a key with a dot or a slash is written in brackets."""
    text = field_text((name,))
    return f"{field}.{text}" if field and not text.startswith("[") else f"{field}{text}"


def _are_objects(items: Sequence[Json]) -> bool:
    return all(isinstance(item, dict) for item in items)


def _naming(lists: Sequence[Sequence[Json]]) -> str | None:
    """The field that identifies the items of both lists; None without such a field."""
    items = list(chain.from_iterable(lists))
    if not items or not _are_objects(items):
        return None
    for name in _NAMES:
        if all(
            len({str(item.get(name)) for item in each if item.get(name) is not None}) == len(each) for each in lists
        ):
            return name
    return None


def _named_items(
    was: Sequence[Json], now: Sequence[Json], at: tuple[FieldPath, FieldPath], field: str, by: str
) -> Iterator[_Pair]:
    """Items by name; another order of those that stay is a change of its own."""
    olds = {str(item[by]): i for i, item in enumerate(was)}
    news = {str(item[by]): i for i, item in enumerate(now)}
    kept = [name for name in olds if name in news]
    if kept != (order := [name for name in news if name in olds]):
        yield at, f"{field} (order)", ", ".join(kept), ", ".join(order)
    for name in dict.fromkeys((*olds, *news)):
        i, j = olds.get(name), news.get(name)
        old, new = (None if i is None else was[i]), (None if j is None else now[j])
        paths = (at[0] if i is None else (*at[0], i)), (at[1] if j is None else (*at[1], j))
        yield from _descend(old, new, *paths, f"{field}[{name}]")


def _is_same(was: Json, now: Json) -> bool:
    """Whether two values are equal as quantities."""
    try:
        return _is_number(was) and _is_number(now) and quantity.nano(was) == quantity.nano(now)
    except quantity.QuantityError:
        return False


def _is_number(value: Json) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _text(value: Json) -> str | None:
    """A value on one line; None for one that is not there."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if value in ({}, []):
        return "{}" if isinstance(value, dict) else "[]"
    if isinstance(value, dict):
        return ", ".join(f"{name}: {_text(each)}" for name, each in value.items())
    if isinstance(value, list):
        return ", ".join(str(_text(each)) for each in value)
    return str(value)
