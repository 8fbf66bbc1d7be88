"""The division of a resource among siblings, and who may be preempted."""

from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kubectl_fairshare.schedulers.koordinator.laws import (
    Law,
    QuotaClaim,
    first_part,
    is_eager,
    is_sated_at_once,
    partition,
    remainder_parts,
    rounded_parts,
    scaled_min,
    surplus_shares,
)
from kubectl_fairshare.schedulers.koordinator.quotas.contest import ENDLESS, Contest
from kubectl_fairshare.schedulers.koordinator.release import Rounding
from kubectl_fairshare.schedulers.kubescheduler.victims import fate_of

CLAIMS = st.lists(
    st.tuples(st.integers(0, 1000), st.integers(0, 10**6), st.integers(0, 10**4), st.booleans()), min_size=1, max_size=8
)


def claims(*of: tuple[int, int, int, bool]) -> list[QuotaClaim]:
    return [QuotaClaim(f"q{i}", *each) for i, each in enumerate(of)]


def test_a_surplus_goes_by_weight_and_what_is_above_a_request_comes_back() -> None:
    found = partition(100, claims((60, 90, 20, True), (40, 25, 20, True), (50, 10, 30, True)), Rounding.EACH)
    assert list(found.shares) == [65, 25, 10]
    assert [each.left for each in found.rounds] == [50, 15]


def test_a_quota_that_does_not_lend_keeps_its_min() -> None:
    found = partition(100, claims((1, 0, 40, False), (1, 80, 10, True)), Rounding.EACH)
    assert list(found.shares) == [40, 60]


def test_minima_above_the_total_are_given_all_the_same() -> None:
    assert list(partition(50, claims((1, 40, 40, True), (1, 60, 60, True)), Rounding.EACH).shares) == [40, 60]


def test_each_part_rounded_alone_may_give_more_or_less_than_there_is() -> None:
    two, three, nine = claims((1, 9, 0, True)) * 2, claims((1, 9, 0, True)) * 3, claims((1, 2, 0, True)) * 9
    assert rounded_parts(5, 2, two) == [3, 3]
    assert rounded_parts(7, 3, three) == [2, 2, 2]
    assert rounded_parts(4, 9, nine) == [0] * 9


def test_the_largest_remainders_get_what_is_missing_of_equal_ones_the_first_by_name() -> None:
    assert remainder_parts(5, 2, claims((1, 9, 0, True), (1, 9, 0, True))) == [3, 2]
    assert remainder_parts(10, 6, claims((1, 9, 0, True), (2, 9, 0, True), (3, 9, 0, True))) == [2, 3, 5]
    assert remainder_parts(4, 3, claims((-1, 9, 0, True), (4, 9, 0, True))) == [0, 5]


@given(CLAIMS, st.integers(0, 10**7))
def test_later_releases_hand_out_all_that_is_requested_and_no_more(
    of: list[tuple[int, int, int, bool]], total: int
) -> None:
    found = partition(total, claims(*of), Rounding.LARGEST_REMAINDER)
    first, eager = sum(found.first), [c for c in found.claims if c.request > c.least and c.weight > 0]
    wanted = first + sum(c.request - c.least for c in eager)
    if total >= first:
        assert sum(found.shares) == min(total, wanted) if eager else sum(found.shares) == first


@given(CLAIMS, st.integers(0, 10**7), st.sampled_from(Rounding))
def test_no_quota_gets_more_than_it_requests_above_its_min(
    of: list[tuple[int, int, int, bool]], total: int, rounding: Rounding
) -> None:
    found = partition(total, claims(*of), rounding)
    for claim, share in zip(found.claims, found.shares, strict=True):
        assert share <= max(claim.request, claim.least)


@given(CLAIMS, st.integers(0, 10**5), st.sampled_from(Rounding))
def test_a_request_decides_nothing_before_it_is_reached(
    of: list[tuple[int, int, int, bool]], total: int, rounding: Rounding
) -> None:
    found = partition(total, claims(*of), rounding)
    eager = [claim for claim in found.claims if is_eager(claim)]
    left, weight = total - sum(found.first), sum(claim.weight for claim in eager)
    for claim, share in zip(found.claims, found.shares, strict=True):
        if claim not in eager:
            assert share == first_part(claim)
            continue
        endless = [each._replace(request=1 << 80) if each is claim else each for each in eager]
        end = surplus_shares(left, endless, rounding)[0][endless.index(claim._replace(request=1 << 80))]
        assert share == min(claim.request, end)
        if is_sated_at_once(claim, left, weight, rounding):
            assert share == claim.request


@given(CLAIMS, st.integers(0, 10**6), st.sampled_from(Rounding))
def test_the_order_of_siblings_means_nothing(
    of: list[tuple[int, int, int, bool]], total: int, rounding: Rounding
) -> None:
    forth, back = claims(*of), claims(*of)[::-1]
    assert list(partition(total, forth, rounding).shares) == list(partition(total, back, rounding).shares)[::-1]


def test_a_scaled_min_is_cut_to_a_whole_unit() -> None:
    assert [scaled_min(50, 40, 100), scaled_min(50, 60, 100), scaled_min(10, 1, 3)] == [20, 30, 3]
    assert [scaled_min(-5, 40, 100), scaled_min(50, 40, 0)] == [0, 0]


def test_a_victim_is_removed_twice_if_neither_node_nor_quota_has_room() -> None:
    fates = [fate_of(Law, node_has_room=n, quotas_exceeded=q) for n in (True, False) for q in (True, False)]
    assert fates == [Law.QUOTA_NEEDS, Law.PUT_BACK, Law.REMOVED_TWICE, Law.NODE_NEEDS]


@st.composite
def contests(draw: st.DrawFn) -> tuple[Contest, dict[int, QuotaClaim]]:
    """A contest some of whose claims have become others, with all that want more of it."""
    top = draw(st.sampled_from([3, 50, 10**6, 1 << 60]))
    amounts = st.integers(0, top)
    claims = st.builds(QuotaClaim, st.just("q"), amounts, amounts, amounts, st.booleans(), st.integers(1, 3))
    before = dict(enumerate(draw(st.lists(claims, min_size=1, max_size=30))))
    after = draw(st.dictionaries(st.integers(0, 32), st.none() | claims, max_size=3))
    changes = [(key, before.get(key), new) for key, new in after.items()]
    now = {key: claim for key, claim in {**before, **after}.items() if claim is not None and is_eager(claim)}
    return Contest.of(before.items()).exchanged(changes), now


@given(contests(), st.data())
def test_what_a_claim_without_end_gets_in_a_contest_is_what_all_rounds_give_it(
    of: tuple[Contest, dict[int, QuotaClaim]], data: st.DataObject
) -> None:
    contest, eager = of
    assert contest.eager == eager
    assert contest.weight == sum(claim.weight * claim.number for claim in eager.values())
    assume(eager)
    key = data.draw(st.sampled_from(sorted(eager)))
    wanted = sum((claim.request - claim.least) * claim.number for claim in eager.values())
    left = data.draw(st.integers(-1, 2 * wanted) | st.integers(wanted - 2, wanted + 2))
    endless = {**eager, key: eager[key]._replace(request=ENDLESS)}
    shares, _ = surplus_shares(left, [*endless.values()], Rounding.EACH)
    assert contest.end(key, left, Rounding.EACH) == dict(zip(endless, shares, strict=True))[key]


@pytest.mark.parametrize("seed", range(20))
def test_claims_of_a_few_units_are_sated_round_by_round(seed: int) -> None:
    """Where each part is rounded by as much as it is, claims are sated in another order than that of their wants."""
    draw = Random(seed)
    for _ in range(50):
        most, weights = draw.choice([3, 6, 20, 50]), draw.choice([1, 2, 3, 10])
        claims = [
            QuotaClaim(
                "q", draw.randint(1, weights), draw.randint(0, most), draw.randint(0, 2), True, draw.randint(1, 2)
            )
            for _ in range(draw.choice([2, 4, 8, 20]))
        ]
        eager = {key: claim for key, claim in enumerate(claims) if is_eager(claim)}
        for key in [*eager][:1]:
            wanted = sum((claim.request - claim.least) * claim.number for claim in eager.values())
            left = draw.randint(0, 2 * wanted)
            endless = {**eager, key: eager[key]._replace(request=ENDLESS)}
            shares, _ = surplus_shares(left, [*endless.values()], Rounding.EACH)
            found = Contest.of(enumerate(claims)).end(key, left, Rounding.EACH)
            assert found == dict(zip(endless, shares, strict=True))[key], (claims, key, left)
