"""What preemption searches share: who asks, who may be asked, what is found, and putting back.

Source: kueue-decisions "preemption"; "targets" in ``docs/laws.md``.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from kubectl_fairshare.engines.kueue.laws import Law
from kubectl_fairshare.engines.kueue.ledger import Ledger, Share
from kubectl_fairshare.engines.kueue.reach import fits
from kubectl_fairshare.engines.kueue.state import State
from kubectl_fairshare.model.amounts import add
from kubectl_fairshare.model.workload import FlavorResource, Holder, Usage

# How many targets are taken before it is worth asking whether all candidates together would do.
_PATIENCE = 32


class Reason(StrEnum):
    """Why a workload gives way, in Kueue's words, as the condition's reason."""

    IN_CLUSTER_QUEUE = "InClusterQueue"
    RECLAMATION = "InCohortReclamation"
    FAIR_SHARING = "InCohortFairSharing"
    RECLAIM_WHILE_BORROWING = "InCohortReclaimWhileBorrowing"


@dataclass(frozen=True, slots=True)
class Asker:
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

    def wants(self, holder: Holder) -> bool:
        """Whether the candidate's assignment has a short flavor-resource, be it with amount 0."""
        return not self.short.isdisjoint(holder.usage)


@dataclass(frozen=True, slots=True)
class Trial:
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


@dataclass(frozen=True, slots=True)
class Target:
    """A workload that gives way, and the trial that decided it."""

    holder: Holder
    queue: int
    reason: Reason
    trial: Trial


@dataclass(frozen=True, slots=True)
class Search:
    """What a search found. ``targets`` is empty when nothing that may be taken is enough.

    ``trials`` are all candidates looked at in order, ``put_back`` those that turned out unnecessary,
    ``ties`` the nodes between which Kueue's own choice is not defined. ``ceiling`` is, when the search
    gave up early, the ledger without any candidate at all: even that is not enough.
    """

    targets: tuple[Target, ...] = ()
    trials: tuple[Trial, ...] = ()
    put_back: tuple[Target, ...] = ()
    ties: tuple[tuple[int, ...], ...] = ()
    ceiling: Ledger | None = None
    candidates: bool = True


def policy_for(state: State, asker: Asker, queue: int) -> str:
    """The asker's policy towards workloads of ``queue``."""
    policies = state.forest.nodes[asker.queue].queue.preemption
    return policies.within_cluster_queue if queue == asker.queue else policies.reclaim_within_cohort


def candidates_of(state: State, asker: Asker, queue: int) -> Iterator[Holder]:
    """The queue's workloads that policy allows to take and that hold something short, in candidate order."""
    policy = policy_for(state, asker, queue)
    if policy == "Never" or not state.is_active(queue):
        return
    for holder in state.holders.of(queue):
        if asker.wants(holder) and asker.outranks(holder, policy):
            yield holder


def cross_queue_order(holder: Holder) -> tuple[bool, int, int, str]:
    """Candidate order between workloads that are both outside the asker's queue (or both in it)."""
    return (not holder.evicted, holder.priority, -holder.reserved, holder.uid)


def put_back(
    ledger: Ledger, asker: Asker, targets: list[Target], *, borrowing: bool
) -> tuple[list[Target], list[Target]]:
    """The targets that are needed and those that are not, walking back from the last but one.

    ``ledger`` is without all targets and without the asker. A target that is put back leaves its
    place in the list to the last one.
    """
    needed = list(targets)
    spared = []
    for i in range(len(needed) - 2, -1, -1):
        target = needed[i]
        with_it = ledger.added(target.queue, target.holder.usage)
        if fits(with_it, asker.queue, asker.usage, borrowing=borrowing):
            ledger = with_it
            needed[i] = needed[-1]
            needed.pop()
            spared.append(target)
    return needed, spared


class Ceiling:
    """Gives up a search that cannot end well: after some targets, asks once whether all would do."""

    def __init__(self, state: State, asker: Asker, queues: list[int]) -> None:
        self._state = state
        self._asker = asker
        self._queues = queues
        self._taken = 0
        self.ledger: Ledger | None = None

    def is_hopeless(self) -> bool:
        """Counts one more target; whether even all candidates together would not make the asker fit."""
        self._taken += 1
        if self._taken != _PATIENCE:
            return False
        ledger = without_all(self._state, self._asker, self._queues)
        if fits(ledger, self._asker.queue, self._asker.usage, borrowing=True):
            return False
        self.ledger = ledger
        return True


def without_all(state: State, asker: Asker, queues: list[int]) -> Ledger:
    """The ledger without any workload of ``queues`` that the asker's policies allow to take."""
    ledger = state.ledger
    for queue in queues:
        total: dict[FlavorResource, int] = {}
        for holder in candidates_of(state, asker, queue):
            _sum_into(total, holder.usage)
        if total:
            ledger = ledger.removed(queue, total)
    return ledger


def _sum_into(total: dict[FlavorResource, int], usage: Mapping[FlavorResource, int]) -> None:
    for pair, amount in usage.items():
        total[pair] = add(total.get(pair, 0), amount)
