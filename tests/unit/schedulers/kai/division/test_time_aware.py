"""How past usage counts: KAI's formula with k, and the proposal's, which is its limit for large k."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.schedulers.kai.division.division import QueueClaim, divide
from kubectl_fairshare.schedulers.kai.division.time_aware import Formula, formula_of
from kubectl_fairshare.schedulers.kai.explain.derivation import derive
from kubectl_fairshare.schedulers.kai.explain.what_if import with_endless_requests
from kubectl_fairshare.schedulers.kai.laws import Law
from kubectl_fairshare.schedulers.kai.model.objects import (
    Deserved,
    KaiState,
    MaxAllowed,
    Node,
    Queue,
    Resources,
    Shard,
    TimeAware,
)
from kubectl_fairshare.schedulers.kai.model.usage import Counted, PastUsage, UsageParams
from kubectl_fairshare.schedulers.kai.session.session import open_session
from kubectl_fairshare.trace import Fact, Step

PROPOSAL = Formula(1.0, TimeAware.PROPOSAL)
EVERY_K = (0.0, 1.0, 100.0, math.inf)


def claims(*pairs: tuple[float, float]) -> list[QueueClaim]:
    """Queues without quota that ask for all, by weight and usage; the first is the oldest."""
    return [QueueClaim(f"q{i}", 100, i, 0.0, -1.0, weight, 1e6, usage) for i, (weight, usage) in enumerate(pairs)]


def test_kais_formula_lets_k_say_how_much_usage_counts() -> None:
    assert Formula(0.0).parts([0.5, 0.5], [0.6, 0.1]) == [0.5, 0.5]
    assert Formula(1.0).parts([0.5, 0.5], [0.6, 0.1]) == pytest.approx([0.4, 0.9])
    assert Formula(10.0).parts([0.5, 0.5], [0.6, 0.1]) == pytest.approx([0.0, 4.5])


def test_the_proposal_gives_what_usage_leaves_of_the_weight() -> None:
    assert PROPOSAL.parts([0.5, 0.5], [0.4, 0.2]) == pytest.approx([0.1, 0.3])
    assert divide(16, PROPOSAL, claims((1, 0.4), (1, 0.2))) == [4, 12]
    assert divide(16, PROPOSAL, claims((1, 0.7), (1, 0.2))) == [0, 16]


def test_without_usage_the_proposal_gives_by_weight() -> None:
    assert divide(12, PROPOSAL, claims((1, 0), (3, 0))) == [3, 9]


def test_where_usage_leaves_nothing_those_that_used_exactly_their_weight_share() -> None:
    assert divide(12, PROPOSAL, claims((1, 0.25), (3, 0.75))) == [3, 9]
    assert divide(8, PROPOSAL, claims((2, 1.0))) == [8]
    assert divide(8, PROPOSAL, claims((1, 0.1 + 0.2), (1, 0.5))) == [8, 0]


def test_where_all_used_more_than_their_weight_nobody_gets_more_than_a_quota() -> None:
    assert divide(8, PROPOSAL, claims((1, 0.6), (1, 0.6))) == [0, 0]


def test_k_has_no_part_in_the_proposal() -> None:
    of = claims((1, 0.4), (2, 0.2), (3, 0.1))
    assert len({tuple(divide(60, Formula(k, TimeAware.PROPOSAL), of)) for k in EVERY_K}) == 1


@given(
    st.integers(1, 10**6),
    st.lists(
        st.tuples(st.integers(1, 9).map(float), st.integers(0, 100).map(lambda n: n / 100)), min_size=1, max_size=6
    ),
)
def test_the_proposal_is_the_limit_for_large_k(total: int, pairs: list[tuple[float, float]]) -> None:
    weights = sum(weight for weight, _ in pairs)
    normal, usage = [weight / weights for weight, _ in pairs], [used for _, used in pairs]
    close = [n for n, u in zip(normal, usage, strict=True) if n != u and abs(n - u) < 1e-6]
    large, limit = (formula.parts(normal, usage) for formula in (Formula(1e12), PROPOSAL))
    if close or any(math.isclose(n, u, rel_tol=1e-9) and n != u for n, u in zip(normal, usage, strict=True)):
        return
    assert (sum(large) == 0) == (sum(limit) == 0)
    if sum(limit):
        shares = [[total * part / sum(parts) for part in parts] for parts in (large, limit)]
        assert shares[0] == pytest.approx(shares[1], rel=1e-5, abs=1e-3)


def test_an_infinite_k_gives_nothing_beyond_quotas_as_in_kai() -> None:
    given_quota = QueueClaim("a", 100, 0, 2.0, -1.0, 1.0, 20.0, 0.1)
    assert divide(10, Formula(math.inf), [given_quota, *claims((1, 0.5), (1, 0.9))]) == [2, 0, 0]


def queue(name: str, weight: float) -> Queue:
    nothing = Resources(0.0, 0.0, 0.0)
    key = ObjectKey("scheduling.run.ai", "Queue", "", name)
    return Queue(
        name, "", 100, 0, Deserved(nothing), MaxAllowed(Resources(-1, -1, -1)), Resources(0.0, 0.0, weight), key=key
    )


def state(past: PastUsage | None, time_aware: TimeAware = TimeAware.PROPOSAL) -> KaiState:
    return KaiState(
        queues={name: queue(name, 1.0) for name in ("a", "b")},
        nodes=(Node("n", Resources(0.0, 0.0, 8.0), 100, None, None, frozenset()),),
        shards=(Shard(time_aware=time_aware),),
        usage={"a": Resources(0.0, 0.0, 0.375), "b": Resources(0.0, 0.0, 0.125)},
        past=past,
    )


def rounds(of: KaiState) -> list[Step]:
    """The rounds of queue b's GPUs."""
    (share,) = (s for s in derive(with_endless_requests(open_session(of)), "b").steps if s.operand("resource") == "gpu")
    return [part for part in share.rests_on if isinstance(part, Step) and part.law in (Law.ROUND, Law.PROPOSAL_ROUND)]


def test_the_derivation_names_the_formula() -> None:
    (proposed,) = rounds(state(None))
    assert proposed.law is Law.PROPOSAL_ROUND
    assert [proposed.operand(name) for name in ("normal", "usage", "part", "parts", "fair")] == [
        0.5,
        0.125,
        0.375,
        0.5,
        6.0,
    ]
    with pytest.raises(KeyError):
        proposed.operand("k")
    (plain,) = rounds(state(None, TimeAware.KAI))
    assert (plain.law, plain.operand("k"), plain.operand("part")) == (Law.ROUND, 1.0, 0.875)


def test_the_derivation_cites_the_line_that_tells_usage() -> None:
    place = Place(ObjectKey("fairshare.dev", "Usage", "", "u.yaml"), ("b", "gpu"))
    (step,) = rounds(state(PastUsage(("u.yaml",), places={("b", "gpu"): place})))
    assert Fact(place, 0.125) in step.rests_on


def test_the_derivation_shows_the_sums_that_a_server_told() -> None:
    used = {"a": Resources(0.0, 0.0, 3.0), "b": Resources(0.0, 0.0, 1.0)}
    counted = Counted(UsageParams(), 0, 1, used, Resources(1.0, 1.0, 8.0))
    (step,) = rounds(state(PastUsage(("http://p",), counted)))
    (found,) = (part for part in step.rests_on if isinstance(part, Step))
    assert found.law is Law.USAGE
    assert dict(found.operands) == {"resource": "gpu", "queue": "b", "used": 1.0, "offered": 8.0, "usage": 0.125}


def test_sums_that_an_option_overrides_are_not_shown() -> None:
    counted = Counted(UsageParams(), 0, 1, {"b": Resources(0.0, 0.0, 3.0)}, Resources(1.0, 1.0, 8.0))
    (step,) = rounds(state(PastUsage(("http://p", "--usage b=gpu=0.125"), counted)))
    assert not [part for part in step.rests_on if isinstance(part, Step)]


def test_a_shard_says_which_formula() -> None:
    assert formula_of(Shard(k=3.0)) == Formula(3.0)
    assert formula_of(Shard(time_aware=TimeAware.PROPOSAL)) == PROPOSAL
