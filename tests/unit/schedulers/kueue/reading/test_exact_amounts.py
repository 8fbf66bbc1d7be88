"""From release 0.19.5 on, quotas beyond 64 bits are numbers like all others."""

import json
from pathlib import Path
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
from tests.screens import shown

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


def memory_state(counts: tuple[int, ...]) -> list[dict[str, Any]]:
    """A queue of 8E memory, and a Workload with one pod set for each count, of pods that request 5E."""
    flavor = {"name": "f", "resources": [{"name": "memory", "nominalQuota": "8E"}]}
    groups = [{"coveredResources": ["memory"], "flavors": [flavor]}]
    head = {"apiVersion": "kueue.x-k8s.io/v1beta2"}
    container = {"name": "c", "image": "i", "resources": {"requests": {"memory": "5E"}}}
    template = {"spec": {"restartPolicy": "Never", "containers": [container]}}
    pod_sets = [{"name": f"s{i}", "count": count, "template": template} for i, count in enumerate(counts)]
    moment = {"uid": "u", "creationTimestamp": "2026-01-01T00:00:00Z"}
    return [
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team"}},
        {**head, "kind": "ResourceFlavor", "metadata": {"name": "f"}, "spec": {}},
        {
            **head,
            "kind": "ClusterQueue",
            "metadata": {"name": "q"},
            "spec": {"namespaceSelector": {}, "resourceGroups": groups},
        },
        {
            **head,
            "kind": "LocalQueue",
            "metadata": {"name": "q", "namespace": "team"},
            "spec": {"clusterQueue": "q"},
        },
        {
            **head,
            "kind": "Workload",
            "metadata": {"name": "w", "namespace": "team", **moment},
            "spec": {"queueName": "q", "priority": 0, "podSets": pod_sets},
        },
    ]


SUMS = [
    ("0.17.8", (1, 1), "Never", "exact"),
    ("0.17.2", (1, 1), "Admitted", "not exact"),
    ("0.17.8", (2,), "Admitted", "exact"),
    ("0.18", (2,), "Never", "exact"),
    ("0.18", (1, 1), "Never", "exact"),
]


@pytest.mark.parametrize(("release", "counts", "outcome", "grade"), SUMS)
def test_sums_beyond_64_bits_are_those_of_the_release_for_each_question(
    tmp_path: Path, release: str, counts: tuple[int, ...], outcome: str, grade: str
) -> None:
    """Two pods of one pod set wrap up to v0.17; a second pod set adds up to the bound at most since v0.17.3."""
    *around, workload = memory_state(counts)
    for name, items in {"state": around, "all": [*around, workload]}.items():
        (tmp_path / f"{name}.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    (tmp_path / "w.json").write_text(json.dumps(workload))

    def told(call: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(shown(f"kubectl-fairshare {call} --release {release} -o json").stdout)
        return found

    plan = told(f"plan -f {tmp_path}/state.json -w {tmp_path}/w.json")
    (entry,) = (cycle := told(f"cycle -f {tmp_path}/all.json"))["entries"]
    why = told(f"why workload/w -n team -f {tmp_path}/all.json")
    assert (plan["byWhatIsModelled"], entry["outcome"]) == (outcome, outcome)
    assert {each["fidelity"]["grade"] for each in (plan, cycle, why)} == {grade}
    assert not [each for each in plan["bindings"] if each["needed"]["value"] < 0]
    if grade == "exact":
        assert why["law"] == ("kueue-next-cycle" if outcome == "Admitted" else "kueue-exceeds-potential")
