"""Recorded objects as manifests."""

from collections.abc import Iterable

from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest


def manifests_of(objects: Iterable[JsonObject], source: str) -> list[Manifest]:
    """Objects of a recording as manifests, as they are."""
    return [manifest_of(o, Origin(source, 0, ("objects", i))) for i, o in enumerate(objects)]


def manifest_of(data: JsonObject, origin: Origin) -> Manifest:
    """One recorded object as a manifest. Raises ``FairshareError`` when it is no object with a name."""
    metadata = data.get("metadata")
    if not isinstance(metadata, dict):
        raise FairshareError(Problem("an object has no metadata", origin.source, "record the case again"))
    group, _, version = str(data.get("apiVersion")).rpartition("/")
    key = ObjectKey(group, str(data.get("kind")), str(metadata.get("namespace", "")), str(metadata.get("name", "")))
    return Manifest(key, version, dict(data), origin)


def taken(data: JsonObject) -> JsonObject:
    """The object as one that an API server holds: a scheduler was given it, whatever a webhook would say."""
    metadata = data.get("metadata")
    return {**data, "metadata": {"resourceVersion": "1", **metadata}} if isinstance(metadata, dict) else data
