"""Partial admission: as many pods as fit, found by bisection."""

import pytest

from kubectl_fairshare.schedulers.kueue.cycle.nominate import nominate
from kubectl_fairshare.schedulers.kueue.flavors.requests import reduced_counts
from kubectl_fairshare.schedulers.kueue.model.workload import PodSet
from tests.unit.schedulers.kueue.build import pending, queue, state


@pytest.mark.parametrize(
    ("free", "count", "least", "admitted"),
    [(9, 9, 1, 9), (8, 9, 1, 8), (5, 9, 1, 5), (1, 9, 1, 1), (3, 9, 4, None), (4, 9, 4, 4), (8, 9, None, None)],
)
def test_the_most_pods_that_fit(free: int, count: int, least: int | None, admitted: int | None) -> None:
    pods = PodSet("main", count, {"gpu": 1}, min_count=least)
    found = state(queue("a", None, free), pending("new", "a", pod_sets=(pods,)))
    nomination = nominate(found, found.kueue.pending[0])

    assert nomination.assignment is not None
    assert [p.count for p in nomination.assignment.pod_sets] == [count if admitted is None else admitted]
    assert nomination.admits is (admitted is not None)


@pytest.mark.parametrize(
    ("step", "counts"),
    [(0, (10, 4, 5, 0)), (1, (10, 4, 5, 0)), (2, (9, 4, 5, 0)), (5, (7, 3, 5, 0)), (10, (4, 2, 5, 0))],
)
def test_pods_are_left_out_in_proportion(step: int, counts: tuple[int, ...]) -> None:
    """Of 10 and 4 pods, 6 and 2 may be left out; nobody is left of the last pod set, which takes part with its 2."""
    pod_sets = (
        PodSet("a", 10, {}, min_count=4),
        PodSet("b", 4, {}, min_count=2),
        PodSet("c", 5, {}),
        PodSet("d", 3, {}, min_count=1, reclaimable=3),
    )

    assert reduced_counts(pod_sets, step, 10) == counts
