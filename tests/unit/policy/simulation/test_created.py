"""Pods that ResourceQuotas reject: a simulation of pods is exact only if there are none."""

from pathlib import Path

import pytest

from kubectl_fairshare.answers.fidelity import REJECTED, UNREAD
from kubectl_fairshare.answers.simulation import Simulation
from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.simulation.parameters import Parameters, PolicyChange
from kubectl_fairshare.policy.simulation.run import simulate
from kubectl_fairshare.schedulers import known_schedulers, scheduler_named
from tests.unit.policy.simulation.states import SECOND, policy, queue, snapshot_of
from tests.unit.policy.simulation.states import job as queued_job
from tests.unit.policy.simulation.test_quotas import NODE, TWO, job

_BOUND = """
---
apiVersion: v1
kind: ResourceQuota
metadata: {{namespace: a, name: bounds}}
spec: {{hard: {{{hard}}}{more}}}
"""

_KOORDINATOR = """
apiVersion: scheduling.sigs.k8s.io/v1alpha1
kind: ElasticQuota
metadata: {namespace: a, name: q, labels: {quota.scheduling.koordinator.sh/parent: koordinator-root-quota}}
spec: {min: {cpu: 4, nvidia.com/gpu: 4}, max: {cpu: 8, nvidia.com/gpu: 8}}
"""
_KAI = """
apiVersion: scheduling.run.ai/v2
kind: Queue
metadata: {name: top}
spec: {resources: {gpu: {quota: 8, limit: 8}, cpu: {quota: 8000, limit: 8000}, memory: {quota: 8, limit: 8}}}
---
apiVersion: scheduling.run.ai/v2
kind: Queue
metadata: {name: q}
spec: {parentQueue: top, resources: {gpu: {quota: 4, limit: 8}, cpu: {quota: 8, limit: 8}}}
"""


def bound(hard: str, more: str = "") -> str:
    return _BOUND.format(hard=hard, more=more)


def run(folder: Path, bounds: str, *jobs: TracedJob, stopping: int = 0) -> Simulation:
    snapshot = snapshot_of(folder, "".join(TWO) + NODE + bounds)
    return simulate(scheduler_named("elasticquota"), snapshot, jobs, Parameters(stopping=stopping))


def rejected(simulation: Simulation) -> bool:
    return any(gap.feature == REJECTED for gap in simulation.fidelity.gaps)


@pytest.mark.parametrize(
    ("hard", "exact"),
    [
        ("pods: 2", True),
        ("pods: 1", False),
        ("count/pods: 1", False),
        ("cpu: 2", True),
        ("requests.cpu: 1999m", False),
        ("requests.nvidia.com/gpu: 1", False),
        ("requests.memory: 1Gi", False),
        ("limits.cpu: 100", False),
        ("services: 0, requests.storage: 1", True),
    ],
)
def test_two_pods_at_once_are_exact_where_no_bound_rejects_one(tmp_path: Path, hard: str, *, exact: bool) -> None:
    found = run(tmp_path, bound(hard), job("one", "a", 0, 1, 60), job("two", "a", 10, 1, 60))
    assert (found.exact, rejected(found)) == (exact, not exact)


def test_the_gap_names_the_bound(tmp_path: Path) -> None:
    (gap,) = run(tmp_path, bound("pods: 1, cpu: 1"), job("one", "a", 0, 1, 60, 2)).fidelity.gaps
    assert [str(place.path[-1]) for place in gap.places] == ["pods", "cpu"]


def test_pods_that_have_ended_make_room(tmp_path: Path) -> None:
    found = run(tmp_path, bound("pods: 1"), job("one", "a", 0, 1, 60), job("two", "a", 60, 1, 60))
    assert found.exact


def test_the_pods_of_other_namespaces_do_not_count(tmp_path: Path) -> None:
    assert run(tmp_path, bound("pods: 1"), job("one", "a", 0, 1, 60), job("two", "b", 0, 1, 60, 3)).exact


def test_a_pod_that_waits_counts(tmp_path: Path) -> None:
    assert rejected(run(tmp_path, bound("pods: 1"), job("one", "a", 0, 8, 60), job("two", "a", 1, 8, 60)))


def test_a_scope_counts_the_pods_of_its_classes(tmp_path: Path) -> None:
    scope = ", scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: In, values: [high]}]}"
    one, two = job("one", "a", 0, 1, 60), job("two", "a", 1, 1, 60)
    high = replace(two, priority_class="high")
    assert run(tmp_path, bound("pods: 0", scope), one, two).exact
    assert rejected(run(tmp_path, bound("pods: 0", scope), one, high))


def test_a_pod_that_stops_counts_beside_its_replacement(tmp_path: Path) -> None:
    jobs = job("low", "a", 0, 8, 100), job("high", "a", 10, 8, 10, 1, 5)
    assert run(tmp_path, bound("pods: 2"), *jobs).exact
    assert not rejected(run(tmp_path, bound("pods: 3"), *jobs, stopping=5 * SECOND))
    assert rejected(run(tmp_path, bound("pods: 2"), *jobs, stopping=5 * SECOND))


def test_a_change_of_the_bounds_counts_for_pods_made_after_it(tmp_path: Path) -> None:
    before, after = (snapshot_of(tmp_path, "".join(TWO) + NODE + bound(f"pods: {pods}")) for pods in (3, 1))
    changes = [PolicyChange(30 * SECOND, after)]
    first, second = job("one", "a", 0, 1, 60, 2), job("two", "a", 61, 1, 60)
    house = scheduler_named("elasticquota")
    assert simulate(house, before, [first, second], Parameters(), changes).exact
    third = job("three", "a", 40, 1, 60)
    assert rejected(simulate(house, before, [first, third], Parameters(), changes))


def test_koordinator_and_kai_count_the_pods_of_waiting_jobs(tmp_path: Path) -> None:
    asked = replace(job("one", "a", 0, 1, 60, 2), queue="q")
    for house, text in (("koordinator", _KOORDINATOR), ("kai", _KAI)):
        for pods, is_rejected in ((1, True), (2, False)):
            snapshot = snapshot_of(tmp_path, text + NODE + bound(f"pods: {pods}"))
            assert rejected(simulate(scheduler_named(house), snapshot, [asked])) is is_rejected, (house, pods)


@pytest.mark.parametrize(("house", "text"), [("koordinator", _KOORDINATOR), ("kai", _KAI)])
def test_resource_quotas_that_could_not_be_read_may_reject_pods(tmp_path: Path, house: str, text: str) -> None:
    """A server that forbids to list them: plans of the same jobs are not exact either."""
    path = tmp_path / "policy.yaml"
    path.write_text(text + NODE, encoding="utf-8")
    found = read((str(path),), known_schedulers()).manifests
    for unread in ((), ("ResourceQuota",)):
        snapshot = assemble(found, known_schedulers(), unread).snapshot
        simulation = simulate(scheduler_named(house), snapshot, [replace(job("one", "a", 0, 1, 60), queue="q")])
        gaps = [gap.subject for gap in simulation.fidelity.gaps if gap.feature == UNREAD and gap.touches]
        assert gaps == [*unread]


def test_kueue_starts_a_job_before_its_pods_are_made(tmp_path: Path) -> None:
    snapshot = policy(tmp_path, queue("a", 8), bound("pods: 0"))
    assert not rejected(simulate(scheduler_named("kueue"), snapshot, [queued_job("one", "a", 0, 1, 60)]))
