"""Simulations of KAI on nodes, by the times at which jobs start, stop and end."""

from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.answers.simulation import SimulatedJob, Simulation
from kubectl_fairshare.model.errors import UsageError
from kubectl_fairshare.model.job_trace import TracedJob, TracedPods
from kubectl_fairshare.policy.simulation.parameters import Parameters, PolicyChange
from kubectl_fairshare.policy.simulation.run import simulate
from kubectl_fairshare.policy.simulation.statistics import utilisation
from kubectl_fairshare.schedulers import scheduler_named
from tests.unit.policy.simulation.states import GPU, SECOND, snapshot_of

_QUEUE = """
---
apiVersion: scheduling.run.ai/v2
kind: Queue
metadata: {{name: {name}}}
spec:
  resources:
    gpu: {{quota: {quota}, limit: -1, overQuotaWeight: 1}}
    cpu: {{quota: -1, limit: -1, overQuotaWeight: 1}}
    memory: {{quota: -1, limit: -1, overQuotaWeight: 1}}
"""
_NODE = """
---
apiVersion: v1
kind: Node
metadata: {name: n1, labels: {nvidia.com/gpu.count: "8", nvidia.com/gpu.memory: "81920"}}
status:
  conditions: [{type: Ready, status: "True"}]
  allocatable: {cpu: 64, memory: 512Gi, nvidia.com/gpu: 8, pods: 110}
"""
TWO = _QUEUE.format(name="vision", quota=4) + _QUEUE.format(name="speech", quota=4)


def job(name: str, queue: str, at: float, pods: int, seconds: float, gpus: int = 1) -> TracedJob:
    sets = (TracedPods("main", pods, {"cpu": 1000, GPU: gpus}),)
    return TracedJob(name, "team", queue, int(at * SECOND), sets, duration=int(seconds * SECOND))


def run(folder: Path, *jobs: TracedJob, **parameters: Any) -> Simulation:
    snapshot = snapshot_of(folder, TWO + _NODE)
    return simulate(scheduler_named("kai"), snapshot, jobs, Parameters(**parameters))


def of(simulation: Simulation, name: str) -> SimulatedJob:
    return next(each for each in simulation.jobs if each.job.name == name)


def test_a_job_that_fits_starts_when_it_arrives_and_ends_when_its_work_is_done(tmp_path: Path) -> None:
    found = run(tmp_path, job("one", "vision", 5, 4, 60))
    assert of(found, "one").admitted == [5 * SECOND]
    assert of(found, "one").finished == 65 * SECOND
    assert found.queues["vision"].held["", GPU] == 4 * 60 * SECOND


def test_the_quota_of_a_parent_is_not_counted_beside_that_of_its_children(tmp_path: Path) -> None:
    parent = _QUEUE.format(name="research", quota=8)
    children = TWO.replace("  resources:", "  parentQueue: research\n  resources:")
    snapshot = snapshot_of(tmp_path, parent + children + _NODE)
    found = simulate(scheduler_named("kai"), snapshot, [job("one", "vision", 0, 4, 60)], Parameters())
    assert sorted(found.queues) == ["speech", "vision"]
    assert utilisation(found)["", GPU] == pytest.approx(0.5)


def test_a_gang_waits_until_all_its_pods_fit(tmp_path: Path) -> None:
    found = run(tmp_path, job("one", "vision", 0, 5, 60), job("two", "vision", 10, 4, 60))
    assert of(found, "two").admitted == [60 * SECOND]


def test_a_queue_reclaims_its_quota_and_starts_in_the_next_session(tmp_path: Path) -> None:
    found = run(tmp_path, job("guest", "vision", 0, 8, 100), job("owner", "speech", 40, 4, 100))
    guest, owner = of(found, "guest"), of(found, "owner")
    assert [(each.at, each.by, each.rule) for each in guest.evictions] == [(40 * SECOND, "team/owner", "reclaim")]
    assert owner.admitted == [41 * SECOND]
    assert guest.admitted == [0, 141 * SECOND]
    assert guest.lost == 40 * SECOND


def test_evicted_pods_hold_their_node_until_they_are_gone(tmp_path: Path) -> None:
    jobs = job("guest", "vision", 0, 8, 100), job("owner", "speech", 40, 4, 100)
    found = run(tmp_path, *jobs, stopping=30 * SECOND)
    assert of(found, "owner").admitted == [70 * SECOND]


@pytest.mark.parametrize(("seconds", "stale"), [(59, ()), (900, ("team/gang",))])
def test_what_is_left_of_a_gang_is_not_played_for_longer_than_its_grace_period(
    tmp_path: Path, seconds: float, stale: tuple[str, ...]
) -> None:
    """Consolidation moves one pod of the gang, and another job takes the room that was meant for it."""
    nodes = _NODE.replace("gpu: 8", "gpu: 3") + _NODE.replace("n1", "n2").replace("gpu: 8", "gpu: 4")
    snapshot = snapshot_of(tmp_path, _QUEUE.format(name="guest", quota=0) + TWO + nodes)
    jobs = [
        *(job("first", "vision", 0, 1, 3, 2), job("second", "vision", 0, 1, 3, 3), job("gang", "guest", 1, 2, 100)),
        *(job("third", "vision", 5, 1, seconds), job("whole", "speech", 8, 1, seconds, 4)),
        job("last", "speech", 9, 1, seconds),
    ]
    found = simulate(scheduler_named("kai"), snapshot, jobs, Parameters())

    assert [each.at for each in of(found, "gang").evictions] == [8 * SECOND]
    gaps = [(gap.feature, gap.subject) for gap in found.fidelity.gaps if gap.touches]
    assert gaps == [("StaleGang", name) for name in stale]


def test_a_job_of_an_unknown_queue_is_refused(tmp_path: Path) -> None:
    found = run(tmp_path, job("one", "missing", 0, 1, 10))
    assert of(found, "one").refused == "queue missing does not exist"
    assert of(found, "one").admitted == []


def test_without_nodes_nothing_can_be_simulated(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no Node is in the input"):
        simulate(scheduler_named("kai"), snapshot_of(tmp_path, TWO), [job("one", "vision", 0, 1, 10)])


def test_what_becomes_of_a_job_on_a_node_that_is_taken_away_is_not_decided(tmp_path: Path) -> None:
    before = snapshot_of(tmp_path, TWO + _NODE)
    after = snapshot_of(tmp_path, TWO + _NODE.replace("name: n1", "name: n2"))
    lost = "the outcome of jobs on a node that a change takes away: here, they run on"
    for at, doubts in ((30, (lost,)), (90, ())):  # while it runs, and after its end
        change = PolicyChange(at * SECOND, after)
        found = simulate(scheduler_named("kai"), before, [job("one", "vision", 0, 4, 60)], None, [change])
        assert found.fidelity.doubts == doubts
