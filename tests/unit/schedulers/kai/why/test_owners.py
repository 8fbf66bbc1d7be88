"""Which PodGroups stand behind an object."""

import pytest

from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.kai.model.objects import KaiState
from kubectl_fairshare.schedulers.kai.why.owners import Owners
from tests.unit.schedulers.kai.build import group, pod

GROUP = ObjectKey("scheduling.run.ai", "PodGroup", "ns", "pg")
POD = ObjectKey("", "Pod", "ns", "pg-0")
REPLICAS = ObjectKey("apps", "ReplicaSet", "ns", "web-1")
WEB = ObjectKey("apps", "Deployment", "ns", "web")


def owned(key: ObjectKey, *owners: ObjectKey) -> Manifest:
    references: list[Json] = [{"apiVersion": f"{o.group}/v1", "kind": o.kind, "name": o.name} for o in owners]
    return Manifest(key, "v1", {"metadata": {"name": key.name, "ownerReferences": references}}, Origin("in", 0))


def owners(*manifests: Manifest) -> Owners:
    state = KaiState(pod_groups=(group("pg", "q"),), pods=(pod("pg", 0),))
    return Owners(Snapshot({manifest.key: manifest for manifest in manifests}).with_part(state))


@pytest.mark.parametrize("key", [GROUP, POD, REPLICAS, WEB])
def test_the_pod_group_stands_behind_its_pod_and_all_that_own_it(key: ObjectKey) -> None:
    some = owners(owned(GROUP), owned(POD, REPLICAS), owned(REPLICAS, WEB), owned(WEB))
    assert some.groups(key) == (GROUP,)


def test_an_owner_that_only_others_name_may_be_asked_about() -> None:
    some = owners(owned(GROUP, WEB), owned(POD))
    assert WEB in some.subjects.keys
    assert some.groups(WEB) == (GROUP,)


def test_owners_in_a_circle_are_walked_once() -> None:
    some = owners(owned(REPLICAS, WEB), owned(WEB, REPLICAS), owned(POD, REPLICAS))
    assert some.groups(WEB) == (GROUP,)


def test_behind_what_owns_no_pod_stands_nothing() -> None:
    assert owners(owned(WEB), owned(POD)).groups(WEB) == ()
