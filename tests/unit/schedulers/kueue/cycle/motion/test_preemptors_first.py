"""Heads that others leave for: what is freed for them goes to others, unless such heads are processed first."""

from pathlib import Path

import pytest

from kubectl_fairshare.answers.simulation import SimulatedJob
from kubectl_fairshare.policy.simulation.parameters import Parameters
from kubectl_fairshare.policy.simulation.run import simulate
from kubectl_fairshare.schedulers import scheduler_named
from tests.unit.policy.simulation.states import SECOND, job, queue, snapshot_of

_HEAD = """
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: a100}
---
apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
featureGates: {PrioritizePreemptorWorkloads: %s}
"""
_TAKES = "borrowWithinCohort: {policy: LowerPriority}, reclaimWithinCohort"
ROUNDS = 6


def played(folder: Path, gate: str, strategy: str) -> dict[str, SimulatedJob]:
    """``large`` preempts ``borrower``, whose pods stop slowly; meanwhile short jobs come that do not borrow."""
    taker = queue("taker", 2, strategy=strategy, reclaim="Any", within="LowerPriority")
    taker = taker.replace("reclaimWithinCohort", _TAKES, 1)
    queues = taker + queue("lent", 1, reclaim="Never") + queue("short", 1, reclaim="Never")
    snapshot = snapshot_of(folder, _HEAD % gate + queues)
    jobs = [job("borrower", "lent", 0, 3, 5000), job("large", "taker", 10, 4, 100, priority=100)]
    jobs += [job(f"short-{number}", "short", 20 + 60 * number, 1, 50) for number in range(ROUNDS)]
    found = simulate(scheduler_named("kueue"), snapshot, jobs, Parameters(stopping=30 * SECOND))
    assert not [gap for gap in found.fidelity.gaps if "Preemptor" in gap.feature]
    return {each.job.name: each for each in found.jobs}


@pytest.mark.parametrize("strategy", ["BestEffortFIFO", "StrictFIFO"])
def test_evictions_repeat_while_others_take_what_is_freed(tmp_path: Path, strategy: str) -> None:
    found = played(tmp_path, "false", strategy)
    assert len(found["borrower"].evictions) >= ROUNDS
    assert found["large"].admitted[0] > found["short-0"].admitted[0]


@pytest.mark.parametrize("strategy", ["BestEffortFIFO", "StrictFIFO"])
def test_evictions_end_where_a_head_that_others_leave_for_goes_first(tmp_path: Path, strategy: str) -> None:
    found = played(tmp_path, "true", strategy)
    assert len(found["borrower"].evictions) == 1
    assert found["large"].admitted == [40 * SECOND]
    assert found["short-0"].admitted[0] > 40 * SECOND
