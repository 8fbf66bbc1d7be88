"""One session on a state in memory, and the state that it leaves."""

from typing import Any

from kubectl_fairshare.schedulers.kai.session.session import open_session
from kubectl_fairshare.schedulers.kai.solver.moves import PodMoves, after_moves, pod_moves
from tests.unit.schedulers.kai.solver.scenes import job, layer, node, one, pod, queue

QUEUES = [queue("a", 4, created=1), queue("b", 4, created=2)]


def moves(objects: list[Any], *jobs: Any) -> tuple[PodMoves, Any]:
    session = layer(objects, *jobs).ground.session
    found = pod_moves(session)
    return found, open_session(after_moves(session.state, found), session.shard)


def names(pods: Any) -> list[str]:
    return sorted(key.name for key in pods)


def test_bound_pods_run_in_the_next_session_and_hold_what_they_ask_for() -> None:
    found, then = moves([node("n0", 8), *QUEUES], one("a1", "a", 2))
    assert (names(found.bound), names(found.pipelined)) == (["a1-0"], [])
    assert then.standings["a"].allocated.gpu == 2
    assert then.jobs["a1"].group.last_start == then.now
    assert not pod_moves(then).any


def test_an_evicted_pod_waits_again_and_its_evictor_gets_the_room_in_the_next_session() -> None:
    running = [one(name, "a", 2, "n0") for name in ("a0", "a1", "a2")]
    found, then = moves([node("n0", 6), *QUEUES], *running, one("b1", "b", 2))
    assert names(found.evicted) == ["a2-0"]
    assert names(found.pipelined) == ["b1-0"]
    assert {(key.name, by) for key, by in found.evictors.items()} == {("a2-0", "b1")}
    assert set(found.actions.values()) == {"reclaim"}
    assert then.jobs["a2"].pending
    assert then.jobs["a2"].group.last_eviction == then.now
    assert names(pod_moves(then).bound) == ["b1-0"]


def test_a_part_of_a_gpu_stays_the_pods_own() -> None:
    found, then = moves([node("n0", 1), *QUEUES], one("a1", "a", 0.5), one("a2", "a", 0.5), one("a3", "a", 0.5))
    assert len(found.bound) == 2
    assert len({group for groups in found.groups.values() for group in groups}) == 1
    assert not pod_moves(then).any


def test_a_gang_starts_whole_or_not_at_all() -> None:
    gang = job("a1", "a", pod("a1", 0, 1), pod("a1", 1, 1), minMember=2)
    found, _ = moves([node("n0", 1), *QUEUES], gang)
    assert not found.any
