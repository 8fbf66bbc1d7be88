"""A workload for which Kueue finds flavors in which it does not fit, and which is skipped for that."""

from collections.abc import Callable
from pathlib import Path

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.schedulers.kueue.explain.planning import plan
from kubectl_fairshare.schedulers.kueue.model.objects import Fungibility, Preemption, Quota
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.schedulers.kueue.words.condition import condition
from kubectl_fairshare.schedulers.kueue.words.screens.plan import verdict
from tests.screens import Screen
from tests.unit.schedulers.kueue.build import CPU, GPU, cohort, holder, pending, queue, state

Run = Callable[[str], Screen]
WITHIN = Preemption(within_cluster_queue="LowerPriority")
BOTH = {"when_can_borrow": "TryNextFlavor", "when_can_preempt": "TryNextFlavor"}


def short_of_cpu(preference: str) -> State:
    """The queue may preempt for cpu, of which it borrows nothing, and borrows the gpu that is free."""
    fungibility = Fungibility(preference=preference, **BOTH)
    quotas = {CPU: Quota(2, borrowing_limit=0), GPU: Quota(0)}
    return state(
        cohort("org"),
        queue("mine", "org", quotas, preemption=WITHIN, fungibility=fungibility),
        queue("lender", "org", {CPU: Quota(0), GPU: Quota(4)}),
        holder("low", "mine", {CPU: 2}, priority=-1),
        pending("asker", "mine", {CPU.resource: 2, GPU.resource: 1}),
    )


def test_preemption_is_preferred_to_borrowing_and_nobody_is_preempted() -> None:
    given = short_of_cpu("PreemptionOverBorrowing")
    found = plan(given, given.kueue.pending[0])
    assert found.outcome is Outcome.WAITS
    assert found.targets == ()
    assert condition(found).message == "Workload no longer fits after processing another workload"
    assert not [r for r in found.remedies if r.kind == "priority"]


def test_borrowing_is_preferred_to_preemption_and_the_low_one_is_preempted() -> None:
    given = short_of_cpu("BorrowingOverPreemption")
    found = plan(given, given.kueue.pending[0])
    assert found.outcome is Outcome.PREEMPTS
    assert [t.holder.key.name for t in found.targets] == ["low"]


COVERS = """
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: f}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: q}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu, memory]
    flavors: [{name: f, resources: [{name: cpu, nominalQuota: 4}, {name: memory, nominalQuota: 9Gi}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: lq, namespace: a}
spec: {clusterQueue: q}
---
apiVersion: v1
kind: Namespace
metadata: {name: a}
"""
TWO_POD_SETS = """
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: w, namespace: a}
spec:
  queueName: lq
  podSets:
  - name: head
    count: 1
    template: {spec: {restartPolicy: Never, containers: [{name: c, resources: {requests: {cpu: 1}}}]}}
  - name: worker
    count: 1
    template: {spec: {restartPolicy: Never, containers: [{name: c, resources: {requests: {cpu: 1, memory: 1Gi%s}}}]}}
"""


@pytest.mark.parametrize(
    ("more", "verdict"),
    [
        ("", "✔ admitted now"),
        (", nvidia.com/gpu: 1", "✘ can never fit: the ClusterQueue does not cover nvidia.com/gpu"),
    ],
)
def test_a_resource_that_is_not_covered_never_fits_beside_a_flavor_that_does(
    run: Run, tmp_path: Path, more: str, verdict: str
) -> None:
    (tmp_path / "org.yaml").write_text(COVERS)
    (tmp_path / "w.yaml").write_text(TWO_POD_SETS % more)
    screen = run(f"kubectl-fairshare plan -f {tmp_path / 'org.yaml'} -w {tmp_path / 'w.yaml'}")
    assert screen.stdout.startswith(verdict)


@pytest.mark.parametrize(
    ("of", "said"), [(0, "admitted now"), (1, "admitted now"), (12, "admitted now (one of its 12 pods)")]
)
def test_a_verdict_on_one_of_several_pods_says_so(of: int, said: str) -> None:
    given = state(queue("q", quotas=4), pending("asker", "q", one_of=of))
    assert verdict(plan(given, given.kueue.pending[0])) == said
