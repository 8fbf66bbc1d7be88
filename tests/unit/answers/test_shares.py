"""The walk through a tree of queues."""

from kubectl_fairshare.answers.counts import NO_WORK, QueueCounts, QueueWork, own_counts, total_counts
from kubectl_fairshare.answers.shares import AnyQueue, QueueNode
from kubectl_fairshare.model.location import ObjectKey


def node(name: str, *children: AnyQueue) -> AnyQueue:
    return QueueNode(ObjectKey("", "Queue", "", name), (), NO_WORK, None, children=children)


def test_parents_come_before_their_children_and_siblings_keep_their_order() -> None:
    tree = node("root", node("a", node("a1"), node("a2")), node("b"))
    assert [each.key.name for each in tree] == ["root", "a", "a1", "a2", "b"]


def test_a_tree_deeper_than_pythons_stack_is_walked() -> None:
    tree = node("leaf")
    for depth in range(5_000):
        tree = node(f"n{depth}", tree)
    assert sum(1 for _ in tree) == 5_001


def test_what_waits_and_runs_adds_up_to_the_top() -> None:
    both, runs, waits = QueueWork(True, True), QueueWork(True, False), QueueWork(False, True)
    own = own_counts([("a", both), ("b", runs), ("a", waits)])
    assert own == {"a": QueueCounts(1, 2), "b": QueueCounts(1, 0)}
    assert total_counts(NO_WORK, own.values()) == QueueCounts(2, 2)


def test_the_oldest_that_waits_is_known_of_all_that_have_a_time() -> None:
    day = 86_400 * 1_000_000_000
    work = [QueueWork(False, True, 3 * day), QueueWork(False, True, 2 * day), QueueWork(True, False, day)]
    own = own_counts([("a", each) for each in work] + [("a", QueueWork(False, True))])
    assert own["a"].oldest_pending == "1970-01-03T00:00:00Z"
