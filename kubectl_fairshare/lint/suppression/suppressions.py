"""Reads the comments and annotations that suppress rules.

A comment covers what begins on its line: a field with everything below it, an item, or a whole object on its first
line. A comment on a line of its own applies to the next line that is neither blank nor a comment.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from kubectl_fairshare.editing.block_splices import item_rows
from kubectl_fairshare.editing.pieces import Pieces, SourceDocument
from kubectl_fairshare.editing.splice import after_break, line_end, line_start
from kubectl_fairshare.input.text.comments import Comment, comments
from kubectl_fairshare.input.text.nodes import BLOCK, TextNode
from kubectl_fairshare.input.text.texts import Text, Texts
from kubectl_fairshare.lint.suppression.suppression import Suppression, words_of
from kubectl_fairshare.model.json import ColumnPart, FieldPath, Json, LinePart, mapping
from kubectl_fairshare.model.location import Origin, Place
from kubectl_fairshare.model.manifest import Manifest

ANNOTATION: Final = "fairshare.dev/ignore"
_SIGN: Final = "fairshare:"
_COMMENT: Final = re.compile(r"#+[ \t]*fairshare:[ \t]*(.*)")
_IGNORE: Final = re.compile(r"ignore\[([^\]]*)\](?:[ \t].*)?")
_FORM: Final = "write `# fairshare: ignore[K041] reason`, with comma-separated rules by id or by name"
_ANNOTATION_FORM: Final = f'write `{ANNOTATION}: "K041=reason; K027=reason"`, with rules by id or by name'


class _Row(NamedTuple):
    """An entry or an item: its extent, and its contents."""

    start: int
    end: int
    part: str | int
    node: TextNode


def suppressions(manifests: Sequence[Manifest], texts: Texts) -> tuple[Suppression, ...]:
    """All suppressions, in the order of texts and manifests; comments are searched only in texts that mention them."""
    found = list(_in_annotations(manifests))
    marked = [text for text in texts.values() if text.format == "yaml" and _SIGN.encode() in text.data]
    if marked:
        holders = _by_document(manifests)
        pieces = Pieces(texts)
        for text in marked:
            found.extend(_Commented(text, pieces, holders).suppressions())
    return tuple(found)


def _in_annotations(manifests: Sequence[Manifest]) -> Iterator[Suppression]:
    for manifest in manifests:
        annotations = mapping(manifest.data, "metadata", "annotations")
        if ANNOTATION in annotations:
            place = Place(manifest.key, ("metadata", "annotations", ANNOTATION))
            words = _annotation_words(annotations[ANNOTATION])
            yield Suppression(place, words, (manifest.origin,), malformed="" if words else _ANNOTATION_FORM)


def _annotation_words(value: Json) -> tuple[str, ...]:
    """The rules that an annotation names; empty if it is malformed."""
    entries = value.split(";") if isinstance(value, str) else ()
    return tuple(word for entry in entries for word in words_of(entry.partition("=")[0]))


def _by_document(manifests: Sequence[Manifest]) -> Mapping[SourceDocument, list[Manifest]]:
    """The manifests of each document, in the order of the text."""
    found: dict[SourceDocument, list[Manifest]] = {}
    for manifest in sorted(manifests, key=lambda m: m.origin):
        found.setdefault(SourceDocument(manifest.source, manifest.origin.document), []).append(manifest)
    return found


class _Commented:
    """The suppressions in the comments of one text."""

    def __init__(self, text: Text, pieces: Pieces, holders: Mapping[SourceDocument, list[Manifest]]) -> None:
        self._name = text.name
        self._characters = text.characters
        self._starts = [line_start(self._characters, start) for start in text.starts]
        self._pieces = pieces
        self._holders = holders
        self._next: dict[int, int] = {}
        self._begun: dict[int, dict[int, tuple[FieldPath, ...]]] = {}

    def suppressions(self) -> Iterator[Suppression]:
        for comment in comments(self._characters):
            match = _COMMENT.fullmatch(comment.text.rstrip())
            if match is not None and (found := self._suppression(comment, match[1])) is not None:
                yield found

    def _suppression(self, comment: Comment, order: str) -> Suppression | None:
        """The suppression in a comment; None if it belongs to no object."""
        target = self._target(comment)
        document = max(bisect_right(self._starts, target) - 1, 0)
        holders = self._holders.get(SourceDocument(self._name, document))
        if holders is None:
            return None
        covers = tuple(Origin(self._name, document, path) for path in self._paths_on_line(document, target))
        holder = _holder(holders, covers)
        line, column = self._at(comment.position)
        place = Place(holder.key, (LinePart(line), ColumnPart(column)))
        match = _IGNORE.fullmatch(order)
        words = words_of(match[1]) if match else ()
        return Suppression(place, words, covers, self._at(target)[0], "" if words else _FORM)

    def _target(self, comment: Comment) -> int:
        """The start of the line that a comment applies to; the end of the text if no such line follows."""
        text = self._characters
        start = line_start(text, comment.position)
        if text[start : comment.position].strip():
            return start
        passed: list[int] = []
        while start < len(text) and start not in self._next:
            passed.append(start)
            start = after_break(text, line_end(text, start))
            line = text[start : line_end(text, start)].strip()
            if line and not line.startswith("#"):
                break
        found = self._next.get(start, start)
        self._next.update(dict.fromkeys(passed, found))  # the comments between share the line
        return found

    def _paths_on_line(self, document: int, target: int) -> tuple[FieldPath, ...]:
        """What begins on the line at ``target``: the whole document, or the outermost of its parts."""
        offset, piece = self._pieces[SourceDocument(self._name, document)]
        line = target - offset
        if line_start(piece.text, piece.root.outset) == line or (line == 0 and piece.text.startswith("---")):
            return ((),)
        if line >= len(piece.text):
            return ()
        if document not in self._begun:
            self._begun[document] = _begun_on_lines(piece.text, piece.root)
        return self._begun[document].get(line, ())

    def _at(self, position: int) -> tuple[int, int]:
        return self._pieces.lines(self._name).place(position)


def _begun_on_lines(text: str, root: TextNode) -> dict[int, tuple[FieldPath, ...]]:
    """The paths of what begins on each line, by the start of the line; only the outermost of what is nested."""
    found: dict[int, list[FieldPath]] = {}
    todo: list[tuple[TextNode, FieldPath]] = [(root, ())]
    while todo:
        node, path = todo.pop()
        for start, end, part, held in _rows(text, node):
            line = line_start(text, start)
            found.setdefault(line, []).append((*path, part))
            if end > line:
                todo.append((held, (*path, part)))
    return {line: _outermost(paths) for line, paths in found.items()}


def _outermost(paths: list[FieldPath]) -> tuple[FieldPath, ...]:
    """The paths that are not below another one of them, in their order."""
    there = set(paths)
    return tuple(path for path in paths if not any(path[:length] in there for length in range(len(path))))


def _rows(text: str, node: TextNode) -> Iterator[_Row]:
    for entry in node.entries or ():
        if entry.name is not None:
            yield _Row(entry.key.outset, entry.end, entry.name, entry.value)
    items = node.items or []
    rows = item_rows(text, node) if items and node.style == BLOCK else ((item.outset, item.end) for item in items)
    for number, (item, (start, end)) in enumerate(zip(items, rows, strict=False)):
        yield _Row(start, end, number, item)


def _holder(holders: Sequence[Manifest], covers: Sequence[Origin]) -> Manifest:
    """The object of a comment: the one that contains what it covers, otherwise the first of its document."""
    paths = [origin.path for origin in covers]
    return next((m for m in holders if any(path[: len(m.origin.path)] == m.origin.path for path in paths)), holders[0])
