"""A search that is foreseen to fail fails when it is run, and every answer is the same where nothing is foreseen."""

from functools import partial
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.schedulers.kueue.cycle.nominate import nominate
from kubectl_fairshare.schedulers.kueue.laws import Preemptor
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.preemption.fair import FairSearch
from kubectl_fairshare.schedulers.kueue.preemption.fair_targets import fair_walk
from kubectl_fairshare.schedulers.kueue.preemption.foresight import Foresight
from kubectl_fairshare.schedulers.kueue.preemption.queue_ordering import QueueOrdering
from kubectl_fairshare.schedulers.kueue.tree.state import State, state_of
from tests.bench.organisation import Organisation, Size
from tests.property.asking import plans, state_of_case, told
from tests.property.effort import examples
from tests.property.generate import CONFIGS, Manifest, cases, crowded
from tests.property.test_alike import read_manifests

_SIZES = (1, 2, 3, 5, 8, 13)


def fits_by_law(search: FairSearch) -> bool:
    """Whether the law alone, candidate by candidate, takes so many that the preemptor fits."""
    if not search.room.missing(search.ledger, inside=search.inside):
        return True
    walk = partial(fair_walk, QueueOrdering, search, ties=[], choose=lambda _: 0)
    examined = search.examine(walk)
    return any(trial.taken and not search.room.missing(search.ledger, inside=search.inside) for trial in examined)


def preemptors(state: State) -> list[Preemptor]:
    """Newcomers of two ages and some sizes in every queue, for each flavor-resource alone."""
    found = []
    for queue in state.forest.queue_ids.values():
        for pair in sorted(state.forest.nodes[queue].quotas):
            for priority, size in ((0, 0), (100, 1), (100, 4), *((0, size) for size in _SIZES)):
                amount = size * {"cpu": 500, "memory": 1 << 28}.get(pair.resource, 1)
                found.append(Preemptor(queue, priority, 1 << 62, frozenset((pair,)), {pair: amount}))
    return found


def check(state: State, asking: Preemptor) -> bool:
    """Whether the search is foreseen to fail; it fails then."""
    foreseen = Foresight(FairSearch(state, asking)).fails()
    assert not (foreseen and fits_by_law(FairSearch(state, asking))), asking
    return foreseen


@examples(240)
@given(case=cases(), config=st.sampled_from(CONFIGS[1:]), times=st.sampled_from((1, 3)))
def test_what_is_foreseen_to_fail_fails_by_the_law(case: Manifest, config: Manifest, times: int) -> None:
    state = state_of_case(crowded({**case, "config": config}, times))
    for asking in preemptors(state):
        check(state, asking)


def foreseen_on_the_way(state: State, asking: Preemptor) -> bool:
    """Whether the search by the law is foreseen to fail after some candidate; then it fails."""
    search = FairSearch(state, asking)
    foreseen = False
    for trial in search.examine(partial(fair_walk, QueueOrdering, search, ties=[], choose=lambda _: 0)):
        if trial.taken and not search.room.missing(search.ledger, inside=search.inside):
            assert not foreseen, asking
            return False
        foreseen = foreseen or Foresight(search).fails()
    return foreseen


@examples(120)
@given(case=cases(), config=st.sampled_from(CONFIGS[1:]), times=st.sampled_from((1, 3)))
def test_what_is_foreseen_to_fail_after_some_candidates_fails_by_the_law(
    case: Manifest, config: Manifest, times: int
) -> None:
    state = state_of_case(crowded({**case, "config": config}, times))
    for asking in preemptors(state):
        foreseen_on_the_way(state, asking)


def test_searches_are_foreseen_to_fail_on_their_way() -> None:
    made = Organisation(Size(queues=60, cohorts=8, running=1_200, departments=2)).objects(heads=True)
    state = state_of(read_manifests(made))
    asked = [
        Preemptor(queue, 50, 1 << 62, frozenset((pair,)), {pair: pods * 8000})
        for queue in state.forest.queue_ids.values()
        for pair, pods in product((FlavorResource("reserved", "cpu"), FlavorResource("spot", "cpu")), (4, 16, 64))
    ]
    late = [each for each in asked if not Foresight(FairSearch(state, each)).fails()]
    assert any(foreseen_on_the_way(state, each) for each in late)


@pytest.mark.slow
def test_most_searches_in_vain_are_foreseen() -> None:
    made = Organisation(Size(queues=60, cohorts=8, running=1_200, departments=2)).objects(heads=True)
    state = state_of(read_manifests(made))
    failed, foreseen = 0, 0
    for queue in state.forest.queue_ids.values():
        for flavor, pods in product(("reserved", "spot"), (16, 64, 256)):
            pair = FlavorResource(flavor, "cpu")
            asking = Preemptor(queue, 50, 1 << 62, frozenset((pair,)), {pair: pods * 8000})
            foreseen += check(state, asking)
            failed += not fits_by_law(FairSearch(state, asking))
    assert failed > 60
    assert foreseen >= 0.8 * failed


@pytest.mark.slow
@examples(360)
@given(case=cases(), config=st.sampled_from(CONFIGS[1:]))
def test_every_plan_is_the_same_without_foresight(case: Manifest, config: Manifest) -> None:
    case = {**case, "config": config}
    with_it = [(told(plan), _searched(case, number)) for number, plan in enumerate(plans(case))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Foresight, "fails", lambda _: False)
        without = [(told(plan), _searched(case, number)) for number, plan in enumerate(plans(case))]
    assert with_it == without


def _searched(case: Manifest, number: int) -> Any:
    """The searches for victims of one workload that waits, with all that they examined."""
    state = state_of_case(case)
    return nominate(state, state.kueue.pending[number]).searches
