"""Intervals hold what comes about as often as they say, also those of sums, and where the past is short."""

import random

import pytest

from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.policy.forecast.durations import DurationOptions, Durations, PastRuns, drawn
from kubectl_fairshare.policy.forecast.plays import interval_of
from kubectl_fairshare.schedulers.adoption import StandingJob
from tests.bench.coverage import Shape, coverage, skewed_hours
from tests.sampling import sampled

GOAL = 0.7, 0.9
SEEDS = range(20)


def run(number: int, span: int) -> TracedJob:
    return TracedJob(f"night-{number}", "n", "main", 0, (), duration=span, finished=number + 1)


def part_of_sums_held(runs: int, jobs: int, repeats: int = 200) -> float:
    """How often the time that jobs take one after another is in the interval that so many runs of the past give."""
    held = 0
    for repeat in range(repeats):
        chance = random.Random(repeat)
        spans = [round(chance.lognormvariate(0, 0.7) * 10**6) for _ in range(runs + jobs)]
        past = PastRuns((run(number, span) for number, span in enumerate(spans[:runs])), {})
        lengths = Durations(DurationOptions(), past, 0)
        waiting = [TracedJob(f"night-{number}", "n", "main", 0, ()) for number in range(1000, 1000 + jobs)]
        durations = {each.key: lengths.of(StandingJob(each, (), (each.key,), "q", "q")) for each in waiting}
        sums = [(0, sum(span or 0 for span in drawn(durations, seed).values())) for seed in SEEDS]
        interval = interval_of(sums)
        held += (interval.early or 0) <= sum(spans[runs:]) <= (interval.late or 0)
    return held / repeats


@pytest.mark.parametrize(("runs", "jobs"), sampled([(12, 12), (12, 1), (40, 10), (100, 60)], 4))
def test_the_time_that_jobs_take_one_after_another_is_held_as_often_as_is_said(runs: int, jobs: int) -> None:
    """If each run counted as much as the others, 12 jobs after a past of 12 would be held in 62 %."""
    assert GOAL[0] <= part_of_sums_held(runs, jobs) <= GOAL[1]


@pytest.mark.parametrize("plays", [9, 19, 20, 39, 100])
def test_one_more_play_is_in_the_interval_in_four_of_five_cases(plays: int) -> None:
    """All places of one more among the others are as likely."""
    interval = interval_of([(0, 2 * number) for number in range(1, plays + 1)])
    inside = sum((interval.early or 0) <= 2 * place + 1 <= (interval.late or 0) for place in range(plays + 1))
    assert 0.8 <= inside / (plays + 1) < 0.85


def test_how_much_a_run_counts_is_the_same_for_all_jobs_of_a_play() -> None:
    """So what jobs take on average is spread more than if each drew alone, by the error of the mean of the past."""
    past = PastRuns([run(number, 100 + 100 * (number % 2)) for number in range(1, 11)], {})
    lengths = Durations(DurationOptions(), past, 0)
    waiting = [TracedJob(f"night-{number}", "n", "main", 0, ()) for number in range(1000, 1400)]
    durations = {each.key: lengths.of(StandingJob(each, (), (each.key,), "q", "q")) for each in waiting}
    means = [sum(span or 0 for span in drawn(durations, seed).values()) / 400 for seed in range(200)]
    middle = sum(means) / 200
    deviation = (sum((each - middle) ** 2 for each in means) / 200) ** 0.5
    assert abs(middle - 150) < 3
    assert 12 < deviation < 18, "50 / √11 of the past, and 50 / √400 of the draws"


@pytest.mark.slow
def test_starts_in_plays_of_one_user_with_a_short_past_are_held_as_often_as_is_said() -> None:
    """Of 20 plays together; a single one may be anywhere, as all its jobs share what chance gave it."""
    shape = Shape("one user", skewed_hours, past=16, users=1, jobs=40)
    assert GOAL[0] <= coverage(shape).mean <= GOAL[1]
