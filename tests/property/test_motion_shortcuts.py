"""Work that is played on comes to the same without each thing that only makes it fast, and with every seed that draws
nothing."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.answers.simulation import Simulation
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.simulation.parameters import Parameters
from kubectl_fairshare.policy.simulation.run import play_on
from kubectl_fairshare.schedulers import scheduler_named
from kubectl_fairshare.schedulers.adoption import Adoption
from kubectl_fairshare.schedulers.kueue.conformance.cases import case_snapshot
from tests.bench.without import WITHOUT
from tests.property.effort import examples
from tests.property.generate import CONFIGS, Manifest, cases, crowded
from tests.unit.policy.forecast.cutting import assert_played_alike

KUEUE = scheduler_named("kueue")
SECOND = 10**9
NOW = 1_900_000_000 * SECOND


def timed_work(snapshot: Snapshot, unit: int = SECOND) -> Adoption:
    """The work of a snapshot; jobs run for different times, so that they end one by one."""
    work = KUEUE.adoption(snapshot, NOW)
    jobs = (
        replace(each, job=replace(each.job, duration=(NOW - min(each.since.values(), default=NOW)) + span * unit))
        for each, span in zip(work.jobs, _spans(len(work.jobs)), strict=True)
    )
    return replace(work, jobs=tuple(jobs))


def played(snapshot: Snapshot, seed: int = 0, stopping: int = 0, unit: int = SECOND) -> Simulation:
    """The work of a snapshot, played on."""
    parameters = Parameters(seed=seed, stopping=stopping * SECOND)
    return play_on(KUEUE, snapshot, timed_work(snapshot, unit), (), parameters, NOW)


def _spans(count: int) -> list[int]:
    return [20 + (37 * number) % 101 for number in range(count)]


def course(played: Simulation) -> Any:
    """All that a play says."""
    jobs = [
        (each.job.key, each.queue, each.admitted, each.evictions, each.finished, each.lost, each.refused, each.held)
        for each in played.jobs
    ]
    return jobs, played.endless, played.cycles, played.notes, played.fidelity, played.ties


@pytest.mark.parametrize("what", [*WITHOUT])
@examples(100)
@given(case=cases(), config=st.sampled_from(CONFIGS), times=st.sampled_from((1, 2)), stopping=st.sampled_from((0, 3)))
def test_a_play_is_the_same_without(what: str, case: Manifest, config: Manifest, times: int, stopping: int) -> None:
    snapshot = case_snapshot(crowded({**case, "config": config}, times))
    with_it = course(played(snapshot, 0, stopping))
    owner, methods = WITHOUT[what]
    with pytest.MonkeyPatch.context() as patch:
        for method, instead in methods.items():
            patch.setattr(owner, method, instead)
        assert course(played(snapshot, 0, stopping)) == with_it


@examples(100)
@given(case=cases(distinct_ages=False), config=st.sampled_from(CONFIGS))
def test_seeds_that_decide_nothing_lead_to_the_same(case: Manifest, config: Manifest) -> None:
    snapshot = case_snapshot(crowded({**case, "config": config}, 2))
    plays = [played(snapshot, seed) for seed in range(3)]
    if not plays[0].drawn:
        assert course(plays[1]) == course(plays[0])
        assert course(plays[2]) == course(plays[0])


@pytest.mark.slow
@examples(100)
@given(case=cases(), config=st.sampled_from(CONFIGS), times=st.sampled_from((1, 2)), stopping=st.sampled_from((0, 3)))
def test_plays_that_share_their_beginning_are_the_same(
    case: Manifest, config: Manifest, times: int, stopping: int
) -> None:
    snapshot = case_snapshot(crowded({**case, "config": config}, times))
    assert_played_alike(KUEUE, snapshot, timed_work(snapshot), NOW, stopping * SECOND)
