"""A moment at which a tree is woken is set by the first release, and stays, although no workload waits."""

from kubectl_fairshare.schedulers.kueue.cycle.lines import WaitingLine
from kubectl_fairshare.schedulers.kueue.cycle.motion.alarms import Alarms
from kubectl_fairshare.schedulers.kueue.cycle.motion.trees import WakingTree


def tree(name: str, waiting: int) -> WakingTree:
    line = WaitingLine(name, strict=False)
    line.count = waiting
    return WakingTree([name], [line])


def woken(alarms: Alarms, trees: list[WakingTree], now: int) -> list[int]:
    found = []
    for number in alarms.due(now):
        trees[number].wake()
        found.append(number)
    return found


def test_releases_until_a_tree_is_woken_do_not_put_it_off() -> None:
    trees = [tree("a", 1), tree("b", 1)]
    alarms = Alarms(trees)
    alarms.set(0, 10, 0)
    alarms.set(1, 11, 1)
    alarms.set(0, 15, 5)
    assert alarms.next() == 10
    assert woken(alarms, trees, 10) == [0]
    assert alarms.next() == 11
    alarms.set(0, 20, 10)
    assert woken(alarms, trees, 20) == [1, 0]
    assert alarms.next() is None


def test_a_tree_is_woken_for_a_workload_that_came_after_the_release() -> None:
    trees = [tree("a", 0)]
    alarms = Alarms(trees)
    alarms.set(0, 10, 0)
    assert alarms.next() is None
    trees[0].lines[0].count = 1
    alarms.expect(0)
    alarms.set(0, 15, 5)
    assert alarms.next() == 10
    assert woken(alarms, trees, 10) == [0]
    assert woken(alarms, trees, 15) == []


def test_a_moment_that_passed_while_no_workload_waited_does_not_count() -> None:
    trees = [tree("a", 0)]
    alarms = Alarms(trees)
    alarms.set(0, 10, 0)
    assert alarms.next() is None
    alarms.set(0, 22, 12)
    trees[0].lines[0].count = 1
    assert alarms.next() == 22
    assert woken(alarms, trees, 22) == [0]


def test_moments_that_were_set_before_a_change_stay() -> None:
    trees = [tree("a", 1), tree("b", 1), tree("c", 0)]
    trees[0].wakes, trees[1].wakes, trees[2].wakes = 12, 11, 10
    alarms = Alarms(trees)
    assert alarms.next() == 11
    assert woken(alarms, trees, 12) == [1, 0]
