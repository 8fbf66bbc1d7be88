"""The rules of KAI's fairness, one by one, on amounts alone."""

import math

import pytest

from kubectl_fairshare.schedulers.kai import fairness
from kubectl_fairshare.schedulers.kai.model.objects import (
    Allocatable,
    Allocated,
    Deserved,
    FairShare,
    Requested,
    Resources,
)


def gpus(amount: float) -> Resources:
    return Resources(0.0, 0.0, float(amount))


@pytest.mark.parametrize(
    ("total", "quota", "limit", "request_", "given"),
    [(10, 4, -1, 6, 4), (10, 4, -1, 3, 3), (10, -1, -1, 6, 6), (10, -1, 2, 6, 2), (3, 4, -1, 6, 4)],
)
def test_a_quota_is_given_as_far_as_it_is_asked_for_and_never_cut(
    total: float, quota: float, limit: float, request_: float, given: float
) -> None:
    assert fairness.given_by_quota(total, quota, limit, request_) == given


def test_usage_lowers_a_weight_by_k_and_never_below_nothing() -> None:
    assert fairness.weights_less_usage([0.5, 0.5], [0.25, 0.9], 1) == [0.75, 0.09999999999999998]
    assert fairness.weights_less_usage([0.5, 0.5], [0.5, 0.9], 4) == [0.5, 0.0]


def test_the_proposal_keeps_the_weight_of_exact_users_where_nothing_is_left() -> None:
    assert fairness.proposed_weights([0.5, 0.5], [0.2, 0.9]) == [0.3, 0.0]
    assert fairness.proposed_weights([0.5, 0.5], [0.5, 0.9]) == [0.5, 0.0]


def test_rounds_give_whole_units_and_remainders_go_to_what_was_cut_most_then_to_the_oldest() -> None:
    assert [fairness.whole_units(fair) for fair in (2.9, 0.9, -0.5)] == [2, 0, 0]
    order = sorted([(0.4, 1, "b"), (0.9, 5, "c"), (0.4, 0, "d")], key=lambda each: fairness.remainder_order(*each))
    assert [name for _, _, name in order] == ["c", "d", "b"]


@pytest.mark.parametrize(
    ("quota", "limit", "share", "most"), [(4, -1, 6, 6), (4, -1, 2, 4), (4, 5, 6, 5), (-1, 7, 2, 7), (-1, -1, 2, -1)]
)
def test_a_queue_may_hold_the_larger_of_quota_and_share_up_to_its_limit(
    quota: float, limit: float, share: float, most: float
) -> None:
    assert fairness.allocatable(quota, limit, share) == most


def test_to_be_exactly_at_a_bound_is_allowed_and_what_is_not_asked_for_violates_nothing() -> None:
    assert [fairness.over_bound(*of) for of in ((4, 2, 2), (4, 2, 3), (4, 9, 0), (-1, 9, 9))] == [0, 1, 0, 0]


def test_over_utilised_means_above_the_share_in_every_resource() -> None:
    share = FairShare(Resources(1, 1, 1))
    assert fairness.over_utilised(Allocated(Resources(2, 2, 2)), share)
    assert not fairness.over_utilised(Allocated(Resources(2, 2, 1)), share)


def test_the_dominant_share_counts_a_unit_of_nothing_a_thousand_times() -> None:
    total = Resources(10, 10, 10)
    assert fairness.dominant_share(gpus(2), Allocatable(gpus(4)), total) == 0.5
    assert fairness.dominant_share(gpus(2), Allocatable(Resources(0, 0, -1)), total) == 0.2
    assert fairness.dominant_share(gpus(2), Allocatable(gpus(0)), total) == 2000


def test_maintain_fair_share_lets_go_above_what_a_side_may_hold() -> None:
    assert fairness.maintains_fair_share(Allocated(gpus(5)), Allocatable(gpus(4)))
    assert not fairness.maintains_fair_share(Allocated(gpus(4)), Allocatable(gpus(4)))


def test_guarantee_deserved_quota_lets_go_for_a_starving_asker_only() -> None:
    held, quota = Allocated(gpus(5)), Deserved(gpus(4))
    assert fairness.guarantees_deserved_quota(held, quota, starving=True)
    assert not fairness.guarantees_deserved_quota(held, quota, starving=False)


@pytest.mark.parametrize(("held", "gives"), [(5, True), (4, True), (3, False)])
def test_a_side_gives_for_quota_over_its_own_or_at_it(held: float, gives: bool) -> None:
    assert fairness.gives_for_quota(Allocated(gpus(held)), Deserved(gpus(4)), Requested(gpus(1))) is gives


def test_an_asker_above_its_share_stays_behind_siblings_that_have_one() -> None:
    assert fairness.stays_behind(1.0, 0.5, 4, 1)
    assert not fairness.stays_behind(1.2, 1.2, 4, 1)
    assert fairness.stays_behind(1.2, 1.3, 4, 1)
    assert not fairness.stays_behind(1.2, 1.3, 4, 2)
    assert fairness.stays_behind(1.2, math.inf, 0, 1)


def test_saturation_is_held_over_share_and_infinite_without_one() -> None:
    assert [fairness.saturation(*of) for of in ((2, 4), (2, 0), (0, 0), (2, -1))] == [0.5, math.inf, 0, 0]


def test_a_job_is_safe_until_its_span_is_over() -> None:
    assert [fairness.is_safe(*of) for of in ((10, 5, 14), (10, 5, 15), (None, 5, 1), (10, 5, None))] == [1, 0, 0, 0]
