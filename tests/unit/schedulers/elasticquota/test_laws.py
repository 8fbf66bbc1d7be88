"""The plugin's rules, each on the amounts and pods that it compares."""

import pytest

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.laws import (
    Law,
    Max,
    Min,
    Pool,
    Used,
    VictimSide,
    Wanted,
    borrows,
    counts_in_pool,
    counts_in_quota,
    exceeds_max,
    exceeds_min,
    exceeds_pool,
    makes_room,
    may_take,
    victim_side,
    why_spared,
)
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.model.vector import UNBOUNDED, ZERO, Vector, vector_of
from kubectl_fairshare.schedulers.kubescheduler.choice import FIGURES, NodeVictims
from kubectl_fairshare.schedulers.kubescheduler.victims import fate_of
from tests.unit.schedulers.elasticquota.build import GPU, pod


def amounts(**written: int) -> Vector:
    return vector_of({GPU if r == "gpu" else r: str(v) for r, v in written.items()})


@pytest.mark.parametrize(("wanted", "exceeds"), [(2, False), (3, True)])
def test_what_reaches_a_bound_exactly_fits(wanted: int, exceeds: bool) -> None:
    used, asked = Used(amounts(cpu=3)), Wanted(amounts(cpu=wanted))
    assert exceeds_max(used, asked, Max(amounts(cpu=5))) is exceeds
    assert exceeds_min(used, asked, Min(amounts(cpu=5))) is exceeds
    assert exceeds_pool(used, asked, Pool(amounts(cpu=5))) is exceeds


def test_a_scalar_that_is_not_listed_is_unbounded_by_max_and_0_of_min() -> None:
    asked = Wanted(amounts(gpu=1))
    assert not exceeds_max(Used(ZERO), asked, Max(amounts(cpu=1)))
    assert exceeds_min(Used(ZERO), asked, Min(amounts(cpu=1)))
    assert exceeds_pool(Used(ZERO), asked, Pool(amounts(cpu=1)))


def test_an_absent_max_bounds_nothing() -> None:
    assert not exceeds_max(Used(amounts(cpu=9)), Wanted(amounts(cpu=9, gpu=9)), Max(UNBOUNDED))


def test_a_pool_that_is_overdrawn_in_anything_admits_nobody() -> None:
    assert exceeds_pool(Used(amounts(gpu=2)), Wanted(amounts(cpu=1)), Pool(amounts(cpu=9, gpu=1)))


def test_who_uses_its_min_exactly_does_not_borrow() -> None:
    assert not borrows(Used(amounts(cpu=2)), Min(amounts(cpu=2)))
    assert borrows(Used(amounts(cpu=3)), Min(amounts(cpu=2)))


@pytest.mark.parametrize(("priority", "counts"), [(4, False), (5, True), (6, True)])
def test_a_kept_place_of_the_same_namespace_counts_if_it_is_as_important(priority: int, counts: bool) -> None:
    asking, kept = pod("a/new", priority=5), pod("a/kept", priority=priority)
    assert counts_in_quota(asking, kept) is counts
    assert counts_in_pool(asking, kept, borrower=True) is counts


@pytest.mark.parametrize("borrower", [True, False])
def test_a_kept_place_of_another_namespace_counts_in_the_pool_unless_that_borrows(borrower: bool) -> None:
    asking, kept = pod("a/new", priority=5), pod("b/kept", priority=1)
    assert not counts_in_quota(asking, kept)
    assert counts_in_pool(asking, kept, borrower=borrower) is not borrower


def test_the_side_is_that_of_the_min() -> None:
    assert victim_side(quoted=True, beyond_min=True) is VictimSide.OWN
    assert victim_side(quoted=True, beyond_min=False) is VictimSide.BORROWERS
    assert victim_side(quoted=False, beyond_min=False) is VictimSide.UNQUOTED


@pytest.mark.parametrize(
    ("side", "namespace", "priority", "quoted", "borrower", "spared"),
    [
        (VictimSide.OWN, "a", 1, True, False, None),
        (VictimSide.OWN, "a", 5, True, False, Law.NOT_LOWER),
        (VictimSide.OWN, "b", 1, True, True, Law.OTHERS_KEPT),
        (VictimSide.OWN, "x", 1, False, False, Law.OUTSIDE_QUOTAS),
        (VictimSide.BORROWERS, "b", 9, True, True, None),
        (VictimSide.BORROWERS, "b", 1, True, False, Law.NOT_BORROWING),
        (VictimSide.BORROWERS, "a", 1, True, True, Law.OWN_KEPT),
        (VictimSide.BORROWERS, "x", 1, False, False, Law.OUTSIDE_QUOTAS),
        (VictimSide.UNQUOTED, "x", 1, False, False, None),
        (VictimSide.UNQUOTED, "x", 5, False, False, Law.NOT_LOWER),
        (VictimSide.UNQUOTED, "b", 1, True, True, Law.INSIDE_QUOTAS),
    ],
)
def test_each_side_takes_its_own(
    side: VictimSide, namespace: str, priority: int, quoted: bool, borrower: bool, spared: Law | None
) -> None:
    asking, other = pod("a/new", priority=5), pod(f"{namespace}/other", "n", priority)
    assert may_take(side, asking, other, quoted=quoted, borrower=borrower) is (spared is None)
    if spared is not None:
        assert why_spared(side, asking, other, quoted=quoted) is spared


def test_a_lower_priority_of_the_own_namespace_makes_room_though_it_could_not_be_taken() -> None:
    asking, own = pod("a/new", priority=5), pod("a/old", "n", 1)
    assert not may_take(VictimSide.BORROWERS, asking, own, quoted=True, borrower=True)
    assert makes_room(asking, own, side=VictimSide.BORROWERS, quoted=True, borrower=True)
    assert not makes_room(asking, replace(own, priority=5), side=VictimSide.BORROWERS, quoted=True, borrower=True)


@pytest.mark.parametrize(
    ("room", "exceeded", "law"),
    [
        (True, False, Law.PUT_BACK),
        (True, True, Law.QUOTA_NEEDS),
        (False, False, Law.NODE_NEEDS),
        (False, True, Law.REMOVED_TWICE),
    ],
)
def test_a_taken_pod_stays_only_if_node_and_quotas_allow_both(room: bool, exceeded: bool, law: Law) -> None:
    assert fate_of(Law, node_has_room=room, quotas_exceeded=exceeded) is law


def of(*pods: Pod, violations: int = 0) -> NodeVictims:
    return NodeVictims(pods, violations)


@pytest.mark.parametrize(
    ("law", "better", "worse"),
    [
        (Law.FEWEST_VIOLATIONS, of(pod("a/x", "n", 9)), of(pod("a/x", "n", 1), violations=1)),
        (Law.LOWEST_PRIORITY, of(pod("a/x", "n", 1)), of(pod("a/x", "n", 2))),
        (
            Law.LOWEST_SUM,
            of(pod("a/x", "n", 1)),
            of(pod("a/x", "n", 1), pod("a/y", "n", -9)),
        ),
        (Law.FEWEST_VICTIMS, of(pod("a/x", "n", 1)), of(pod("a/x", "n", 1), pod("a/x", "n", 1))),
        (Law.LATEST_START, of(pod("a/x", "n", 1, 8)), of(pod("a/x", "n", 1, 7))),
    ],
)
def test_each_criterion_prefers_the_smaller_figure(law: Law, better: NodeVictims, worse: NodeVictims) -> None:
    figure = FIGURES[law.name]
    assert figure(better) < figure(worse)


def test_of_equally_important_victims_the_earliest_start_decides_whoever_is_less_important() -> None:
    figure = FIGURES["LATEST_START"]
    assert figure(NodeVictims([pod("a/x", "n", 5, 3), pod("a/y", "n", 5, 7), pod("a/z", "n", 1, 1)], 0)) == -3
