"""Who stands between a job and what it asks for."""

from kubectl_fairshare.schedulers.kai.explain.planning import plan
from kubectl_fairshare.schedulers.kai.model.objects import Phase, Shard
from kubectl_fairshare.schedulers.kai.why.surroundings import SessionOrder
from tests.unit.schedulers.kai.build import group, node, pod, queue, session


def test_a_limit_is_held_by_the_jobs_below_its_queue_alone() -> None:
    queues = [queue("top", limit=4), queue("a", "top"), queue("b", "top"), queue("other")]
    groups = [group("wait", "a"), group("small", "a"), group("large", "b"), group("far", "other")]
    held = [pod("small", 0, 1), pod("large", 0, 3), pod("far", 0, 4)]
    opened = session(queues, groups, [*held, pod("wait", 0, 2, phase=Phase.PENDING)])
    holding = SessionOrder(opened).holding(plan(opened, "wait"))
    assert [(each.job.name, each.amount) for each in holding] == [("large", 3), ("small", 1)]


def test_what_is_not_idle_is_held_by_all() -> None:
    queues = [queue("a", quota=8), queue("b", quota=2)]
    groups = [group("wait", "a"), group("mine", "a"), group("theirs", "b")]
    pods = [pod("mine", 0, 4), pod("theirs", 0, 4), pod("wait", 0, 4, phase=Phase.PENDING)]
    opened = session(queues, groups, pods)
    holding = SessionOrder(opened).holding(plan(opened, "wait"))
    assert [(each.job.name, each.borrows) for each in holding] == [("mine", False), ("theirs", True)]


def test_jobs_of_a_queue_stand_behind_each_other_by_age() -> None:
    groups = [group("young", "a", created=2), group("old", "a", created=1), group("else", "b", created=0)]
    pods = [pod(name, 0, 1, phase=Phase.PENDING) for name in ("young", "old", "else")]
    opened = session([queue("a", quota=4), queue("b", quota=4)], groups, pods)
    turn = SessionOrder(opened).turn(opened.jobs["young"])
    assert turn is not None
    assert (turn.position, turn.of, turn.waiting) == (2, 2, 3)
    assert [key.name for key in turn.ahead] == ["old"]


def test_a_job_that_runs_has_no_turn() -> None:
    opened = session([queue("a", quota=4)], [group("runs", "a")], [pod("runs", 0)])
    assert SessionOrder(opened).turn(opened.jobs["runs"]) is None


def test_min_runtime_protects_until_its_end_those_that_would_be_candidates() -> None:
    queues = [queue("a", quota=4), queue("b", quota=0, reclaim_min_runtime=50)]
    groups = [group("wait", "a"), group("safe", "b", last_start=100), group("free", "b", last_start=10)]
    pods = [pod("safe", 0, 4), pod("free", 0, 4), pod("wait", 0, 4, phase=Phase.PENDING)]
    opened = session(queues, groups, pods, [node(amount=8)], Shard(), now=120)
    safe = SessionOrder(opened).safe(opened.jobs["wait"])
    assert [(each.job.name, each.until, each.source) for each in safe] == [("safe", 150, "b")]
