"""Where more quota at the root does change a workload that fits: why the property test claims no more than it does."""

import pytest

from kubectl_fairshare.model.selectors import Requirement
from kubectl_fairshare.schedulers.kueue.cycle.nominate import nominate
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Mode
from kubectl_fairshare.schedulers.kueue.model.objects import Fungibility, Preemption, Quota, ResourceFlavor
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, PodSet
from kubectl_fairshare.schedulers.kueue.tree.state import State
from tests.unit.schedulers.kueue.build import cohort, holder, pending, queue, state

BLUE, RED = FlavorResource("blue", "gpu"), FlavorResource("red", "gpu")
QUOTAS = {BLUE: Quota(1), RED: Quota(2)}


def mode(found: State) -> Mode:
    """The mode of the one that waits."""
    return nominate(found, found.kueue.pending[0]).mode


@pytest.mark.parametrize(
    ("fungibility", "then"),
    [
        (Fungibility(when_can_preempt="TryNextFlavor"), Mode.FIT),
        (Fungibility(when_can_preempt="MayStopSearch"), Mode.PREEMPT),
    ],
)
def test_kueue_may_stop_at_a_flavor_that_was_too_small(fungibility: Fungibility, then: Mode) -> None:
    """2 GPUs: blue has 1 and is in use, red has 2. With 1 more blue could serve, if somebody left."""
    a = queue(
        "a", "co", QUOTAS, fungibility=fungibility, preemption=Preemption("LowerPriority", "Any", "LowerPriority")
    )
    rest = (a, holder("old", "a", {BLUE: 1}), pending("new", "a", 2, priority=1))

    assert mode(state(cohort("co"), *rest)) is Mode.FIT
    assert mode(state(cohort("co", quotas={BLUE: Quota(1)}), *rest)) is then


def test_a_pod_set_that_finds_more_may_be_in_the_way_of_the_next() -> None:
    """The first pod set wants 2, which only red had, the second 1 of blue alone: now the first takes all of blue."""
    wants_blue = (Requirement("pool", "In", ("blue",)),)
    pod_sets = (PodSet("first", 1, {"gpu": 2}), PodSet("second", 1, {"gpu": 1}, node_selector=wants_blue))
    blue, red = (ResourceFlavor(name, {"pool": name}, (), ()) for name in ("blue", "red"))
    rest = (blue, red, queue("a", "co", QUOTAS), pending("new", "a", pod_sets=pod_sets))

    assert mode(state(cohort("co"), *rest)) is Mode.FIT
    assert mode(state(cohort("co", quotas={BLUE: Quota(1)}), *rest)) is Mode.NO_FIT
