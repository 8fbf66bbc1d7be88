"""The order in which jobs are taken up, and victims."""

from kubectl_fairshare.schedulers.kai.model.objects import Phase, Shard
from kubectl_fairshare.schedulers.kai.reclaim.reclaim import (
    asker_of,
    candidates,
)
from kubectl_fairshare.schedulers.kai.session.job_order import taken_up, victims_in_order
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
