"""The requests that make a workload borrow: those whose level is that of the whole assignment.

Tested in ``tests/unit/cli/commands/test_need_parts.py``.
"""

from collections.abc import Iterator

from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination
from kubectl_fairshare.schedulers.kueue.explain.decision import Borrowed
from kubectl_fairshare.schedulers.kueue.tree.reach import reach
from kubectl_fairshare.schedulers.kueue.tree.state import State


def borrowed_requests(state: State, nomination: Nomination) -> Iterator[Borrowed]:
    """The requests of the assignment's own borrowing level, once its victims have left; none if it borrows nothing.

    None either where the level is that of a search for the victims of one request, which took others.
    """
    assignment, queue = nomination.assignment, nomination.queue
    if assignment is None or queue is None or not assignment.borrowing:
        return
    ledger = state.ledger
    for target in nomination.search.targets if nomination.search is not None else ():
        ledger = ledger.minus(state.forest.queue_ids[target.holder.cluster_queue], target.holder.usage)
    for pair, needed in sorted(assignment.usage.items()):
        if reach(ledger, queue, pair, needed).level == assignment.borrowing:
            yield Borrowed(pair, needed, ledger.usage(queue, pair), state.forest.subtree(queue, pair))
