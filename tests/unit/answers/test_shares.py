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
