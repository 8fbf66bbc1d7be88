"""Replay changes no answer: a search that follows earlier ones yields what it yields alone."""

from collections.abc import Iterator, Sequence

import pytest

from kubectl_fairshare.schedulers.kueue.laws import Preemptor
from kubectl_fairshare.schedulers.kueue.model.objects import (
    FINAL_SHARE,
    INITIAL_SHARE,
    ClusterQueue,
    Cohort,
    Preemption,
    Quota,
)
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder
from kubectl_fairshare.schedulers.kueue.preemption.fair import fair_targets
from kubectl_fairshare.schedulers.kueue.preemption.replay import Replay, ReplayedSearch, RouteStep
from kubectl_fairshare.schedulers.kueue.tree.state import State
from tests.unit.schedulers.kueue.build import CPU, GPU, cohort, holder, queue, state

PAIRS = (CPU, GPU)


class Counted(Replay):
    """Counts the steps that may be followed."""

    followed = 0

    def steps(self, search: ReplayedSearch) -> Sequence[RouteStep]:
        found = super().steps(search)
        self.followed += len(found)
        return found


def department(i: int, weight: float, workloads: int) -> Iterator[Cohort | ClusterQueue | Holder]:
    """A department with one queue of some workloads, one of which holds no gpu."""
    yield cohort(f"dep{i}", "org", weight=weight)
    yield queue(f"q{i}", f"dep{i}", {GPU: Quota(1), CPU: Quota(1)})
    for n in range(workloads):
        yield holder(f"w{i}{n}", f"q{i}", {CPU: 1} if n == i + 2 else {CPU: 1, GPU: 1}, reserved=n)


def organisation(weights: tuple[float, ...], workloads: int = 6) -> State:
    """Queue ``a`` of one department beside three others."""
    parts = [part for i, weight in enumerate(weights) for part in department(i, weight, workloads)]
    mine = queue("a", "mine", {GPU: Quota(1), CPU: Quota(1)}, preemption=Preemption("LowerPriority", "Any"))
    capacity = {GPU: Quota(11), CPU: Quota(14)}
    strategies = (FINAL_SHARE, INITIAL_SHARE)
    return state(cohort("org", quotas=capacity), cohort("mine", "org"), mine, *parts, strategies=strategies)


def preemptor(found: State, pair: FlavorResource, amount: int) -> Preemptor:
    return Preemptor(found.forest.queue_ids["a"], 0, 0, frozenset((pair,)), {pair: amount})


@pytest.mark.parametrize("weights", [(1.0, 1.0, 1.0), (1.0, 2.0, 3.0), (0.5, 1.0, 0.0)])
def test_a_search_that_follows_another_finds_what_it_finds_alone(weights: tuple[float, ...]) -> None:
    found, shared = organisation(weights), Counted()
    for amount in (3, 5, 2, 4, 9):
        for pair in PAIRS:
            asking = preemptor(found, pair, amount)
            assert fair_targets(found, asking, shared) == fair_targets(found, asking, Replay()), (pair, amount)
    assert shared.followed


def test_a_search_that_follows_another_ends_where_it_can_no_longer_succeed() -> None:
    found, shared = organisation((0.01, 0.02, 0.03), workloads=20), Counted()
    for amount in (2, 19):
        asking = preemptor(found, CPU, amount)
        searches = [fair_targets(found, asking, replay) for replay in (shared, Replay())]
        assert searches[0] == searches[1], amount
    assert shared.followed > 32
    assert searches[0].hopeless


@pytest.mark.parametrize("pair", PAIRS)
def test_where_only_targets_count_a_search_in_vain_looks_at_no_candidate(pair: FlavorResource) -> None:
    found = organisation((1.0, 2.0, 3.0))
    for amount in (3, 9, 12, 40):
        asking = preemptor(found, pair, amount)
        whole, brief = (fair_targets(found, asking, Replay(only_targets=only)) for only in (False, True))
        assert brief.targets == whole.targets, amount
    assert whole.trials
    assert not brief.trials
    assert brief.hopeless
