"""What preemption searches share: who asks, who may be asked, what is found, and putting back.

Source: Kueue v0.19; "targets" in ``docs/laws.md``.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from enum import StrEnum
from typing import NamedTuple

from kubectl_fairshare.model.amounts import add
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder, Usage
from kubectl_fairshare.schedulers.kueue.tree.headroom import Headroom
from kubectl_fairshare.schedulers.kueue.tree.ledger import Ledger, Share
from kubectl_fairshare.schedulers.kueue.tree.state import State

# How many targets are taken before it is worth asking whether all of the tree would do, or all that may be asked.
_TREE_PATIENCE = 32
_PATIENCE = 256


class PreemptionReason(StrEnum):
    """Why a workload gives way, in Kueue's words, as the condition's reason."""

    IN_CLUSTER_QUEUE = "InClusterQueue"
    RECLAMATION = "InCohortReclamation"
    FAIR_SHARING = "InCohortFairSharing"
    RECLAIM_WHILE_BORROWING = "InCohortReclaimWhileBorrowing"


@dataclass(frozen=True, slots=True)
class Preemptor:
    """The workload that asks: its queue, its place in the order, its usage.

    ``short`` are the flavor-resources that need preemption, ``usage`` all that must fit.
    """

    queue: int
    priority: int
    queued: int
    short: frozenset[FlavorResource]
    usage: Usage

    def outranks(self, holder: Holder, policy: str) -> bool:
        """The policy test of a candidate: Any, LowerPriority, LowerOrNewerEqualPriority, else nobody."""
        if policy == "Any":
            return True
        if policy == "Never":
            return False
        if self.priority > holder.priority:
            return True
        equal = policy == "LowerOrNewerEqualPriority" and self.priority == holder.priority
        return equal and self.queued < holder.queued


class Trial(NamedTuple):
    """One candidate looked at: whether it was taken, by which law, and the shares that were compared.

    ``at`` are the nodes compared (the asker's side, the candidate's side), ``mine`` the share there with
    the asker, ``theirs`` the share that it was compared with.
    """

    holder: Holder
    queue: int
    law: Law
    taken: bool
    at: tuple[int, int] | None = None
    mine: Share | None = None
    theirs: Share | None = None


class Target(NamedTuple):
    """A workload that gives way, and the trial that decided it."""

    holder: Holder
    queue: int
    reason: PreemptionReason
    trial: Trial


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found. ``targets`` is empty when nothing that may be taken is enough.

    ``trials`` are all candidates looked at in order, ``put_back`` those that turned out unnecessary,
    ``ties`` the nodes between which Kueue's own choice is not defined. ``hopeless``: the search gave up
    early, because without any workload of the queues that may be asked there would still be no room.
    ``left`` is the ledger without the targets, None where the search cannot tell it exactly.
    ``candidates`` tells whether there was anybody to ask.
    """

    targets: tuple[Target, ...] = ()
    trials: tuple[Trial, ...] = ()
    put_back: tuple[Target, ...] = ()
    ties: tuple[tuple[int, ...], ...] = ()
    hopeless: bool = False
    left: Ledger | None = field(default=None, compare=False, repr=False)
    candidates: bool = True


def policy_for(state: State, asker: Preemptor, queue: int) -> str:
    """The asker's policy towards workloads of ``queue``."""
    policies = state.forest.nodes[asker.queue].queue.preemption
    return policies.within_cluster_queue if queue == asker.queue else policies.reclaim_within_cohort


class Candidates:
    """Whom an asker may take: workloads that its policies allow and that hold something short."""

    __slots__ = ("_asker", "_lacks_short", "_others", "_own", "_state")

    def __init__(self, state: State, asker: Preemptor) -> None:
        policies = state.forest.nodes[asker.queue].queue.preemption
        self._state = state
        self._asker = asker
        self._own = policies.within_cluster_queue
        self._others = policies.reclaim_within_cohort
        self._lacks_short = asker.short.isdisjoint

    def of(self, queue: int) -> Iterator[Holder]:
        """The queue's candidates in candidate order, be what they hold 0 of what is short."""
        policy = self._policy(queue)
        for holder in self._state.holders.of(queue) if policy else ():
            if not self._lacks_short(holder.usage) and (policy == "Any" or self._asker.outranks(holder, policy)):
                yield holder

    def first(self, queue: int) -> Holder | None:
        """The first of the queue's candidates."""
        policy = self._policy(queue)
        for holder in self._state.holders.of(queue) if policy else ():
            if not self._lacks_short(holder.usage) and (policy == "Any" or self._asker.outranks(holder, policy)):
                return holder
        return None

    def _policy(self, queue: int) -> str:
        """The asker's policy towards workloads of the queue; empty where it may take nobody."""
        policy = self._own if queue == self._asker.queue else self._others
        return policy if policy != "Never" and self._state.is_active(queue) else ""


def candidates_of(state: State, asker: Preemptor, queue: int) -> Iterator[Holder]:
    """The candidates of one queue; who asks about many makes ``Candidates`` once."""
    return Candidates(state, asker).of(queue)


def cross_queue_order(holder: Holder) -> tuple[bool, int, int, str]:
    """Candidate order between workloads that are both outside the asker's queue (or both in it)."""
    return (not holder.evicted, holder.priority, -holder.reserved, holder.uid)


def put_back(ledger: Ledger, room: Headroom, targets: list[Target]) -> tuple[list[Target], list[Target], Ledger]:
    """The targets that are needed, those that are not, and the ledger without the former.

    Walks back from the last but one. ``ledger`` is without all targets and without the asker. A target
    that is put back leaves its place in the list to the last one.
    """
    needed = list(targets)
    spared = []
    for i in range(len(needed) - 2, -1, -1):
        target = needed[i]
        if room.fits_beside(ledger, target.queue, target.holder.usage):
            ledger = ledger.added(target.queue, target.holder.usage)
            needed[i] = needed[-1]
            needed.pop()
            spared.append(target)
    return needed, spared, ledger


class Patience:
    """Gives up a search that cannot end well: after some targets, asks whether taking everything would do.

    ``may_be_asked`` are the queues that may have candidates.
    """

    def __init__(self, state: State, room: Headroom, may_be_asked: Callable[[], Iterable[int]]) -> None:
        self._state = state
        self._room = room
        self._may_be_asked = may_be_asked
        self._taken = 0
        self.lost = False

    def is_lost(self) -> bool:
        """Counts one more target; whether the asker would not fit even if the queues held nothing at all."""
        self._taken += 1
        if self._taken == _TREE_PATIENCE:
            self.lost = self._exceeds(self._held_by_tree)
        elif self._taken == _PATIENCE:
            queues = tuple(self._may_be_asked())
            self.lost = self._exceeds(lambda pair: self._held_by(queues, pair))
        return self.lost

    def _exceeds(self, held: Callable[[FlavorResource], int]) -> bool:
        """Whether more is missing than is held: no node gains more than what is taken away below its root."""
        return any(held(pair) < missing for pair, missing in self._room.missing(self._state.ledger).items())

    def _held_by_tree(self, pair: FlavorResource) -> int:
        """At least what all workloads of the tree hold: what their queues and cohorts don't bear, the root does."""
        root, forest = self._room.path[-1], self._state.forest
        return add(max(0, self._state.ledger.usage(root, pair)), forest.kept(root, pair))

    def _held_by(self, queues: Iterable[int], pair: FlavorResource) -> int:
        total = 0
        for queue in queues:
            total = add(total, max(0, self._state.ledger.usage(queue, pair)))
        return total
