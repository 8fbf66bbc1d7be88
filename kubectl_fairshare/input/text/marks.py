"""What an excerpt underlines: the word in the text that represents a field.

A scalar is marked itself, a list or a mapping at its key; an object, or an item without a key, at its name.
A field that is not in the text (a default, a missing field) is marked where it would be.
"""

import re
from typing import Any, Final

from kubectl_fairshare.input.text.text_places import TextPlaces
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.input.text.yaml_places import Spot, descend
from kubectl_fairshare.model.json import FieldPath, LinePart
from kubectl_fairshare.model.location import Location, Origin
from kubectl_fairshare.model.values import Value

REACH: Final = 160
"""Characters of a line that an excerpt keeps on either side of the place."""
_WORD: Final = re.compile(
    r"""
    "(?:[^"\\\r\n]|\\[^\r\n])*"?
    | '(?:[^'\r\n]|'')*'?
    | [|>][+\-0-9]*
    | [\[{]
    | \S[^\r\n]*?(?=\s*(?:$|[\r\n\]}]|,(?:\s|$|["'{\[])|:(?:\s|$)|\s\#))
    """,
    re.VERBOSE,
)
_BREAK: Final = re.compile(r"[\r\n]")


class Mark(Value, frozen=True):
    """A word of a text. ``end`` is the column after it; ``excerpt`` its line, or the piece of it from ``column`` on."""

    location: Location
    end: int
    excerpt: str
    column: int


def mark(texts: Texts, origin: Origin, path: FieldPath = (), *, at_key: bool = False) -> Mark:
    """The word for the value at ``path`` of the object at ``origin``; with ``at_key`` its key."""
    places = texts.places(origin.source)
    if len(path) == 2 and isinstance(path[0], LinePart):  # a place in the text itself, that of a comment
        return _at(places, origin.source, int(path[0]), int(path[1]))
    offset, root = places.spots(origin)
    spot, rest = descend(root, path)
    inside = places.inside(offset, spot, rest)
    if inside is not None:
        return _at(places, origin.source, *inside)
    position = offset + _marked_position(spot, is_root=spot is root, by_key=bool(rest) or at_key)
    if spot.key >= 0 and _is_empty(places, position):
        position = offset + spot.key
    return _word(places, origin.source, position, since=offset + spot.key if spot.key >= 0 else position)


def _marked_position(spot: Spot, *, is_root: bool, by_key: bool) -> int:
    inside: Any = spot.inside
    if is_root:
        named, rest = descend(spot, ("metadata", "name"))
        return spot.position if rest else named.position
    if spot.key >= 0 and (by_key or inside is not None):
        return spot.key
    if isinstance(inside, dict) and "name" in inside:
        named = inside["name"]
        return named.position if isinstance(named, Spot) else spot.position
    return spot.position


def _is_empty(places: TextPlaces, position: int) -> bool:
    """Whether no word begins here: a value that was left out."""
    characters, before = places.near(position, 1)
    return characters[position - before : position - before + 1] in ("", "\r", "\n", "#", ":", ",", "}", " ")


def _word(places: TextPlaces, source: str, position: int, since: int) -> Mark:
    """The word at a position.

    Where a line is a whole document, or a long one, the excerpt begins with the key, at ``since``, and ends with the
    word: next to it, a dump has other fields, such as environments.
    """
    line, column = places.lines.place(position)
    characters, before = places.near(position, REACH)
    at = position - before
    end_of_line = _BREAK.search(characters, at, at + REACH)
    stop = end_of_line.start() if end_of_line else min(at + REACH, len(characters))
    start = at - min(column - 1, REACH)
    found = _WORD.match(characters, at, stop)
    length = max(found.end() - at if found else 1, 1)
    if column > REACH or stop == at + REACH or characters[at - column + 1] in "{[":
        start, stop = max(start, min(since - before, at)), at + length
    return Mark(Location(source, line, column), column + length, characters[start:stop], column - (at - start))


def _at(places: TextPlaces, source: str, line: int, column: int) -> Mark:
    """The word at a line and column that are known: in a text inside of a text, whose lines are short."""
    text = places.lines.line(line)
    found = _WORD.match(text, column - 1)
    return Mark(Location(source, line, column), found.end() + 1 if found else column + 1, text, 1)
