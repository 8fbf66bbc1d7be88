"""The moment that ages on a screen count to: a given one, the clock's for a cluster, or that of the newest object.

Tested in ``tests/unit/cli/test_why_names.py``.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_fairshare.answers.ages import AsOf
from kubectl_fairshare.model.json import JsonObject, inside, mappings
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.model.packed import Packed

_NEWEST: Final = "the newest object"
_FIELDS: Final = ("creationTimestamp", "lastTransitionTime", "lastTimestamp", "eventTime", "startTime")
"""Fields of moments that are past when an API server writes them."""
_LENGTH: Final = len("2026-03-01T09:00:00Z")
_MARKS: Final = b"TZ"
_WRITTEN: Final = re.compile(rf'"(?:{"|".join(_FIELDS)})"\s*:\s*"([^"]+)"'.encode())


def as_of(now: int | None, manifests: Iterable[Manifest]) -> AsOf:
    """``now`` if it is known, otherwise the newest moment that an object has, which a dump was made after."""
    if now is not None:
        return AsOf(now)
    newest = max(map(_moment, _texts(manifests)))
    return AsOf(newest, _NEWEST) if newest else AsOf()


def _texts(manifests: Iterable[Manifest]) -> Iterator[str]:
    """The texts of moments; large lists give the newest alone, as far as it is written as servers do."""
    newest, others = b"", set[str]()
    for manifest in manifests:
        held = manifest.held_data
        if not isinstance(held, Packed):
            others.update(_in_fields(held))
            continue
        for text in _WRITTEN.findall(bytes(held.text)):
            if len(text) != _LENGTH or text[10::9] != _MARKS:
                others.add(text.decode())
            elif text > newest and _moment(text.decode()):  # the texts of servers sort as their moments do
                newest = text
    return iter((newest.decode(), *others))


def _in_fields(data: JsonObject) -> Iterator[str]:
    for part in (data.get("metadata"), data, data.get("status"), *mappings(inside(data, "status", "conditions"))):
        if isinstance(part, dict):
            yield from (text for name in _FIELDS if isinstance(text := part.get(name), str))


def _moment(text: str) -> int:
    """Nanoseconds since the epoch; 0 for what is not a moment."""
    try:
        return nanoseconds(text)
    except ValueError:
        return 0
