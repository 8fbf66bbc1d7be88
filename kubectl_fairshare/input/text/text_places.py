"""The places in one text: lines and columns of values, for YAML and JSON.

Tested in ``tests/unit/input/text/test_texts.py``.
"""

from functools import cache, cached_property
from typing import Final

from kubectl_fairshare.input.text.json_places import JsonPlaces
from kubectl_fairshare.input.text.lines import Lines
from kubectl_fairshare.input.text.list_places import ListPlaces
from kubectl_fairshare.input.text.nested import Nested
from kubectl_fairshare.input.text.texts import Text
from kubectl_fairshare.input.text.yaml_places import Spot, YamlPlaces, descend
from kubectl_fairshare.model.json import FieldPath
from kubectl_fairshare.model.location import Origin

_LONG: Final = 1000
"""Characters of a line that people can still read, and find a column in."""
_TREES_KEPT: Final = 8
"""YAML documents whose positions are kept: findings come sorted by place, so the last few are asked for again."""


class TextPlaces:
    """The places of one text."""

    def __init__(self, text: Text) -> None:
        self._text = text
        self._trees: dict[tuple[int, FieldPath], tuple[int, Spot]] = {}
        self._nested: dict[int, Nested] = {}
        self._listed = text.held if text.items is not None and isinstance(text.held, bytes) else None
        self.lines = Lines(text.characters if self._listed is None else self._listed)

    @cached_property
    def characters(self) -> str:
        """The characters of the text, in which positions count."""
        return self._text.characters

    def near(self, position: int, reach: int) -> tuple[str, int]:
        """Characters with those that are up to ``reach`` away from a position, and the position of the first."""
        if self._listed is None:
            return self.characters, 0
        first = max(position - reach, 0)
        return self._listed[first : position + reach + 1].decode("ascii"), first

    @cached_property
    def _json(self) -> JsonPlaces | ListPlaces | None:
        text = self._text  # these places themselves would be kept by what they hold, and the text with them
        if text.format != "json":
            return None
        if self._listed is None or text.items is None:
            return JsonPlaces(self.characters, text.starts)
        return ListPlaces(self._listed, text.items, cache(lambda: JsonPlaces(text.characters, text.starts)))

    @cached_property
    def is_one_line(self) -> bool:
        """Whether the text is one line that is longer than an excerpt."""
        return len(self._text.held) > _LONG and self.lines.is_one

    def place(self, document: int, path: FieldPath) -> tuple[int, int]:
        """Line and column of a value in a document."""
        if self._json is not None:
            return self.lines.place(self._json.position(document, path))
        offset, tree = self._tree(document, ())
        spot, rest = descend(tree, path)
        inside = self.inside(offset, spot, rest)
        return self.lines.place(offset + spot.position) if inside is None else inside

    def inside(self, offset: int, spot: Spot, path: FieldPath) -> tuple[int, int] | None:
        """Line and column of a place in a block scalar; None if unknown."""
        if not path or not spot.block:
            return None
        header, _ = self.lines.place(offset + spot.position)
        nested = self._nested.get(header)
        if nested is None:
            nested = self._nested[header] = Nested(self.lines, header, spot.block)
        return nested.place(path)

    def spots(self, origin: Origin) -> tuple[int, Spot]:
        """The positions of an object and of all that it holds, and the position that they count from."""
        if self._json is not None:
            return self._tree(origin.document, origin.path)
        offset, tree = self._tree(origin.document, ())
        return offset, descend(tree, origin.path)[0]

    def start(self, document: int) -> int:
        """The beginning of a document: its ``---``, otherwise its first value."""
        return self._text.starts[document]

    def _tree(self, document: int, path: FieldPath) -> tuple[int, Spot]:
        """The tree of a document, or in JSON of the object at ``path``; the last few are kept."""
        asked = document, path
        if asked not in self._trees:
            if len(self._trees) >= _TREES_KEPT:
                del self._trees[next(iter(self._trees))]
            made = self._yaml_tree(document) if self._json is None else self._json.tree(document, path)
            self._trees[asked] = made
        return self._trees[asked]

    def _yaml_tree(self, document: int) -> tuple[int, Spot]:
        """The positions of one document, and where the piece of text begins that they count from."""
        starts = [self.lines.start(start) for start in self._text.starts[document : document + 2]]
        before = self._text.starts[document - 1] if document else -1
        if starts[0] <= before or len(set(starts)) < len(starts):  # U+2028 ends a line for YAML, and for us it doesn't
            return 0, YamlPlaces(self.characters).documents[document]
        piece = self.characters[slice(*starts)] if len(starts) == 2 else self.characters[starts[0] :]
        return starts[0], YamlPlaces(piece).documents[0]
