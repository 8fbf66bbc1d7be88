"""What a record says about one moment: runs, who waits, and where it does not say enough."""

import pytest

from kubectl_fairshare.model.job_trace import TracedEviction, TracedJob
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.simulation.record import Run, recorded_at, recorded_moments, run_at, runs_of
from tests.unit.policy.simulation.states import SECOND, job


def recorded(*starts: int, evicted: tuple[int, ...] = (), finished: int | None = None) -> TracedJob:
    """A job that arrives at 0 and needs 10 s; moments are seconds."""
    moments = [each * SECOND for each in starts]
    return replace(
        job("one", "vision", 0, 1, 10),
        admitted=moments[0] if moments else None,
        readmitted=tuple(moments[1:]),
        evictions=tuple(TracedEviction(each * SECOND, "Preempted") for each in evicted),
        finished=None if finished is None else finished * SECOND,
    )


def test_each_run_ends_with_an_eviction_or_the_end() -> None:
    runs = [Run(1 * SECOND, 3 * SECOND), Run(5 * SECOND, 15 * SECOND)]
    assert runs_of(recorded(1, 5, evicted=(3,), finished=15)) == tuple(runs)
    assert runs_of(recorded(1)) == (Run(SECOND, None),)
    assert runs_of(recorded()) == ()


@pytest.mark.parametrize(
    "job",
    [
        recorded(evicted=(3,)),
        recorded(5, evicted=(3,)),
        recorded(finished=15),
        recorded(1, 2, finished=15),
        recorded(1, 2, evicted=(3,), finished=15),
    ],
)
def test_a_record_without_all_moments_has_no_runs(job: TracedJob) -> None:
    assert runs_of(job) is None
    assert recorded_at([job], 4 * SECOND) is None


def test_a_moment_has_those_that_run_wait_and_come() -> None:
    one = recorded(1, 5, evicted=(3,), finished=15)
    later = replace(job("later", "vision", 20, 1, 10), admitted=20 * SECOND)
    found = {}
    for moment in (0, 1, 3, 5, 15):
        state = recorded_at([one, later], moment * SECOND)
        assert state is not None
        assert state.jobs[-1] == later
        assert later.key not in state.enters
        found[moment] = state.enters.get(one.key)
    assert found == {0: 1, 1: SECOND, 3: 3 * SECOND + 1, 5: 5 * SECOND, 15: None}


def test_a_job_runs_at_least_as_long_as_the_record_says() -> None:
    state = recorded_at([recorded(1, 40, evicted=(31,), finished=50)], 2 * SECOND)
    assert state is not None
    assert state.jobs[0].duration == 30 * SECOND


def test_moments_are_those_at_which_something_happened() -> None:
    one, two = recorded(1, 5, evicted=(3,), finished=15), recorded(3)
    assert recorded_moments([one, two]) == [each * SECOND for each in (1, 3, 5, 15)]
    assert run_at((Run(1, 3),), 3) is None
