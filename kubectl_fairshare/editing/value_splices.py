"""Replaces values and keys in place."""

from collections.abc import Iterator

from kubectl_fairshare.editing.block_splices import emptied
from kubectl_fairshare.editing.spelling import block_lines, flow, scalar
from kubectl_fairshare.editing.splice import Change, Splice, UnspliceableError, after_colon, column, end_with_comment
from kubectl_fairshare.input.text.nodes import BLOCK, Document, TextEntry, TextNode
from kubectl_fairshare.model.json import Json

_QUOTES = ("'", '"')


def renaming_splice(document: Document, entry: TextEntry, name: str) -> Splice:
    """The key of ``entry`` with another name, in the same quotes. Raises ``UnspliceableError``."""
    key = entry.key
    if not key.is_scalar or key.anchor is not None or key.tag is not None or key.style not in ("", *_QUOTES):
        raise UnspliceableError("the key has an anchor or a tag, or is an alias")
    return Splice(key.start, key.end, scalar(name, quote=key.style, json=document.json))


def replacing_splices(
    document: Document, holder: TextEntry | None, node: TextNode, value: Json, *, in_flow: bool
) -> Iterator[Splice]:
    """Another value instead of ``node``. Raises ``UnspliceableError``."""
    if node.tag is not None:
        raise UnspliceableError("the value has a tag")
    many = isinstance(value, dict | list) and bool(value)
    if many and not in_flow and not document.json:
        yield from _block(document, holder, node, value)
        return
    text = flow(value, json=document.json)
    if not isinstance(value, dict | list):
        text = scalar(value, quote=node.style if node.style in _QUOTES else "", json=document.json)
    yield from _on_one_line(document, holder, node, text)


def _on_one_line(document: Document, holder: TextEntry | None, node: TextNode, text: str) -> Iterator[Splice]:
    if node.style == BLOCK:
        yield from emptied(document, Change(node, holder), text)
    elif node.start < node.end:
        yield Splice(node.start, node.end, text)
    else:
        yield Splice(node.start, node.end, _lead(document, holder, node) + text)


def _lead(document: Document, holder: TextEntry | None, node: TextNode) -> str:
    """The text between the key or dash and a value that was empty so far."""
    if node.anchor is not None:
        raise UnspliceableError("the value has an anchor")
    if holder is not None and ":" not in document.text[holder.key.end : node.start]:
        return ": "
    return " "


def _block(document: Document, holder: TextEntry | None, node: TextNode, value: Json) -> Iterator[Splice]:
    """A list or mapping with contents, on lines of its own."""
    text, lines = document.text, block_lines(value)
    mapping_for_list = node.items is not None and isinstance(value, dict)
    if holder is None or (node.style == BLOCK and not mapping_for_list):
        lead = "" if node.start < node.end else _lead(document, holder, node)
        indent = " " * (column(text, node.start) + len(lead))
        yield Splice(node.start, node.end, lead + f"{document.newline}{indent}".join(lines))
        return
    position = after_colon(document, holder)
    if "#" in text[position : node.start]:
        yield from _on_one_line(document, holder, node, flow(value))
        return
    indent = " " * (column(text, holder.key.outset) + 2)
    end = end_with_comment(text, node.end)
    yield Splice(position, node.end)
    yield Splice(end, end, "".join(f"{document.newline}{indent}{line}" for line in lines))
