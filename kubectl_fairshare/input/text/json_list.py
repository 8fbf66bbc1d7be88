"""A large List in JSON, object by object: no more than one of them is decoded at a time.

Ten thousand decoded objects take eight times the memory of their text, and more time than decoding each of them twice.
An object stays text (``Packed``) where nothing in it needs a second look; any other stays decoded. ``json_text`` alone
decides whether a text is right: where anything is odd, the whole text is left to it.
"""

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from kubectl_fairshare.input.text.json_text import sure_value
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.packed import Packed

if TYPE_CHECKING:
    from msgspec import Raw

LARGE: Final = 1 << 20
"""Bytes from which on a list is read object by object: a smaller one takes less than the import that this needs."""
_ABOVE: Final = 2
"""Levels above an object of a list."""
_ITEMS: Final = "items"


class _OddError(Exception):
    """Raised where the whole text has to be read to say what is wrong, if anything is."""


def packed_list(text: bytes | str) -> dict[str, Json] | None:
    """The list with its ``items`` packed; None for any other text, and for one that is not surely right.

    ``text`` is UTF-8 or ASCII characters, and lives as long as what is packed.
    """
    from msgspec import DecodeError, Raw
    from msgspec.json import decode

    try:
        members = decode(text, type=dict[str, Raw])
        if _ITEMS not in members or not _is_kind_of_list(members.get("kind")):
            return None
        items = decode(members[_ITEMS], type=list[Raw])
        return _joined(text, members, items)
    except (DecodeError, UnicodeDecodeError, RecursionError, _OddError):
        return None


def _joined(text: bytes | str, members: "Mapping[str, Raw]", items: "list[Raw]") -> dict[str, Json]:
    """The list of its members. Raises ``_OddError`` where the text has a colon more: a member is there twice."""
    colons = sum(name.count(":") + 1 for name in members)
    found: dict[str, Json] = {}
    for name, raw in members.items():
        found[name] = []
        if name != _ITEMS:
            colons += bytes(raw).count(b":")
            found[name], _ = _value(bytes(raw), 1)
    known = stated_for_all(found)
    for raw in items:
        piece = bytes(raw)
        colons += piece.count(b":")
        found[_ITEMS].append(_item(raw, piece, known))
    if colons != (text.count(":") if isinstance(text, str) else text.count(b":")):
        raise _OddError
    return found


def stated_for_all(found: Mapping[str, Json]) -> Mapping[str, Json] | None:
    """What a list such as ``ClusterQueueList`` states for its items, which need not repeat it; None for a List."""
    kind = found["kind"].removesuffix("List")
    return {"apiVersion": found.get("apiVersion"), "kind": kind} if kind else None


def _is_kind_of_list(kind: "Raw | None") -> bool:
    return kind is not None and bytes(kind).endswith(b'List"')


def _item(raw: "Raw", piece: bytes, known: Mapping[str, Json] | None) -> Json:
    value, as_written = _value(piece, _ABOVE)
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


def _value(piece: bytes, above: int) -> tuple[Json, bool]:
    found = sure_value(piece, above)
    if found is None:
        raise _OddError
    return found
