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
from kubectl_fairshare.schedulers.kueue.why.courses import Courses
from kubectl_fairshare.schedulers.kueue.why.verdict import Reason
from kubectl_fairshare.schedulers.kueue.why.waits import Wait

_BY_TURN: Final = (Reason.PENDING_EVALUATION, Reason.WAITING_FOR_QUOTA)
_ADMITS: Final = (Outcome.ADMITTED, Outcome.PREEMPTS)
_Queues = Mapping[str, Sequence[Pending]]


def order_doubts(state: State, decided: Plan, wait: Wait, queues: _Queues, courses: Courses) -> Iterator[Gap]:
    """The gaps of one answer: who the head of a StrictFIFO queue is, and what those before it leave for it."""
    standing, queue, name = decided.standing, decided.nomination.queue, decided.nomination.cluster_queue
    if standing is None or queue is None or wait.reason not in _BY_TURN:
        return
    if wait.head is not None:
        rivals = unordered(state, name, queues[name], wait.head)
        if rivals:
            yield order_gap(name, (wait.head, *rivals))
        return
    own = (order_gap(name, (decided.workload, *standing.unordered)),) if standing.unordered else ()
    admits = decided.computed in _ADMITS
    others = tuple(gap for gap in courses.open_orders(queue) if gap.subject != name or not own) if admits else ()
    gaps = (*own, *others) if admits or standing.strategy == STRICT else ()
    if gaps and not courses.is_order_free(queue):
        yield from gaps
