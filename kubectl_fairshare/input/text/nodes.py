"""A document as nodes with marks: which characters of the text every key and value takes.

Tested in ``tests/unit/editing/test_block_splices.py``.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from kubectl_fairshare.input.text.yaml_events import events
from kubectl_fairshare.input.text.yaml_scalars import MERGE, MERGE_TAG, key
from kubectl_fairshare.model.values import ComparedInPart, Value, field

BLOCK: Final = "block"
"""The style of a list or mapping without brackets."""
_PROPERTIES: Final = re.compile(r"(?:[&!][^\s,\[\]{}]*(?:\s+|#[^\r\n]*)*)*")
"""Anchor and tag before a value, with the blanks and comments after them."""
_KEEPING: Final = re.compile(r"[|>][0-9]?\+")


class TextEntry(NamedTuple):
    """A key with its value. ``name`` is what the key reads as; None for a ``<<`` that merges."""

    key: "TextNode"
    value: "TextNode"
    name: str | None

    @property
    def end(self) -> int:
        """Past the last character of both."""
        return max(self.key.end, self.value.end)


class TextNode(ComparedInPart, Value):
    """A value in the text, from ``start`` to before ``end``; anchor and tag begin at ``outset``.

    A collection in block style ends where the last of what it holds does. ``style`` is the sign that opens
    it: a quote, ``|``, ``>``, ``{``, ``[``, ``*``; ``BLOCK``; or nothing for a plain scalar. ``value`` is a
    scalar's text or an alias's name. ``inside`` is what an editor knows of a text in it.
    """

    UNCOMPARED = ("inside", "_rows")

    outset: int
    start: int
    end: int
    style: str = ""
    value: str = ""
    anchor: str | None = None
    tag: str | None = None
    entries: list[TextEntry] | None = None
    items: list["TextNode"] | None = None
    inside: Any = None
    _rows: dict[str | None, int] | None = None

    def row(self, name: str | None) -> int | None:
        """The number of the first entry that reads as ``name``; None if there is none. Asked for each of many fixes."""
        if self._rows is None:
            self._rows = {}
            for number, entry in enumerate(self.entries or ()):
                self._rows.setdefault(entry.name, number)
        return self._rows.get(name)

    @property
    def is_scalar(self) -> bool:
        """Whether it is one value, and no alias."""
        return self.entries is None and self.items is None and self.style != "*"


class Document(Value, frozen=True):
    """A document's text and the nodes in it; ``aliased`` are the anchors that some alias names.

    ``newline`` is how lines end in the text that it is from.
    """

    text: str
    root: TextNode
    aliased: frozenset[str] = field(default_factory=frozenset)
    json: bool = False
    newline: str = "\n"


def yaml_document(text: str, newline: str = "\n") -> Document:
    """The nodes of a text that holds one YAML document and loads."""
    with events(text) as following:
        return _Reader(text, following).document(newline)


class _Reader:
    """Builds nodes by descent; the text has been read before, so its depth is bounded."""

    def __init__(self, text: str, following: Callable[[], Any]) -> None:
        self._text = text
        self._next = following
        self._aliased: set[str] = set()

    def document(self, newline: str) -> Document:
        for event in iter(self._next, None):
            if type(event).__name__ == "DocumentStartEvent":
                root = self._node(self._next())
                return Document(self._text, root, frozenset(self._aliased), newline=newline)
        return Document(self._text, TextNode(0, 0, 0))

    def _node(self, event: Any) -> TextNode:
        kind, outset = type(event).__name__, event.start_mark.index
        if kind == "AliasEvent":
            self._aliased.add(event.anchor)
            return TextNode(outset, outset, event.end_mark.index, "*", event.anchor)
        if kind == "ScalarEvent":
            return self._scalar(event, outset)
        flow = bool(event.flow_style)
        node = TextNode(outset, self._after_properties(event), event.end_mark.index, BLOCK, "", event.anchor, event.tag)
        if kind == "MappingStartEvent":
            node.entries = list(self._entries())
            node.style = "{" if flow else BLOCK
            last = node.entries[-1].end if node.entries else node.end
        else:
            node.items = list(self._items())
            node.style = "[" if flow else BLOCK
            last = node.items[-1].end if node.items else node.end
        node.end = self._ended if flow else last
        return node

    def _entries(self) -> Iterator[TextEntry]:
        while type(event := self._next()).__name__ != "MappingEndEvent":
            name = self._name(event)
            node = self._node(event)
            yield TextEntry(node, self._node(self._next()), name)
        self._ended = event.end_mark.index

    def _items(self) -> Iterator[TextNode]:
        while type(event := self._next()).__name__ != "SequenceEndEvent":
            yield self._node(event)
        self._ended = event.end_mark.index

    def _name(self, event: Any) -> str | None:
        if type(event).__name__ == "AliasEvent":
            return f"*{event.anchor}"
        if event.value == MERGE and (event.implicit[0] or event.tag == MERGE_TAG):
            return None
        plain = event.tag is None and event.implicit[0]
        return key(event.value, event.tag) if plain or event.tag is not None else str(event.value)

    def _scalar(self, event: Any, outset: int) -> TextNode:
        start, end, style = self._after_properties(event), event.end_mark.index, event.style or ""
        if style in ("|", ">") and style:
            end = self._block_scalar_end(start, end)
        elif not style and not event.value:
            start = end  # the value is empty, except for an anchor or a tag
        return TextNode(outset, start, end, style, event.value, event.anchor, event.tag)

    def _after_properties(self, event: Any) -> int:
        position: int = event.start_mark.index
        if event.anchor is not None or event.tag is not None:
            after = _PROPERTIES.match(self._text, position)
            position = after.end() if after else position
        return position

    def _block_scalar_end(self, start: int, end: int) -> int:
        """Where a block scalar's last line ends; the blank lines after it count where ``+`` keeps them."""
        text = self._text[start:end]
        if _KEEPING.match(text):
            return end - (2 if text.endswith("\r\n") else 1 if text.endswith(("\n", "\r")) else 0)
        return start + len(text.rstrip())
