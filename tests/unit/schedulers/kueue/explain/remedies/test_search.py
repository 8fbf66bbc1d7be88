"""The smallest change that helps, in small numbers."""

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.schedulers.kueue.explain.decision import Remedy, RemedyKind
from kubectl_fairshare.schedulers.kueue.explain.planning import plan
from kubectl_fairshare.schedulers.kueue.model.objects import Preemption, Quota
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, PodSet
from kubectl_fairshare.schedulers.kueue.tree.state import State
from tests.unit.schedulers.kueue.build import FAIR, cohort, holder, pending, queue, state


def remedy(found: State, kind: RemedyKind) -> Remedy | None:
    """The remedy of a kind for the one that waits."""
    return next((r for r in plan(found, found.kueue.pending[0]).remedies if r.kind is kind), None)


@pytest.mark.parametrize(
    ("policy", "queued", "priority"),
    [
        ("LowerPriority", 999, 4),
        ("LowerOrNewerEqualPriority", 999, 3),
        ("LowerOrNewerEqualPriority", 1, 4),
        ("Never", 999, None),
    ],
)
def test_the_lowest_priority_that_gets_in(policy: str, queued: int, priority: int | None) -> None:
    found = state(
        queue("a", None, 1, preemption=Preemption(within_cluster_queue=policy)),
        holder("old", "a", priority=3, queued=queued),
        pending("new", "a", queued=100),
    )
    told = remedy(found, RemedyKind.PRIORITY)

    assert (None if told is None else told.after) == priority


@pytest.mark.parametrize(("theirs", "weight"), [(1, 3.0), (2, 6.0)])
def test_the_smallest_weight_that_gets_in(theirs: float, weight: float) -> None:
    """a would borrow 3 of 4 where b, once one has left, borrows 1: at thrice b's weight the shares are equal."""
    found = state(
        cohort("co", quotas=4),
        queue("a", "co", 0, weight=1.0, preemption=Preemption(reclaim_within_cohort="Any")),
        queue("b", "co", 0, weight=float(theirs)),
        *(holder("mine", "a", 2), holder("theirs", "b", 1, reserved=1), holder("others", "b", 1)),
        pending("new", "a", 1),
        strategies=FAIR[:1],
    )
    told = remedy(found, RemedyKind.WEIGHT)

    assert told is not None
    assert (told.before, told.after, told.outcome) == (1.0, weight, Outcome.PREEMPTS)


def test_a_later_cycle_may_find_room_for_more_pods_than_the_first() -> None:
    """The first pod set takes blue; in the next cycle it takes red, and blue has room for 2 pods of the second."""
    quotas = {FlavorResource("blue", "gpu"): Quota(2), FlavorResource("red", "gpu"): Quota(1)}
    pod_sets = (PodSet("first", 1, {"gpu": 1}), PodSet("second", 3, {"gpu": 1}))
    smaller = remedy(state(queue("a", None, quotas), pending("new", "a", pod_sets=pod_sets)), RemedyKind.COUNT)

    assert smaller is not None
    assert (smaller.pod_set, smaller.before, smaller.after, smaller.outcome) == ("second", 3, 2, Outcome.ADMITTED)


@pytest.mark.parametrize(
    ("count", "each", "kind", "after"),
    [
        (5, 2, RemedyKind.COUNT, 3),
        (2, 5, RemedyKind.REQUEST, 3),
        (5, 2, RemedyKind.REQUEST, 1),
        (2, 9, RemedyKind.COUNT, None),
        (9, 1, RemedyKind.REQUEST, None),
        (5, 2, RemedyKind.NOMINAL, 13),
        (3, 2, RemedyKind.NOMINAL, None),
    ],
)
def test_the_most_that_fits_and_the_quota_for_all(count: int, each: int, kind: RemedyKind, after: int | None) -> None:
    """Of 10, 3 are held and 7 free."""
    found = state(
        queue("a", None, 10),
        holder("old", "a", 3),
        pending("new", "a", pod_sets=(PodSet("main", count, {"gpu": each}),)),
    )
    told = remedy(found, kind)

    assert (None if told is None else told.after) == after


@pytest.mark.parametrize(
    ("quota", "kind", "name", "after"),
    [
        (Quota(4, borrowing_limit=1), RemedyKind.BORROWING_LIMIT, "a", 3),
        (Quota(4), RemedyKind.LENDING_LIMIT, "b", 3),
        (Quota(4), RemedyKind.NOMINAL, "a", 6),
    ],
)
def test_the_smallest_raise_of_one_limit(quota: Quota, kind: RemedyKind, name: str, after: int) -> None:
    theirs = Quota(3, lending_limit=1) if quota.borrowing_limit is None else Quota(3)
    found = state(cohort("co"), queue("a", "co", quota), queue("b", "co", theirs), pending("new", "a", 7))
    told = remedy(found, kind)

    assert told is not None
    assert told.object is not None
    assert (told.object.name, told.after, told.outcome) == (name, after, Outcome.ADMITTED)


@pytest.mark.parametrize(
    ("count", "least", "after", "pods"),
    [(6, 5, 3, (3, 6)), (6, 4, 3, (3, 6)), (6, 3, None, None), (6, None, None, None)],
)
def test_the_largest_minimum_that_starts(
    count: int, least: int | None, after: int | None, pods: tuple[int, int] | None
) -> None:
    """4 are free above 1 that is held: 3 pods."""
    found = state(
        queue("a", None, 4),
        holder("old", "a", 1),
        pending("new", "a", pod_sets=(PodSet("main", count, {"gpu": 1}, min_count=least),)),
    )
    told = remedy(found, RemedyKind.MINIMUM)

    assert (None if told is None else (told.after, told.pods)) == (None if after is None else (after, pods))
