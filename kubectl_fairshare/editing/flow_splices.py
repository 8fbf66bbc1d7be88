"""Changes of lists and mappings in brackets, in YAML and JSON."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_fairshare.editing.spelling import flow, scalar
from kubectl_fairshare.editing.splice import Change, RowExtent, Splice, UnspliceableError
from kubectl_fairshare.input.text.nodes import Document, TextNode

_COMMA: Final = re.compile(r"\s*,")
_SEPARATOR: Final = re.compile(r"\s*,\s*")
_COLON: Final = re.compile(r"\s*:\s*")


def flow_splices(document: Document, change: Change) -> Iterator[Splice]:
    """The splices for one list or mapping. Raises ``UnspliceableError``."""
    text, node = document.text, change.node
    rows = _rows(text, node)
    if change.order:
        for row, number in zip(rows, change.order, strict=True):
            yield Splice(*row, text[slice(*rows[number])])
        return
    kept = change.kept
    entries = _entries(document, change)
    if not kept:
        yield from _without_any(document, node, rows, entries)
        return
    yield from _removals(text, rows, change.removed)
    if entries:
        separator = _separator(document, node, rows)
        position = rows[kept[-1]].end
        yield Splice(position, position, "".join(separator + entry for entry in entries))


def _rows(text: str, node: TextNode) -> list[RowExtent]:
    if text[node.start] != node.style:
        raise UnspliceableError("a list contains a mapping without brackets")
    if node.entries is None:
        return [RowExtent(item.outset, item.end) for item in node.items or ()]
    for entry in node.entries:
        if text[: entry.key.outset].rstrip().endswith("?"):
            raise UnspliceableError("a key is written with `?`")
    return [RowExtent(entry.key.outset, entry.end) for entry in node.entries]


def _without_any(
    document: Document, node: TextNode, rows: Sequence[RowExtent], entries: Sequence[str]
) -> Iterator[Splice]:
    text = document.text
    if rows and ("#" in text[node.start : rows[0].start] or "#" in text[rows[-1].end : node.end]):
        raise UnspliceableError("the brackets that would be empty contain a comment")
    yield Splice(node.start + 1, node.end - 1, ", ".join(entries))


def _removals(text: str, rows: Sequence[RowExtent], removed: set[int]) -> Iterator[Splice]:
    """Removes rows with the comma after them, or with the comma before them at the end."""
    for first, last in _runs(sorted(removed)):
        if last + 1 < len(rows):
            following = rows[last + 1].start
            commented = "#" in text[rows[last].end : following]
            yield Splice(rows[first].start, _after_comma(text, rows[last].end) if commented else following)
        elif "#" in text[rows[first - 1].end : rows[first].start]:
            yield Splice(rows[first].start, _after_comma(text, rows[last].end))
        else:
            yield Splice(rows[first - 1].end, rows[last].end)


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Consecutive numbers as ranges: first and last."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    yield from runs


def _after_comma(text: str, position: int) -> int:
    match = _COMMA.match(text, position)
    return match.end() if match else position


def _entries(document: Document, change: Change) -> list[str]:
    """The inserted entries; quotes of keys and blanks around colons follow the last entry."""
    entries, json = change.node.entries or [], document.json
    colon, quote = ": ", ""
    if entries:
        last = entries[-1]
        between = document.text[last.key.end : last.value.start]
        colon = between if _COLON.fullmatch(between) and (json or between.endswith(" ")) else colon
        quote = last.key.style
    return [scalar(n, quote=quote, json=json) + colon + flow(value, json=json) for n, value in change.inserted]


def _separator(document: Document, node: TextNode, rows: Sequence[RowExtent]) -> str:
    """The text between two entries, or the one that would be there: line breaks and indentation as in the document."""
    text = document.text
    if len(rows) > 1:
        between = text[rows[-2].end : rows[-1].start]
        return between if _SEPARATOR.fullmatch(between) else ", "
    lead = text[node.start + 1 : rows[0].start]
    if "\n" in lead and not lead.strip():
        return "," + lead
    entry = (node.entries or [])[-1]
    return "," if document.json and document.text[entry.key.end : entry.value.start] == ":" else ", "
