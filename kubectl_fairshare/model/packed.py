"""An object of a large list as its text. Tested in ``tests/unit/input/text/test_json_list.py``."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar

from kubectl_fairshare.model.errors import MISSING
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.values import Value

if TYPE_CHECKING:
    from msgspec import Raw

T = TypeVar("T")


class PackedKind(Value, frozen=True):
    """What many packed objects share: a hundred thousand have one.

    ``stored``: an API server has accepted them. ``known`` are fields that their list states for all its objects.
    """

    api_version: str
    kind: str
    stored: bool
    known: Mapping[str, Json] | None = None


class Packed(Value, frozen=True, eq=False, gc=False):
    """An object as JSON text, and what names it. Equal to all that has the same content, packed or not.

    ``namespace`` is empty where the text states none.
    """

    text: "Raw | bytes"
    of: PackedKind
    namespace: str
    name: str

    def data(self) -> dict[str, Json]:
        """The object, decoded anew each time."""
        from orjson import loads

        found: dict[str, Json] = loads(memoryview(self.text))
        return found if self.of.known is None else {**self.of.known, **found}

    def fields(self, shape: type) -> dict[str, Json]:
        """The fields that a ``TypedDict`` of msgspec names, at each level; the others are not decoded.

        It is the whole object if one of them is of another type: its reader then says what is wrong.
        """
        decode, mismatch = _DECODERS[shape]
        try:
            found: dict[str, Json] = decode(self.text)
        except mismatch:
            return self.data()
        return found

    def mentions(self, word: bytes) -> bool:
        """Whether the text has a word; one in which characters are escaped may have any."""
        text = bytes(self.text)
        return word in text or b"\\u" in text

    def __eq__(self, other: object) -> bool:
        return self.data() == (other.data() if isinstance(other, Packed) else other)

    __hash__ = None  # type: ignore[assignment]


def packed_text(data: Json, option: int = 0) -> bytes:
    """JSON that is kept, in no more memory than it needs; ``option`` is orjson's, and so is what is raised.

    orjson asks for more room and gives back the rest, which leaves gaps: ten thousand of its texts take twice as much.
    """
    from orjson import dumps

    return bytes(memoryview(dumps(data, option=option)))


def read_as(text: "Raw | bytes", shape: type[T]) -> T:
    """The fields of an object that a struct names, at each level; the others are not decoded.

    Raises ``ValueError`` if one of them is missing or of another type.
    """
    decode, mismatch = _DECODERS[shape]
    try:
        found: T = decode(text)
    except mismatch:
        raise ValueError(MISSING) from None
    return found


_Decoder = tuple[Callable[[Any], Any], type[Exception]]


class _Decoders(dict[type, _Decoder]):
    """What decodes each shape, and what it raises for another one."""

    def __missing__(self, shape: type) -> _Decoder:
        from msgspec import ValidationError
        from msgspec.json import Decoder

        found: _Decoder = (Decoder(shape).decode, ValidationError)
        self[shape] = found
        return found


_DECODERS: Final = _Decoders()
