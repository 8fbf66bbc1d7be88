"""Remedies that change several quotas, where one is not enough."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.screens import shown

MOMENT = "2026-06-01T08:00:00Z"
FLAVOR = """
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: f}
---
apiVersion: v1
kind: Namespace
metadata: {name: team}
"""


def queue(name: str, quotas: dict[str, str], *, cohort: str = "", preemption: str = "{}") -> str:
    """A ClusterQueue with its LocalQueue; the quotas are the fields of each resource."""
    resources = ", ".join(f"{{name: {resource}, {fields}}}" for resource, fields in quotas.items())
    return f"""---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {{name: {name}}}
spec:
  namespaceSelector: {{}}
  {f"cohortName: {cohort}" if cohort else ""}
  preemption: {preemption}
  resourceGroups:
  - coveredResources: [{", ".join(quotas)}]
    flavors: [{{name: f, resources: [{resources}]}}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {{name: {name}, namespace: team}}
spec: {{clusterQueue: {name}}}
"""


def workload(name: str, of: str, requests: str, *, admitted: str = "") -> str:
    """A Workload of one pod; ``admitted`` is what it holds, in flavor f."""
    flavors = ", ".join(f"{part.split(':')[0]}: f" for part in admitted.split(", "))
    status = f"""status:
  admission:
    clusterQueue: {of}
    podSetAssignments:
    - {{name: main, count: 1, flavors: {{{flavors}}}, resourceUsage: {{{admitted}}}}}
  conditions:
  - {{type: QuotaReserved, status: "True", reason: QuotaReserved, message: "", lastTransitionTime: "{MOMENT}"}}
  - {{type: Admitted, status: "True", reason: Admitted, message: "", lastTransitionTime: "{MOMENT}"}}
"""
    return f"""---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {{name: {name}, namespace: team, uid: {name}, creationTimestamp: "{MOMENT}"}}
spec:
  queueName: {of}
  podSets:
  - name: main
    count: 1
    template:
      spec:
        restartPolicy: Never
        containers: [{{name: c, image: x, resources: {{requests: {{{requests}}}}}}}]
{status if admitted else ""}"""


def quotas_changed(state: Path) -> list[tuple[tuple[tuple[str, str, str, str], ...], str, int]]:
    """Each remedy that changes nominal quotas: what it changes, the outcome, the number of victims."""
    document = json.loads(shown(f"kubectl-fairshare why workload/w -n team -f {state} -o json").stdout)
    return [
        (tuple(map(_change, (each, *each["also"]))), each["outcome"], each["victims"])
        for each in document["remedies"]
        if each["change"] == "nominalQuota"
    ]


def _change(of: dict[str, Any]) -> tuple[str, str, str, str]:
    return of["object"], of["resource"], of["before"]["quantity"], of["after"]["quantity"]


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state.yaml"


def test_two_resources_are_short(state: Path) -> None:
    quotas = {"cpu": "nominalQuota: 4", "memory": "nominalQuota: 4Gi"}
    state.write_text(FLAVOR + queue("q", quotas) + workload("w", "q", "cpu: 6, memory: 8Gi"))
    changes = (("ClusterQueue q", "cpu", "4", "6"), ("ClusterQueue q", "memory", "4Gi", "8Gi"))
    assert quotas_changed(state) == [(changes, "Admitted", 0)]
    words = " ".join(shown(f"kubectl-fairshare why workload/w -n team -f {state}").stdout.split())
    assert "for cpu in f 4 → 6 and nominalQuota of ClusterQueue q for memory in f 4Gi → 8Gi" in words


def test_quota_that_another_queue_does_not_use_moves_here(state: Path) -> None:
    """The other queue lends nothing, so that it is of no use where it is; the sum of the tree stays the same."""
    here = queue("q", {"cpu": "nominalQuota: 4"}, cohort="all")
    other = queue("other", {"cpu": "nominalQuota: 8, lendingLimit: 0"}, cohort="all")
    busy = workload("busy", "other", "cpu: 5", admitted="cpu: 5")
    state.write_text(FLAVOR + here + other + busy + workload("w", "q", "cpu: 6"))
    moved = (("ClusterQueue q", "cpu", "4", "6"), ("ClusterQueue other", "cpu", "8", "6"))
    assert (moved, "Admitted", 0) in quotas_changed(state)


def test_no_more_moves_than_the_other_queue_leaves_unused(state: Path) -> None:
    here = queue("q", {"cpu": "nominalQuota: 4"}, cohort="all")
    other = queue("other", {"cpu": "nominalQuota: 8, lendingLimit: 0"}, cohort="all")
    busy = workload("busy", "other", "cpu: 7", admitted="cpu: 7")
    state.write_text(FLAVOR + here + other + busy + workload("w", "q", "cpu: 6"))
    assert not any(len(changes) > 1 for changes, *_ in quotas_changed(state))


def test_it_may_reclaim_once_it_borrows_no_other_resource(state: Path) -> None:
    """Without borrowWithinCohort, a workload that borrows cpu cannot reclaim the memory that another queue borrows."""
    quotas = {"cpu": "nominalQuota: 4", "memory": "nominalQuota: 8Gi"}
    here = queue("q", quotas, cohort="all", preemption="{reclaimWithinCohort: Any}")
    other = queue("other", {"cpu": "nominalQuota: 8", "memory": "nominalQuota: 4Gi"}, cohort="all")
    taker = workload("taker", "other", "cpu: 1, memory: 8Gi", admitted="cpu: 1, memory: 8Gi")
    state.write_text(FLAVOR + here + other + taker + workload("w", "q", "cpu: 6, memory: 8Gi"))
    assert ((("ClusterQueue q", "cpu", "4", "6"),), "Preempts", 1) in quotas_changed(state)
