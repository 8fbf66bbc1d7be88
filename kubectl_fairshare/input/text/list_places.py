"""The places in a large List in ASCII, whose text stays bytes: only the object that is asked about is made characters.

All characters would take as much memory again, and as much time as to split the text.
"""

import re
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from kubectl_fairshare.input.text.json_places import JsonPlaces, deepest
from kubectl_fairshare.input.text.yaml_places import Spot
from kubectl_fairshare.model.json import FieldPath

_KEY: Final = b'"items"'
_OPENING: Final = re.compile(rb'"items"[ \t\r\n]*+:[ \t\r\n]*+\[[ \t\r\n]*+')
_NEXT: Final = re.compile(rb"[ \t\r\n]*+,[ \t\r\n]*+")
_MOST_KEYS: Final = 16


class ItemExtents(NamedTuple):
    """Where the items of a List are in its text: the position of the first, and the length of each, in bytes.

    ``between`` is the text from each to the next.
    """

    first: int
    lengths: Sequence[int]
    between: bytes


def extents_of(text: bytes, lengths: Sequence[int]) -> ItemExtents | None:
    """Where items of these lengths are, if they lie as the first two do; None where that is not quickly known.

    Programs write the same between any two items. Whether it is so here is for the caller to see.
    """
    first = first_item(text)
    if first is None:
        return None
    between = _NEXT.match(text, first + lengths[0]) if len(lengths) > 1 else None
    return ItemExtents(first, lengths, b"," if between is None else between[0])


def first_item(text: bytes) -> int | None:
    """The position of the first item of a List in JSON; None where that is not quickly known.

    A key is that of the List if the text before it, with an empty list, is a List.
    """
    import orjson

    at = text.find(_KEY)
    for _ in range(_MOST_KEYS):
        opening = _OPENING.match(text, at) if at >= 0 else None
        if opening is not None:
            try:
                orjson.loads(text[:at] + b'"items":[]}')
                return opening.end()
            except orjson.JSONDecodeError:  # inside another value
                pass
        at = text.find(_KEY, at + 1)
    return None


class ListPlaces:
    """The positions in a List; ``whole`` are those in its characters, for a place outside of its items."""

    def __init__(self, text: bytes, extents: ItemExtents, whole: Callable[[], JsonPlaces]) -> None:
        self._text = text
        self._extents = extents
        self._whole = whole
        self._starts: list[int] = []

    def tree(self, document: int, path: FieldPath) -> tuple[int, Spot]:
        """As ``JsonPlaces.tree``; the positions in an item count from where it starts."""
        found = self._around(path)
        if found is None:
            return self._whole().tree(document, path)
        start, text = found
        offset, tree = JsonPlaces(text, (0,)).tree(0, path[2:])
        return start + offset, tree

    def position(self, document: int, path: FieldPath) -> int:
        """The position of a value, or of its nearest ancestor in the text."""
        found = self._around(path)
        return self._whole().position(document, path) if found is None else found[0] + deepest(found[1], 0, path[2:])

    def _around(self, path: FieldPath) -> tuple[int, str] | None:
        """Where the item that a path leads into starts, and its text; None for a path that leads elsewhere."""
        lengths = self._extents.lengths
        if len(path) < 2 or path[0] != "items" or not isinstance(path[1], int) or not 0 <= path[1] < len(lengths):
            return None
        start = self._item(path[1])
        return start, self._text[start : start + lengths[path[1]]].decode("ascii")

    def _item(self, number: int) -> int:
        """Where an item starts: found from the items before it, and kept."""
        if not self._starts:
            first, lengths, between = self._extents
            gap = len(between)
            self._starts = list(accumulate((length + gap for length in lengths), initial=first))
        return self._starts[number]
