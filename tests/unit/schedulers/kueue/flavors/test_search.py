"""Where more quota at the root does change a workload that fits: why the property test claims no more than it does."""

import pytest

from kubectl_fairshare.model.selectors import Requirement
from kubectl_fairshare.schedulers.kueue.cycle.nominate import nominate
from kubectl_fairshare.schedulers.kueue.explain.doubts import short_admission
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Mode
from kubectl_fairshare.schedulers.kueue.gaps import SHORT_ADMISSION, SHORT_SEARCH
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


@pytest.mark.parametrize("second", [{"gpu": 0}, {"gpu": 9}])
def test_kueue_ends_at_a_pod_set_whose_requests_do_not_count(second: dict[str, int]) -> None:
    """The launcher requests only what no group covers, and none of it: even 9 GPUs of the next one are not seen."""
    pod_sets = (PodSet("launcher", 1, {"cpu": 0}), PodSet("worker", 1, second))
    found = state(queue("a", None, QUOTAS), pending("new", "a", pod_sets=pod_sets))
    nomination = nominate(found, found.kueue.pending[0])
    assert nomination.mode is Mode.FIT
    assert nomination.assignment is not None
    assert [p.name for p in nomination.assignment.pod_sets] == ["launcher"]
    (gap,) = short_admission(nomination)
    assert (gap.feature, gap.subject) == (SHORT_ADMISSION, "launcher")


def test_the_order_of_pod_sets_decides_whether_they_all_get_flavors() -> None:
    pod_sets = (PodSet("worker", 1, {"gpu": 2}), PodSet("launcher", 1, {"cpu": 0}))
    found = state(queue("a", None, QUOTAS), pending("new", "a", pod_sets=pod_sets))
    nomination = nominate(found, found.kueue.pending[0])
    assert nomination.mode is Mode.FIT
    assert not list(short_admission(nomination))


def test_kueue_crashes_where_it_looks_for_victims_of_a_workload_without_its_last_pod_sets() -> None:
    pod_sets = tuple(PodSet(name, 1, {r: n}) for name, r, n in (("a", "gpu", 2), ("b", "cpu", 0), ("c", "gpu", 1)))
    full = holder("old", "a", {RED: 1, BLUE: 1})
    found = state(queue("a", None, QUOTAS), full, pending("new", "a", pod_sets=pod_sets))
    nomination = nominate(found, found.kueue.pending[0])
    assert nomination.mode is Mode.PREEMPT
    assert [gap.feature for gap in short_admission(nomination)] == [SHORT_SEARCH]
