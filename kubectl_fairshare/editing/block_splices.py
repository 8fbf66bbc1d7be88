"""Changes of lists and mappings in block style, where each row has its own lines."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from kubectl_fairshare.editing.spelling import entry_lines
from kubectl_fairshare.editing.splice import (
    Change,
    RowExtent,
    Splice,
    UnspliceableError,
    after_break,
    after_colon,
    bracketed_empty,
    column,
    end_with_comment,
    line_end,
    line_start,
    on_its_own,
)
from kubectl_fairshare.input.text.nodes import Document, TextNode

_BLANKS_AND_COMMENTS: Final = re.compile(r"(?:[ \t\r\n]|#[^\r\n]*)*")
_BREAKS: Final = ("\r", "\n")
_COMMENT_LINE: Final = re.compile(r"[ \t]*#[^\r\n]*")


def block_splices(document: Document, change: Change) -> Iterator[Splice]:
    """The splices for one list or mapping. Raises ``UnspliceableError``."""
    text, rows, kept = document.text, _rows(document, change.node), change.kept
    if change.order:
        yield _reordered(document, rows, change.order)
    elif not kept:
        yield from _without_any(document, change, rows)
    else:
        yield from _removals(text, rows, change.removed)
        if change.inserted:
            position = end_with_comment(text, rows[kept[-1]].end)
            yield Splice(position, position, document.newline + _indented(document, rows[0], change, first=True))


def emptied(document: Document, change: Change, instead: str) -> Iterator[Splice]:
    """Replaces the whole list or mapping by a value on one line, next to its key if it has one."""
    node = change.node
    if node.anchor is not None or node.tag is not None:
        raise UnspliceableError("the value that would be empty has an anchor or a tag")
    rows = _rows(document, node)
    if not on_its_own(document.text, rows[0].start):
        yield Splice(rows[0].start, rows[-1].end, instead)
        return
    if change.holder is None:
        raise UnspliceableError("the value has no key, so an empty value has no place next to it")
    position = after_colon(document, change.holder)
    yield Splice(position, position, f" {instead}")
    yield from _removals(document.text, rows, set(range(len(rows))))


def _without_any(document: Document, change: Change, rows: Sequence[RowExtent]) -> Iterator[Splice]:
    if change.inserted:
        text = _indented(document, rows[0], change, first=False)
        yield Splice(rows[0].start, rows[-1].end, text)
    else:
        yield from emptied(document, change, bracketed_empty(change.node))


def _indented(document: Document, row: RowExtent, change: Change, *, first: bool) -> str:
    """The inserted entries at the column of ``row``; with ``first``, the first line is indented as well."""
    indent = " " * column(document.text, row.start)
    lines = [line for name, value in change.inserted for line in entry_lines(name, value)]
    return (indent if first else "") + f"{document.newline}{indent}".join(lines)


def _rows(document: Document, node: TextNode) -> list[RowExtent]:
    text = document.text
    if node.entries is None:
        return list(item_rows(text, node))
    for entry in node.entries:
        if text[: entry.key.outset].rstrip(" \t").endswith("?"):
            raise UnspliceableError("a key is written with `?`")
    return [RowExtent(entry.key.outset, entry.end) for entry in node.entries]


def item_rows(text: str, node: TextNode) -> Iterator[RowExtent]:
    """The items of a list in block style, each from its dash on."""
    position = node.start
    for item in node.items or ():
        blanks = _BLANKS_AND_COMMENTS.match(text, position)
        dash = blanks.end() if blanks else position
        if text[dash : dash + 1] != "-":
            raise UnspliceableError("the dash of an item is not at the expected place")
        position = max(item.end, dash + 1)
        yield RowExtent(dash, position)


def _removals(text: str, rows: Sequence[RowExtent], removed: set[int]) -> Iterator[Splice]:
    """Removes the lines of rows; if a first row shares its line with a dash, the next row moves there."""
    spans = []
    todo = sorted(removed)
    if 0 in removed and not on_its_own(text, rows[0].start):
        following = next(number for number in range(len(rows)) if number not in removed)
        end = line_end(text, rows[following - 1].end)
        between = text[end : rows[following].start]
        spans.append((rows[0].start, end if "#" in between else rows[following].start))
        todo = [number for number in todo if number > following]
    for number in todo:
        start, end = line_start(text, rows[number].start), end_with_comment(text, rows[number].end)
        spans.append((start, after_break(text, end)))
    for start, end in _merged_spans(spans):
        # a text without a final line break has none after the removal either
        unended = end == len(text) and not text.endswith(_BREAKS)
        yield Splice(len(text[:start].rstrip("".join(_BREAKS))) if unended else start, end)


def _merged_spans(spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The spans, with touching ones joined."""
    here: tuple[int, int] | None = None
    for start, end in spans:
        if here is not None and start <= here[1]:
            here = (here[0], end)
            continue
        if here is not None:
            yield here
        here = (start, end)
    if here is not None:
        yield here


def _before_break(text: str, position: int) -> int:
    if text.endswith("\r\n", 0, position):
        return position - 2
    return position - 1 if position else 0


def _reordered(document: Document, rows: Sequence[RowExtent], order: Sequence[int]) -> Splice:
    """The rows in another order, each with the comments on its line and on the lines directly above."""
    text = document.text
    ends = [end_with_comment(text, row.end) for row in rows]
    own_lines = on_its_own(text, rows[0].start)
    leads = ["", *(text[after_break(text, end) : line_start(text, row.start)] for end, (_, row) in _next(ends, rows))]
    begin = line_start(text, rows[0].start) if own_lines else rows[0].start
    if own_lines:
        first = _comments_above(text, begin)
        leads[0] = text[first:begin]
        begin = first
    elif any("#" in lead for lead in leads):
        raise UnspliceableError("there are comments between the items")
    indent = " " * column(text, rows[0].start)
    pieces = [leads[number] + indent + text[rows[number].start : ends[number]] for number in order]
    if not own_lines:
        pieces[0] = pieces[0].removeprefix(indent)
    return Splice(begin, ends[-1], document.newline.join(pieces))


def _next(ends: Sequence[int], rows: Sequence[RowExtent]) -> Iterator[tuple[int, tuple[RowExtent, RowExtent]]]:
    return zip(ends, pairwise(rows), strict=False)


def _comments_above(text: str, position: int) -> int:
    """The start of the comment lines that end directly before the line at ``position``."""
    while position:
        above = line_start(text, _before_break(text, position))
        if _COMMENT_LINE.fullmatch(text, above, _before_break(text, position)) is None:
            break
        position = above
    return position
