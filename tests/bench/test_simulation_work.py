"""How much a simulation decides: what cannot have changed is not decided again."""

from pathlib import Path

from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.policy.simulation.run import simulate
from kubectl_fairshare.schedulers import scheduler_named
from tests.bench.test_work import Calls
from tests.bench.week import Week
from tests.unit.policy.simulation.states import job, policy, queue


def test_jobs_of_a_refused_shape_are_not_decided_when_they_arrive(tmp_path: Path) -> None:
    snapshot = policy(tmp_path, queue("vision", 4))
    backlog = [job("long", "vision", 0, 4, None), *(job(f"j{i}", "vision", 1 + i, 2, 60) for i in range(300))]

    found = simulate(scheduler_named("kueue"), snapshot, backlog)

    assert found.decisions <= 3
    assert found.cycles <= 3


def test_a_strict_head_is_decided_once_for_each_change(tmp_path: Path) -> None:
    snapshot = policy(tmp_path, queue("vision", 4, strategy="StrictFIFO"))
    backlog: list[TracedJob] = [job(f"j{i}", "vision", i / 10, 4, 60) for i in range(100)]

    found = simulate(scheduler_named("kueue"), snapshot, backlog)

    assert found.decisions <= 3 * 100


def test_work_grows_with_the_number_of_jobs(tmp_path: Path) -> None:
    """Twice as many jobs in twice the time: the same load, so twice the work."""
    calls = []
    for number in (100, 200):
        week = Week(number, queues=10, cohorts=2, load=0.4)
        snapshot, trace = week.snapshot(str(tmp_path)), list(week.trace())
        with Calls() as counted:
            simulate(scheduler_named("kueue"), snapshot, trace)
        calls.append(counted.all)
    assert calls[1] < 2.6 * calls[0]
