"""What preemption searches share: which workloads are candidates, what a search yields, and putting back.

Source: Kueue v0.19; "targets" in ``docs/laws.md``.
"""

from collections.abc import Callable, Iterator
from dataclasses import field
from typing import NamedTuple, Protocol, TypeAlias

from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.kueue.laws import (
    Law,
    PreemptionReason,
    Preemptor,
    Share,
    policy_allows,
    policy_towards,
)
from kubectl_fairshare.schedulers.kueue.model.workload import Holder
from kubectl_fairshare.schedulers.kueue.tree.headroom import Headroom
from kubectl_fairshare.schedulers.kueue.tree.ledger import Ledger
from kubectl_fairshare.schedulers.kueue.tree.state import State


class Trial(NamedTuple):
    """One candidate looked at: whether it was taken, by which law, and the shares that were compared.

    ``at`` are the nodes compared (the preemptor's side, the candidate's side), ``mine`` the share there with
    the preemptor, ``theirs`` the share that it was compared with.
    """

    holder: Holder
    queue: int
    law: Law
    taken: bool
    at: tuple[int, int] | None = None
    mine: Share | None = None
    theirs: Share | None = None


class Target(NamedTuple):
    """A workload to preempt, and the trial that decided it."""

    holder: Holder
    queue: int
    reason: PreemptionReason
    trial: Trial


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search. ``targets`` is empty when nothing that may be taken is enough.

    ``trials`` are all candidates looked at in order, ``put_back`` those that turned out unnecessary,
    ``ties`` the nodes between which Kueue's own choice is not defined. ``hopeless``: the search gave up
    early, because without any workload of the queues that may be asked there would still be no room.
    ``left`` is the ledger without the targets, None where the search does not know it exactly.
    ``candidates``: there were candidates at all.
    """

    targets: tuple[Target, ...] = ()
    trials: tuple[Trial, ...] = ()
    put_back: tuple[Target, ...] = ()
    ties: tuple[tuple[int, ...], ...] = ()
    hopeless: bool = False
    left: Ledger | None = field(default=None, compare=False, repr=False)
    candidates: bool = True


class Candidates:
    """Whom a preemptor may take: workloads that its policies allow and that hold something short."""

    __slots__ = ("_lacks_short", "_policies", "_preemptor", "_state")

    def __init__(self, state: State, preemptor: Preemptor) -> None:
        self._state = state
        self._preemptor = preemptor
        self._policies = state.forest.nodes[preemptor.queue].queue.preemption
        self._lacks_short = preemptor.short.isdisjoint

    def of(self, queue: int) -> Iterator[Holder]:
        """The queue's candidates in candidate order, even those that hold 0 of what is short."""
        policy = policy_towards(self._policies, own=queue == self._preemptor.queue)
        if policy == "Never" or not self._state.is_active(queue):
            return
        for holder in self._state.holders.of(queue):
            if not self._lacks_short(holder.usage) and policy_allows(policy, self._preemptor, holder):
                yield holder


def may_be_asked(state: State, preemptor: Preemptor, queue: int) -> bool:
    """The preemptor's queue, and every queue of the tree that exceeds its quota of something short, may."""
    return queue == preemptor.queue or not state.ledger.is_within(queue, preemptor.short)


class Grounds(Protocol):
    """The nodes in a search, where the preemptor's pods are placed by topology."""

    def leave(self, holder: Holder) -> None:
        """Takes the workload's pods off the nodes."""

    def come_back(self, holder: Holder) -> None:
        """Puts them where they were."""

    def hold(self) -> bool:
        """Whether the preemptor's pods have a place now."""


MakeGrounds: TypeAlias = Callable[[], Grounds]


def has_place(grounds: Grounds | None) -> bool:
    """Whether the preemptor's pods have a place now; where nodes do not count, they do."""
    return grounds is None or grounds.hold()


def put_back(
    ledger: Ledger, room: Headroom, targets: list[Target], grounds: Grounds | None
) -> tuple[list[Target], list[Target], Ledger]:
    """The targets that are needed, those that are not, and the ledger without the former.

    Walks back from the last but one. ``ledger`` is without all targets and without the preemptor, and so are the
    ``grounds``. A target that is put back leaves its place in the list to the last one.
    """
    needed = list(targets)
    spared = []
    for i in range(len(needed) - 2, -1, -1):
        target = needed[i]
        if room.fits_beside(ledger, target.queue, target.holder.usage) and _has_place_beside(grounds, target.holder):
            ledger = ledger.plus(target.queue, target.holder.usage)
            needed[i] = needed[-1]
            needed.pop()
            spared.append(target)
    return needed, spared, ledger


def _has_place_beside(grounds: Grounds | None, holder: Holder) -> bool:
    """Whether the preemptor has a place beside the workload, which then stays."""
    if grounds is None:
        return True
    grounds.come_back(holder)
    if grounds.hold():
        return True
    grounds.leave(holder)
    return False
