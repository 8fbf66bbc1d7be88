"""The texts that were read, and the places in them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Literal

from kubectl_fairshare.model.json import FieldPath, field_text
from kubectl_fairshare.model.location import Location, Origin
from kubectl_fairshare.model.values import replace

if TYPE_CHECKING:
    from kubectl_fairshare.input.text.list_places import ItemExtents
    from kubectl_fairshare.input.text.text_places import TextPlaces

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


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
        items: "ItemExtents | None" = None,
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
        return (held if isinstance(held, bytes) else self._mark + held.encode()).startswith(start)

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
            from kubectl_fairshare.input.text.text_places import TextPlaces

            places = self._places[name] = TextPlaces(self._texts[name])
        return places
