"""Where a workload really stands in its queue."""

import pytest

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.cycle.queues import heads
from kubectl_fairshare.schedulers.kueue.explain.position import queue_position
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.tree.state import State
from tests.unit.schedulers.kueue.build import pending, queue, state

ELSEWHERE = pending("elsewhere", "other", priority=99)


def waiting(strategy: str, *workloads: Pending) -> State:
    return state(queue("a", None, 1, queueing_strategy=strategy), queue("other", None, 1), *workloads, ELSEWHERE)


def place(found: State, name: str) -> tuple[int, int, list[str], str | None] | None:
    """Position, number, who is ahead, and who blocks."""
    (asked,) = [w for w in found.kueue.pending if w.key.name == name]
    it = queue_position(found, asked, "a")
    if it is None:
        return None
    blocker = None if it.blocker is None else it.blocker.key.name
    return it.position, it.of, [w.key.name for w in it.ahead], blocker


LOW, OLD, NEW, TWIN = (
    pending("low", "a", priority=-1, queued=1),
    pending("old", "a", queued=2),
    pending("new", "a", queued=3),
    pending("twin", "a", queued=3),
)


@pytest.mark.parametrize(
    ("name", "position", "ahead"),
    [("old", 1, []), ("new", 2, ["old"]), ("twin", 3, ["old", "new"]), ("low", 4, ["old", "new", "twin"])],
)
@pytest.mark.parametrize("strategy", ["StrictFIFO", "BestEffortFIFO"])
def test_priority_then_age_then_uid(strategy: str, name: str, position: int, ahead: list[str]) -> None:
    blocker = ahead[0] if ahead and strategy == "StrictFIFO" else None

    assert place(waiting(strategy, TWIN, LOW, NEW, OLD), name) == (position, 4, ahead, blocker)


def test_one_who_preempts_goes_first_whatever_the_priority_but_not_past_a_strict_head() -> None:
    preempting = replace(LOW, preempting=True)

    assert place(waiting("BestEffortFIFO", TWIN, preempting, NEW, OLD), "low") == (1, 4, [], None)
    assert place(waiting("BestEffortFIFO", TWIN, preempting, NEW, OLD), "new") == (3, 4, ["low", "old"], None)
    assert heads(waiting("BestEffortFIFO", preempting, OLD))["a"] == preempting
    assert place(waiting("StrictFIFO", preempting, OLD), "low") == (2, 2, ["old"], "old")


def test_who_does_not_wait_stands_nowhere() -> None:
    found = waiting("StrictFIFO", OLD, replace(NEW, active=False))

    assert place(found, "new") is None
    assert place(found, "old") == (1, 1, [], None)


@pytest.mark.parametrize("stop", ["Hold", "HoldAndDrain"])
def test_a_stopped_queue_has_no_head(stop: str) -> None:
    found = state(queue("a", None, 1, stop_policy=stop), OLD)

    assert heads(found) == {}
    assert place(found, "old") is None


def test_the_key_counts_and_not_the_object() -> None:
    found = waiting("StrictFIFO", OLD, NEW)
    other = replace(OLD, key=ObjectKey(OLD.key.group, OLD.key.kind, "elsewhere", OLD.key.name))

    assert queue_position(found, replace(OLD), "a") is not None
    assert queue_position(found, other, "a") is None
