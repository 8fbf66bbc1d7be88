"""The places of values in a JSON text: an exact scanner that skips everything else."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, TypedDict

from kubectl_fairshare.input.text.yaml_places import Spot, Twice
from kubectl_fairshare.model.json import FieldPath

_BLANK: Final = re.compile(r"[ \t\r\n]*")
_STRING: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_TOKEN: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{}:]', re.DOTALL)
_BRACKET: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|([\[{])|([\]}])', re.DOTALL)
_BARE: Final = re.compile(r"[^\s,\]}]+")


def deepest(text: str, start: int, path: FieldPath) -> int:
    """The position of the value at ``path`` under the value at ``start``, or of its nearest ancestor there.

    ``text`` must be JSON from ``start`` on.
    """
    for part in path:
        child = _member(text, start, part) if isinstance(part, str) else _item(text, start, part)
        if child is None:
            break
        start = child
    return start


def _member(text: str, start: int, name: str) -> int | None:
    if text[start] != "{":
        return None
    position = _after_blanks(text, start + 1)
    while text[position] == '"':
        end = _value_end(text, position)
        value = _after_blanks(text, _after_blanks(text, end) + 1)  # past the colon
        if _string(text[position:end]) == name:
            return value
        position = _next(text, _value_end(text, value))
    return None


def _item(text: str, start: int, index: int) -> int | None:
    if text[start] != "[" or index < 0:
        return None
    position = _after_blanks(text, start + 1)
    for _ in range(index):
        if text[position] == "]":
            return None
        position = _next(text, _value_end(text, position))
    return None if text[position] == "]" else position


def _after_blanks(text: str, position: int) -> int:
    match = _BLANK.match(text, position)
    return match.end() if match else position


def _next(text: str, end: int) -> int:
    """The place of the next item or key, or of the closing bracket, after a value that ends at ``end``."""
    position = _after_blanks(text, end)
    return _after_blanks(text, position + 1) if text.startswith(",", position) else position


def _value_end(text: str, start: int) -> int:
    if text[start] == '"':
        match = _STRING.match(text, start)
    elif text[start] in "[{":
        return _container_end(text, start)
    else:
        match = _BARE.match(text, start)
    return match.end() if match else len(text)


def _container_end(text: str, start: int) -> int:
    depth = 0
    for token in _BRACKET.finditer(text, start):
        if token.lastindex == 1:
            depth += 1
        elif token.lastindex == 2:
            depth -= 1
            if depth == 0:
                return token.end()
    return len(text)


def _string(token: str) -> str:
    if "\\" not in token:
        return token[1:-1]
    import orjson

    decoded: str = orjson.loads(token)
    return decoded


class JsonPlaces:
    """The positions in the documents of a JSON text; ``starts`` is where each begins.

    The items of a List are found once, by msgspec, which skips over a value far faster than the scanner; the scanner
    then works inside one item.
    """

    def __init__(self, text: str, starts: Sequence[int]) -> None:
        self._text = text
        self._starts = [_after_blanks(text, start) for start in starts]
        self._items: dict[int, list[int]] = {}

    def tree(self, document: int, path: FieldPath) -> tuple[int, Spot]:
        """The positions of the object at ``path`` and of all that it holds, in one pass; and where they count from."""
        return 0, _tree(self._text, self.position(document, path))

    def position(self, document: int, path: FieldPath) -> int:
        """The position of a value, or of its nearest ancestor in the text."""
        start = self._starts[document]
        if len(path) < 2 or path[0] != "items" or not isinstance(path[1], int):
            return deepest(self._text, start, path)
        items = self._items.get(document)
        if items is None:
            items = self._items[document] = self._item_positions(document)
        if not 0 <= path[1] < len(items):
            return deepest(self._text, start, path[:1])
        return deepest(self._text, items[path[1]], path[2:])

    def _item_positions(self, document: int) -> list[int]:
        text, start = self._text, self._starts[document]
        found = deepest(text, start, ("items",))
        if found == start or text[found] != "[":
            return []
        positions, position = [], _after_blanks(text, found + 1)
        for length in self._skipped(start):
            positions.append(position)
            end = position + length
            position = end + 1 if text.startswith(",{", end) else _next(text, end)
        return positions

    def _skipped(self, start: int) -> Iterator[int]:
        """The length of each item of the List at ``start``, in characters."""
        import msgspec

        class Shape(TypedDict):
            items: list[msgspec.Raw]

        text = self._text
        try:
            end = _container_end(text, start) if len(self._starts) > 1 else len(text)
            values = msgspec.json.decode(text[start:end], type=Shape)["items"]
        except msgspec.DecodeError:  # YAML's line ends, or a line of dashes, after the only document
            values = msgspec.json.decode(text[start : _container_end(text, start)], type=Shape)["items"]
        plain = text.isascii()  # then a value has as many characters as bytes
        return (memoryview(value).nbytes if plain else len(bytes(value).decode()) for value in values)


def _tree(text: str, start: int) -> Spot:
    """The positions of the value at ``start`` and of all that it holds, without recursion."""
    root = Spot(start, _empty(text, start))
    open_: list[dict[Any, Spot] | list[Spot]] = [] if root.inside is None else [root.inside]
    position = _after_blanks(text, start + 1)
    while open_:
        inside = open_[-1]
        if text[position] in "]}":
            open_.pop()
            position = _next(text, position + 1)
            continue
        name, key = "", -1
        if isinstance(inside, dict):
            end, key = _value_end(text, position), position
            name = _string(text[position:end])
            position = _after_blanks(text, _after_blanks(text, end) + 1)  # past the colon
        spot = Spot(position, _empty(text, position), key)
        if isinstance(inside, dict):
            inside[name] = spot
        else:
            inside.append(spot)
        if spot.inside is None:
            position = _next(text, _value_end(text, position))
        else:
            open_.append(spot.inside)
            position = _after_blanks(text, position + 1)
    return root


def _empty(text: str, position: int) -> dict[Any, Spot] | list[Spot] | None:
    """What the value at ``position`` will hold; None for a scalar."""
    return {} if text[position] == "{" else [] if text[position] == "[" else None


def keys_twice(text: str, start: int, most: int) -> list[Twice]:
    """The first ``most`` keys that an object under ``start`` has twice, by an exact scan of the whole."""
    found: list[Twice] = []
    stack: list[dict[str, int]] = []
    before = None  # the string token that came last: a key, if a colon follows
    for token in _TOKEN.finditer(text, start):
        sign = token[0]
        if sign in "{[":
            stack.append({})
        elif sign in "}]":
            stack.pop()
            if not stack:
                break
        elif sign == ":" and before is not None:
            name = _string(before[0])
            first = stack[-1].setdefault(name, before.start())
            if first != before.start():
                found.append(Twice(name, first, before.start()))
                if len(found) == most:
                    break
        before = token if sign[0] == '"' else None
    return found


def too_deep(text: str, start: int, limit: int) -> int | None:
    """The position of the first bracket under ``start`` that opens a level past ``limit``; None without one."""
    depth = 0
    for token in _BRACKET.finditer(text, start):
        if token.lastindex == 1:
            depth += 1
            if depth > limit:
                return token.start()
        elif token.lastindex == 2:
            depth -= 1
    return None
