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
from kubectl_fairshare.schedulers.kueue.why.turns import Turns
from kubectl_fairshare.schedulers.kueue.why.verdict import Reason
from kubectl_fairshare.schedulers.kueue.why.waits import Wait

_BY_TURN: Final = (Reason.PENDING_EVALUATION, Reason.WAITING_FOR_QUOTA)
_ADMITS: Final = (Outcome.ADMITTED, Outcome.PREEMPTS)
_Queues = Mapping[str, Sequence[Pending]]


def order_doubts(state: State, decided: Plan, wait: Wait, queues: _Queues, turns: Turns) -> Iterator[Gap]:
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
        yield from _doubts_of_turn(state, decided, queues, turns)


def _doubts_of_turn(state: State, decided: Plan, queues: _Queues, turns: Turns) -> Iterator[Gap]:
    """A cycle takes the heads of all queues of a tree, and each sees what the earlier ones took."""
    queue, name = decided.nomination.queue, decided.nomination.cluster_queue
    found = None if queue is None else turns.open_heads(queue)
    if found is None:
        return
    own = unordered(state, name, queues[name], decided.workload) if name in queues else ()
    for each in sorted({*found, name}):
        if each != name:
            yield found[each]
        elif own:
            yield order_gap(name, (decided.workload, *own))
