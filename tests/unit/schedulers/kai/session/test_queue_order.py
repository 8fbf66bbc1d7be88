"""Which of two sibling queues comes first."""

from kubectl_fairshare.schedulers.kai.model.objects import Resources
from kubectl_fairshare.schedulers.kai.session.queue_order import Contender, OrderKey, ranked
from tests.unit.schedulers.kai.build import group, pod, queue, session


def key(left: Contender, right: Contender) -> tuple[bool, OrderKey]:
    return ranked(Resources(1e6, 1e12, 8.0), left, right)


def test_each_key_of_the_queue_order_decides_in_turn() -> None:
    found = session(
        [queue("a", quota=4), queue("b"), queue("c", priority=200), queue("d", created=5), queue("e", weight=0)],
        [group("ra", "a"), group("rb", "b")],
        [pod("ra", 0, 1), pod("rb", 0, 1)],
    )
    side = {name: Contender(standing, Resources(0.0, 0.0, 1)) for name, standing in found.standings.items()}
    assert key(side["a"], side["b"]) == (True, OrderKey.STARVED)
    assert key(side["c"], side["b"]) == (True, OrderKey.PRIORITY)
    assert key(side["b"], side["d"]) == (True, OrderKey.NO_SHARE)
    assert key(side["d"], side["e"]) == (False, OrderKey.AGE)
    assert key(side["e"], side["d"]) == (True, OrderKey.AGE)
