"""The places of values in a YAML text: a tree of positions, made on demand."""

import re
from typing import Any, Final, NamedTuple

from kubectl_fairshare.input.text.yaml_events import events
from kubectl_fairshare.input.text.yaml_scalars import MERGE, MERGE_TAG, key
from kubectl_fairshare.model.json import FieldPath

_PROPERTIES: Final = re.compile(r"(?:[&!][^\s,\[\]{}]*(?:\s+|#[^\r\n]*)*)*")
"""Anchor and tag before a value, with the blanks and comments after them."""


class Spot(NamedTuple):
    """The position of a value's first character, the spots of what it holds, and the position of its key.

    ``key`` is -1 for what has no key of its own: an item, a document, what ``<<`` brings in. ``block`` is the
    text of a literal block scalar (``|``), which is on the lines after that of ``position``.
    """

    position: int
    inside: "dict[Any, Spot] | list[Spot] | None" = None
    key: int = -1
    block: str | None = None


class Twice(NamedTuple):
    """A key that a mapping has twice, and the positions of both."""

    key: str
    first: int
    second: int


def descend(spot: Spot, path: FieldPath) -> tuple[Spot, FieldPath]:
    """The value at ``path``, or its nearest ancestor in the text; and the rest of the path."""
    for depth, part in enumerate(path):
        inside: Any = spot.inside
        try:
            spot = inside[part]
        except (KeyError, IndexError, TypeError):
            return spot, path[depth:]
    return spot, ()


class _Open:
    """A list or mapping whose end has not come yet; ``name`` is the key whose value comes next."""

    __slots__ = ("at", "inside", "keys", "name")

    def __init__(self, inside: dict[Any, Spot] | list[Spot]) -> None:
        self.inside = inside
        self.keys: dict[str, int] = {}
        self.name: str | _PlacedMerge | None = None
        self.at = -1  # the place of that key


class _PlacedMerge:
    """The key for one ``<<`` until its mapping ends."""


class YamlPlaces:
    """The positions in a YAML text that loads: ``documents`` in order, and the keys given ``twice``.

    The place of an aliased value is the alias, also for keys that ``<<`` merges.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._anchors: dict[str, tuple[Any, Spot]] = {}
        self.documents: list[Spot] = []
        self.twice: list[Twice] = []
        self._stack = [_Open(self.documents)]
        with events(text) as following:
            for event in iter(following, None):
                self._take(type(event).__name__, event)

    def _take(self, kind: str, event: Any) -> None:
        if kind == "ScalarEvent":
            self._put(event, self._spot(event))
        elif kind == "AliasEvent":
            self._alias(event)
        elif kind in ("MappingStartEvent", "SequenceStartEvent"):
            inside: dict[Any, Spot] | list[Spot] = {} if kind == "MappingStartEvent" else []
            self._put(event, self._spot(event, inside))
            self._stack.append(_Open(inside))
        elif kind in ("MappingEndEvent", "SequenceEndEvent"):
            _merge(self._stack.pop())
        elif kind == "DocumentStartEvent":
            self._anchors.clear()

    def _spot(self, event: Any, inside: dict[Any, Spot] | list[Spot] | None = None) -> Spot:
        position = event.start_mark.index
        absent = inside is None and not event.value and not event.style
        if not absent and (event.anchor is not None or event.tag is not None):
            after = _PROPERTIES.match(self._text, position)
            position = after.end() if after else position
        block = event.value if inside is None and event.style == "|" else None
        spot = Spot(position, inside, block=block)
        if event.anchor is not None:
            self._anchors[event.anchor] = (event, spot)
        return spot

    def _alias(self, event: Any) -> None:
        position = event.start_mark.index
        target, spot = self._anchors[event.anchor]
        inside = {k: Spot(position) for k in spot.inside} if isinstance(spot.inside, dict) else None
        self._put(target, Spot(position, inside))

    def _put(self, event: Any, spot: Spot) -> None:
        """Takes what comes next in the current list or mapping: an item, a key, or a value."""
        here = self._stack[-1]
        if isinstance(here.inside, list):
            here.inside.append(spot)
        elif here.name is not None:
            here.inside[here.name] = spot._replace(key=here.at)
            here.name = None
        elif event.value == MERGE and (event.implicit[0] or event.tag == MERGE_TAG):
            here.name = _PlacedMerge()
        else:
            plain = event.tag is None and event.implicit[0]
            name = key(event.value, event.tag) if plain or event.tag is not None else event.value
            first = here.keys.setdefault(name, spot.position)
            if first != spot.position:
                self.twice.append(Twice(name, first, spot.position))
            here.name, here.at = name, spot.position


def _merge(ended: _Open) -> None:
    """Replaces each ``<<`` by the merged keys: later keys win."""
    inside = ended.inside
    if not isinstance(inside, dict) or not any(isinstance(name, _PlacedMerge) for name in inside):
        return
    items = list(inside.items())
    inside.clear()
    for name, spot in items:
        if not isinstance(name, _PlacedMerge):
            inside[name] = spot
            continue
        for merged in reversed(spot.inside) if isinstance(spot.inside, list) else (spot,):
            inside.update(merged.inside if isinstance(merged.inside, dict) else {})
