"""From release 0.19.5 on, quotas beyond 64 bits are numbers like all others."""

from typing import Any

import pytest

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.model.amounts import UNLIMITED, ExactAmount
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.tree.state import state_of
from kubectl_fairshare.schedulers.recording import manifests_of

CPU = FlavorResource("f", "cpu")


def queue(nominal: str, **limits: str) -> dict[str, Any]:
    flavor = {"name": "f", "resources": [{"name": "cpu", "nominalQuota": nominal, **limits}]}
    spec = {
        "cohortName": "org",
        "namespaceSelector": {},
        "resourceGroups": [{"coveredResources": ["cpu"], "flavors": [flavor]}],
    }
    return {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue", "metadata": {"name": "q"}, "spec": spec}


def read(release: str, *objects: dict[str, Any]) -> Snapshot:
    manifests = manifests_of(objects, "test")
    return assemble(manifests, known_schedulers(), releases={"kueue": release}).snapshot


def nominal(snapshot: Snapshot) -> int:
    return snapshot.part(KueueState).cluster_queues["q"].quotas[CPU].nominal


def test_a_huge_quota_is_unlimited_before_and_a_number_after() -> None:
    assert nominal(read("0.19", queue("10E"))) == UNLIMITED
    exact = nominal(read("0.20", queue("10E")))
    assert (exact, exact.__class__) == (10**22, ExactAmount)
    assert nominal(read("0.20", queue("4"))).__class__ is int


@pytest.mark.parametrize(("release", "lent"), [("0.19", 0), ("0.20", 4000)])
def test_a_huge_quota_with_a_lending_limit_lends_it(release: str, lent: int) -> None:
    state = state_of(read(release, queue("10E", lendingLimit="4")))
    assert state.forest.subtree(state.forest.cohort_ids["org"], CPU) == lent


@pytest.mark.parametrize(("release", "share"), [("0.19", False), ("0.20", True)])
def test_shares_are_exact_with_the_amounts(release: str, share: bool) -> None:
    assert state_of(read(release, queue("4"))).forest.exact_shares is share
