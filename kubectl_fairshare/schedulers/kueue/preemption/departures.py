"""What the searches for one workload share: ledgers after workloads have left, and the ways that were gone."""

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.kueue.model.workload import Holder
from kubectl_fairshare.schedulers.kueue.preemption.course import Course
from kubectl_fairshare.schedulers.kueue.tree.ledger import Ledger


class Departures:
    """The ledgers that the searches for one workload have come through, and the ``courses`` that they took.

    There are up to seven searches, for each flavor and resource and for the whole, and they take away much
    the same workloads in the same order. A ledger is a value: what follows from it need be made only once,
    and the shares that one search has read in it are known to the next.
    """

    __slots__ = ("_known", "courses")

    def __init__(self) -> None:
        self.courses: list[Course] = []
        self._known: dict[tuple[Ledger, ObjectKey], Ledger] = {}

    def without(self, ledger: Ledger, queue: int, holder: Holder) -> Ledger:
        """The ledger without a workload of ``queue``."""
        step = (ledger, holder.key)
        known = self._known.get(step)
        if known is None:
            known = self._known[step] = ledger.removed(queue, holder.usage)
        return known
