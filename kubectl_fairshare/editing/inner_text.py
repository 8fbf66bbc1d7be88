"""Edits of YAML inside a text field."""

import json
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Final

from kubectl_fairshare.editing.splice import Splice, UnspliceableError, after_break, line_end
from kubectl_fairshare.input.text.json_nodes import json_document
from kubectl_fairshare.input.text.nodes import Document, TextNode, yaml_document
from kubectl_fairshare.model.errors import FairshareError

_OTHERWISE: Final = "the text inside the field is not written as a block of lines (`|`)"


def rewriting_splices(document: Document, node: TextNode, changed: str) -> Iterator[Splice]:
    """The splices that give the scalar ``node`` the text ``changed``. Raises ``UnspliceableError``."""
    if node.style == "|":
        yield from _lines(document, node, changed)
    elif node.style == '"' and json.dumps(node.value, ensure_ascii=False) == document.text[node.start : node.end]:
        yield Splice(node.start, node.end, json.dumps(changed, ensure_ascii=False))
    else:
        raise UnspliceableError(_OTHERWISE)


def inner_document(node: TextNode) -> Document:
    """The one YAML document in a scalar. Raises ``UnspliceableError`` for other texts."""
    from kubectl_fairshare.input.text.decoding import decode

    try:
        text, documents = decode("", node.value.encode())
    except FairshareError:
        raise UnspliceableError("the text inside the field is not YAML") from None
    if len(documents) != 1:
        raise UnspliceableError("the text inside the field has more than one document")
    return json_document(node.value) if text.format == "json" else yaml_document(node.value)


def _lines(document: Document, node: TextNode, changed: str) -> Iterator[Splice]:
    text = document.text
    begin = after_break(text, line_end(text, node.start))
    outer = text[begin : line_end(text, node.end)].splitlines(keepends=True)
    before, after = node.value.splitlines(), changed.splitlines()
    indent = _indent(outer, before)
    starts = [begin]
    for line in outer:
        starts.append(starts[-1] + len(line))
    end = document.newline
    for kind, first, last, first_after, last_after in SequenceMatcher(None, before, after, False).get_opcodes():
        if kind == "equal":
            continue
        written = [f"{indent if line else ''}{line}" for line in after[first_after:last_after]]
        closed = outer[last - 1].endswith(("\n", "\r")) if last else True
        if closed:
            yield Splice(starts[first], starts[last], "".join(line + end for line in written))
        else:
            lead = end if first == last else ""
            yield Splice(starts[first], starts[last], lead + end.join(written))


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
