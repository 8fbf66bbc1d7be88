"""When objects of a state were created, for schedulers that have no use for it.

Tested in ``tests/unit/schedulers/test_creation.py``.
"""

from collections.abc import Callable, Mapping

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.moments import nanoseconds

Creation = Callable[[ObjectKey], int | None]
"""When an object was created, in nanoseconds since the epoch; None if it is not known."""


def unknown_creation(_: ObjectKey) -> int | None:
    """None, for every object."""
    return None


def creation(manifests: Mapping[ObjectKey, Manifest]) -> Creation:
    """What reads ``metadata.creationTimestamp``."""

    def of(key: ObjectKey) -> int | None:
        manifest = manifests.get(key)
        metadata = manifest.passing_data.get("metadata") if manifest is not None else None
        text = metadata.get("creationTimestamp") if isinstance(metadata, dict) else None
        try:
            return nanoseconds(text) if isinstance(text, str) else None
        except ValueError:
            return None

    return of
