"""Simulations of ElasticQuotas, by the times at which pods start, stop and end."""

from pathlib import Path
from typing import Any

from kubectl_fairshare.answers.simulation import SimulatedJob, Simulation
from kubectl_fairshare.model.job_trace import TracedJob, TracedPods
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.simulation.parameters import Parameters, PolicyChange
from kubectl_fairshare.policy.simulation.run import simulate
from kubectl_fairshare.schedulers import scheduler_named
from tests.unit.policy.simulation.states import GPU, SECOND, snapshot_of

_QUOTA = """
---
apiVersion: scheduling.x-k8s.io/v1alpha1
kind: ElasticQuota
metadata: {{namespace: {name}, name: quota}}
spec: {{min: {{cpu: 100, nvidia.com/gpu: {least}}}, max: {{cpu: 100, nvidia.com/gpu: {most}}}}}
"""
_NODE = """
---
apiVersion: v1
kind: Node
metadata: {{name: {name}}}
status: {{allocatable: {{cpu: 200, nvidia.com/gpu: {gpus}, pods: 110}}}}
"""
TWO = (_QUOTA.format(name="a", least=4, most=8), _QUOTA.format(name="b", least=4, most=8))
NODE = _NODE.format(name="n1", gpus=8)


def job(
    name: str, namespace: str, at: float, gpus: int, seconds: float, count: int = 1, priority: int = 0
) -> TracedJob:
    pods = (TracedPods("main", count, {"cpu": 1000, GPU: gpus}),)
    created, duration = int(at * SECOND), int(seconds * SECOND)
    return TracedJob(name, namespace, "", created, pods, priority=priority, duration=duration)


def run(folder: Path, *jobs: TracedJob, nodes: str = NODE, **parameters: Any) -> Simulation:
    snapshot = snapshot_of(folder, "".join(TWO) + nodes)
    return simulate(scheduler_named("elasticquota"), snapshot, jobs, Parameters(**parameters))


def of(simulation: Simulation, name: str) -> SimulatedJob:
    return next(each for each in simulation.jobs if each.job.name == name)


def test_a_pod_within_its_quota_starts_when_it_arrives(tmp_path: Path) -> None:
    found = run(tmp_path, job("one", "a", 5, 4, 60))
    assert of(found, "one").admitted == [5 * SECOND]
    assert of(found, "one").finished == 65 * SECOND
    assert found.exact


def test_a_pod_without_room_starts_once_another_has_ended(tmp_path: Path) -> None:
    found = run(tmp_path, job("one", "a", 0, 8, 60), job("two", "a", 10, 1, 60))
    assert of(found, "two").admitted == [60 * SECOND]


def test_the_pods_of_a_job_start_one_by_one_and_the_job_is_admitted_with_the_last(tmp_path: Path) -> None:
    found = run(tmp_path, job("big", "a", 0, 4, 60), job("many", "a", 10, 2, 100, count=3))
    many = of(found, "many")
    assert many.admitted == [60 * SECOND]
    assert many.finished == 160 * SECOND


def test_a_namespace_takes_its_min_back_from_a_borrower_after_the_backoff(tmp_path: Path) -> None:
    found = run(tmp_path, job("guest", "a", 0, 8, 100), job("owner", "b", 40, 4, 100))
    guest, owner = of(found, "guest"), of(found, "owner")
    assert [(each.at, each.by, each.rule) for each in guest.evictions] == [(40 * SECOND, "b/owner", "borrower")]
    assert guest.lost == 40 * SECOND
    assert owner.admitted == [41 * SECOND]
    assert guest.admitted[1] == 141 * SECOND


def test_a_victim_holds_its_node_until_it_has_stopped(tmp_path: Path) -> None:
    found = run(tmp_path, job("guest", "a", 0, 8, 100), job("owner", "b", 40, 4, 100), stopping=30 * SECOND)
    assert of(found, "owner").admitted == [70 * SECOND]


def test_a_pod_that_is_a_victim_while_it_stops_is_evicted_once(tmp_path: Path) -> None:
    """A second preemptor needs the room of pods that leave for the first already."""
    borrower, owners = job("guest", "a", 0, 1, 1000, count=8), [job(f"o{i}", "b", 40, 1, 300) for i in range(4)]
    found = run(tmp_path, borrower, *owners, job("late", "b", 45, 4, 60, priority=9), stopping=30 * SECOND)

    assert len(of(found, "guest").evictions) == 4, "its quota keeps the other four"
    assert all(each.finished is not None for each in found.jobs)


def test_a_pod_that_was_tried_too_often_waits_out_its_backoff(tmp_path: Path) -> None:
    """Ends let the large pod try at 5, 10, 12 and 16 s, too early; there is room at 20 s, in its backoff of 8 s."""
    short = [job(f"s{i}", "a", 0, 1, 10 + 2 * i) for i in range(6)]
    found = run(tmp_path, *short, job("large", "a", 5, 8, 10))
    assert of(found, "large").admitted == [24 * SECOND]


def test_several_nodes_with_room_make_the_result_inexact(tmp_path: Path) -> None:
    nodes = _NODE.format(name="n1", gpus=8) + _NODE.format(name="n2", gpus=8)
    found = run(tmp_path, job("one", "a", 0, 1, 10), nodes=nodes)
    assert not found.exact
    assert found.fidelity.doubts == ("which of several nodes that have room a pod gets: here, the first by name",)


def test_which_of_equal_pods_leaves_for_another_makes_the_result_inexact(tmp_path: Path) -> None:
    """No object records their order: the one that is evicted loses its work and ends later."""
    lower, high = [job("low-1", "a", 0, 4, 100), job("low-2", "a", 0, 4, 300)], job("high", "a", 10, 4, 30, priority=9)
    found = run(tmp_path, *lower, high)
    assert found.fidelity.doubts == (
        "in which order equally important pods are considered: here, the order of their names",
    )
    assert run(tmp_path, job("low", "a", 0, 8, 100), high).exact


def test_without_nodes_the_result_is_not_exact(tmp_path: Path) -> None:
    found = run(tmp_path, job("one", "a", 0, 1, 10), nodes="")
    assert of(found, "one").admitted == [0]
    assert not found.exact


def test_a_change_of_nodes_lets_waiting_pods_start(tmp_path: Path) -> None:
    small = snapshot_of(tmp_path, "".join(TWO) + _NODE.format(name="n1", gpus=1))
    large = snapshot_of(tmp_path, "".join(TWO) + NODE)
    waits = replace(job("one", "a", 0, 4, 60))
    found = simulate(scheduler_named("elasticquota"), small, [waits], None, [PolicyChange(30 * SECOND, large)])
    assert of(found, "one").admitted == [30 * SECOND]


LOST = "the outcome of jobs on a node that a change takes away: here, they run on"


def test_what_becomes_of_pods_on_a_node_that_is_taken_away_is_not_decided(tmp_path: Path) -> None:
    before = snapshot_of(tmp_path, "".join(TWO) + NODE)
    after = snapshot_of(tmp_path, "".join(TWO) + _NODE.format(name="n2", gpus=8))
    for at, doubts in ((30, (LOST,)), (90, ())):  # while it runs, and after its end
        change = PolicyChange(at * SECOND, after)
        found = simulate(scheduler_named("elasticquota"), before, [job("one", "a", 0, 4, 60)], None, [change])
        assert found.fidelity.doubts == doubts
