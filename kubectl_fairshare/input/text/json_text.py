"""JSON to plain data as kubectl would read it: one document, or several one after another."""

import re
from functools import cache
from typing import Any, Final

from kubectl_fairshare.input.text.aliases import DEPTH_REMEDY, MAX_DEPTH
from kubectl_fairshare.input.text.json_places import keys_twice, too_deep
from kubectl_fairshare.input.text.lines import Lines
from kubectl_fairshare.input.text.yaml_problems import MOST_TWICE, duplicate_keys
from kubectl_fairshare.input.text.yaml_scalars import through_json
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import Location

_DUMP_DEPTHS: Final = (254, 255)
"""Levels past which ``orjson.dumps`` refuses, by its release (measured; it has no setting)."""
_BETWEEN: Final = re.compile(r"\s*(?:---[ \t]*(?:#[^\n]*)?(?:\n|$)\s*)*")
_ESCAPED_COLON: Final = re.compile(rb"\\u003[aA]")
_WHOLE_FLOAT: Final = re.compile(rb"\.0[,}\]]")
_LARGE_FLOAT: Final = re.compile(rb"e\+?1[678][,}\]]")  # orjson writes the sign in some releases


class NotJsonError(ValueError):
    """Raised for a text that is not JSON. ``position`` (in characters) is where that shows."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.message, self.position = message, position

    def problem(self, source: str, text: str) -> Problem:
        """The error if the text was meant to be JSON."""
        place = Location(source, *Lines(text).place(self.position))
        remedy = "check the quotes, commas and brackets here and in the line before"
        return Problem(f"not valid JSON: {self.message}", place, remedy)


def load(source: str, text: bytes) -> tuple[list[Json], list[int]]:
    """The documents of a JSON text, and the position (in characters) where each begins.

    ``text`` is UTF-8 without a byte order mark. Raises ``NotJsonError``; ``FairshareError`` for JSON that we
    don't take: a key twice in one object, nesting too deep.
    """
    import orjson

    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        if "content after document" in error.msg:
            return _stream(source, text.decode())
        raise _unread(source, text.decode(), 0, error) from None
    return [_checked(source, text, value)], [0]


def _stream(source: str, text: str) -> tuple[list[Json], list[int]]:
    """Documents one after another, with blanks or ``---`` lines between them."""
    documents: list[Json] = []
    starts: list[int] = []
    position = _next_document(text, 0)
    while position < len(text):
        end = _document_end(source, text, position)
        documents.append(_document(source, text, position, end))
        starts.append(position)
        position = _next_document(text, end)
    return documents, starts


def _next_document(text: str, position: int) -> int:
    match = _BETWEEN.match(text, position)
    return match.end() if match else position


def _document_end(source: str, text: str, start: int) -> int:
    import json

    measure = json.JSONDecoder(parse_int=str, parse_float=str)  # finds the end only; numbers stay unread
    try:
        return measure.raw_decode(text, start)[1]
    except json.JSONDecodeError as error:
        raise NotJsonError(error.msg[:1].lower() + error.msg[1:], error.pos) from None
    except RecursionError:
        raise FairshareError(_depth_problem(source, text, start)) from None


def _document(source: str, text: str, start: int, end: int) -> Json:
    import orjson

    piece = text[start:end].encode()
    try:
        value = orjson.loads(piece)
    except orjson.JSONDecodeError as error:
        raise _unread(source, text, start, error) from None
    return _checked(source, piece, value, text, start)


def _unread(source: str, text: str, start: int, error: Any) -> Exception:
    """What to raise where orjson could not read the document at ``start``."""
    if "depth" in error.msg:
        return FairshareError(_depth_problem(source, text, start))
    return NotJsonError(error.msg, start + error.pos)


def _depth_problem(source: str, text: str, start: int) -> Problem:
    position = too_deep(text, start, MAX_DEPTH)
    place = Location(source, *Lines(text).place(start if position is None else position))
    return Problem(f"nested more than {MAX_DEPTH} levels deep", place, DEPTH_REMEDY)


def _checked(source: str, piece: bytes, value: Json, text: str | None = None, start: int = 0) -> Json:
    r"""The value of ``piece``, sure to have no key twice and no deep nesting, with numbers as go leaves them.

    orjson keeps the last of two equal keys without a word. But every member of an object brings one colon,
    every other colon is inside a string, and ``orjson.dumps`` of the value writes the colons of what was
    kept: so the text holds more colons than the dump exactly when a member was dropped. Blanks don't matter.
    One thing could hide a drop, a colon written as ``\u003a`` inside a kept string: then, too, the exact
    scan decides. (Counting costs a fifth of the parse, a scan four times the parse.)
    """
    nested = value
    for _ in range(_dump_depth() - MAX_DEPTH):
        nested = [nested]
    dumped, large = _dump(nested)
    if dumped is None:
        raise FairshareError(_depth_problem(source, text or piece.decode(), start))
    if _may_lack_a_key(piece, dumped):
        whole = text or piece.decode()
        if twice := keys_twice(whole, start, MOST_TWICE):
            raise FairshareError(*duplicate_keys(source, whole, twice))
    return _numbers(value) if large or _has_odd_float(dumped) else value


class SureValues:
    """Reads lists of pieces that lie some levels deep in a text: calls for each of ten thousand would take long."""

    def __init__(self, above: int) -> None:
        self._bottom: list[Json] = [None]
        self._around: list[Json] = self._bottom
        self._levels = _dump_depth() - MAX_DEPTH + above - 1
        for _ in range(self._levels - 1):
            self._around = [self._around]

    def values(self, text: bytes) -> tuple[list[Json], list[bool] | None] | None:
        """The value of each piece of a list, and whether its numbers are all as it states them; None where all are.

        None alone if a piece is not right: it is not JSON, is too deep, or has a key twice, which its colons show (see
        ``_checked``). A text without blanks shows it at once: it is what its value is written as.
        """
        import orjson

        try:
            found = self._bottom[0] = orjson.loads(text)
        except orjson.JSONDecodeError:
            return None
        dumped, large = _dump(self._around)
        if dumped is None or (not self._is_same(text, dumped) and _may_lack_a_key(text, dumped)):
            return None
        if not large and not _has_odd_float(dumped):
            return found, None
        odd = [_has_odd_number(value) for value in found]
        values = [_numbers(value) if is_odd else value for value, is_odd in zip(found, odd, strict=True)]
        return values, [not is_odd for is_odd in odd]

    def _is_same(self, text: bytes, dumped: bytes) -> bool:
        return len(dumped) == len(text) + 2 * self._levels and dumped.startswith(text, self._levels)


@cache
def _dump_depth() -> int:
    less, more = _DUMP_DEPTHS
    value: list[Json] = []
    for _ in range(more - 1):
        value = [value]
    return less if _dump(value)[0] is None else more


def _dump(value: Json) -> tuple[bytes | None, bool]:
    """The value as text, None where it is too deep for that, and whether it has a large integer."""
    import orjson

    try:
        return orjson.dumps(value, option=orjson.OPT_STRICT_INTEGER), False
    except TypeError:  # an integer of more than 53 bits, or too deep: the next line decides
        pass
    try:
        return orjson.dumps(value), True
    except TypeError:
        return None, True


def _may_lack_a_key(piece: bytes, dumped: bytes) -> bool:
    return piece.count(b":") != dumped.count(b":") or _hides_a_colon(piece)


def _hides_a_colon(piece: bytes) -> bool:
    return b"\\" in piece and _ESCAPED_COLON.search(piece) is not None


def _has_odd_float(dumped: bytes) -> bool:
    sign = _large_exponent()[1:2]  # looked for first, as one rare byte is found fastest
    return bool(_WHOLE_FLOAT.search(dumped) or (sign in dumped and _LARGE_FLOAT.search(dumped)))


@cache
def _large_exponent() -> bytes:
    """How the exponent of a large number begins, as ``orjson`` writes it."""
    import orjson

    return orjson.dumps(1e17)[1:-1]


def _has_odd_number(value: Json) -> bool:
    dumped, large = _dump(value)
    return large or dumped is None or _has_odd_float(dumped)


def _numbers(value: Json) -> Json:
    """The value with each number as go's JSON leaves it, lists and mappings changed in place."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return through_json(value, str(value))
    todo = [value]
    while todo:
        holder = todo.pop()
        entries = holder.items() if isinstance(holder, dict) else enumerate(holder) if isinstance(holder, list) else ()
        for name, held in entries:
            if isinstance(held, (dict, list)):
                todo.append(held)
            elif type(held) in (int, float):
                holder[name] = through_json(held, str(held))
    return value
