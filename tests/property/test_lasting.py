"""What a head is known to get again is what it gets when it is nominated anew, and its cycle is the same."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.schedulers.kueue.conformance.cases import case_snapshot
from kubectl_fairshare.schedulers.kueue.cycle.motion.lasting import LastingNominations
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination, nominate
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.tree.state import State
from tests.bench.organisation import Organisation, Size, classical, flat
from tests.property.effort import examples
from tests.property.generate import CONFIGS, Manifest, cases, crowded
from tests.property.test_alike import read_manifests
from tests.property.test_motion_shortcuts import SECOND, course, played


def decided(nomination: Nomination) -> Any:
    """What a cycle reads of a nomination."""
    assignment = nomination.assignment
    assert assignment is not None
    grades = [(p.name, p.flavors, p.failed, p.requests) for p in assignment.pod_sets]
    return (
        (nomination.mode, nomination.admits, nomination.goes_on, nomination.tried, nomination.tied, grades),
        (assignment.borrowing, assignment.usage, assignment.token, assignment.may_crash),
        [search.targets for search in nomination.searches],
    )


class Compared(LastingNominations):
    """Nominates anew each head whose nomination is known, and counts them."""

    found = 0

    def again(self, workload: Pending, state: State) -> Nomination | None:
        """What is known, if it is what a new nomination finds."""
        known = super().again(workload, state)
        if known is not None:
            Compared.found += 1
            assert decided(known) == decided(nominate(state, workload))
        return known


@pytest.fixture(autouse=True)
def comparing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kubectl_fairshare.schedulers.kueue.cycle.motion.trees.LastingNominations", Compared)
    monkeypatch.setattr(Compared, "found", 0)


@examples(200)
@given(case=cases(), config=st.sampled_from(CONFIGS), times=st.sampled_from((1, 2, 3)))
def test_nominations_last(case: Manifest, config: Manifest, times: int) -> None:
    played(case_snapshot(crowded({**case, "config": config}, times)))


@pytest.mark.slow
@pytest.mark.parametrize(
    "shape", [flat, classical, lambda made: flat(classical(made))], ids=["flat", "classical", "both"]
)
def test_nominations_in_a_full_organisation_last(shape: Callable[[list[Manifest]], list[Manifest]]) -> None:
    made = Organisation(Size(queues=60, cohorts=8, running=600, departments=2)).objects(heads=True, behind=1)
    snapshot = read_manifests(shape(made))
    with_it = course(played(snapshot, unit=61 * SECOND))
    assert Compared.found > 40
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LastingNominations, "again", lambda *_: None)
        patch.setattr("kubectl_fairshare.schedulers.kueue.cycle.motion.trees.LastingNominations", LastingNominations)
        assert course(played(snapshot, unit=61 * SECOND)) == with_it
