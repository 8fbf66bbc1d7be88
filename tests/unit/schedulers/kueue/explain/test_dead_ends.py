"""A workload that Kueue skips in every cycle is told what its last test lacks: quota, or requests to count by."""

from typing import Any

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.schedulers.kueue.explain.planning import plan
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.objects import Fungibility, Preemption, Quota
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, PodSet
from kubectl_fairshare.schedulers.kueue.topology.laws import TopologyLaw
from kubectl_fairshare.schedulers.kueue.words.condition import condition
from kubectl_fairshare.schedulers.kueue.words.screens.plan import verdict
from kubectl_fairshare.trace import Step
from tests.screens import shown
from tests.unit.cli import why_state
from tests.unit.schedulers.kueue.build import CPU, GPU, cohort, holder, pending, queue, state
from tests.unit.schedulers.kueue.explain.test_grounds import RACKS, planned
from tests.unit.schedulers.kueue.topology.test_workloads import kueue, pod_set, workload

PODS = FlavorResource("default", "pods")
SKIPPED = "Workload no longer fits after processing another workload"


def failing(steps: tuple[Step, ...], *laws: Law | TopologyLaw) -> list[dict[str, Any]]:
    return [dict(step.operands) for step in steps if step.law in laws and not step.holds]


def test_victims_that_free_too_few_pods_are_spared_in_every_cycle() -> None:
    given = state(
        queue("q", quotas={CPU: Quota(4), PODS: Quota(3)}, preemption=Preemption(within_cluster_queue="LowerPriority")),
        holder("small", "q", {CPU: 2, PODS: 1}, priority=-5),
        holder("other", "q", {CPU: 2, PODS: 2}, priority=-1),
        pending("asker", "q", priority=5, pod_sets=(PodSet("main", 2, {CPU.resource: 1, PODS.resource: 1}),)),
    )
    found = plan(given, given.kueue.pending[0])
    assert (found.outcome, found.targets, condition(found).message) == (Outcome.WAITS, (), SKIPPED)
    lacking = {"flavor": "default", "resource": "pods", "needed": 2, "free": 1, "victims": 1}
    assert failing(found.proof, Law.SKIPPED_ALONE) == [lacking]
    assert "needs 2 pods in default, 1 free without its 1 victim" in verdict(found)


def test_what_a_flavor_lacks_that_counts_as_fitting_is_named() -> None:
    fungibility = Fungibility("TryNextFlavor", "TryNextFlavor", "PreemptionOverBorrowing")
    preemption = Preemption(within_cluster_queue="LowerPriority")
    quotas = {CPU: Quota(2, borrowing_limit=0), GPU: Quota(0)}
    given = state(
        cohort("org"),
        queue("mine", "org", quotas, preemption=preemption, fungibility=fungibility),
        queue("lender", "org", {CPU: Quota(0), GPU: Quota(4)}),
        holder("low", "mine", {CPU: 2}, priority=-1),
        pending("asker", "mine", {CPU.resource: 2, GPU.resource: 1}),
    )
    found = plan(given, given.kueue.pending[0])
    (lacking,) = failing(found.proof, Law.SKIPPED_ALONE)
    assert (lacking["resource"], lacking["free"], lacking["victims"]) == ("cpu", 0, 0)
    assert (found.outcome, "0 free now: Kueue preempts nothing" in verdict(found)) == (Outcome.WAITS, True)


def counting_pods(name: str, count: int, cpu: int | None) -> list[Any]:
    """A queue that covers ``pods`` too, and a workload for it."""
    quotas = [{"name": resource, "nominalQuota": "99"} for resource in ("cpu", "pods")]
    groups = [{"coveredResources": ["cpu", "pods"], "flavors": [{"name": "f", "resources": quotas}]}]
    objects = [kueue("ClusterQueue", name, {"namespaceSelector": {}, "resourceGroups": groups})]
    objects.append(kueue("LocalQueue", name, {"clusterQueue": name}, namespace="team"))
    return [*objects, workload("asks", name, pod_set(count, cpu))]


def test_pods_that_request_nothing_are_never_placed_by_a_topology() -> None:
    found = planned(*RACKS, *counting_pods("all", 2, None))
    assert (found.outcome, found.fidelity.exact, condition(found).message) == (Outcome.NEVER, True, SKIPPED)
    assert failing(found.proof, TopologyLaw.NO_REQUEST, Law.SKIPPED_ALONE) == [{"pod set": "main"}]
    assert "the pods of main request nothing" in verdict(found)
    found = planned(*RACKS, *counting_pods("all", 2, 1))
    assert (found.outcome, failing(found.proof, TopologyLaw.NO_REQUEST)) == (Outcome.ADMITTED, [])


def test_why_says_the_same(tmp_path: Any, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    pods = {"name": "pods", "nominalQuota": "2"}
    quota = {"name": "any", "resources": [{"name": why_state.GPU, "nominalQuota": "4"}, pods]}
    groups = [{"coveredResources": [why_state.GPU, "pods"], "flavors": [quota]}]
    queues = why_state.queue("q", resourceGroups=groups, preemption={"withinClusterQueue": "LowerPriority"})
    held = [why_state.running(f"held{i}", 2, spec={"priority": -1 - i}) for i in range(2)]
    for each in held:
        given = each["status"]["admission"]["podSetAssignments"][0]
        given["flavors"]["pods"], given["resourceUsage"]["pods"] = "any", "1"
    asks = why_state.workload("w", 1, spec={"priority": 5})
    asks["spec"]["podSets"][0]["count"] = 2
    found = why_state.asked([*why_state.surroundings(), *queues, *held, asks], "workload/w -n team")
    assert (found["verdict"], found["reason"], found["law"]) == ("NotNow", "WaitingForQuota", "kueue-skipped-alone")


@pytest.mark.parametrize("command", ["why pend10 -n team", "why pend10 -n team --brief"])
def test_a_limit_that_no_end_of_work_moves_is_no_headline_of_work_that_gets_in_another_way(command: str) -> None:
    """The scan ends at a flavor that is too small; once others have ended, its first flavor has room."""
    screen = shown(f"kubectl-fairshare {command} -f testdata/consistency/kueue-limits-that-last.json")
    assert screen.stdout.startswith("team/pend10 · not now: topology default has room for 0 of 1 pods\n")
    assert "binds: quota 2 cpu in tas-aux" not in screen.stdout


@pytest.mark.parametrize("release", ["0.16", "0.17", "0.18.4", "0.19.2", "0.20"])
def test_a_resource_that_is_short_now_hides_no_other_that_the_queue_can_never_have(release: str) -> None:
    """Before 0.18.5 Kueue stops at the first resource that does not fit, which may be one that ends of work give."""
    state = f"-f testdata/consistency/kueue-never-behind-a-shortage.json --release {release}"
    alone = shown(f"kubectl-fairshare why pend3 -n team-a {state}").stdout
    assert alone.startswith("team-a/pend3 · never: needs 8 nvidia.com/gpu in on-demand, can never get more\n  than 2")
    assert "quota 2 nvidia.com/gpu in on-demand of Cohort co0 and all below it" in alone
    assert "⇒ never · exact" in alone
    (row,) = (
        line
        for line in shown(f"kubectl-fairshare why -A {state}").stdout.splitlines()
        if line.startswith("team-a/pend3 ")
    )
    assert "never" in row
    assert "needs 8 nvidia.com/gpu in on-demand" in row
