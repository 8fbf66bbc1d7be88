"""Replay changes no answer: a search that follows earlier ones yields what it yields alone."""

from collections.abc import Iterator
from functools import partial

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
from kubectl_fairshare.schedulers.kueue.preemption.fair import FairSearch
from kubectl_fairshare.schedulers.kueue.preemption.fair_targets import fair_targets, fair_walk
from kubectl_fairshare.schedulers.kueue.preemption.queue_ordering import QueueOrdering
from kubectl_fairshare.schedulers.kueue.preemption.replay import Replay, SearchRoute
from kubectl_fairshare.schedulers.kueue.preemption.targets import Target, put_back
from kubectl_fairshare.schedulers.kueue.tree.state import State
from tests.unit.schedulers.kueue.build import CPU, GPU, cohort, holder, queue, state

PAIRS = (CPU, GPU)


class Counted(Replay):
    """Counts the targets that are taken over from earlier searches."""

    followed = 0

    def route(self, search: FairSearch, ties: list[tuple[int, ...]]) -> SearchRoute:
        return CountedRoute(self, search, ties)


class CountedRoute(SearchRoute):
    """Counts for ``Counted``."""

    def __init__(self, replay: Counted, search: FairSearch, ties: list[tuple[int, ...]]) -> None:
        super().__init__(replay, search, ties)
        self._counted = replay

    def follow(self) -> Iterator[Target]:
        for target in super().follow():
            self._counted.followed += 1
            yield target


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
    assert shared.followed == 32  # where a search looks whether it can succeed
    assert searches[0].examined.hopeless


@pytest.mark.parametrize("pair", PAIRS)
def test_where_only_targets_count_a_search_in_vain_looks_at_no_candidate(pair: FlavorResource) -> None:
    found = organisation((1.0, 2.0, 3.0))
    for amount in (3, 9, 12, 40):
        asking = preemptor(found, pair, amount)
        whole, brief = (fair_targets(found, asking, Replay(only_targets=only)) for only in (False, True))
        assert brief.targets == whole.targets, amount
    assert whole.trials
    assert not brief.trials
    assert brief.examined.hopeless


@pytest.mark.parametrize("weights", [(1.0, 1.0, 1.0), (1.0, 2.0, 3.0), (0.5, 1.0, 0.0)])
def test_the_law_alone_takes_the_same_targets(weights: tuple[float, ...]) -> None:
    found, shared = organisation(weights), Replay()
    for amount in (3, 5, 2, 4, 9, 40):
        for pair in PAIRS:
            asking = preemptor(found, pair, amount)
            search, ties = FairSearch(found, asking), list[tuple[int, ...]]()
            walk = partial(fair_walk, QueueOrdering, search, ties=ties, choose=lambda _: 0)
            trials = search.examine(walk)
            fits = any(trial.taken and not search.room.missing(search.ledger) for trial in trials)
            by_law = put_back(search.ledger, search.room, search.targets, None)[0] if fits else []
            whole = fair_targets(found, asking, shared)
            assert list(whole.targets) == by_law, (pair, amount)
            assert whole.examined.hopeless or list(whole.trials) == search.trials, (pair, amount)
