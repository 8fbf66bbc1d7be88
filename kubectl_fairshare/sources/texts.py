"""The texts that were read, and where in them things stand."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from kubectl_fairshare.model.json import FieldPath
from kubectl_fairshare.model.location import Location, Origin
from kubectl_fairshare.sources.json_places import JsonPlaces
from kubectl_fairshare.sources.lines import Lines
from kubectl_fairshare.sources.yaml_places import Spot, YamlPlaces, deepest

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_TREES_KEPT = 8
"""YAML documents whose positions are kept: findings come sorted by place, so the last few are asked for again."""


@dataclass(frozen=True, slots=True)
class Text:
    """One source as it was read: decompressed, in UTF-8 (with its byte order mark, if it has one).

    ``name`` is as the user named it, ``<stdin>`` for standard input. ``starts`` is where each document
    begins, in characters after the mark.
    """

    name: str
    data: bytes = field(repr=False)
    format: Literal["yaml", "json"]
    starts: tuple[int, ...] = field(default=(), repr=False)

    @property
    def characters(self) -> str:
        """The text without its byte order mark: what positions count in."""
        return self.data.removeprefix(BYTE_ORDER_MARK).decode()


class Texts(Mapping[str, Text]):
    """The texts by name. Nothing about places is worked out before somebody asks."""

    def __init__(self, texts: Iterable[Text] = ()) -> None:
        self._texts = {text.name: text for text in texts}
        self._places: dict[str, _Places] = {}

    def __getitem__(self, name: str) -> Text:
        return self._texts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def locate(self, origin: Origin, path: FieldPath = ()) -> Location:
        """Where the value at ``path`` of the object at ``origin`` starts; ``()`` is the object itself.

        A path that the text does not have (a defaulted field) is located at its nearest ancestor there, and
        what an alias or ``<<`` brings in at the alias. Line and column count from 1, columns in characters.
        Raises ``KeyError`` for a source that is not among the texts.
        """
        places = self._places_of(origin.source)
        position = places.position(origin.document, (*origin.path, *path))
        return Location(origin.source, *places.lines.place(position))

    def excerpt(self, location: Location) -> str:
        """The line that ``location`` is on, without its end. Raises ``KeyError`` for an unknown source."""
        return self._places_of(location.source).lines.line(location.line)

    def _places_of(self, name: str) -> "_Places":
        places = self._places.get(name)
        if places is None:
            places = self._places[name] = _Places(self._texts[name])
        return places


class _Places:
    """The places of one text."""

    def __init__(self, text: Text) -> None:
        self._text = text
        self._characters = text.characters
        self._json = JsonPlaces(self._characters, text.starts) if text.format == "json" else None
        self._trees: dict[int, tuple[int, Spot]] = {}
        self.lines = Lines(self._characters)

    def position(self, document: int, path: FieldPath) -> int:
        """The position of a value in a document."""
        if self._json is not None:
            return self._json.position(document, path)
        if document not in self._trees:
            if len(self._trees) >= _TREES_KEPT:
                del self._trees[next(iter(self._trees))]
            self._trees[document] = self._tree(document)
        offset, tree = self._trees[document]
        return offset + deepest(tree, path)

    def _tree(self, document: int) -> tuple[int, Spot]:
        """The positions of one document, and where the piece of text begins that they count from."""
        starts = [self.lines.start(start) for start in self._text.starts[document : document + 2]]
        piece = self._characters[slice(*starts)] if len(starts) == 2 else self._characters[starts[0] :]
        return starts[0], YamlPlaces(piece).documents[0]
