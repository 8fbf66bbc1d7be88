"""What becomes of work whose ClusterQueue a change takes away is not decided; without such work, it is."""

from pathlib import Path

import pytest

from kubectl_fairshare.policy.simulation.parameters import PolicyChange
from kubectl_fairshare.policy.simulation.run import simulate
from kubectl_fairshare.schedulers import scheduler_named
from tests.unit.policy.simulation.states import SECOND, job, policy, queue

TEXTS = {name: queue(name, 4) for name in "ab"}


@pytest.mark.parametrize(
    ("at", "left", "doubts"),
    [
        (30, "b", ("ClusterQueue a, which Kueue keeps until the work that holds quota in it has ended",)),
        (90, "b", ()),
        (30, "a", ()),
    ],
)
def test_work_in_a_queue_that_is_taken_away(tmp_path: Path, at: int, left: str, doubts: object) -> None:
    change = PolicyChange(at * SECOND, policy(tmp_path, TEXTS[left]), "deleted")
    before = policy(tmp_path, *TEXTS.values())
    found = simulate(scheduler_named("kueue"), before, [job("j", "a", 0, 2, 60)], None, [change])
    assert found.jobs[0].admitted == [0]
    assert found.fidelity.doubts == doubts
