"""The moment that ages on a screen count to: a given one, the clock's for a cluster, or that of the newest object.

Tested in ``tests/unit/cli/test_why_names.py``.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_fairshare.answers.ages import AsOf
from kubectl_fairshare.model.json import inside, mappings
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.model.packed import Packed

_NEWEST: Final = "the newest object"
_FIELDS: Final = ("creationTimestamp", "lastTransitionTime", "lastTimestamp", "eventTime", "startTime")
"""Fields of moments that are past when an API server writes them."""
_WRITTEN: Final = re.compile(rf'"(?:{"|".join(_FIELDS)})"\s*:\s*"([^"]+)"'.encode())


def as_of(now: int | None, manifests: Iterable[Manifest]) -> AsOf:
    """``now`` if it is known, otherwise the newest moment that an object has, which a dump was made after."""
    if now is not None:
        return AsOf(now)
    newest = max(map(_moment, {text for each in manifests for text in _texts(each)}), default=0)
    return AsOf(newest, _NEWEST) if newest else AsOf()


def _texts(manifest: Manifest) -> Iterator[str]:
    held = manifest.held_data
    if isinstance(held, Packed):
        yield from (text.decode() for text in _WRITTEN.findall(bytes(held.text)))
        return
    for part in (held.get("metadata"), held, held.get("status"), *mappings(inside(held, "status", "conditions"))):
        if isinstance(part, dict):
            yield from (text for name in _FIELDS if isinstance(text := part.get(name), str))


def _moment(text: str) -> int:
    """Nanoseconds since the epoch; 0 for what is not a moment."""
    try:
        return nanoseconds(text)
    except ValueError:
        return 0
