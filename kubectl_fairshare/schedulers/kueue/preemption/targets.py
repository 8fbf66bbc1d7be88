"""Parts that preemption searches share: candidates, results, and putting targets back.

Why targets are put back: 4 GPUs are missing, and targets of 1, 1 and 4 are taken in this order. Once the third has
left, the first two were not needed. Why not look for the smallest set: the order of candidates says who is to go
first, and the last target is the one that made the preemptor fit, so it always goes.
Source: ``findCandidates``, ``fillBackWorkloads`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/preemption/preemption.go;
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/preemption/common; "targets" in ``docs/laws.md``.
Tested in ``tests/unit/schedulers/kueue/preemption/test_classical.py``.
"""

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, TypeAlias

from kubectl_fairshare.model.values import ComparedInPart, Value
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

if TYPE_CHECKING:
    from kubectl_fairshare.schedulers.kueue.preemption.failure import FailureGround


class Trial(Value, frozen=True, gc=False):
    """One examined candidate: whether it was taken, by which law, and the compared shares.

    ``at`` are the compared nodes (the preemptor's side, the candidate's side), ``mine`` is the share of the first
    with the preemptor, ``theirs`` the share that it is compared with.
    """

    holder: Holder
    queue: int
    law: Law
    taken: bool
    at: tuple[int, int] | None = None
    mine: Share | None = None
    theirs: Share | None = None


class Target(Value, frozen=True, gc=False):
    """A workload to preempt, and the trial that decided it."""

    holder: Holder
    queue: int
    reason: PreemptionReason
    trial: Trial


class Examination(ComparedInPart, Value, frozen=True, gc=False):
    """What a search looked at: ``trials`` are the examined candidates in order.

    ``ties`` are the nodes between which Kueue's choice is not defined. ``hopeless``: the search ended early, because
    the workload would not fit even without all workloads of the queues with candidates. ``candidates``: it had some.
    ``came_to`` makes the ledger without all that it took, None if the search does not know it exactly. ``read`` are the
    queues whose candidates it read, and maybe more; None if that is not known.
    """

    UNCOMPARED = ("came_to", "read")
    trials: tuple[Trial, ...] = ()
    ties: tuple[tuple[int, ...], ...] = ()
    hopeless: bool = False
    candidates: bool = True
    came_to: Callable[[], Ledger] | None = None
    read: tuple[int, ...] | None = None

    def __call__(self) -> "Examination":
        """Itself: what is to be looked up in one search is known in another."""
        return self


class SearchResult(ComparedInPart, Value, frozen=True, dict=True):
    """The result of a search. ``targets`` is empty if all candidates together are not enough.

    ``put_back`` are the unnecessary targets. ``left`` is the ledger without the targets, None if the search does not
    know it exactly, or it has served. ``look`` returns what was examined. ``foreseen``: the search was decided before
    its last candidate, so it is run to its end only where what it examines is read; ``met`` are the ties before that.
    ``again`` looks so on a state with another order of candidates, if it fails there, too. ``ground`` is what of
    the root that rests on, None if not known.
    """

    UNCOMPARED = ("left", "look", "foreseen", "met", "again", "ground")
    COMPARED_TOO = ("examined",)
    targets: tuple[Target, ...] = ()
    put_back: tuple[Target, ...] = ()
    left: Ledger | None = None
    look: Callable[[], Examination] = Examination
    foreseen: bool = False
    met: tuple[tuple[int, ...], ...] = ()
    again: Callable[[State], Examination] | None = None
    ground: "FailureGround | None" = None

    @property
    def examined(self) -> Examination:
        """What the search looked at."""
        look = self.look
        return look if isinstance(look, Examination) else self._looked_at

    @cached_property
    def _looked_at(self) -> Examination:
        return self.look()

    @property
    def trials(self) -> tuple[Trial, ...]:
        """All examined candidates in order."""
        return self.examined.trials

    @property
    def ties(self) -> tuple[tuple[int, ...], ...]:
        """The nodes between which Kueue's choice is not defined: those met before the search was known to fail."""
        return self.met if self.foreseen else self.examined.ties

    @property
    def tied(self) -> bool:
        """Whether the search may succeed, and had a choice that Kueue does not define."""
        return bool(self.ties) and (self.foreseen or not self.examined.hopeless)

    @property
    def steps(self) -> int:
        """How many candidates were examined to decide."""
        return 0 if self.foreseen else len(self.examined.trials)


class LedgerWithout(Value, frozen=True, gc=False):
    """The ledger without some targets, made where it is called for: a cycle makes ten thousand searches."""

    ledger: Ledger
    targets: tuple[Target, ...]

    def __call__(self) -> Ledger:
        """That ledger."""
        ledger = self.ledger
        for target in self.targets:
            ledger = ledger.minus(target.queue, target.holder.usage)
        return ledger


class Candidates:
    """The candidates of a preemptor: workloads that its policies allow and that hold something that is missing."""

    __slots__ = ("_lacks_short", "_policies", "_preemptor", "_state")

    def __init__(self, state: State, preemptor: Preemptor) -> None:
        self._state = state
        self._preemptor = preemptor
        self._policies = state.forest.nodes[preemptor.queue].queue.preemption
        self._lacks_short = preemptor.short.isdisjoint

    def of(self, queue: int) -> Iterator[Holder]:
        """The queue's candidates in candidate order, even those that hold 0 of what is missing."""
        policy = policy_towards(self._policies, own=queue == self._preemptor.queue)
        # A cycle's snapshot leaves out inactive queues: their workloads are no candidates, though cohorts count what
        # they hold.
        if policy == "Never" or not self._state.is_active(queue):
            return
        # A workload with 0 of a missing resource is a candidate, as for Kueue: it uses the resource by name.
        for holder in self._state.holders.of(queue):
            if not self._lacks_short(holder.usage) and policy_allows(policy, self._preemptor, holder):
                yield holder


def may_be_asked(state: State, preemptor: Preemptor, queue: int) -> bool:
    """Whether the queue may have candidates: it is the preemptor's, or it borrows something that is missing."""
    # By the ledger without the preemptor: Kueue collects candidates before it adds the preemptor's usage.
    return queue == preemptor.queue or not state.ledger.is_within(queue, preemptor.short)


class Grounds(Protocol):
    """The nodes of a search whose preemptor has pods that a topology places."""

    def leave(self, holder: Holder) -> None:
        """Takes the workload's pods off the nodes."""

    def come_back(self, holder: Holder) -> None:
        """Puts the workload's pods back."""

    def hold(self) -> bool:
        """Whether the preemptor's pods have a place now."""


MakeGrounds: TypeAlias = Callable[[], Grounds]


def has_place(grounds: Grounds | None) -> bool:
    """Whether the preemptor's pods have a place now; always true if nodes do not count."""
    return grounds is None or grounds.hold()


def put_back(
    ledger: Ledger, room: Headroom, targets: list[Target], grounds: Grounds | None
) -> tuple[list[Target], list[Target], Ledger]:
    """The necessary targets, the unnecessary ones, and the ledger without the necessary ones.

    Walks back from the last but one. ``ledger`` and ``grounds`` are without all targets and without the preemptor.
    When a target is put back, the last target of the list moves to its place.
    """
    needed, spared = list(targets), list[Target]()
    # From the back, so that those taken first, which the order likes least, are put back last.
    # The last one is not tried: without it the preemptor did not fit.
    for i in range(len(needed) - 2, -1, -1):
        target = needed[i]
        beside = room.beside(ledger, target.queue, target.holder.usage)
        if beside is not None and _has_place_beside(grounds, target.holder):
            ledger = beside
            _put_back(needed, i, spared)
    return needed, spared, ledger


def _put_back(needed: list[Target], place: int, spared: list[Target]) -> None:
    """Puts the target at this place back, as Kueue deletes from its slice.

    It shows in the order of evictions, and moves no target that is still to be tried.
    """
    spared.append(needed[place])
    needed[place] = needed[-1]
    needed.pop()


def put_back_where_placed(
    before: Ledger, targets: list[Target], grounds: Grounds
) -> tuple[list[Target], list[Target], Ledger]:
    """The same where quota suffices even ``before`` the targets left, so that only places decide."""
    needed, spared = list(targets), list[Target]()
    for i in range(len(needed) - 2, -1, -1):
        target = needed[i]
        if _has_place_beside(grounds, target.holder):
            _put_back(needed, i, spared)
    for target in needed:
        before = before.minus(target.queue, target.holder.usage)
    return needed, spared, before


def _has_place_beside(grounds: Grounds | None, holder: Holder) -> bool:
    """Whether the preemptor has a place next to the workload, which then stays."""
    if grounds is None:
        return True
    grounds.come_back(holder)
    if grounds.hold():
        return True
    grounds.leave(holder)
    return False
