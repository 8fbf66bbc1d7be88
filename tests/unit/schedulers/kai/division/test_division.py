"""The division of one amount: the worked results of KAI, by hand."""

import pytest

from kubectl_fairshare.schedulers.kai.division.division import Account, QueueClaim, divide, shares_over_map_orders
from kubectl_fairshare.schedulers.kai.division.fair_share import Claimant, depend_on_usage, fair_shares
from kubectl_fairshare.schedulers.kai.division.time_aware import Formula
from kubectl_fairshare.schedulers.kai.model.objects import NOTHING, Resources


def claim(
    name: str,
    request: float,
    quota: float = 0,
    weight: float = 1,
    *,
    usage: float = 0,
    priority: int = 100,
    created: int = 0,
    limit: float = -1,
) -> QueueClaim:
    return QueueClaim(name, priority, created, quota, limit, weight, request, usage)


@pytest.mark.parametrize(
    ("total", "k", "claims", "shares"),
    [
        (7, 1, [claim("a", 10, priority=200), claim("b", 10, priority=200), claim("c", 10)], [3, 3, 1]),
        (1, 1, [claim("a", 0.5), claim("b", 0.6), claim("c", 0.7)], [1, 0, 0]),
        (10, 1, [claim("a", 8, -1), claim("b", 8, -1)], [8, 8]),
        (10, 1, [claim("a", 99, 2), claim("b", 99, 2, 2), claim("c", 99)], [4, 5, 1]),
        (10, 1, [claim("a", 99, 2, created=2), claim("b", 99, 2, created=1), claim("c", 99, 1, created=3)], [4, 4, 2]),
        (15, 0, [claim("a", 20, 2, 3), claim("b", 20, 2), claim("c", 1.5)], [9, 4.5, 1.5]),
        (16, 1, [claim("a", 99, usage=0.6), claim("b", 99, usage=0.1)], [5, 11]),
        (16, 1, [claim("a", 99, usage=1), claim("b", 99)], [0, 16]),
        (10, 1, [claim("a", 20, 6), claim("b", 20, 6)], [6, 6]),
        (10, 1, [claim("a", 20, limit=3), claim("b", 20)], [3, 7]),
        (10, 1, [claim("a", 20, weight=0), claim("b", 4)], [0, 4]),
    ],
)
def test_shares_are_those_of_the_worked_results(
    total: float, k: float, claims: list[QueueClaim], shares: list[float]
) -> None:
    assert divide(total, Formula(k), claims) == shares


def test_nine_equal_queues_fall_short_of_nine_whole_units() -> None:
    claims = [claim(f"q{i}", 9) for i in range(9)] + [claim("low", 9, priority=50)]
    assert divide(9, Formula(1), claims) == [0] * 9 + [9]


def test_a_share_that_depends_on_the_order_of_additions_is_told() -> None:
    claims = [claim("a", 99, weight=3), claim("b", 99, weight=3), claim("c", 99, weight=3), claim("d", 99, weight=4)]
    claims.append(claim("low", 99, priority=50))
    found = shares_over_map_orders(13, Formula(1), claims)
    assert {found.value, *found.others} == {(3, 3, 3, 4, 0), (2, 2, 2, 3, 4)}


def test_a_share_that_few_orders_turn_is_told() -> None:
    claims = [claim(f"q{i}", 999, weight=w) for i, w in enumerate((4, 9, 8, 4, 9, 1))]
    claims.append(claim("low", 999, priority=50))
    assert not shares_over_map_orders(245, Formula(1), claims).defined


def test_a_share_far_from_a_whole_unit_is_found_at_once() -> None:
    claims = [claim("a", 99, weight=2), claim("b", 99)]
    assert shares_over_map_orders(10, Formula(1), claims) == ((7, 3), ())


def test_a_share_without_fractions_is_settled() -> None:
    assert shares_over_map_orders(4, Formula(1), [claim(name, 4) for name in "abcd"]).defined


def test_the_account_adds_up() -> None:
    account = Account()
    shares = divide(15, Formula(0), [claim("a", 20, 2, 3), claim("b", 20, 2), claim("c", 1.5)], account)
    given = sum(q.given for q in account.quotas) + sum(p.given for r in account.rounds for p in r.portions)
    assert given + sum(r.given for r in account.remainders) == sum(shares) == account.total - account.left
    assert len(account.rounds) == 2
    assert [(r.name, r.given) for r in account.remainders] == [("b", 0.5)]


def gpu(amount: float) -> Resources:
    return Resources(0.0, 0.0, amount)


def claimant(name: str, parent: str, quota: float, weight: float, request: float, usage: float) -> Claimant:
    return Claimant(
        name,
        parent,
        100,
        0,
        gpu(quota),
        Resources(-1, -1, -1),
        gpu(weight),
        gpu(request),
        gpu(usage),
    )


def test_a_level_divides_the_fair_share_of_its_parent() -> None:
    tree = [
        claimant("root1", "", 4, 1, 30, 0.5),
        claimant("root2", "", 4, 1, 12, 0.1),
        claimant("x", "root1", 2, 2, 20, 0.4),
        claimant("y", "root1", 2, 1, 10, 0.1),
    ]
    shares, undefined = fair_shares(gpu(20), Formula(1), tree)
    assert {name: share.gpu for name, share in shares.items()} == {"root1": 8, "root2": 12, "x": 4, "y": 4}
    assert undefined == {}


def test_a_queue_without_a_way_to_the_root_has_no_share() -> None:
    shares, _ = fair_shares(gpu(1), Formula(1), [claimant("lost", "nobody", 1, 1, 1, 0)])
    assert "lost" not in shares


def test_nothing_to_divide_gives_nothing() -> None:
    shares, _ = fair_shares(NOTHING, Formula(1), [claimant("a", "", 0, 1, 5, 0)])
    assert shares["a"] == NOTHING


def test_a_queue_without_a_name_is_not_its_own_child() -> None:
    shares, _ = fair_shares(gpu(4), Formula(1), [claimant("", "", 4, 1, 4, 0)])
    assert set(shares) == {""}


def rival(name: str, parent: str = "", *, request: float, quota: float = 0, priority: int = 100) -> Claimant:
    return Claimant(name, parent, priority, 0, *(gpu(each) for each in (quota, -1, 1, request, 0)))


@pytest.mark.parametrize(
    ("claimants", "depends"),
    [
        ([rival("a", request=9), rival("b", request=9)], True),
        ([rival("a", request=5), rival("b", request=3)], False),  # enough for both
        ([rival("a", request=9, quota=4), rival("b", request=9, quota=4)], False),  # quotas leave nothing
        ([rival("a", request=9), rival("b", request=9, priority=50)], False),  # no rival
        ([rival("a", request=9), rival("c", "a", request=5), rival("d", "a", request=9)], True),
        ([rival("a", request=9), rival("c", "a", request=9), rival("d", "a", request=0)], False),
        ([rival("c", "gone", request=9), rival("d", "gone", request=9)], False),
    ],
)
def test_shares_depend_on_past_usage_where_rivals_share_out_too_little(
    claimants: list[Claimant], depends: bool
) -> None:
    shares, _ = fair_shares(gpu(8), Formula(1), claimants)
    assert depend_on_usage(gpu(8), claimants, shares) is depends
