"""A queue that is set to ``HoldAndDrain`` evicts what runs, and admits it again once it is opened."""

from pathlib import Path

import pytest

from kubectl_fairshare.answers.simulation import Simulation
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.policy.simulation.parameters import Parameters, PolicyChange
from kubectl_fairshare.policy.simulation.run import simulate
from kubectl_fairshare.schedulers import scheduler_named
from tests.unit.policy.simulation.states import SECOND, job, policy, queue

CLUSTER_QUEUE, LOCAL_QUEUE = "  cohortName: all", "spec: {clusterQueue: a"


def stopped(text: str, where: str, how: str) -> str:
    """The queue ``a`` with a stop policy."""
    if where == CLUSTER_QUEUE:
        return text.replace(where, f"{where}\n  stopPolicy: {how}")
    return text.replace(where, f"{where}, stopPolicy: {how}")


def played(folder: Path, where: str, how: str, *jobs: TracedJob, stopping: int = 0) -> Simulation:
    """The queue is stopped after 10 seconds and opened after 100."""
    texts = (queue("a", 4), queue("b", 4))
    still = policy(folder, *texts)
    changes = (
        PolicyChange(10 * SECOND, policy(folder, stopped(texts[0], where, how), texts[1]), "stopped"),
        PolicyChange(100 * SECOND, still, "opened"),
    )
    return simulate(scheduler_named("kueue"), still, jobs, Parameters(stopping=stopping * SECOND), changes)


@pytest.mark.parametrize("where", [CLUSTER_QUEUE, LOCAL_QUEUE])
def test_what_runs_is_evicted_and_starts_again_once_the_queue_is_open(tmp_path: Path, where: str) -> None:
    found = played(tmp_path, where, "HoldAndDrain", job("j", "a", 0, 2, 60), job("other", "b", 0, 2, 60))
    drained, other = found.jobs
    assert [(each.at, each.by, each.rule) for each in drained.evictions] == [
        (10 * SECOND, "", "stopPolicy HoldAndDrain")
    ]
    assert drained.admitted == [0, 100 * SECOND]
    assert (drained.finished, drained.lost) == (160 * SECOND, 10 * SECOND)
    assert other.evictions == []
    assert found.exact


@pytest.mark.parametrize("where", [CLUSTER_QUEUE, LOCAL_QUEUE])
def test_hold_keeps_what_runs_and_admits_nothing_more(tmp_path: Path, where: str) -> None:
    found = played(tmp_path, where, "Hold", job("j", "a", 0, 2, 60), job("late", "a", 20, 1, 60))
    runs, late = found.jobs
    assert (runs.evictions, runs.finished) == ([], 60 * SECOND)
    assert late.admitted == [100 * SECOND]


def test_drained_work_holds_quota_until_its_pods_have_stopped(tmp_path: Path) -> None:
    jobs = job("j", "a", 0, 8, 60), job("borrower", "b", 11, 8, 60)
    found = played(tmp_path, CLUSTER_QUEUE, "HoldAndDrain", *jobs, stopping=30)
    drained, borrower = found.jobs
    assert [each.at for each in drained.evictions] == [10 * SECOND]
    assert borrower.admitted == [41 * SECOND], "quota is released after 40s, and requeued 1s later"
    assert found.queues["a"].used


def test_the_end_of_a_job_in_a_stopped_queue_wakes_its_tree(tmp_path: Path) -> None:
    found = played(tmp_path, CLUSTER_QUEUE, "Hold", job("j", "a", 0, 8, 60), job("borrower", "b", 11, 8, 10))
    assert found.jobs[1].admitted == [61 * SECOND]
