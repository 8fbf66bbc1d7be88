"""Gaps of single workloads. What a gap does to a plan: ``tests/unit/cli/test_plan_cases.py``."""

from typing import Any

import pytest

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.conformance.cases import case_snapshot
from kubectl_fairshare.schedulers.kueue.engine import KueueEngine
from kubectl_fairshare.schedulers.kueue.explain.cycle import cycle_report
from kubectl_fairshare.schedulers.kueue.explain.planning import plan
from kubectl_fairshare.schedulers.kueue.gaps import SHORT_ADMISSION
from kubectl_fairshare.schedulers.kueue.model.objects import LocalQueue
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.tree.state import state_of
from tests.unit.schedulers.kueue.build import holder, pending, queue, state

REQUESTS: dict[str, dict[str, str]] = {"zero": {"example.com/device": "0"}, "main": {"cpu": "1"}, "none": {}}


def kueue(kind: str, name: str, spec: dict[str, Any], **more: str) -> dict[str, Any]:
    metadata = {"name": name, "uid": name, "creationTimestamp": "2026-01-01T00:00:00Z", **more}
    return {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": kind, "metadata": metadata, "spec": spec}


def pod_set(name: str) -> dict[str, Any]:
    container = {"name": "c", "image": "i", "resources": {"requests": REQUESTS[name]}}
    return {"name": name, "count": 1, "template": {"spec": {"restartPolicy": "Never", "containers": [container]}}}


@pytest.mark.parametrize(
    ("flavors", "pod_sets", "exact"),
    [
        (["f"], ("zero", "main"), False),
        (["f"], ("main", "zero"), True),
        (["f"], ("zero",), True),
        (["f"], ("none", "main"), True),
        ([], ("zero",), True),
    ],
)
def test_pods_that_request_nothing_that_the_queue_covers_leave_open_what_comes_after_them(
    flavors: list[str], pod_sets: tuple[str, ...], *, exact: bool
) -> None:
    """Kueue 0.19.2 stops at the pod set, and takes the workload as fitting: the API server rejects the admission.

    A queue without flavors would ask for a topology after that; Kueue does not get there, and admits.
    """
    quotas = [{"name": f, "resources": [{"name": "cpu", "nominalQuota": "9"}]} for f in flavors]
    groups = [{"coveredResources": ["cpu"], "flavors": quotas}] if quotas else []
    asks = {"queueName": "q", "priority": 0, "podSets": [pod_set(name) for name in pod_sets]}
    objects = [
        kueue("ResourceFlavor", "f", {}),
        kueue("ClusterQueue", "q", {"namespaceSelector": {}, "resourceGroups": groups}),
        kueue("LocalQueue", "q", {"clusterQueue": "q"}, namespace="team"),
        kueue("Workload", "asks", asks, namespace="team"),
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team"}},
    ]
    snapshot, engine = case_snapshot({"name": "x", "config": {}, "objects": objects}), KueueEngine()
    found = engine.plan(snapshot, snapshot.part(KueueState).pending[0])
    assert found.fidelity.exact is exact
    assert any(gap.feature == SHORT_ADMISSION for gap in engine.cycle(snapshot).fidelity.gaps) is not exact


@pytest.mark.parametrize(
    ("cohort", "asks", "usage", "free", "exact"),
    [
        ("org", 3, None, 4, True),  # of its own quota
        ("org", 5, None, 4, False),  # the queue that is missing may lend the rest
        ("org", 3, 2, 4, False),  # or holds what it borrowed
        (None, 5, 2, 4, True),  # no cohort, so nothing is shared
    ],
)
def test_a_queue_that_the_input_lacks_may_be_of_the_same_cohort(
    cohort: str | None, asks: int, usage: int | None, free: int, exact: bool
) -> None:
    """Kueue's ``available`` and ``potentialAvailable`` count all queues of a cohort."""
    others = () if usage is None else (holder("lost", "elsewhere", usage),)
    given = state(queue("q", cohort, free), *others, pending("w", "q", asks))
    queues = {**given.kueue.local_queues, ("team", "lost"): LocalQueue("team", "lost", "elsewhere", "None")}
    partial = replace(given.snapshot.with_part(replace(given.kueue, local_queues=queues)), complete=False)
    for snapshot, known in ((partial, exact), (replace(partial, complete=True), True)):
        found = state_of(snapshot)
        assert plan(found, found.kueue.pending[0]).fidelity.modelled is known
        assert cycle_report(found).fidelity.modelled is known
