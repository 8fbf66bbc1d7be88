"""Reclaim: who may, from whom, and which victims are fair."""

import math

import pytest

from kubectl_fairshare.schedulers.kai.fairness import saturation
from kubectl_fairshare.schedulers.kai.model.objects import Phase, Resources, Shard
from kubectl_fairshare.schedulers.kai.reclaim.min_runtime import reclaim_min_runtime
from kubectl_fairshare.schedulers.kai.reclaim.reclaim import (
    asker_of,
    can_reclaim,
    candidates,
    fair_over_map_orders,
    takes,
)
from kubectl_fairshare.schedulers.kai.reclaim.validator import Compared
from kubectl_fairshare.schedulers.kai.session.gates import Refusal, gate
from kubectl_fairshare.schedulers.kai.session.job_order import taken_up, victims_in_order
from kubectl_fairshare.schedulers.kai.session.queue_order import Contender, OrderKey, ranked
from kubectl_fairshare.schedulers.kai.session.session import Session
from tests.unit.schedulers.kai.build import group, pod, queue, session


def gpu(amount: float) -> Resources:
    return Resources(0.0, 0.0, amount)


def test_limits_come_before_quotas_and_the_leaf_before_its_parent() -> None:
    found = session([queue("top", limit=1), queue("leaf", "top", limit=5)])
    chain = found.chain("leaf")
    exceeded = gate(chain, gpu(2), preemptible=False)
    assert exceeded is not None
    assert (exceeded.reason, exceeded.queue, exceeded.resource) == (Refusal.OVER_LIMIT, "top", "gpu")
    exceeded = gate(chain, gpu(1), preemptible=False)
    assert exceeded is not None
    assert (exceeded.reason, exceeded.queue) == (Refusal.OVER_QUOTA, "leaf")
    assert gate(chain, gpu(1), preemptible=True) is None


def test_what_is_not_asked_for_violates_no_gate() -> None:
    found = session([queue("q", limit=0)])
    assert gate(found.chain("q"), gpu(0), preemptible=False) is None


def two(**shard: float) -> Session:
    """Queue a holds all 8 GPUs in four jobs; b, of the same weight, waits for 2."""
    groups = [group(f"run{i}", "a", created=i) for i in range(4)] + [group("wait", "b")]
    pods = [pod(f"run{i}", 0, 2) for i in range(4)] + [pod("wait", 0, 2, phase=Phase.PENDING)]
    return session([queue("a"), queue("b")], groups, pods, shard=Shard(**shard))  # type: ignore[arg-type]


def test_a_queue_within_its_share_may_reclaim_from_one_above_it() -> None:
    found = two()
    asker = asker_of(found.jobs["wait"])
    assert can_reclaim(found, asker)
    assert [job.name for job in candidates(found, asker)] == ["run0", "run1", "run2", "run3"]


def test_the_youngest_job_of_the_same_priority_goes_first() -> None:
    found = two()
    order = victims_in_order(found, list(candidates(found, asker_of(found.jobs["wait"]))))
    assert [job.name for job in order.value] == ["run3", "run2", "run1", "run0"]
    assert order.defined


def test_a_queue_at_its_share_gives_nothing_more() -> None:
    found = two()
    asker = asker_of(found.jobs["wait"])
    shares = {name: s.fair_share.gpu for name, s in found.standings.items()}
    assert shares == {"a": 6, "b": 2}
    one = {"run3": found.jobs["run3"].active}
    assert takes(found, asker, one)[1].allowed
    verdict = takes(found, asker, {**one, "run2": found.jobs["run2"].active})[1]
    assert not verdict.allowed
    assert [judged.allowed for judged in verdict.judged] == [True, False]


def test_a_job_beyond_the_share_of_its_queue_may_not_reclaim() -> None:
    found = session(
        [queue("a", quota=8), queue("b")],
        [group("run", "a"), group("wait", "b")],
        [pod("run", 0, 8), pod("wait", 0, 1, phase=Phase.PENDING)],
    )
    assert not can_reclaim(found, asker_of(found.jobs["wait"]))


def families_at_odds(held: float) -> Session:
    """Of 8 GPUs x and y have a fair share of 4 each; the leaf below x, of quota 6, holds 4, that below y ``held``."""
    queues = [queue("x"), queue("xa", "x", quota=6), queue("y"), queue("ya", "y")]
    groups = [group("held", "xa"), group("one", "ya"), group("rest", "ya"), group("wait", "xa")]
    pods = [pod("held", 0, 4), pod("one", 0, 1), pod("rest", 0, held - 1), pod("wait", 0, 1, phase=Phase.PENDING)]
    return session(queues, groups, pods)


def test_a_side_above_its_share_must_stay_behind_its_sibling() -> None:
    for held, theirs, allowed in ((5, 1.0, False), (6, 1.25, False), (7, 1.5, True)):
        found = families_at_odds(held)
        asker = asker_of(found.jobs["wait"])
        assert can_reclaim(found, asker)
        verdict = takes(found, asker, {"one": found.jobs["one"].active})[1]
        last = verdict.compared[-1]
        assert isinstance(last, Compared)
        assert (last.queue, last.sibling, last.ours, last.theirs) == ("x", "y", 1.25, theirs)
        assert verdict.allowed is allowed


@pytest.mark.parametrize(("held", "share", "wanted"), [(2, 4, 0.5), (2, 0, math.inf), (0, 0, 0.0), (5, -1, 0.0)])
def test_saturation_knows_no_share_and_no_bound(held: float, share: float, wanted: float) -> None:
    assert saturation(held, share) == wanted


def families(by_queue: bool = False) -> Session:
    queues = [
        queue("a", reclaim_min_runtime=10),
        queue("a1", "a", reclaim_min_runtime=20),
        queue("a2", "a"),
        queue("b"),
        queue("b1", "b"),
    ]
    return session(queues, shard=Shard(reclaim_min_runtime=5, by_queue=by_queue))


def test_min_runtime_comes_from_below_the_common_ancestor() -> None:
    found = families()
    assert reclaim_min_runtime(found, "a2", "a1") == (20, "a1")
    assert reclaim_min_runtime(found, "a1", "a2") == (10, "a")
    assert reclaim_min_runtime(found, "b1", "a1") == (10, "a")
    assert reclaim_min_runtime(found, "a1", "b1") == (5, "")
    assert reclaim_min_runtime(families(by_queue=True), "b1", "a1") == (20, "a1")


def test_a_job_is_safe_until_its_min_runtime_is_over() -> None:
    groups = [group("run", "a", minimum=1, last_start=100), group("wait", "b")]
    pods = [pod("run", 0, 8), pod("wait", 0, 2, phase=Phase.PENDING)]
    for now, safe in ((109, True), (110, False)):
        found = session([queue("a"), queue("b")], groups, pods, shard=Shard(reclaim_min_runtime=10), now=now)
        assert ([j.name for j in candidates(found, asker_of(found.jobs["wait"]))] == []) is safe


def test_an_elastic_job_may_lose_what_is_above_its_minimum() -> None:
    groups = [group("run", "a", minimum=1, last_start=100), group("wait", "b")]
    pods = [pod("run", 0, 3), pod("run", 1, 5), pod("wait", 0, 2, phase=Phase.PENDING)]
    found = session([queue("a"), queue("b")], groups, pods, shard=Shard(reclaim_min_runtime=10), now=105)
    job, asker = found.jobs["run"], asker_of(found.jobs["wait"])
    assert [j.name for j in candidates(found, asker)] == ["run"]
    assert takes(found, asker, {"run": job.active[:1]})[0]
    assert not takes(found, asker, {"run": job.active})[0]


def key(left: Contender, right: Contender) -> tuple[bool, OrderKey]:
    return ranked(Resources(1e6, 1e12, 8.0), left, right)


def test_each_key_of_the_queue_order_decides_in_turn() -> None:
    found = session(
        [queue("a", quota=4), queue("b"), queue("c", priority=200), queue("d", created=5), queue("e", weight=0)],
        [group("ra", "a"), group("rb", "b")],
        [pod("ra", 0, 1), pod("rb", 0, 1)],
    )
    side = {name: Contender(standing, gpu(1)) for name, standing in found.standings.items()}
    assert key(side["a"], side["b"]) == (True, OrderKey.STARVED)
    assert key(side["c"], side["b"]) == (True, OrderKey.PRIORITY)
    assert key(side["b"], side["d"]) == (True, OrderKey.NO_SHARE)
    assert key(side["d"], side["e"]) == (False, OrderKey.AGE)
    assert key(side["e"], side["d"]) == (True, OrderKey.AGE)


def test_jobs_are_taken_up_by_queue_then_by_priority_and_age() -> None:
    groups = [group("old", "a", created=1), group("young", "a", created=2), group("other", "b", created=0)]
    pods = [pod(name, 0, 1, phase=Phase.PENDING) for name in ("old", "young", "other")]
    found = session([queue("a", priority=200), queue("b")], groups, pods)
    assert [job.name for job in taken_up(found).value] == ["old", "young", "other"]


def test_no_job_is_taken_up_beyond_the_depth_of_its_queue() -> None:
    groups = [group(name, "a", created=i) for i, name in enumerate("abc")]
    found = session([queue("a")], groups, [pod(name, 0, 1, phase=Phase.PENDING) for name in "abc"])
    assert [job.name for job in taken_up(found, depth=1).value] == ["a"]
    assert taken_up(found, depth=0).value == ()


def sides() -> Session:
    """Side ``a`` has 4 GPUs of its own and holds 6, 1 in ``one`` and 5 in ``two``; ``b`` waits for one of its 4."""
    queues = [queue("a", quota=4), queue("one", "a"), queue("two", "a"), queue("b", quota=4)]
    groups = [group("small", "one"), group("large", "two"), group("wait", "b")]
    pods = [pod("small", 0, 1), pod("large", 0, 5), pod("wait", 0, 1, phase=Phase.PENDING)]
    return session(queues, groups, pods)


@pytest.mark.parametrize("names", [("small", "large"), ("large", "small")])
def test_victims_that_only_one_order_of_their_queues_lets_go_are_left_to_chance(names: tuple[str, str]) -> None:
    found = sides()
    asker = asker_of(found.jobs["wait"])
    losses = {name: found.jobs[name].active for name in names}
    agreed = fair_over_map_orders(found, asker, losses)
    assert not agreed.defined
    assert agreed.value is takes(found, asker, losses)[1].allowed is (names[0] == "small")


def test_victims_of_one_queue_are_fair_in_every_order_where_they_are_alike() -> None:
    found = two()
    losses = {name: found.jobs[name].active for name in ("run3", "run2")}
    assert fair_over_map_orders(found, asker_of(found.jobs["wait"]), losses).defined
