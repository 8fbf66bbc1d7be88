"""The texts that were read, and the places in them."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Literal

from kubectl_fairshare.input.text.json_places import JsonPlaces
from kubectl_fairshare.input.text.lines import Lines
from kubectl_fairshare.input.text.list_places import ItemExtents, ListPlaces
from kubectl_fairshare.input.text.nested import Nested
from kubectl_fairshare.input.text.yaml_places import Spot, YamlPlaces, descend
from kubectl_fairshare.model.json import FieldPath, field_text
from kubectl_fairshare.model.location import Location, Origin
from kubectl_fairshare.model.values import replace

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_LONG = 1000
"""Characters of a line that people can still read, and find a column in."""
_TREES_KEPT = 8
"""YAML documents whose positions are kept: findings come sorted by place, so the last few are asked for again."""


class Text:
    """One source as it was read: decompressed, in UTF-8 (with its byte order mark, if it has one).

    ``name`` is as the user named it, ``<stdin>`` for standard input. ``starts`` is where each document
    begins, in characters after the mark. The text is kept once: as bytes until its characters are wanted. ``items`` are
    the extents of the items of a large List in ASCII; None if they are not known.
    """

    __slots__ = ("_held", "_mark", "format", "items", "name", "starts")

    def __init__(
        self,
        name: str,
        data: bytes,
        format_: Literal["yaml", "json"],
        starts: tuple[int, ...] = (),
        items: ItemExtents | None = None,
    ) -> None:
        self.name, self.format, self.starts, self.items = name, format_, starts, items
        self._held: bytes | str = data
        self._mark = BYTE_ORDER_MARK if data.startswith(BYTE_ORDER_MARK) else b""

    @property
    def size(self) -> int:
        """How many bytes the text has."""
        held = self._held
        return len(held) if isinstance(held, bytes) or held.isascii() else len(self.data)

    def begins(self, start: bytes) -> bool:
        """Whether the bytes begin so."""
        held = self._held[: len(start)]
        return start == (held if isinstance(held, bytes) else self._mark + held.encode())

    @property
    def held(self) -> bytes | str:
        """The bytes with the mark, or the characters without it: whichever is held now."""
        return self._held

    @property
    def data(self) -> bytes:
        """The bytes, with the mark."""
        return self._held if isinstance(self._held, bytes) else self._mark + self._held.encode()

    @property
    def characters(self) -> str:
        """The text without its byte order mark: what positions count in. Raises ``UnicodeDecodeError``."""
        if isinstance(self._held, bytes):
            self._held = self._held.removeprefix(self._mark).decode()
        return self._held


class Texts(Mapping[str, Text]):
    """The texts by name. Places are computed on demand."""

    def __init__(self, texts: Iterable[Text] = ()) -> None:
        self._texts = {text.name: text for text in texts}
        self._places: dict[str, TextPlaces] = {}
        self._mentioned: dict[str, bool] = {}

    def __getitem__(self, name: str) -> Text:
        return self._texts[name]

    def __contains__(self, name: object) -> bool:
        return name in self._texts

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def mention(self, word: str) -> bool:
        """Whether a word occurs in one of the texts: of these there may be thousands, so it is looked for once."""
        if word not in self._mentioned:
            self._mentioned[word] = self._find(word)
        return self._mentioned[word]

    def _find(self, word: str) -> bool:
        encoded = word.encode()
        for text in self._texts.values():
            held = text.held
            if (word in held) if isinstance(held, str) else (encoded in held):
                return True
        return False

    def locate(self, origin: Origin, path: FieldPath = ()) -> Location:
        """Where the value at ``path`` of the object at ``origin`` starts; ``()`` is the object itself.

        A path that the text does not have (a defaulted field) is located at its nearest ancestor there, and
        what an alias or ``<<`` brings in at the alias. A path may go on inside a text that is YAML itself: where
        in block style (``|``), its own lines count. Line and column count from 1, columns in characters.
        Raises ``KeyError`` for a source that is not among the texts.
        """
        places = self.places(origin.source)
        return Location(origin.source, *places.place(origin.document, (*origin.path, *path)))

    def named(self, location: Location, field: str) -> Location:
        """The location of an object's field: with the ``field``, if the text is one line that is too long to read."""
        return replace(location, field=field) if self.places(location.source).is_one_line else location

    def item(self, origin: Origin, path: FieldPath = ()) -> Location:
        """Where an object, or a field of it, is: with its path in the text, if that is one line too long to read."""
        return self.named(self.locate(origin, path), field_text((*origin.path, *path)))

    def excerpt(self, location: Location) -> str:
        """The line that ``location`` is on, without its end. Raises ``KeyError`` for an unknown source."""
        return self.places(location.source).lines.line(location.line)

    def places(self, name: str) -> "TextPlaces":
        """The places of one text. Raises ``KeyError`` for an unknown one."""
        places = self._places.get(name)
        if places is None:
            places = self._places[name] = TextPlaces(self._texts[name])
        return places


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
        if self._text.format != "json":
            return None
        if self._listed is None or self._text.items is None:
            return JsonPlaces(self.characters, self._text.starts)
        return ListPlaces(self._listed, self._text.items, lambda: self._whole)

    @cached_property
    def _whole(self) -> JsonPlaces:
        return JsonPlaces(self.characters, self._text.starts)

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
        """The beginning of a document: its ``---``, or else its first value."""
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
