"""Places inside a text that a field holds: YAML written into a block scalar of another YAML.

A line of such a text is on a line of its own, some columns to the right, so its places are known
exactly. Texts in quotes, or folded, are not looked into: what they hold is where they begin.
"""

from functools import cached_property

from kubectl_fairshare.input.text.lines import Lines
from kubectl_fairshare.input.text.yaml_places import Spot, YamlPlaces, descend
from kubectl_fairshare.input.text.yaml_scalars import ScalarError
from kubectl_fairshare.model.json import ColumnPart, FieldPath, LinePart


class Nested:
    """The text of a block scalar that begins on line ``header`` of ``outer``, and the places in it."""

    def __init__(self, outer: Lines, header: int, text: str) -> None:
        self._text = text
        self._lines = Lines(text)
        self._header = header
        self._indentation = _indentation(outer, header, text)

    def place(self, path: FieldPath) -> tuple[int, int] | None:
        """Line and column, in the outer text, of the value at ``path``; None if they are unknown.

        The path leads to a value of the inner text, or begins with a ``LinePart``: alone or with a ``ColumnPart`` that
        is the place; before other parts it selects their document.
        """
        inner = self._inner(path) if self._indentation is not None else None
        if inner is None or self._indentation is None:
            return None
        return self._header + inner[0], self._indentation + inner[1]

    def _inner(self, path: FieldPath) -> tuple[int, int] | None:
        line = path[0] if isinstance(path[0], LinePart) else None
        rest = path if line is None else path[1:]
        if line is not None and (not rest or isinstance(rest[0], ColumnPart)):
            return int(line), int(rest[0]) if rest else 1
        return self._value(int(line or 1), rest)

    def _value(self, line: int, path: FieldPath) -> tuple[int, int] | None:
        """The place of the value at ``path`` in the document that begins on ``line`` or next after it."""
        for document in self._documents:
            if document.inside is not None and self._lines.place(document.position)[0] >= line:
                return self._lines.place(descend(document, path)[0].position)
        return None

    @cached_property
    def _documents(self) -> list[Spot]:
        """The documents of the inner text; empty if it is not YAML, or has an alias without an anchor."""
        from yaml import YAMLError

        try:
            return YamlPlaces(self._text).documents
        except (YAMLError, KeyError, ScalarError):
            return []


def _indentation(outer: Lines, header: int, text: str) -> int | None:
    """How far the lines of ``text`` are indented in the outer text; None unless all of them are there."""
    found: int | None = None
    for number, line in enumerate(text.split("\n"), start=1):
        if not line:
            continue
        written = outer.line(header + number)
        if found is None:
            found = len(written) - len(line)
        if found < 0 or written[found:] != line or written[:found].strip(" "):
            return None
    return found
