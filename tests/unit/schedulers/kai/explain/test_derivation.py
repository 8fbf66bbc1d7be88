"""The derivation of a fair share adds up to it."""

import math

import pytest

from kubectl_fairshare.schedulers.kai.explain.derivation import derive
from kubectl_fairshare.schedulers.kai.explain.what_if import with_endless_requests, with_requests, with_usage
from kubectl_fairshare.schedulers.kai.laws import Law
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, Resources
from tests.unit.schedulers.kai.build import queue, session

KNOWN = session(
    [queue("a", quota=1, weight=3), queue("b", quota=2), queue("c", "a"), queue("d", "a", weight=2, priority=50)]
)


@pytest.mark.parametrize("name", ["a", "b", "c", "d"])
def test_the_terms_add_up_to_the_share(name: str) -> None:
    known = with_requests(KNOWN, {"c": {"gpu": 5}, "d": {"gpu": 7}, "b": {"gpu": 9}})
    for r, step in enumerate(derive(known, name).steps):
        share = known.standings[name].fair_share[r]
        assert step.operand("resource") == RESOURCES[r]
        assert step.operand("quota") + step.operand("rounds") == pytest.approx(share)  # type: ignore[operator]


def test_a_child_divides_what_its_parent_got() -> None:
    laws = [part.law for part in derive(KNOWN, "c").steps[2].rests_on if hasattr(part, "law")]
    assert laws[0] is Law.PARENT_SHARE
    laws = [part.law for part in derive(KNOWN, "b").steps[2].rests_on if hasattr(part, "law")]
    assert laws[0] is Law.TOTAL


def test_a_request_of_a_child_is_one_of_its_parent() -> None:
    known = with_requests(KNOWN, {"c": {"gpu": 5}, "d": {"gpu": 7}})
    assert known.standings["a"].request.gpu == 12


def test_endless_demand_gives_out_all() -> None:
    known = with_endless_requests(KNOWN)
    assert known.standings["a"].fair_share.gpu + known.standings["b"].fair_share.gpu == 8


@pytest.mark.parametrize(
    ("requests", "endless", "gpus"),
    [
        ({"c": 0}, True, {"a": math.inf, "b": math.inf, "c": 0, "d": math.inf}),
        ({"a": 0}, True, {"a": 0, "b": math.inf, "c": 0, "d": 0}),
        ({"a": 0, "d": math.inf}, True, {"a": 0, "b": math.inf, "c": 0, "d": math.inf}),
        ({"c": 0, "d": 0}, True, {"a": 0, "b": math.inf, "c": 0, "d": 0}),
        ({"b": math.inf}, False, {"a": 0, "b": math.inf, "c": 0, "d": 0}),
    ],
)
def test_queues_may_be_idle_or_request_without_end(
    requests: dict[str, float], endless: bool, gpus: dict[str, float]
) -> None:
    whole = {name: dict.fromkeys(RESOURCES, amount) for name, amount in requests.items()}
    known = with_requests(KNOWN, whole, endless=endless)
    assert {name: each.request.gpu for name, each in known.standings.items()} == gpus


def test_past_usage_lowers_a_share() -> None:
    known = with_usage(with_endless_requests(KNOWN), {"a": Resources(0.0, 0.0, 0.9)})
    assert known.standings["a"].fair_share.gpu < with_endless_requests(KNOWN).standings["a"].fair_share.gpu
