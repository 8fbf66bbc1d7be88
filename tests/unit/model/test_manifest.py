"""Manifests by kind, however they come."""

from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest, by_kind


def test_objects_of_a_kind_are_found_together_wherever_they_are() -> None:
    names = (("Pod", "a"), ("Node", "n"), ("Pod", "b"))
    manifests = [Manifest(ObjectKey("", kind, "", name), "v1", {}, Origin("a.yaml", 0)) for kind, name in names]
    assert by_kind(manifests) == {("", "Pod"): [manifests[0], manifests[2]], ("", "Node"): [manifests[1]]}
