"""The smallest change of a text, and the intended change of a list or mapping."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from kubectl_fairshare.finding import Edit
from kubectl_fairshare.input.text.nodes import Document, TextEntry, TextNode
from kubectl_fairshare.model.json import FieldPath, Json
from kubectl_fairshare.model.values import Value, field

_LINE: Final = re.compile(r"[^\r\n]*")
_BREAK: Final = re.compile(r"\r\n|\n|\r|")
_TAIL: Final = re.compile(r"[ \t]*(?:#.*)?")
_COLON: Final = re.compile(r"[ \t]*:")


class UnspliceableError(ValueError):
    """Raised for an edit that no small change of the text can make; the message says why, in words for the user."""


class Splice(NamedTuple):
    """Replaces the characters from ``start`` to before ``end`` by ``text``."""

    start: int
    end: int
    text: str = ""


class EditStep(NamedTuple):
    """An edit, and its place in the document as written."""

    path: FieldPath
    edit: Edit


class RowExtent(NamedTuple):
    """The extent of an item of a list, including its dash, or of an entry of a mapping."""

    start: int
    end: int


class Change(Value):
    """The change of one list or mapping: removed rows, inserted entries, or another order.

    ``holder`` is the entry with this value; None for an item of a list and for the whole document.
    """

    node: TextNode
    holder: TextEntry | None = None
    removed: set[int] = field(default_factory=set)
    inserted: list[tuple[str, Json]] = field(default_factory=list)
    order: tuple[int, ...] = ()

    @property
    def kept(self) -> list[int]:
        """The rows that stay, by number."""
        rows = self.node.entries if self.node.entries is not None else self.node.items or []
        return [number for number in range(len(rows)) if number not in self.removed]


def spliced_text(text: str, splices: Iterable[Splice]) -> str:
    """The text after all ``splices``. Raises ``UnspliceableError`` if two overlap."""
    pieces: list[str] = []
    position = 0
    for splice in in_order(splices):
        pieces += text[position : splice.start], splice.text
        position = splice.end
    return "".join(pieces) + text[position:]


def in_order(splices: Iterable[Splice]) -> Sequence[Splice]:
    """The splices by place, an insertion before a removal at the same place. Raises if two overlap."""
    ordered = sorted(splices, key=lambda splice: splice[:2])
    for before, after in pairwise(ordered):
        if after.start < before.end or (before[:2] == after[:2] and before.start < before.end):
            raise UnspliceableError("its changes overlap")
    return ordered


def line_start(text: str, position: int) -> int:
    """The start of the line with ``position``."""
    newline = text.rfind("\n", 0, position) + 1
    return max(newline, text.rfind("\r", newline, position) + 1)  # no further back: a text without any is long


def line_end(text: str, position: int) -> int:
    """The end of the line with ``position``, before its line break."""
    match = _LINE.match(text, position)
    return match.end() if match else position


def after_break(text: str, position: int) -> int:
    """The position after the line break at ``position``, if there is one."""
    match = _BREAK.match(text, position)
    return match.end() if match else position


def newline(text: str) -> str:
    """The line break that the text uses."""
    match = re.search(r"\r\n|\n", text)
    return match[0] if match else "\n"


def column(text: str, position: int) -> int:
    """The number of characters before ``position`` in its line."""
    return position - line_start(text, position)


def on_its_own(text: str, position: int) -> bool:
    """Whether only blanks precede ``position`` in its line."""
    return not text[line_start(text, position) : position].strip()


def end_with_comment(text: str, position: int) -> int:
    """The end of the line, if only a comment follows. Raises ``UnspliceableError`` otherwise."""
    end = line_end(text, position)
    if _TAIL.fullmatch(text, position, end) is None:
        raise UnspliceableError("more than a comment follows on the line")
    return end


def after_colon(document: Document, entry: TextEntry) -> int:
    """The position after the colon between key and value. Raises ``UnspliceableError`` for a key written with ``?``."""
    match = _COLON.match(document.text, entry.key.end)
    if match is None:
        raise UnspliceableError("the key is not followed by a colon on its line")
    return match.end()


def bracketed_empty(node: TextNode) -> str:
    """The text of an empty list or mapping."""
    return "{}" if node.entries is not None else "[]"
