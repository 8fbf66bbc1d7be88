"""A dump of several kinds lists each of them; a List of a few objects says nothing of others."""

from typing import Any

from kubectl_fairshare.model.absence import Absence, listed_kinds
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest

KINDS = [("kueue.x-k8s.io", "ClusterQueue", ""), ("kueue.x-k8s.io", "LocalQueue", "a"), ("batch", "Job", "a")]


def manifests(kinds: list[tuple[str, str, str]], *, listed: bool = True, stored: bool = True) -> list[Manifest]:
    data: dict[str, Any] = {"metadata": {"resourceVersion": "7"} if stored else {}}
    places = [Origin("dump.json", 0, ("items", number) if listed else ()) for number in range(len(kinds))]
    found = zip(sorted(kinds), places, strict=True)
    return [Manifest(ObjectKey(*kind, "one"), "v1", data, place) for kind, place in found]


def test_a_dump_lists_its_kinds_in_their_namespaces() -> None:
    absence = Absence(listed=listed_kinds(manifests(KINDS)))
    assert ObjectKey("kueue.x-k8s.io", "ClusterQueue", "", "other") in absence
    assert ObjectKey("kueue.x-k8s.io", "LocalQueue", "a", "other") in absence
    assert ObjectKey("kueue.x-k8s.io", "LocalQueue", "b", "other") not in absence
    assert ObjectKey("kueue.x-k8s.io", "ResourceFlavor", "", "other") not in absence


def test_a_few_objects_files_and_what_no_server_stored_list_nothing() -> None:
    assert listed_kinds(manifests(KINDS[:2])) == frozenset()
    assert listed_kinds(manifests(KINDS, listed=False)) == frozenset()
    assert listed_kinds(manifests(KINDS, stored=False)) == frozenset()


def test_what_was_deleted_does_not_exist() -> None:
    key = ObjectKey("", "Namespace", "", "a")
    assert key in Absence(frozenset({key}))
    assert key not in Absence()
