"""Causes are found where the scheduler does what was recorded, and not where a record is wrong on purpose."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pytest

from kubectl_fairshare.answers.calibration import Calibration, DifferenceCause, Swap
from kubectl_fairshare.answers.simulation import SimulatedEviction, SimulatedJob, Simulation
from kubectl_fairshare.model.chance import Chance
from kubectl_fairshare.model.job_trace import TracedEviction, TracedJob
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.simulation import resuming
from kubectl_fairshare.policy.simulation.calibration import calibrated
from kubectl_fairshare.policy.simulation.causes import eviction_differences, explained_swaps
from kubectl_fairshare.policy.simulation.parameters import Parameters
from kubectl_fairshare.policy.simulation.resuming import Course, ExaminedCause, Resumption
from kubectl_fairshare.policy.simulation.run import simulate
from kubectl_fairshare.schedulers import scheduler_named
from tests.unit.policy.simulation.recording import as_recorded
from tests.unit.policy.simulation.states import SECOND, job, policy, queue

PAIR = (queue("a", 4), queue("b", 4))


def play(
    snapshot: Snapshot, parameters: Parameters, jobs: Sequence[TracedJob], enters: dict[str, int] | None = None
) -> Simulation:
    return simulate(scheduler_named("kueue"), snapshot, jobs, parameters, (), enters)


def calibration(snapshot: Snapshot, jobs: Sequence[TracedJob], parameters: Parameters | None = None) -> Calibration:
    chosen = parameters or Parameters()
    resumption = Resumption(jobs, chosen, partial(play, snapshot))
    return calibrated(play(snapshot, chosen, jobs), "v0.19", resumption=resumption)


def drawn(seed: int) -> list[TracedJob]:
    """Jobs of two queues with three priorities, more than both queues have room for."""
    chance, at, jobs = Chance(seed), 0.0, []
    for number in range(40):
        at += 4 + chance.bits() % 9
        size, seconds, priority = 1 + chance.bits() % 4, 20 + chance.bits() % 40, chance.bits() % 3
        jobs.append(job(f"j{number:02}", "ab"[chance.bits() % 2], at, size, seconds, priority=priority))
    return jobs


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_what_another_delay_did_is_explained_and_every_step_is_done_from_the_state_before(
    tmp_path: Path, seed: int
) -> None:
    snapshot = policy(tmp_path, *PAIR, fair=False)
    record = as_recorded(play(snapshot, Parameters(stopping=3 * SECOND), drawn(seed)))
    found = calibration(snapshot, record)
    assert found.swapped > 0
    assert found.evictions
    assert (found.unexplained, found.unexamined, found.unexplained_evictions) == (0, 0, 0)
    assert (len(found.steps.unexplained), sum(not step.examined for step in found.recorded_steps)) == (0, 0)
    assert len(found.recorded_steps) == sum(len(each.evictions) + 1 + len(each.readmitted) for each in record)


def test_a_record_that_the_simulation_repeats_needs_no_causes(tmp_path: Path) -> None:
    snapshot = policy(tmp_path, *PAIR, fair=False)
    record = as_recorded(play(snapshot, Parameters(), drawn(0)))
    found = calibration(snapshot, record)
    assert (found.swapped, found.evictions, found.recorded_steps) == (0, (), ())


def ran(made: TracedJob, start: int) -> TracedJob:
    """The job with a recorded run from ``start``, in seconds."""
    assert made.duration is not None
    return replace(made, admitted=start * SECOND, finished=start * SECOND + made.duration)


def passed_over(*, other_end: int | None = None) -> list[TracedJob]:
    """A job of priority 0 was admitted a second after ``first`` ended, and one of priority 5 waited until it ended."""
    jobs = [
        ran(job("first", "a", 0, 4, 100), 0),
        ran(job("low", "a", 5, 4, 50), 101),
        ran(job("high", "a", 10, 4, 50, priority=5), 151),
    ]
    if other_end is not None:
        jobs.append(ran(job("other", "b", 0, 1, other_end), 0))
    return jobs


@pytest.mark.parametrize("within", ["Never", "LowerPriority"])
def test_a_planted_wrong_order_has_no_cause(tmp_path: Path, within: str) -> None:
    snapshot = policy(tmp_path, queue("a", 4, within=within), queue("b", 4, within=within), fair=False)
    found = calibration(snapshot, with_full_cohort(passed_over()))
    swap = next(each for each in found.swaps if (each.earlier, each.later) == ("a/low", "a/high"))
    assert (swap.cause, swap.examined) == (None, True)
    assert found.unexplained > 0
    assert "a/low" in {step.job for step in found.steps.unexplained}


def with_full_cohort(jobs: Sequence[TracedJob]) -> list[TracedJob]:
    """The jobs, and one that holds the quota of the other queue."""
    return [*jobs, ran(job("full", "b", 0, 4, 1000), 0)]


@pytest.mark.slow
def test_a_job_that_was_looked_at_just_before_a_release_is_passed_over(tmp_path: Path) -> None:
    """Only where an earlier release has all jobs looked at again, and only if the job could not start soon after."""
    full = ran(job("full", "b", 0, 3, 1000), 0)
    swept = [*passed_over(other_end=98), full]
    never = policy(tmp_path, queue("a", 4, within="Never"), queue("b", 4, reclaim="Never"), fair=False)
    assert explained(calibration(never, swept)) is DifferenceCause.ASIDE
    preempting = policy(tmp_path, queue("a", 4), queue("b", 4, reclaim="Never"), fair=False)
    assert explained(calibration(preempting, swept)) is None, "`high` could have preempted `low`, and did not"
    alone = [*passed_over(other_end=60), full]
    assert explained(calibration(never, alone)) is None, "no release before the one at 100 s"


def explained(found: Calibration) -> DifferenceCause | None:
    swap = next(each for each in found.swaps if (each.earlier, each.later) == ("a/low", "a/high"))
    assert swap.examined
    return swap.cause


def test_a_planted_eviction_has_no_cause(tmp_path: Path) -> None:
    snapshot = policy(tmp_path, *PAIR, fair=False)
    evicted = replace(
        ran(job("victim", "a", 0, 1, 100), 60),
        admitted=0,
        readmitted=(60 * SECOND,),
        evictions=(TracedEviction(50 * SECOND, "Preempted"),),
    )
    found = calibration(snapshot, [evicted, ran(job("other", "a", 20, 1, 100), 20)])
    (difference,) = found.evictions
    assert (difference.recorded, difference.cause, difference.examined) == (True, None, True)
    assert found.unexplained_evictions == 1
    assert ("a/victim", True) in {(step.job, step.evicted) for step in found.steps.unexplained}


def test_an_eviction_that_the_cluster_did_not_do_has_no_cause(tmp_path: Path) -> None:
    """``urgent`` waited for ``low`` to end, although it has the right to preempt it."""
    snapshot = policy(tmp_path, queue("a", 4), queue("b", 4), fair=False)
    jobs = [ran(job("low", "a", 0, 4, 100), 0), ran(job("urgent", "a", 10, 4, 50, priority=5), 100)]
    found = calibration(snapshot, with_full_cohort(jobs))
    assert [(each.job, each.recorded, each.cause) for each in found.evictions] == [("a/low", False, None)]


def test_nothing_is_looked_at_where_the_record_does_not_say_who_ran(tmp_path: Path) -> None:
    """The state is known until 20 s, when a job arrives of which the record lacks a run."""
    snapshot = policy(tmp_path, queue("a", 4), queue("b", 5), fair=False)
    lost = replace(ran(job("lost", "b", 20, 1, 1000), 20), evictions=(TracedEviction(25 * SECOND, "Preempted"),))
    short = [ran(job(f"short{at}", "b", at, 1, 5), at) for at in range(30, 90, 10)]
    found = calibration(snapshot, [*with_full_cohort(passed_over()), lost, *short])
    swap = next(each for each in found.swaps if (each.earlier, each.later) == ("a/low", "a/high"))
    assert (swap.cause, swap.examined) == (None, False)
    assert found.unexamined > 0
    assert {step.examined for step in found.recorded_steps if step.at > 70 * SECOND} == {False}


def test_no_cause_is_looked_for_after_many_simulations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resuming, "_MOST", 1)
    snapshot = policy(tmp_path, *PAIR, fair=False)
    record = as_recorded(play(snapshot, Parameters(stopping=3 * SECOND), drawn(0)))
    found = calibration(snapshot, record)
    assert (found.unexamined, found.unexplained) == (found.swapped - 1, 0), "the first one uses all that there is"
    assert not any(step.examined for step in found.recorded_steps)


class OneCourse(Resumption):
    """A course that is given."""

    def __init__(self, *jobs: SimulatedJob) -> None:
        self.course: Course = {each.job.key: each for each in jobs}

    def cause(self, moment: int, is_right: Callable[[Course], bool]) -> ExaminedCause:  # noqa: ARG002 -- one for all
        return ExaminedCause(DifferenceCause.EARLIER if is_right(self.course) else None)


def started(name: str, at: int | None) -> SimulatedJob:
    return SimulatedJob(job(name, "a", 0, 1, 10), admitted=[] if at is None else [at * SECOND])


@pytest.mark.parametrize(
    ("first", "second", "right"),
    [
        (50, 60, True),
        (53, 53, True),
        (50, None, True),
        (54, 60, False),
        (46, 60, False),
        (52, 51, False),
        (None, 60, False),
    ],
)
def test_a_course_has_an_order_if_the_first_job_starts_as_recorded_and_the_second_not_before_it(
    first: int | None, second: int | None, right: bool
) -> None:
    swap = Swap("a/one", "a/two", 50 * SECOND, 60 * SECOND)
    (found,) = explained_swaps([swap], OneCourse(started("one", first), started("two", second)))
    assert found == replace(swap, cause=DifferenceCause.EARLIER if right else None, examined=True)


@pytest.mark.parametrize(("by", "cause"), [("a/x", None), ("a/y", DifferenceCause.EARLIER)])
def test_a_simulated_eviction_is_repeated_if_it_is_for_the_same_job(by: str, cause: DifferenceCause | None) -> None:
    ours, theirs = started("one", 0), started("one", 0)
    ours.evictions.append(SimulatedEviction(20 * SECOND, "a/x", "rule"))
    theirs.evictions.append(SimulatedEviction(21 * SECOND, by, "rule"))
    (found,) = eviction_differences([ours], OneCourse(theirs))
    assert (found.recorded, found.by, found.cause) == (False, "a/x", cause)
