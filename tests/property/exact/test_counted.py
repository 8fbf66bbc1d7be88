"""What a review counts of a state is as much as it lists: running work with who may preempt it, and what waits."""

import pytest

from kubectl_fairshare.answers.preemptors import PreemptorNumbers
from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.schedulers import known_schedulers, scheduler_named
from kubectl_fairshare.schedulers.recording import manifests_of
from tests.consistency.states import HOUSES, states


@pytest.mark.parametrize("house", HOUSES)
def test_counts_are_those_of_the_lists(house: str) -> None:
    review, some = scheduler_named(house).review, 0
    for state in states(house, "counted", 6):
        snapshot = assemble(manifests_of(state.objects, "drawn"), known_schedulers(), complete=False).snapshot
        listed = len(review.exposures(snapshot, PreemptorNumbers()).found), len(review.waiting(snapshot))
        assert review.counted(snapshot) == listed, state.name
        some += sum(listed)
    assert some
