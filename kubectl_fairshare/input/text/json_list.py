"""A large List in JSON: no more than a few of its objects are decoded at a time.

Ten thousand decoded objects take eight times the memory of their text, and more time than decoding each of them twice.
In a file, an object stays text (``Packed``) where nothing in it needs a second look; any other stays decoded.
``json_text`` alone decides whether a text is right: where anything is odd, the whole text is left to it.
"""

import sys
from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_fairshare.input.text.json_text import SureValues
from kubectl_fairshare.input.text.list_places import ItemExtents, extents_of
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.packed import Packed, PackedKind

if TYPE_CHECKING:
    from msgspec import Raw

_ABOVE: Final = 2
"""Levels above an object of a list."""
_ITEMS: Final = "items"
_BATCH: Final = 1 << 15
"""Bytes of text that are decoded together."""


class OddListError(Exception):
    """Raised where the whole text has to be read to say what is wrong, if anything is."""


class PackedList(NamedTuple):
    """A list with its ``items`` packed, and where they are in its text; None where that is not known."""

    content: dict[str, Json]
    extents: ItemExtents | None


def packed_list(text: bytes) -> PackedList | None:
    """The list; None for any other text, and for one that is not surely right.

    ``text`` is UTF-8, and lives as long as what is packed. The extents are known if it is ASCII.
    """
    try:
        pieces = ListPieces(text)
        if not pieces.is_named_list:
            return None
        packer = _Packer(stated_for_all(pieces.members))
        items = [each for batch in pieces.batches() for each in packer.items(*batch)]
    except OddListError:
        return None
    return PackedList({**pieces.members, _ITEMS: items}, pieces.extents if text.isascii() else None)


class ListPieces:
    """A list in JSON as the texts of its items; ``members`` are the others, decoded.

    ``extents`` say where the items are once all were read; None if that is not quickly known. Raises ``OddListError``
    for any text but a mapping with a list of items, and for one that is not surely right.
    """

    def __init__(self, text: bytes) -> None:
        from msgspec import DecodeError

        self._text = text
        self._within = SureValues(_ABOVE)
        try:
            members, self._items = _split(text)
        except (DecodeError, UnicodeDecodeError, RecursionError):
            raise OddListError from None
        beside = SureValues(1)
        self.members = {name: _values(beside, b"[%b]" % bytes(raw))[0][0] for name, raw in members.items()}
        self._colons = 1 + sum(name.count(":") + 1 + bytes(raw).count(b":") for name, raw in members.items())
        self._lengths = array("L", (memoryview(raw).nbytes for raw in self._items))
        self.extents: ItemExtents | None = None

    def __len__(self) -> int:
        """How many items there are."""
        return len(self._items)

    @property
    def is_named_list(self) -> bool:
        """Whether its kind is that of a list."""
        kind = self.members.get("kind")
        return isinstance(kind, str) and kind.endswith("List")

    def batches(self) -> "Iterator[tuple[Sequence[Raw], list[Json], list[bool] | None]]":
        """The texts of some items, their values, and whether the numbers of each are all as it states them.

        The last is None where all are. Raises ``OddListError`` for an item that is not surely right, and after the last
        where a member of the list occurs twice.
        """
        extents = extents_of(self._text, self._lengths)
        at, between = (0, b",") if extents is None else (extents.first, extents.between)
        for some in _batches(self._items, self._lengths):
            text = between.join(some)
            if extents is not None and not self._text.startswith(text, at):
                extents = None
            at += len(text) + len(between)
            yield some, *_values(self._within, b"[%b]" % text)
        self.extents = extents
        if self._colons != self._colons_beside(at - len(between)):
            raise OddListError

    def _colons_beside(self, end: int) -> int:
        """The colons in the text outside of its items, which end at ``end`` if it is known where they are."""
        text = self._text
        if self.extents is not None and self._items:
            return text.count(b":", 0, self.extents.first) + text.count(b":", end)
        return text.count(b":") - sum(bytes(raw).count(b":") for raw in self._items)


def _split(text: bytes) -> "tuple[Mapping[str, Raw], list[Raw]]":
    """The members of the text without ``items``, and the items.

    In one pass over it where it has the members of a List alone. Raises ``DecodeError`` for any text but a mapping
    with a list of items.
    """
    from msgspec import UNSET, Raw, Struct, UnsetType, ValidationError
    from msgspec.json import decode

    class Members(Struct, forbid_unknown_fields=True):
        items: list[Raw]
        kind: Raw
        apiVersion: Raw | UnsetType = UNSET  # noqa: N815 -- as the text has it
        metadata: Raw | UnsetType = UNSET

    try:
        found = decode(text, type=Members)
    except ValidationError:
        members = decode(text, type=dict[str, Raw])
        return members, decode(members.pop(_ITEMS, b"null"), type=list[Raw])
    beside = {"apiVersion": found.apiVersion, "kind": found.kind, "metadata": found.metadata}
    return {name: raw for name, raw in beside.items() if not isinstance(raw, UnsetType)}, found.items


def _batches(items: "list[Raw]", lengths: Sequence[int]) -> "Iterator[list[Raw]]":
    """The items in their order, so many together that none of the calls for a batch counts: one that is large alone."""
    start, size = 0, 0
    for end, length in enumerate(lengths, 1):
        size += length
        if size > _BATCH:
            yield items[start:end]
            start, size = end, 0
    if size:
        yield items[start:]


def stated_for_all(found: Mapping[str, Json]) -> Mapping[str, Json] | None:
    """What a list such as ``ClusterQueueList`` states for its items, which need not repeat it; None for a List."""
    kind = found["kind"].removesuffix("List")
    return {"apiVersion": found.get("apiVersion"), "kind": kind} if kind else None


class _Packer:
    """Packs the items of one list; ``known`` is what the list states for all of them."""

    def __init__(self, known: Mapping[str, Json] | None) -> None:
        self._known = known
        self._kinds: dict[tuple[str, str, bool, bool], PackedKind | None] = {}

    def items(self, some: "Sequence[Raw]", values: Sequence[Json], as_written: Sequence[bool] | None) -> Iterator[Json]:
        """Objects as their texts; anything else, and an object that needs a second look, as its value."""
        if as_written is None:
            return map(self._item, some, values)
        return (self._item(*each) if plain else each[1] for *each, plain in zip(some, values, as_written, strict=True))

    def _item(self, raw: "Raw", value: Json) -> Json:
        metadata = value.get("metadata") if value.__class__ is dict else None
        if metadata.__class__ is not dict:
            return value
        known = self._known
        if known is not None and "kind" in value and "apiVersion" in value:
            known = None
        header = value if known is None else {**known, **value}
        version, kind, name = header.get("apiVersion"), header.get("kind"), metadata.get("name")
        namespace = metadata.get("namespace", "")
        if not version.__class__ is kind.__class__ is name.__class__ is namespace.__class__ is str or not name:
            return value
        stored = bool(metadata.get("resourceVersion"))
        shared = version, kind, stored, known is None
        try:
            of = self._kinds[shared]
        except KeyError:
            of = self._kinds[shared] = _kind_of(version, kind, stored, known)
        return value if of is None else Packed(raw, of, sys.intern(namespace), name)


def _kind_of(version: str, kind: str, stored: bool, known: Mapping[str, Json] | None) -> PackedKind | None:
    """What the objects of a kind share; None for what is not an object, or a list of them."""
    is_object = version and kind and not kind.endswith("List")
    return PackedKind(sys.intern(version), sys.intern(kind), stored, known) if is_object else None


def _values(sure: SureValues, text: bytes) -> tuple[list[Json], list[bool] | None]:
    found = sure.values(text)
    if found is None:
        raise OddListError
    return found
