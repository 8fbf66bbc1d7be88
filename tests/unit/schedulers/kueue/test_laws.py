"""Each law of Kueue by itself, on the values that it compares."""

from itertools import product
from random import Random

import pytest

from kubectl_fairshare.model.amounts import LEAST, UNLIMITED
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.kueue.accounting import available, potential
from kubectl_fairshare.schedulers.kueue.laws import (
    NO_SHARE,
    Grade,
    Law,
    NewShare,
    OldShare,
    Preemptor,
    PreemptorShare,
    Share,
    below_threshold,
    borrowing_attempts,
    candidate_order,
    classical_law,
    in_candidate_order,
    kept_room,
    may_search,
    merit,
    policy_allows,
    s2a,
    s2b,
    spared_by,
    stops_at,
    target_queue_order,
    visiting_order,
    weighted_share,
)
from kubectl_fairshare.schedulers.kueue.model.objects import Fungibility, Preemption, Quota
from kubectl_fairshare.schedulers.kueue.model.workload import Holder

PREEMPTOR = Preemptor(0, priority=5, queued=100, short=frozenset(), usage={})


def candidate(
    priority: int = 0, queued: int = 0, reserved: int = 0, uid: str = "u", *, evicted: bool = False
) -> Holder:
    key = ObjectKey("kueue.x-k8s.io", "Workload", "team", uid)
    return Holder(key, uid, "a", "lq", priority, 0, queued, reserved, evicted, {})


def share(value: float, rank: int = 0) -> Share:
    return Share(rank, value, "gpu", True)


# --- accounting


@pytest.mark.parametrize(
    ("subtree", "local", "usage", "limit", "above", "expected"),
    [
        (8, 0, 3, None, None, 5),  # a root
        (8, 0, 9, None, None, -1),
        (8, 3, 1, None, 5, 7),  # 2 of its own that nobody else may have, and 5 from above
        (8, 3, 4, None, 5, 5),
        (12, 0, 10, 2, 9, 4),  # the example of kueue-available
        (8, 0, 8, 0, 9, 0),
        (8, 0, 8, 2, UNLIMITED, 2),
        (8, 0, 8, None, UNLIMITED, UNLIMITED),
    ],
)
def test_available(subtree: int, local: int, usage: int, limit: int | None, above: int | None, expected: int) -> None:
    assert available(subtree, local, usage, limit, above) == expected


@pytest.mark.parametrize(
    ("subtree", "local", "limit", "above", "expected"),
    [(60, 0, None, None, 60), (12, 0, 2, 60, 14), (12, 0, None, 60, 60), (12, 4, None, 56, 60), (12, 0, 99, 60, 60)],
)
def test_potential(subtree: int, local: int, limit: int | None, above: int | None, expected: int) -> None:
    assert potential(subtree, local, limit, above) == expected


# --- shares


@pytest.mark.parametrize(
    ("borrowed", "weight", "expected"),
    [
        ([], 1.0, NO_SHARE),
        ([], 0.0, NO_SHARE),
        ([("gpu", 8, 60.0)], 2.0, Share(0, 8 * 1000.0 / 60 / 2, "gpu", True)),
        ([("cpu", 1, 10.0), ("gpu", 1, 10.0)], 1.0, Share(0, 100.0, "cpu", True)),
        ([("cpu", 1, 10.0), ("gpu", 2, 10.0)], 0.0, Share(1, 200.0, "gpu", True)),
        ([("gpu", 2, 0.0)], 1.0, Share(0, 0.0, None, True)),
        ([("gpu", 2, 0.0)], 0.0, Share(0, 0.0, None, True)),
    ],
)
def test_weighted_share(borrowed: list[tuple[str, int, float]], weight: float, expected: Share) -> None:
    assert weighted_share(borrowed, weight) == expected


@pytest.mark.parametrize(
    ("smaller", "larger"),
    [
        (NO_SHARE, Share(0, 0.5, "gpu", True)),
        (Share(0, 900.0, "gpu", True), Share(1, 1.0, "gpu", True)),
        (Share(1, 1.0, "gpu", True), Share(1, 2.0, "gpu", True)),
    ],
)
def test_an_infinite_share_is_above_any_other(smaller: Share, larger: Share) -> None:
    assert smaller.order < larger.order


@pytest.mark.parametrize(
    ("share", "expected"),
    [
        (NO_SHARE, 0),
        (Share(0, 0.1, "gpu", True), 1),
        (Share(0, 2.0, "gpu", True), 2),
        (Share(1, 2.0, "gpu", True), UNLIMITED),
        (Share(0, 1e30, "gpu", True), LEAST),
    ],
)
def test_the_share_in_a_status_is_rounded_up(share: Share, expected: int) -> None:
    assert share.rounded == expected


# --- preemption


@pytest.mark.parametrize(
    ("policy", "priority", "queued", "allowed"),
    [
        ("Never", -9, 999, False),
        ("Any", 9, 0, True),
        ("LowerPriority", 4, 0, True),
        ("LowerPriority", 5, 999, False),
        ("LowerOrNewerEqualPriority", 4, 0, True),
        ("LowerOrNewerEqualPriority", 5, 101, True),
        ("LowerOrNewerEqualPriority", 5, 100, False),
        ("LowerOrNewerEqualPriority", 6, 999, False),
    ],
)
def test_policy(policy: str, priority: int, queued: int, allowed: bool) -> None:
    assert policy_allows(policy, PREEMPTOR, candidate(priority, queued)) is allowed


def test_candidates_that_are_evicted_come_first_then_low_then_recent_ones_then_by_uid() -> None:
    ordered = [
        candidate(9, uid="z", evicted=True),
        candidate(1, reserved=1),
        candidate(2, reserved=8),
        candidate(2, reserved=7, uid="a"),
        candidate(2, reserved=7, uid="b"),
    ]
    assert sorted(ordered, key=candidate_order) == ordered
    assert in_candidate_order(reversed(ordered)) == ordered


def test_sorting_by_one_attribute_after_another_gives_the_candidate_order() -> None:
    attributes = product((False, True), (-1, 0, 1), (0, 1, 2), "ab")
    found = [candidate(p, uid=u, reserved=r, evicted=e) for e, p, r, u in attributes]
    shuffled = Random(7).sample(found, len(found))
    assert in_candidate_order(shuffled) == sorted(shuffled, key=candidate_order)


def test_of_two_first_candidates_that_of_the_preemptors_queue_comes_later_unless_it_is_evicted() -> None:
    low, high = candidate(1), candidate(2)
    assert target_queue_order(high, own=False) < target_queue_order(low, own=True)
    assert target_queue_order(candidate(9, evicted=True), own=True) < target_queue_order(low, own=False)


@pytest.mark.parametrize(
    ("policy", "threshold", "priority", "below"),
    [
        ("Never", None, 0, False),
        ("LowerPriority", None, 4, True),
        ("LowerPriority", None, 5, False),
        ("LowerPriority", 3, 3, True),
        ("LowerPriority", 3, 4, False),
    ],
)
def test_borrow_within_cohort(policy: str, threshold: int | None, priority: int, below: bool) -> None:
    policies = Preemption("Never", "Any", policy, threshold)
    assert below_threshold(policies, PREEMPTOR, candidate(priority)) is below


@pytest.mark.parametrize(
    ("own", "entitled", "below", "law"),
    [
        (True, True, True, Law.IN_QUEUE_PRIORITY),
        (False, True, True, Law.RECLAIM_HIERARCHY),
        (False, False, True, Law.RECLAIM_WHILE_BORROWING),
        (False, False, False, Law.RECLAIM_PRIORITY),
    ],
)
def test_classical_law(own: bool, entitled: bool, below: bool, law: Law) -> None:
    assert classical_law(own=own, entitled=entitled, below=below)[0] is law


@pytest.mark.parametrize(
    ("policy", "others", "entitled", "below_nominal", "attempts"),
    [
        ("Never", False, False, True, (True,)),
        ("Never", True, False, False, (True,)),
        ("Never", True, False, True, (False, True)),
        ("Never", True, True, True, (True, False)),
        ("LowerPriority", True, False, False, (True, False)),
    ],
)
def test_borrowing_attempts(
    policy: str, others: bool, entitled: bool, below_nominal: bool, attempts: tuple[bool, ...]
) -> None:
    policies = Preemption(borrow_within_cohort=policy)
    assert borrowing_attempts(policies, others=others, entitled=entitled, below_nominal=below_nominal) == attempts


@pytest.mark.parametrize(
    ("law", "own", "borrowing", "within_quota", "expected"),
    [
        (Law.IN_QUEUE_PRIORITY, True, True, True, None),
        (Law.RECLAIM_PRIORITY, False, True, True, Law.ONLY_WITHOUT_BORROWING),
        (Law.RECLAIM_PRIORITY, False, False, True, Law.WITHIN_QUOTA),
        (Law.RECLAIM_PRIORITY, False, False, False, None),
        (Law.RECLAIM_HIERARCHY, False, True, False, None),
    ],
)
def test_spared_by(law: Law, own: bool, borrowing: bool, within_quota: bool, expected: Law | None) -> None:
    assert spared_by(law, own=own, borrowing=borrowing, within_quota=within_quota) is expected


@pytest.mark.parametrize(
    ("mine", "theirs", "final", "initial"),
    [
        (share(1.0), share(2.0), True, True),
        (share(2.0), share(2.0), True, False),
        (share(3.0), share(2.0), False, False),
        (share(9.0), share(0.1, rank=1), True, True),
        (share(0.1, rank=1), share(9.0), False, False),
    ],
)
def test_s2a_allows_equal_shares_and_s2b_does_not(mine: Share, theirs: Share, final: bool, initial: bool) -> None:
    assert s2a(PreemptorShare(mine), NewShare(theirs)) is final
    assert s2b(PreemptorShare(mine), OldShare(theirs)) is initial


# --- flavors


@pytest.mark.parametrize(
    ("name", "value"),
    [("", 0xCBF29CE484222325), ("a", 0xAF63DC4C8601EC8C), ("foobar", 0x85944171F73967E8)],
)
def test_the_hash_is_fnv_1a_of_64_bits(name: str, value: int) -> None:
    assert visiting_order(name) == (value, name)


def test_cpu_comes_last() -> None:
    names = ["cpu", "memory", "pods", "example.com/fpga", "nvidia.com/gpu"]

    assert sorted(names, key=visiting_order) == ["memory", "nvidia.com/gpu", "pods", "example.com/fpga", "cpu"]


@pytest.mark.parametrize(
    ("borrow", "preempt", "grade", "level", "stops"),
    [
        ("MayStopSearch", "TryNextFlavor", Grade.FIT, 0, True),
        ("MayStopSearch", "TryNextFlavor", Grade.FIT, 1, True),
        ("TryNextFlavor", "TryNextFlavor", Grade.FIT, 1, False),
        ("MayStopSearch", "TryNextFlavor", Grade.RECLAIM, 0, False),
        ("MayStopSearch", "MayStopSearch", Grade.PREEMPT, 0, True),
        ("TryNextFlavor", "MayStopSearch", Grade.PREEMPT, 2, False),
        ("MayStopSearch", "MayStopSearch", Grade.NO_CANDIDATES, 0, False),
        ("MayStopSearch", "MayStopSearch", Grade.NO_FIT, 0, False),
    ],
)
def test_where_the_search_for_a_flavor_stops(borrow: str, preempt: str, grade: Grade, level: int, stops: bool) -> None:
    assert stops_at(Fungibility(borrow, preempt), grade, level) is stops


@pytest.mark.parametrize(
    ("preference", "worst_first"),
    [
        (None, [(Grade.NO_CANDIDATES, 0), (Grade.PREEMPT, 0), (Grade.RECLAIM, 0), (Grade.FIT, 2), (Grade.FIT, 1)]),
        (
            "PreemptionOverBorrowing",
            [(Grade.NO_CANDIDATES, 0), (Grade.FIT, 2), (Grade.FIT, 1), (Grade.PREEMPT, 0), (Grade.RECLAIM, 0)],
        ),
    ],
)
def test_merit(preference: str | None, worst_first: list[tuple[Grade, int]]) -> None:
    fungibility = Fungibility(preference=preference)
    flavors = [(Grade.NO_FIT, 0), *worst_first]
    assert sorted(flavors, key=lambda flavor: merit(fungibility, *flavor)) == flavors


def test_flavors_that_do_not_fit_are_alike() -> None:
    assert merit(Fungibility(), Grade.NO_FIT, 0) == merit(Fungibility(), Grade.NO_FIT, 3)


@pytest.mark.parametrize(
    ("policies", "fair", "searches"),
    [
        (Preemption("LowerPriority", "Never"), False, False),
        (Preemption("LowerPriority", "Any"), False, False),
        (Preemption("LowerPriority", "Any"), True, True),
        (Preemption("Never", "Any", "LowerPriority"), False, True),
    ],
)
def test_a_request_beyond_nominal_that_borrows_from_the_root(policies: Preemption, fair: bool, searches: bool) -> None:
    assert may_search(policies, within_nominal=False, may_reclaim=False, fair=fair) is searches
    assert may_search(policies, within_nominal=True, may_reclaim=False, fair=fair)
    assert may_search(policies, within_nominal=False, may_reclaim=True, fair=fair)


# --- the cycle


@pytest.mark.parametrize(
    ("quota", "usage", "borrowing", "room"),
    [
        (Quota(8), 4, False, 4),
        (Quota(8), 9, False, 0),
        (Quota(8), 0, False, 6),
        (Quota(8), 4, True, 6),
        (Quota(8, borrowing_limit=1), 4, True, 5),
        (Quota(8, borrowing_limit=1), 12, True, -3),
    ],
)
def test_the_room_that_is_kept_for_a_head_that_asks_for_6(quota: Quota, usage: int, borrowing: bool, room: int) -> None:
    assert kept_room(quota, usage, 6, borrowing=borrowing) == room
