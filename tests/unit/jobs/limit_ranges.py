"""LimitRanges for tests."""

from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest


def limit_range(**bounds: Json) -> Manifest:
    """A LimitRange for containers with these bounds."""
    key = ObjectKey("", "LimitRange", "ns", "lr")
    data: dict[str, Json] = {"spec": {"limits": [{"type": "Container", **bounds}]}}
    return Manifest(key, "v1", data, Origin("x", 0))
