"""The documents of texts as nodes, created on demand."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from kubectl_fairshare.editing.changed_lines import ChangedLines, changed_lines
from kubectl_fairshare.editing.splice import Splice, line_start, newline, spliced_text
from kubectl_fairshare.input.text.json_nodes import json_document
from kubectl_fairshare.input.text.lines import Lines
from kubectl_fairshare.input.text.nodes import Document, yaml_document
from kubectl_fairshare.input.text.texts import BYTE_ORDER_MARK, Text


class SourceDocument(NamedTuple):
    """A document of a source, counted from 0."""

    source: str
    document: int


class Piece(NamedTuple):
    """A document, and the offset of its positions in the text."""

    offset: int
    document: Document


class Pieces:
    """The documents of ``texts``."""

    def __init__(self, texts: Mapping[str, Text]) -> None:
        self.texts = texts
        self._characters: dict[str, str] = {}
        self._pieces: dict[SourceDocument, Piece] = {}
        self._lines: dict[str, Lines] = {}

    def __getitem__(self, part: SourceDocument) -> Piece:
        found = self._pieces.get(part)
        if found is None:
            text = self.texts[part.source]
            found = self._pieces[part] = piece(text, self._of(part.source), part.document)
        return found

    def lines(self, source: str) -> Lines:
        """The lines of a source."""
        if source not in self._lines:
            self._lines[source] = Lines(self._of(source))
        return self._lines[source]

    def in_text(self, splices: Mapping[SourceDocument, Sequence[Splice]]) -> list[Splice]:
        """Splices of documents of one source, as positions in the whole text."""
        return [
            Splice(start + self[part].offset, end + self[part].offset, text)
            for part, each in splices.items()
            for start, end, text in each
        ]

    def changed_bytes(self, source: str, splices: Iterable[Splice]) -> bytes:
        """The bytes of a source after splices of its whole text."""
        mark = BYTE_ORDER_MARK if self.texts[source].begins(BYTE_ORDER_MARK) else b""
        return mark + spliced_text(self._of(source), splices).encode()

    def changed_lines(self, source: str, splices: Iterable[Splice]) -> list[ChangedLines]:
        """The lines of a source that splices of its whole text change."""
        return changed_lines(self._of(source), splices)

    def _of(self, source: str) -> str:
        if source not in self._characters:
            self._characters[source] = self.texts[source].characters
        return self._characters[source]


def piece(text: Text, characters: str, number: int) -> Piece:
    """The ``number``-th document of a text that loads; ``characters`` are those of the text."""
    start, last = text.starts[number], number + 1 == len(text.starts)
    if text.format == "json":
        return Piece(start, json_document(characters[start : None if last else text.starts[number + 1]]))
    start = line_start(characters, start)
    end = len(characters) if last else line_start(characters, text.starts[number + 1])
    return Piece(start, yaml_document(characters[start:end], newline(characters)))
