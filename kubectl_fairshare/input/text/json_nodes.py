"""The nodes of a JSON document.

Tested in ``tests/unit/lint/findings/test_fixes.py``.
"""

import re
from typing import Final

from kubectl_fairshare.input.text.nodes import Document, TextEntry, TextNode

_TOKEN: Final = re.compile(r'[ \t\r\n]*(?:("[^"\\]*+(?:\\.[^"\\]*+)*+")|([\[\]{}:,])|([^\s,:\[\]{}"]+))', re.DOTALL)


def json_document(text: str) -> Document:
    """The nodes of a text that begins with a JSON document, which loads."""
    return Document(text, _JsonReader(text).node(), json=True)


class _JsonReader:
    """Builds nodes by descent; the text has been read before, so its depth is bounded."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0

    def node(self) -> TextNode:
        start, end, token = self._token()
        if token == "{":
            entries = self._entries()
            return TextNode(start, start, self._position, "{", entries=entries)
        if token == "[":
            items = self._items()
            return TextNode(start, start, self._position, "[", items=items)
        return TextNode(start, start, end, '"' if token[0] == '"' else "", _value(token))

    def _entries(self) -> list[TextEntry]:
        found: list[TextEntry] = []
        while not self._at("}"):
            key = self.node()
            self._token()  # the colon
            found.append(TextEntry(key, self.node(), key.value))
            self._at(",")
        return found

    def _items(self) -> list[TextNode]:
        found: list[TextNode] = []
        while not self._at("]"):
            found.append(self.node())
            self._at(",")
        return found

    def _at(self, sign: str) -> bool:
        """Whether ``sign`` comes next; if so, it is passed."""
        match = _TOKEN.match(self._text, self._position)
        if match is None or match[2] != sign:
            return False
        self._position = match.end()
        return True

    def _token(self) -> tuple[int, int, str]:
        match = _TOKEN.match(self._text, self._position)
        if match is None:
            raise ValueError("the text is not JSON")
        self._position = match.end()
        token = match[1] or match[2] or match[3]
        return match.end() - len(token), match.end(), token


def _value(token: str) -> str:
    """The text of a string, or of any other scalar."""
    if token[0] != '"':
        return token
    import orjson

    decoded: str = orjson.loads(token)
    return decoded
