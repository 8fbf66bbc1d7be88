"""The order in which jobs are taken up, and victims."""

from kubectl_fairshare.schedulers.kai.map_orders import Walk
from kubectl_fairshare.schedulers.kai.model.objects import Phase, Queue, Shard
from kubectl_fairshare.schedulers.kai.reclaim.reclaim import (
    asker_of,
    candidates,
)
from kubectl_fairshare.schedulers.kai.session.job_order import QueueWalk, taken_up, victims_in_order
from kubectl_fairshare.schedulers.kai.session.session import Session
from tests.unit.schedulers.kai.build import group, pod, queue, session


def two(**shard: float) -> Session:
    """Queue a holds all 8 GPUs in four jobs; b, of the same weight, waits for 2."""
    groups = [group(f"run{i}", "a", created=i) for i in range(4)] + [group("wait", "b")]
    pods = [pod(f"run{i}", 0, 2) for i in range(4)] + [pod("wait", 0, 2, phase=Phase.PENDING)]
    return session([queue("a"), queue("b")], groups, pods, shard=Shard(**shard))  # type: ignore[arg-type]


def test_the_youngest_job_of_the_same_priority_goes_first() -> None:
    found = two()
    order = victims_in_order(found, list(candidates(found, asker_of(found.jobs["wait"]))))
    assert [job.name for job in order.value] == ["run3", "run2", "run1", "run0"]
    assert order.defined


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


def walked(queues: list[Queue], jobs: dict[str, str], depth: int | None = None) -> tuple[list[str], bool]:
    """The order of waiting jobs, each with its queue, and whether the order of a map is noted to matter."""
    pods = [pod(name, 0, 1, phase=Phase.PENDING) for name in jobs]
    found, maps = session(queues, [group(name, of) for name, of in jobs.items()], pods), Walk()
    order = [job.name for job in QueueWalk(found, found.jobs.values(), depth=depth, maps=maps)]
    assert order == [job.name for job in QueueWalk(found, [*found.jobs.values()][::-1], depth=depth)] or maps.mattered
    return order, maps.mattered


def test_the_order_in_which_jobs_come_matters_for_ties_for_many_queues_and_beyond_the_depth() -> None:
    aged = [queue(name, created=i) for i, name in enumerate("abcd")]
    three = {"one": "c", "two": "b", "three": "a", "four": "b"}
    assert walked(aged[:3], three) == (["four", "two", "three", "one"], False)
    assert walked(aged, {**three, "five": "d"})[1]
    assert walked([queue("a"), queue("b")], {"one": "a", "two": "b"})[1]
    assert not walked([queue("a")], {"one": "a", "two": "a"})[1]
    assert walked([queue("a")], {"one": "a", "two": "a"}, depth=1)[1]
    inner = [queue(name, parent="a", created=i) for i, name in enumerate("xy")]
    assert walked([*aged[:2], *inner], {"one": "x", "two": "y", "three": "b"})[1]
