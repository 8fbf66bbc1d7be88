"""A state that is cut out of a simulation and played on does what the simulation did from there."""

import random
from pathlib import Path

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.simulation import Simulation
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.simulation.parameters import Parameters
from kubectl_fairshare.policy.simulation.run import play_on, simulate
from kubectl_fairshare.schedulers import scheduler_named
from tests.unit.policy.forecast.cutting import as_text, assert_played_alike, manifests_at
from tests.unit.policy.simulation.states import SECOND, job, policy, queue

KUEUE = scheduler_named("kueue")


def random_jobs(chance: random.Random, queues: list[str]) -> list[TracedJob]:
    """Jobs that come at different seconds, so that no tie orders them."""
    moments = chance.sample(range(1, 400), chance.randint(6, 14))
    return [
        job(
            f"job-{number}",
            chance.choice(queues),
            moment,
            chance.choice([1, 1, 2, 3, 4, 6]),
            chance.choice([20, 47, 90, 133, 210]),
            chance.choice([0, 0, 1]),
        )
        for number, moment in enumerate(moments)
    ]


def random_queues(chance: random.Random) -> list[str]:
    """Policies of two or three queues of one cohort."""
    return [
        queue(
            name,
            chance.choice([0, 2, 4]),
            strategy=chance.choice(["BestEffortFIFO", "StrictFIFO"]),
            reclaim=chance.choice(["Never", "Any", "LowerPriority"]),
            within=chance.choice(["Never", "LowerPriority"]),
        )
        for name in ("vision", "speech", "search")[: chance.choice([2, 3])]
    ]


def events_after(simulation: Simulation, at: int) -> dict[str, tuple[list[int], list[int], int | None]]:
    """What becomes of each job after a moment: starts, evictions, its end."""
    return {
        each.job.key: (
            [moment for moment in each.admitted if moment > at],
            [eviction.at for eviction in each.evictions if eviction.at > at],
            each.finished,
        )
        for each in simulation.jobs
        if each.finished is None or each.finished > at
    }


def is_at_rest(cut: object) -> bool:
    """Whether the next cycle changes nothing; Kueue may have set aside what it would let in."""
    return not {Outcome.ADMITTED, Outcome.PREEMPTS} & set(KUEUE.cycle(cut).outcomes)  # type: ignore[arg-type]


def compared(seed: int, folder: Path, cuts: int = 4) -> int:
    """Cuts a random simulation at several moments; returns how many of these could be compared."""
    chance = random.Random(seed)
    queues = random_queues(chance)
    jobs = random_jobs(chance, ["vision", "speech", "search"][: len(queues)])
    fair = chance.random() < 0.5
    snapshot = policy(folder, *queues, fair=fair)
    whole = simulate(KUEUE, snapshot, jobs, Parameters())
    if whole.ties or whole.endless:
        return 0
    releases = {each.finished for each in whole.jobs} | {e.at for each in whole.jobs for e in each.evictions}
    done = 0
    for at in (moment * SECOND for moment in sorted(chance.sample(range(20, 600), cuts))):
        if at in releases:
            continue
        before = simulate(KUEUE, snapshot, jobs, Parameters(end=at))
        cut = policy(folder, *queues, as_text(manifests_at(before)), fair=fair)
        if not is_at_rest(cut):
            continue
        coming = [each for each in jobs if each.created > at]
        durations = {each.key: each.duration for each in jobs}
        work = KUEUE.adoption(cut, at)
        standing = tuple(replace(each, job=replace(each.job, duration=durations[each.job.key])) for each in work.jobs)
        assert_played_alike(KUEUE, cut, replace(work, jobs=standing), at)
        played = play_on(KUEUE, cut, replace(work, jobs=standing), coming, Parameters(), at)
        assert events_after(played, at) == events_after(whole, at), (seed, at // SECOND)
        done += 1
    return done


@pytest.mark.slow
def test_a_cut_state_is_played_on_as_the_simulation_from_the_beginning(tmp_path: Path) -> None:
    assert sum(compared(seed, tmp_path) for seed in range(10)) > 20
