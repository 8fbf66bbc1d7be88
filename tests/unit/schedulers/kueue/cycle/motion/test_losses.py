"""What becomes of work whose node or queue a change takes away is not decided; a change of others is."""

from pathlib import Path

import pytest
import yaml

from kubectl_fairshare.model.job_trace import TracedJob, TracedPods
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.policy.simulation.parameters import PolicyChange
from kubectl_fairshare.policy.simulation.run import simulate
from kubectl_fairshare.schedulers import scheduler_named
from tests.unit.policy.simulation.states import SECOND, job, policy, snapshot_of
from tests.unit.policy.simulation.states import queue as in_cohort
from tests.unit.schedulers.kueue.explain.test_grounds import ALWAYS_THERE
from tests.unit.schedulers.kueue.topology.test_workloads import LEVELS, flavor, kueue, node, queue

texts = {name: in_cohort(name, 4) for name in "ab"}
LOST = "what becomes of jobs on a node that a change takes away: here, they run on"


def on(folder: Path, *names: str) -> Snapshot:
    """A queue whose flavor has a topology of these nodes."""
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team"}}
    local = kueue("LocalQueue", "q", {"clusterQueue": "q"}, namespace="team")
    nodes = [node(name, "r", 4) for name in names]
    made = [flavor("f"), queue("q", {"f": 99}), kueue("Topology", "racks", LEVELS), namespace, local, ALWAYS_THERE]
    return snapshot_of(folder, yaml.safe_dump_all([*made, *nodes]))


@pytest.mark.parametrize(
    ("at", "after", "doubts"),
    [
        (30, ("x2",), (LOST,)),
        (90, ("x2",), ()),
        (30, ("x1",), ()),
        (30, ("x1", "x2", "x3"), ()),
    ],
)
def test_work_on_a_node_that_is_taken_away(tmp_path: Path, at: int, after: tuple[str, ...], doubts: object) -> None:
    change = PolicyChange(at * SECOND, on(tmp_path, *after), "nodes")
    before = on(tmp_path, "x1", "x2")
    work = TracedJob("j", "team", "q", 0, (TracedPods("main", 4, {"cpu": 1000}),), duration=60 * SECOND)
    found = simulate(scheduler_named("kueue"), before, [work], None, [change])
    assert found.jobs[0].admitted == [0]
    assert found.fidelity.doubts == doubts


@pytest.mark.parametrize(
    ("at", "left", "doubts"),
    [
        (30, "b", ("ClusterQueue a, which Kueue keeps until the work that holds quota in it has ended",)),
        (90, "b", ()),
        (30, "a", ()),
    ],
)
def test_work_in_a_queue_that_is_taken_away(tmp_path: Path, at: int, left: str, doubts: object) -> None:
    change = PolicyChange(at * SECOND, policy(tmp_path, texts[left]), "deleted")
    found = simulate(
        scheduler_named("kueue"), policy(tmp_path, *texts.values()), [job("j", "a", 0, 2, 60)], None, [change]
    )
    assert found.jobs[0].admitted == [0]
    assert found.fidelity.doubts == doubts
