"""How long jobs are safe from reclaim, and what elastic ones may lose."""

from kubectl_fairshare.schedulers.kai.model.objects import Phase, Shard
from kubectl_fairshare.schedulers.kai.reclaim.min_runtime import reclaim_min_runtime
from kubectl_fairshare.schedulers.kai.reclaim.reclaim import (
    asker_of,
    candidates,
    takes,
)
from kubectl_fairshare.schedulers.kai.session.session import Session
from tests.unit.schedulers.kai.build import group, pod, queue, session


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
