"""A play is the same whether nominations are kept while evictions begin, or made anew in each cycle."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.schedulers.kueue.cycle import play
from kubectl_fairshare.schedulers.kueue.cycle.course import Setting, played
from kubectl_fairshare.schedulers.kueue.cycle.nominations import Nominations, while_leaving
from kubectl_fairshare.schedulers.kueue.cycle.queues import waiting
from kubectl_fairshare.schedulers.kueue.tree.state import State, state_of
from tests.bench.organisation import Organisation, Size
from tests.property.asking import state_of_case
from tests.property.effort import examples
from tests.property.generate import CONFIGS, Manifest, cases, crowded
from tests.property.test_alike import read_manifests

_STATES = 3


def course(state: State, *, keeping: bool) -> tuple[object, ...]:
    """What the play of all that waits comes to, with every search and what it examined."""
    known = Nominations(state) if keeping else None
    found = played(Setting(state, waiting(state), lambda _: None, nominations=known))
    return found.turns, list(found.turns), found.aside, found.heads, found.later, found.stable


def anew(state: State) -> tuple[object, ...]:
    """The same without anything that is kept."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(play, "while_leaving", lambda *_: None)
        return course(state, keeping=False)


@examples(60)
@given(case=cases(), config=st.sampled_from(CONFIGS[1:]), times=st.sampled_from((1, 3)))
def test_every_course_is_the_same_without_what_is_kept(case: Manifest, config: Manifest, times: int) -> None:
    state = state_of_case(crowded({**case, "config": config}, times))
    assert course(state, keeping=True) == anew(state)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(_STATES))
def test_in_a_full_organisation_too_where_most_are_kept(seed: int) -> None:
    size = Size(queues=24, cohorts=6, running=220, departments=2)
    state = state_of(read_manifests(Organisation(size, seed=seed).objects(heads=True, behind=1)))
    asked, kept = 0, 0

    def counted(*given: object) -> object:
        nonlocal asked, kept
        found = while_leaving(*given)  # type: ignore[arg-type]
        asked, kept = asked + 1, kept + (found is not None)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(play, "while_leaving", counted)
        found = course(state, keeping=True)
    assert found == anew(state)
    assert kept >= asked // 4
