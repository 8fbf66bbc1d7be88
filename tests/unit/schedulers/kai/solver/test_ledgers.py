"""What a node has left while pods come, wait and go."""

from kubectl_fairshare.schedulers.kai.solver.layers import Layer
from kubectl_fairshare.schedulers.kai.solver.ledgers import SharedGpu, free_gpus, idle_gpus, releasing_gpus
from kubectl_fairshare.schedulers.kai.solver.machines import GPU
from kubectl_fairshare.schedulers.kai.solver.views import ListedVictim
from tests.unit.schedulers.kai.solver.scenes import layer, node, one, queue

A = queue("a", 16)


def gpus(state: Layer) -> tuple[float, float]:
    """Idle and releasing whole GPUs of n0."""
    ledger = state.ledgers["n0"]
    return ledger.idle[GPU], ledger.releasing[GPU]


def evicted(first: Layer, name: str) -> Layer:
    above, uid = first.above(), f"u-{name}-0"
    above.evict(ListedVictim(uid), first.pod_states[uid])
    return above


def test_an_evicted_pod_gives_room_that_is_not_idle() -> None:
    first = layer([node("n0", 8), A], one("a1", "a", 4, "n0"), one("b", "a", 4))
    state = evicted(first, "a1")
    assert (gpus(first), gpus(state)) == ((4, 0), (4, 4))
    assert state.standings["a"].allocated.gpu == 0
    state.wait_on("u-b-0", "n0", (), simulated=True)
    assert gpus(state) == (4, 0)
    assert state.standings["a"].allocated.gpu == 4


def test_a_pod_that_comes_back_to_its_node_was_never_gone() -> None:
    first = layer([node("n0", 8), A], one("a1", "a", 4, "n0"))
    state = evicted(first, "a1")
    state.wait_on("u-a1-0", "n0", (), simulated=True)
    assert gpus(state) == gpus(first)
    assert state.pod_states["u-a1-0"].status is first.pod_states["u-a1-0"].status
    assert [one.undone for one in state.trail.evictions] == [True]


def test_a_pod_listed_twice_is_charged_back_twice() -> None:
    first = layer([node("n0", 8), A], one("a1", "a", 4, "n0"))
    state = evicted(first, "a1")
    state.evict(ListedVictim("u-a1-0", 1), first.pod_states["u-a1-0"])
    assert gpus(state) == (4, 4)
    assert state.standings["a"].allocated.gpu == -4


def test_a_stuck_pod_gives_no_room() -> None:
    first = layer([node("n0", 8), A], one("a1", "a", 4, "n0", leaves="2026-08-01T11:00:00Z"))
    assert gpus(first) == (4, 0)


def test_a_shared_gpu_is_whole_again_once_all_its_pods_leave() -> None:
    halves = [one(name, "a", 0.4, "n0", group="g0") for name in ("a1", "a2")]
    first = layer([node("n0", 2), A], *halves)
    assert gpus(first) == (1, 0)
    assert idle_gpus(first.ledgers["n0"])[0] == 1.2
    some = evicted(first, "a1")
    assert gpus(some) == (1, 0)
    assert releasing_gpus(some.ledgers["n0"])[0] == 0.4
    every = some.above()
    every.evict(ListedVictim("u-a2-0"), first.pod_states["u-a2-0"])
    assert gpus(every) == (1, 1)
    assert every.ledgers["n0"].leaving == {"g0"}
    assert free_gpus(every.ledgers["n0"]) == 2.2


def test_a_gpu_becomes_shared_with_its_first_pod() -> None:
    first = layer([node("n0", 2), A], one("b", "a", 0.5))
    state = first.above()
    state.bind("u-b-0", "n0", ("new",))
    assert gpus(state) == (1, 0)
    assert state.ledgers["n0"].shared["new"] == SharedGpu(40950, 0, 40950, bound=True)
    state.unbind("u-b-0")
    assert gpus(state) == (2, 0)


def test_a_dropped_move_to_another_gpu_of_the_node_leaves_a_copy() -> None:
    first = layer([node("n0", 2), A], one("a1", "a", 0.5, "n0", group="g0"))
    state = evicted(first, "a1")
    state.wait_on("u-a1-0", "n0", ("new",), simulated=True)
    left = first.after_dropping(state)
    assert left.ledgers["n0"].shared["g0"] == SharedGpu(81900, 40950, 81900, bound=True)
    assert first.after_dropping(first.above()) is first
