"""Reclaim: who may, from whom, and which victims are fair in every order of KAI's maps."""

import pytest

from kubectl_fairshare.schedulers.kai.model.objects import Phase, Shard
from kubectl_fairshare.schedulers.kai.reclaim.reclaim import (
    asker_of,
    can_reclaim,
    candidates,
    fair_over_map_orders,
    takes,
)
from kubectl_fairshare.schedulers.kai.session.session import Session
from tests.unit.schedulers.kai.build import group, pod, queue, session


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
