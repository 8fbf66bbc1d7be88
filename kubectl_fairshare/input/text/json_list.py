"""A large List in JSON, object by object: no more than one of them is decoded at a time.

Ten thousand decoded objects take eight times the memory of their text, and more time than decoding each of them twice.
An object stays text (``Packed``) where nothing in it needs a second look; any other stays decoded. ``json_text`` alone
decides whether a text is right: where anything is odd, the whole text is left to it.
"""

import sys
from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_fairshare.input.text.json_text import SureValues
from kubectl_fairshare.input.text.list_places import ItemExtents, first_item
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.packed import Packed

if TYPE_CHECKING:
    from msgspec import Raw

_ABOVE: Final = 2
"""Levels above an object of a list."""
_ITEMS: Final = "items"
_BATCH: Final = 1 << 15
"""Bytes of text that are decoded together."""


class _OddError(Exception):
    """Raised where the whole text has to be read to say what is wrong, if anything is."""


class PackedList(NamedTuple):
    """A list with its ``items`` packed, and where they are in its text; None where that is not known."""

    content: dict[str, Json]
    extents: ItemExtents | None


def packed_list(text: bytes) -> PackedList | None:
    """The list; None for any other text, and for one that is not surely right.

    ``text`` is UTF-8, and lives as long as what is packed. The extents are known if it is ASCII.
    """
    from msgspec import DecodeError

    try:
        members, items = _split(text)
        if not _is_kind_of_list(members.get("kind")):
            return None
        lengths = array("L", (memoryview(raw).nbytes for raw in items))
        content = _joined(text, members, items, lengths)
        first = first_item(text) if text.isascii() else None
        return PackedList(content, None if first is None else ItemExtents(first, lengths))
    except (DecodeError, UnicodeDecodeError, RecursionError, _OddError):
        return None


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


def _joined(text: bytes, members: "Mapping[str, Raw]", items: "list[Raw]", lengths: Sequence[int]) -> dict[str, Json]:
    """The list of its members. Raises ``_OddError`` where the text has a colon more: a member is there twice."""
    beside, within = SureValues(1), SureValues(_ABOVE)
    names = 1 + sum(name.count(":") + 1 for name in members)
    found = {name: _values(beside, (raw,))[0][0] for name, raw in members.items()}
    known = stated_for_all(found)
    found[_ITEMS] = [
        _item(raw, known, value, as_written)
        for some in _batches(items, lengths)
        for raw, (value, as_written) in zip(some, _values(within, some), strict=True)
    ]
    if text.count(b":") != names + beside.colons + within.colons:
        raise _OddError
    return found


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


def _is_kind_of_list(kind: "Raw | None") -> bool:
    return kind is not None and bytes(kind).endswith(b'List"')


def _item(raw: "Raw", known: Mapping[str, Json] | None, value: Json, as_written: bool) -> Json:
    metadata = value.get("metadata") if isinstance(value, dict) else None
    if not as_written or not isinstance(metadata, dict):
        return value
    if known is not None and "kind" in value and "apiVersion" in value:
        known = None
    header = value if known is None else {**known, **value}
    version, kind, name = header.get("apiVersion"), header.get("kind"), metadata.get("name")
    namespace, stored = metadata.get("namespace", ""), bool(metadata.get("resourceVersion"))
    texts = isinstance(version, str) and isinstance(kind, str) and isinstance(name, str) and isinstance(namespace, str)
    if not texts or not version or not name or not kind or kind.endswith("List"):
        return value
    return Packed(raw, sys.intern(version), sys.intern(kind), sys.intern(namespace), name, stored, known)


def _values(sure: SureValues, pieces: "Sequence[Raw]") -> list[tuple[Json, bool]]:
    found = sure.values(pieces)
    if found is None:
        raise _OddError
    return found
