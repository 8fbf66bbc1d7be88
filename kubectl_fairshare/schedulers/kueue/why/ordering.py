"""Whether the order of workloads that the input does not say can change why one of them waits."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.schedulers.kueue.cycle.queues import STRICT, unordered
from kubectl_fairshare.schedulers.kueue.explain.decision import Plan
from kubectl_fairshare.schedulers.kueue.explain.position import order_gap
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.schedulers.kueue.why.verdict import Reason
from kubectl_fairshare.schedulers.kueue.why.waits import Wait

_BY_TURN: Final = (Reason.PENDING_EVALUATION, Reason.WAITING_FOR_QUOTA)
_ADMITS: Final = (Outcome.ADMITTED, Outcome.PREEMPTS)
_Queues = Mapping[str, Sequence[Pending]]


def order_doubts(state: State, decided: Plan, wait: Wait, queues: _Queues) -> Iterator[Gap]:
    """The gaps of one answer: who the head of a StrictFIFO queue is, and what the heads of a cycle leave for it."""
    standing, name = decided.standing, decided.nomination.cluster_queue
    if standing is None or wait.reason not in _BY_TURN:
        return
    if wait.head is not None:
        others = unordered(state, name, queues[name], wait.head)
        if others:
            yield order_gap(name, (wait.head, *others))
    elif standing.strategy == STRICT and standing.unordered:
        yield order_gap(name, (decided.workload, *standing.unordered))
    elif not standing.ahead and decided.computed in _ADMITS:
        yield from _doubts_of_turn(state, decided, queues)


def _doubts_of_turn(state: State, decided: Plan, queues: _Queues) -> Iterator[Gap]:
    """A cycle takes the heads of all queues of a tree, and each sees what the earlier ones took."""
    queue, name = decided.nomination.queue, decided.nomination.cluster_queue
    if queue is None:
        return
    below = state.forest.queues_below(state.forest.root(queue))
    heads = {each: queues[each] for each in sorted(state.forest.nodes[n].name for n in below) if each in queues}
    for each, waiting in heads.items():
        first = decided.workload if each == name else waiting[0]
        others = unordered(state, each, waiting, first) if len(heads) > 1 else ()
        if others:
            yield order_gap(each, (first, *others))
