"""Edits of YAML inside a text field."""

import json
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import takewhile
from typing import Final, NamedTuple

from kubectl_fairshare.editing.changed_lines import line_starts, rewritten_lines
from kubectl_fairshare.editing.splice import Splice, UnspliceableError, after_break, line_end, spliced_text
from kubectl_fairshare.input.text.json_nodes import json_document
from kubectl_fairshare.input.text.nodes import Document, TextNode, yaml_document
from kubectl_fairshare.model.errors import FairshareError

_OTHERWISE: Final = "the text inside the field is not written as a block of lines (`|`)"
_LINE: Final = re.compile(r"[^\n]*\n|[^\n]+")
_WRITTEN: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


class _Block(NamedTuple):
    """The lines of a text as they are written in the document around it: where each starts, and their indentation."""

    starts: Sequence[int]
    indent: str


class InnerText:
    """The YAML in a scalar of a document. What is found in it is kept for all fixes there."""

    def __init__(self, document: Document, node: TextNode) -> None:
        self._outer, self._node = document, node

    @property
    def document(self) -> Document:
        """The one document in it. Raises ``UnspliceableError`` for other texts."""
        if isinstance(self._document, str):
            raise UnspliceableError(self._document)
        return self._document

    def rewriting(self, splices: Sequence[Splice]) -> Iterator[Splice]:
        """The splices of the document around it that make ``splices`` in it. Raises ``UnspliceableError``."""
        node, whole = self._node, self._outer.text
        if node.style == "|":
            for first, last, written in rewritten_lines(node.value, self._starts, splices):
                yield from self._of_lines(first, last, written)
        elif node.style == '"' and json.dumps(node.value, ensure_ascii=False) == whole[node.start : node.end]:
            changed = spliced_text(node.value, splices)
            yield Splice(node.start, node.end, json.dumps(changed, ensure_ascii=False))
        else:
            raise UnspliceableError(_OTHERWISE)

    @cached_property
    def _document(self) -> Document | str:
        """The one document, or why there is none."""
        from kubectl_fairshare.input.text.decoding import decode

        value = self._node.value
        try:
            text, documents = decode("", value.encode())
        except FairshareError:
            return "the text inside the field is not YAML"
        if len(documents) != 1:
            return "the text inside the field has more than one document"
        return json_document(value) if text.format == "json" else yaml_document(value)

    @cached_property
    def _starts(self) -> Sequence[int]:
        return line_starts(self._node.value)

    def _end(self, last: int) -> int:
        """Where the lines before ``last`` end."""
        return self._starts[last] if last < len(self._starts) else len(self._node.value)

    @cached_property
    def _block(self) -> _Block | str:
        """The lines around the text, or why they are not understood."""
        text, node = self._outer.text, self._node
        starts = [after_break(text, line_end(text, node.start))]
        outer = _WRITTEN.findall(text, starts[0], line_end(text, node.end))
        for line in outer:
            starts.append(starts[-1] + len(line))
        try:
            return _Block(starts, _indent(outer, _without_ends(node.value)))
        except UnspliceableError as error:
            return str(error)

    def _of_lines(self, first: int, last: int, written: str) -> Iterator[Splice]:
        """Gives lines another text, without those at both ends that stay."""
        block, end = self._block, self._outer.newline
        if isinstance(block, str):
            raise UnspliceableError(block)
        before = _without_ends(self._node.value[self._starts[first] : self._end(last)])
        after = _without_ends(written)
        head = _common(before, after)
        tail = _common(before[head:][::-1], after[head:][::-1])
        after, first, last = after[head : len(after) - tail], first + head, last - tail
        lines = [f"{block.indent if line else ''}{line}" for line in after]
        start, stop = block.starts[first], block.starts[last]
        if first == last and not lines:
            return
        if not last or self._outer.text[stop - 1] in "\r\n":
            yield Splice(start, stop, "".join(line + end for line in lines))
        elif lines or not first:
            yield Splice(start, stop, (end if first == last else "") + end.join(lines))
        else:
            yield Splice(line_end(self._outer.text, block.starts[first - 1]), stop)


def inner_text(document: Document, node: TextNode) -> InnerText:
    """The text in a scalar of the document, the same one for every fix."""
    if node.inside is None:
        node.inside = InnerText(document, node)
    found: InnerText = node.inside
    return found


def _without_ends(text: str) -> list[str]:
    return [line.removesuffix("\n") for line in _LINE.findall(text)]


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """With how many equal lines both begin."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _indent(outer: list[str], inner: list[str]) -> str:
    """The indentation of a block. Raises ``UnspliceableError`` if the lines do not agree."""
    first = next((number for number, line in enumerate(inner) if line), None)
    if first is None or len(outer) < len(inner):
        raise UnspliceableError("the text inside the field is empty")
    indent = outer[first][: len(outer[first].rstrip("\r\n")) - len(inner[first])]
    for written, line in zip(outer, inner, strict=False):
        if written.rstrip("\r\n") != indent + line and (line or written.strip()):
            raise UnspliceableError("the lines of the text inside the field have different indentation")
    return indent
