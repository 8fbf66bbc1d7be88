"""How long jobs run: which source counts, what of a past counts for a job that runs already, what a seed draws."""

import pytest

from kubectl_fairshare.answers.forecast import DurationSource
from kubectl_fairshare.jobs.stated_limits import StatedLimit
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.forecast.durations import (
    LATEST_RUNS,
    DurationOptions,
    Durations,
    PastRuns,
    drawn,
    name_stem,
)
from kubectl_fairshare.policy.simulation.parameters import NamedSpan
from kubectl_fairshare.schedulers.adoption import StandingJob

MINUTE = 60 * 10**9
NOW = 1000 * MINUTE
KEY = ObjectKey("batch", "Job", "n", "nightly-7")
LIMIT = StatedLimit(90 * MINUTE, Place(KEY, ("spec", "activeDeadlineSeconds")))


def standing(since: int | None = None, owner: str = "", limits: tuple[StatedLimit, ...] = ()) -> StandingJob:
    job = TracedJob("nightly-7", "n", "main", 0, ())
    began = {} if since is None else {"n/nightly-7": since}
    return StandingJob(job, (KEY,), ("n/nightly-7",), "q", "q", began, "", owner, limits)


def run(name: str, minutes: int, queue: str = "main") -> TracedJob:
    return TracedJob(name, "n", queue, 0, (), duration=minutes * MINUTE, finished=minutes * MINUTE)


def found(*runs: TracedJob, of: StandingJob, owners: dict[str, str] | None = None, **options: object) -> object:
    terms = DurationOptions(**options)  # type: ignore[arg-type]
    return Durations(terms, PastRuns(runs, owners or {}), NOW).of(of)


NIGHTS = [run(f"nightly-{number}", minutes) for number, minutes in enumerate((10, 20, 30, 40, 50))]


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("nightly-7", "nightly"),
        ("job-nightly-7-3f2a1", "job-nightly"),
        ("sweep.12-x4k2p", "sweep"),
        ("train", "train"),
        ("train-facade", "train-facade"),
        ("2026", "2026"),
    ],
)
def test_a_stem_is_a_name_without_its_serial_parts(name: str, stem: str) -> None:
    assert name_stem(name) == stem


def test_the_first_source_that_there_is_counts() -> None:
    given = (NamedSpan("job/night*", 5 * MINUTE),)
    with_limit = standing(limits=(LIMIT,))
    sources = [
        found(*NIGHTS, of=with_limit, given=given, default=MINUTE),
        found(*NIGHTS, of=with_limit, default=MINUTE),
        found(*NIGHTS, of=standing(), default=MINUTE),
        found(of=standing(), default=MINUTE),
        found(of=replace(with_limit, lasting=True), default=MINUTE),
        found(of=standing()),
    ]
    assert [each.source for each in sources] == list(DurationSource)  # type: ignore[attr-defined]
    assert [each.spans for each in sources] == [  # type: ignore[attr-defined]
        (5 * MINUTE,),
        (90 * MINUTE,),
        tuple(minutes * MINUTE for minutes in (10, 20, 30, 40, 50)),
        (MINUTE,),
        (),
        (),
    ]


def test_the_past_of_the_owner_comes_before_that_of_the_name_and_that_before_the_queue() -> None:
    others = [run(f"other-{number}", 100) for number in range(3)]
    owners = {each.key: "CronJob n/nightly" for each in NIGHTS[:3]}
    own = found(*NIGHTS, *others, of=standing(owner="CronJob n/nightly"), owners=owners)
    name = found(*NIGHTS, *others, of=standing(), owners=owners)
    queue = found(*NIGHTS[:2], *others, of=standing())
    assert [len(each.spans) for each in (own, name, queue)] == [3, 5, 5]  # type: ignore[attr-defined]
    assert [each.said for each in (own, name, queue)] == [  # type: ignore[attr-defined]
        "3 runs of CronJob n/nightly",
        "5 runs of n/nightly-*",
        "5 runs in queue n/main",
    ]


def test_of_a_long_past_the_runs_that_ended_last_count() -> None:
    """The order in which they are read does not matter."""
    many = [replace(run(f"nightly-{number}", 10), finished=number * MINUTE) for number in range(LATEST_RUNS)]
    late = replace(run("nightly-999", 20), finished=999 * MINUTE)
    for runs in ([*many, late], [late, *many]):
        past = found(*runs, of=standing())
        assert past.spans == (*[10 * MINUTE] * (LATEST_RUNS - 1), 20 * MINUTE)  # type: ignore[attr-defined]
        assert past.said == f"the last {LATEST_RUNS} runs of n/nightly-*"  # type: ignore[attr-defined]
    longer = found(*many, late, of=standing(since=NOW - 15 * MINUTE))
    assert longer.source is DurationSource.UNKNOWN, "one run is too few"  # type: ignore[attr-defined]


def test_of_a_job_that_runs_only_longer_runs_count() -> None:
    running = found(*NIGHTS, of=standing(since=NOW - 25 * MINUTE))
    assert running.spans == (30 * MINUTE, 40 * MINUTE, 50 * MINUTE)  # type: ignore[attr-defined]
    too_long = found(*NIGHTS, of=standing(since=NOW - 35 * MINUTE))
    assert too_long.source is DurationSource.UNKNOWN, "two runs are too few"  # type: ignore[attr-defined]


def test_a_seed_draws_the_same_spans_again_and_another_one_others() -> None:
    durations = {f"n/{number}": found(*NIGHTS, of=standing()) for number in range(20)}
    first = drawn(durations, 1)  # type: ignore[arg-type]
    assert first == drawn(durations, 1)  # type: ignore[arg-type]
    assert first != drawn(durations, 2)  # type: ignore[arg-type]
    assert set(first.values()) == {minutes * MINUTE for minutes in (10, 20, 30, 40, 50)}
