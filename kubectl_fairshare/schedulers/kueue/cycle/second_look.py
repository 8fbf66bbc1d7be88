"""The second look of a cycle: whether a head still fits next to what earlier heads took, and what it gets if not.

A head that is alone in its cycle gets it as well: its pods may have no place though quota suffices.
Why quota is checked first: where an earlier head took the quota, another place is of no use; only where quota fits and
the nodes are taken does Kueue look for places again.
Source: ``updateAssignmentIfNeeded``, ``fits`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/scheduler.go; "cycle" in ``docs/laws.md``.
Tested in ``tests/unit/schedulers/kueue/cycle/test_cycle.py``.
"""

from collections.abc import Iterable

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination, Nominator
from kubectl_fairshare.schedulers.kueue.cycle.order import assignment_of, queue_of, quota_usage
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Mode
from kubectl_fairshare.schedulers.kueue.flavors.search import NOTHING_TRIED
from kubectl_fairshare.schedulers.kueue.model.workload import Usage
from kubectl_fairshare.schedulers.kueue.preemption.targets import Target
from kubectl_fairshare.schedulers.kueue.topology.occupancy import GIVES_BACK, Occupancy
from kubectl_fairshare.schedulers.kueue.tree.ledger import Ledger
from kubectl_fairshare.schedulers.kueue.tree.reach import fits
from kubectl_fairshare.schedulers.kueue.tree.state import State


class SharedNodes(Value):
    """What earlier heads of all trees took of the nodes, and the workloads that leave for them."""

    occupancy: Occupancy
    leaving: list[Target] = field(default_factory=list)

    def without(self, targets: Iterable[Target]) -> Occupancy:
        """The nodes without those that leave, and without ``targets``."""
        return self.occupancy.changed((p for t in (*self.leaving, *targets) for p in t.holder.freed), GIVES_BACK)


class Progress(Value):
    """What the earlier heads of one tree took: their usage, and the victims that leave for them.

    ``left`` is ``ledger`` without those victims. It is updated in place as long as the order of additions and
    removals does not matter (``plain``). The order matters once some usage may become unlimited, or is taken from a
    queue alone; then ``left`` is computed again for each head. ``nodes`` are shared by all trees.
    """

    ledger: Ledger
    left: Ledger
    plain: bool
    nodes: SharedNodes
    leaving: dict[ObjectKey, Target] = field(default_factory=dict)

    def without_leaving(self) -> Ledger:
        """The ledger without the victims of earlier heads."""
        return self.left if self.plain else without_targets(self.ledger, self.leaving.values())

    def add(self, queue: int, usage: Usage) -> None:
        """Adds what a head takes, or quota that is reserved for it."""
        before, self.ledger = self.ledger, self.ledger.plus(queue, usage)
        self.plain = self.plain and all(amount >= 0 for amount in usage.values())
        if self.plain:
            self.left = self.ledger if self.left is before else self.left.plus(queue, usage)


def second_look(state: State, nomination: Nomination) -> Nomination:
    """The outcome of the nomination of a head that is alone in its cycle.

    One whose pods have no place is made anew in the flavors of the first, with fewer pods if it may shrink. A flavor
    that came first and has quota, but no room, is then left out.
    """
    if not nomination.placements:
        return nomination
    alone = Progress(state.ledger, state.ledger, plain=True, nodes=SharedNodes(state.occupancy))
    return checked(state, alone, nomination)[0]


def checked(state: State, progress: Progress, nomination: Nomination) -> tuple[Nomination, bool, Ledger, bool]:
    """The nomination, whether it fits next to the earlier heads, the ledger without all that leave, and if it waits.

    It is made anew, from the same flavors, where quota fits and a place has been taken meanwhile; or, if so
    configured, where its targets leave for an earlier head: without these, and what then fits waits for them.
    """
    fitting, left = _quota_fits(progress, nomination)
    overlaps = any(t.holder.key in progress.leaving for t in nomination.leaving)
    if overlaps and state.configuration.recomputed_overlap:
        leaving = [t.holder for t in progress.leaving.values()]
        nodes = progress.nodes.occupancy.changed((p for h in leaving for p in h.freed), GIVES_BACK)
        # All that leaves for earlier heads is taken as gone: what fits then is a DeferredFit, and waits for it.
        projected = state.with_usage(progress.ledger, nodes).without(leaving)
        nomination = _nominated_anew(projected, nomination)
        fitting, left = _quota_fits(progress, nomination)
        return nomination, fitting and _places_fit(progress, nomination), left, nomination.mode is Mode.FIT
    if not nomination.placements or not fitting:
        return nomination, fitting, left, False
    placed = _places_fit(progress, nomination)
    if placed or not state.configuration.recomputed_places:
        return nomination, placed, left, False
    nomination = _nominated_anew(state.with_usage(progress.ledger, progress.nodes.occupancy), nomination)
    fitting, left = _quota_fits(progress, nomination)
    return nomination, fitting and _places_fit(progress, nomination), left, False


def _nominated_anew(state: State, nomination: Nomination) -> Nomination:
    """The head nominated again, on what earlier heads have left, in the flavors of its first nomination."""
    flavors = {p.name: {r: f for r, (f, _) in p.flavors.items()} for p in assignment_of(nomination).pod_sets}
    queue, workload = queue_of(nomination), nomination.workload
    # From the first flavor on, but only in those of the first nomination: a head does not change flavors within a
    # cycle.
    return Nominator(state, queue, workload, NOTHING_TRIED, flavors, nomination.second).nominate()


def _quota_fits(progress: Progress, nomination: Nomination) -> tuple[bool, Ledger]:
    left = without_targets(progress.without_leaving(), _further(progress, nomination))
    if nomination.assignment is None or nomination.queue is None:
        return False, left
    return fits(left, nomination.queue, quota_usage(nomination), borrowing=True), left


def _places_fit(progress: Progress, nomination: Nomination) -> bool:
    return progress.nodes.without(_further(progress, nomination)).fits(nomination.placements)


def _further(progress: Progress, nomination: Nomination) -> list[Target]:
    """Those of the head's targets that do not leave for an earlier head."""
    # One that two heads want leaves once.
    return [t for t in nomination.leaving if t.holder.key not in progress.leaving]


def without_targets(ledger: Ledger, leaving: Iterable[Target]) -> Ledger:
    """The ledger without the targets, taken out one after another."""
    for target in leaving:
        ledger = ledger.minus(target.queue, target.holder.usage)
    return ledger
