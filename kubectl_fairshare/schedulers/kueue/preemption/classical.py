"""Classical preemption: by priority and by borrowing, nearest cohorts first.

Problem: free what a workload lacks. Candidates outside the queue come in two classes. For a *hierarchy* candidate, the
preemptor's side has enough quota for the request and reclaims it. For a *priority* candidate, it competes.
Why not the lowest priority first: the preemptor's queue is above its own quota, its department is not. A borrower of
priority 100 in another department is taken before one of priority 0 next to it, as the department lent the quota.
Decision: the candidates in one order until the preemptor fits, then those that were not needed are put back. Limit: no
smaller set of victims is looked for. One workload that holds all that is missing stays where three before it suffice.
Source: ``classicalPreemptions`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/preemption/preemption.go;
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/preemption/classical; "classical preemption" in
``docs/laws.md``.
"""

import heapq
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import filterfalse, islice, takewhile
from operator import attrgetter
from typing import Final, TypeAlias

from kubectl_fairshare.model.amounts import add, subtract
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.kueue.laws import (
    Law,
    PreemptionReason,
    Preemptor,
    below_threshold,
    borrowing_attempts,
    candidate_order,
    classical_law,
    spared_by,
)
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder, Usage
from kubectl_fairshare.schedulers.kueue.preemption.failure import FailureGround
from kubectl_fairshare.schedulers.kueue.preemption.feasibility import Feasibility
from kubectl_fairshare.schedulers.kueue.preemption.targets import (
    Candidates,
    Examination,
    MakeGrounds,
    SearchResult,
    Target,
    Trial,
    put_back,
    put_back_where_placed,
)
from kubectl_fairshare.schedulers.kueue.tree.headroom import Countdown, Departures, Headroom
from kubectl_fairshare.schedulers.kueue.tree.ledger import Ledger
from kubectl_fairshare.schedulers.kueue.tree.reach import free_local_of, within_nominal_with
from kubectl_fairshare.schedulers.kueue.tree.state import State

_FAR: Final = 1 << 61
"""Amounts below this add up exactly."""
# The order, the queue, its first remaining candidate, and the candidates after it, once they are read.
_Head: TypeAlias = tuple[tuple[bool, int, int, str], int, Holder, Iterator[Holder] | None]


class _Classes(Value):
    """The queues that may have candidates, by class, and the height of the ancestor shared with the preemptor.

    ``between`` maps a queue to the nodes from itself up to the common ancestor, which is not included. ``entitled``:
    the preemptor's side of the root has enough quota for the request, so that it reclaims from all others.
    """

    hierarchy: list[int] = field(default_factory=list)
    priority: list[int] = field(default_factory=list)
    between: dict[int, tuple[int, ...]] = field(default_factory=dict)
    entitled: bool = False


def classical_targets(state: State, preemptor: Preemptor, grounds: MakeGrounds | None = None) -> SearchResult:
    """The targets without fair sharing; ``grounds`` makes the nodes as they are before the search.

    Most candidates are spared, as their queue has no more to give, and count only where it is asked what was examined.
    """
    found = ClassicalSearch(state, preemptor, grounds, leaps=True).run()
    look = partial(_examined, state, preemptor, grounds)
    return SearchResult(found.targets, found.put_back, found.left, look, foreseen=True, ground=found.ground)


def _examined(state: State, preemptor: Preemptor, grounds: MakeGrounds | None) -> Examination:
    return ClassicalSearch(state, preemptor, grounds, leaps=False).run().examined


class ClassicalSearch:
    """One search for one preemptor; each attempt starts from the state's own ledger.

    It ``leaps`` over the candidates of a queue of which it spares all from one on, and over the class of priority where
    each attempt that borrows spares all of it: most searches are in vain, and spare nearly all that they look at.
    """

    def __init__(self, state: State, preemptor: Preemptor, grounds: MakeGrounds | None, *, leaps: bool) -> None:
        self._leaps = leaps
        self._empty: set[int] = set()
        self.state = state
        self.preemptor = preemptor
        self.grounds = grounds
        self.candidates = Candidates(state, preemptor)
        self.policies = state.forest.nodes[preemptor.queue].queue.preemption
        # With `borrowWithinCohort: Never` an attempt that borrows takes none of the class of priority.
        self._borrows_alone = leaps and self.policies.borrow_within_cohort == "Never"
        self.classes = _classify(state, preemptor, competes=self._competes())
        self.hierarchy = frozenset(self.classes.hierarchy)
        self.came_to: Callable[[], Ledger] = lambda: state.ledger

    def _competes(self) -> bool:
        """Whether some attempt may take one of the class of priority: at its nominal quota a queue only borrows."""
        return not self._borrows_alone or self._below_nominal()

    def run(self) -> SearchResult:
        """The whole search: one or two attempts; the first that succeeds counts."""
        queues = [*self.classes.hierarchy, *self.classes.priority]
        cross = {q: first for q in queues if (first := next(self.candidates.of(q), None)) is not None}
        if not cross and next(self.candidates.of(self.preemptor.queue), None) is None:
            return SearchResult(look=Examination(candidates=False), ground=self._ground())
        trials: list[Trial] = []
        preemptor = self.preemptor
        feasibility = Feasibility(
            self.state,
            Headroom(self.state.forest, preemptor.queue, preemptor.usage),
            lambda: {*queues, preemptor.queue},
        )
        for borrowing in self._attempts(cross):
            found = self._attempt(cross, borrowing, feasibility, trials)
            if found is not None:
                needed, unneeded, left = found
                examined = Examination(tuple(trials), came_to=self.came_to)
                return SearchResult(tuple(needed), tuple(unneeded), left, examined)
            if feasibility.lost:
                break
        failed = Examination(tuple(trials), hopeless=feasibility.lost, came_to=self.came_to)
        return SearchResult(look=failed, ground=None if feasibility.lost else self._ground())

    def _ground(self) -> FailureGround | None:
        """What of the root it rests on that the search failed; None if other sides of the root may give something."""
        state, path, preemptor = self.state, self.state.forest.path(self.preemptor.queue), self.preemptor
        if not self._leaps or len(path) < 2 or self.grounds is not None or not self._takes_of_own_side_alone():
            return None
        room, root, used = Headroom(state.forest, path[0], preemptor.usage), path[-1], state.ledger.usage
        if any(max(abs(used(node, p)), abs(v)) >= _FAR for node in path for p, v in preemptor.usage.items()):
            return None  # sums are cut
        # What leaves on the side leaves the same amount less at the root, whatever is used there.
        bars = {pair: used(root, pair) - short for pair, short in room.missing(self.came_to()).items()}
        return FailureGround(bars) if bars else None

    def _takes_of_own_side_alone(self) -> bool:
        """Whether no attempt takes anything of the other sides of the root, whatever runs there."""
        if self.policies.reclaim_within_cohort == "Never":
            return True
        # Those are of the class of priority, of which an attempt that borrows takes none; one that does not fails.
        fails = not self._below_nominal() or self._borrows_anyway()
        return self._borrows_alone and not self.classes.entitled and fails

    def _attempts(self, cross: Mapping[int, Holder]) -> tuple[bool, ...]:
        """Whether each attempt may borrow."""
        # Queues of the class do not count here, only such as have a candidate: Kueue asks its list of candidates.
        entitled = not self.hierarchy.isdisjoint(cross)
        below = self._below_nominal()
        return borrowing_attempts(self.policies, others=bool(cross), entitled=entitled, below_nominal=below)

    def _below_nominal(self) -> bool:
        ledger, queue = self.state.ledger, self.preemptor.queue
        # Strictly below: a queue that is at its nominal quota can get no more of it without borrowing.
        return all(ledger.usage(queue, p) < ledger.forest.quota(queue, p).nominal for p in self.preemptor.short)

    def _attempt(
        self, cross: Mapping[int, Holder], borrowing: bool, feasibility: Feasibility, trials: list[Trial]
    ) -> tuple[list[Target], list[Target], Ledger] | None:
        """The targets needed, those put back, and the ledger that is left; None if the candidates are not enough."""
        if self._leaps and not borrowing and self._borrows_anyway():
            return None
        # Each attempt begins with all workloads in their places: what the first one took without success is back.
        leaving = Departures(self.state.ledger)
        room = Headroom(self.state.forest, self.preemptor.queue, self.preemptor.usage, borrowing=borrowing)
        missing = Countdown(room, self.state.ledger)
        self.came_to = leaving.ledger
        ample = missing.over
        grounds = None if self.grounds is None else self.grounds()
        targets: list[Target] = []
        own = self.preemptor.queue
        self._empty.clear()
        for holder, queue in self._candidates(cross, competes=not (borrowing and self._borrows_alone)):
            # Judged when its turn comes, not before: its queue may have come within its quota by what earlier targets
            # gave back.
            law, reason, spared = _OWN if queue == own else self._judged(leaving, holder, queue, borrowing=borrowing)
            trial = Trial(holder, queue, spared or law, spared is None)
            trials.append(trial)
            if spared is not None:
                continue
            leaving.leave(queue, holder.usage)
            targets.append(Target(holder, queue, reason, trial))
            if grounds is not None:
                grounds.leave(holder)
            enough = ample or missing.ends(holder.usage, leaving.ledger)
            if enough and (grounds is None or grounds.hold()):
                if ample and grounds is not None:
                    return put_back_where_placed(self.state.ledger, targets, grounds)
                # By the rule of this attempt: if it may not borrow, the preemptor must not borrow next to one that is
                # put back either.
                return put_back(leaving.ledger(), room, targets, grounds)
            if feasibility.is_lost():  # only saves time
                return None
        return None

    def _borrows_anyway(self) -> bool:
        """Whether the queue borrows for the demand even without its own candidates: no others change that."""
        ledger, queue = self.state.ledger, self.preemptor.queue
        held: dict[FlavorResource, int] = {}
        for holder in self.candidates.of(queue):
            for pair, amount in holder.usage.items():
                held[pair] = add(held.get(pair, 0), amount)
        for pair, amount in self.preemptor.usage.items():
            used, gone = ledger.usage(queue, pair), held.get(pair, 0)
            # Nearer to what a number holds, sums are cut.
            if max(abs(used), abs(gone), abs(amount)) < _FAR and ledger.borrows_with(queue, pair, amount - gone):
                return True
        return False

    def _candidates(self, cross: Mapping[int, Holder], *, competes: bool) -> Iterator[tuple[Holder, int]]:
        """All candidates in order: those being evicted first, then by class, then candidate order.

        Those of the class of priority only if the preemptor ``competes`` with them.
        """
        own = self.preemptor.queue
        first = next(self.candidates.of(own), None)
        classes = (
            [(q, cross[q]) for q in self.classes.hierarchy if q in cross],
            [(q, cross[q]) for q in self.classes.priority if competes and q in cross],
            [] if first is None else [(own, first)],
        )
        # Workloads that are being evicted free quota in any case, whatever their class, so they come first. Within
        # each queue, candidate order has them in front.
        for queues in classes:
            yield from self._merge([(q, f) for q, f in queues if f.evicted], evicted=True)
        for queues in classes:
            yield from self._merge(queues, evicted=False)

    def _merge(self, firsts: list[tuple[int, Holder]], *, evicted: bool) -> Iterator[tuple[Holder, int]]:
        """The candidates of several queues in candidate order; a queue is read on only after its first is taken."""
        heap: list[_Head] = [(candidate_order(first), queue, first, None) for queue, first in firsts]
        heapq.heapify(heap)
        while heap:
            _, queue, holder, rest = heap[0]
            if holder.evicted is evicted and queue not in self._empty:
                yield holder, queue
            if queue in self._empty:
                heapq.heappop(heap)
                continue
            if rest is None:
                rest = islice(self.candidates.of(queue), 1, None)
            if len(heap) == 1:
                for alone in _while_alike(rest, evicted):
                    if queue in self._empty:
                        break
                    yield alone, queue
                return
            following = next(rest, None)
            if following is None or (evicted and not following.evicted):
                heapq.heappop(heap)
            else:
                heapq.heapreplace(heap, (candidate_order(following), queue, following, rest))

    def _judged(
        self, leaving: Departures, holder: Holder, queue: int, *, borrowing: bool
    ) -> tuple[Law, PreemptionReason, Law | None]:
        """By which law a candidate may be preempted, Kueue's reason, and why this attempt does not take it."""
        below = below_threshold(self.policies, self.preemptor, holder)
        law, reason = classical_law(own=False, entitled=queue in self.hierarchy, below=below)
        between, short = self.classes.between[queue], self.preemptor.short
        within = any(leaving.ledger().is_within(node, short) for node in between)
        spared = spared_by(law, own=False, borrowing=borrowing, within_quota=within)
        # An answer that lists what was examined needs each candidate, so it searches again without leaps.
        if spared is not None and self._leaps and self._spares_all(within=within):
            self._empty.add(queue)
        return law, reason, spared

    def _spares_all(self, *, within: bool) -> bool:
        """Whether an attempt that spares one candidate of a queue spares all that follow: usage only falls.

        Otherwise priorities decide it one by one.
        """
        return within or self.policies.borrow_within_cohort == "Never"


_OWN: Final = (*classical_law(own=True, entitled=False, below=False), None)
"""The same of a candidate of the preemptor's own queue, which no attempt spares."""


_EVICTED: Final = attrgetter("evicted")


def _while_alike(candidates: Iterator[Holder], evicted: bool) -> Iterator[Holder]:
    """One queue's candidates that are being evicted, which come first, or those that are not."""
    if evicted:
        return takewhile(_EVICTED, candidates)
    return filterfalse(_EVICTED, candidates)


def _classify(state: State, preemptor: Preemptor, *, competes: bool) -> _Classes:
    """The classes; that of priority stays empty unless the preemptor ``competes`` with anyone."""
    classes = _Classes()
    if state.forest.nodes[preemptor.queue].queue.preemption.reclaim_within_cohort == "Never":
        return classes
    ledger, nodes = state.ledger, state.forest.nodes
    advantage = within_nominal_with(ledger, preemptor.queue, preemptor.usage)
    # The whole request climbs, not only what is missing: Kueue asks which subtree could hold all of it.
    rest = _beyond(ledger, preemptor.queue, preemptor.usage)
    below = preemptor.queue
    # An advantage on one level holds on all above it: who reclaims from a department reclaims from the whole company.
    while (ancestor := nodes[below].parent) is not None:
        classes.entitled = advantage
        found = classes.hierarchy if advantage else classes.priority
        for queue, between in _over_quota(state, preemptor, ancestor, below, ()) if advantage or competes else ():
            found.append(queue)
            classes.between[queue] = between
        # Asked after the queues below this ancestor were classified: its own quota is an advantage over what is outside
        # of it.
        fitting = (add(ledger.usage(ancestor, p), v) <= ledger.forest.subtree(ancestor, p) for p, v in rest.items())
        advantage = advantage or all(fitting)
        rest = _beyond(ledger, ancestor, rest)
        below = ancestor
    return classes


def _beyond(ledger: Ledger, node: int, usage: Usage) -> dict[FlavorResource, int]:
    """The part of ``usage`` that exceeds the node's free local part, at least 0."""
    return {p: max(0, subtract(v, free_local_of(ledger, node, p))) for p, v in usage.items()}


def _over_quota(
    state: State, preemptor: Preemptor, cohort: int, visited: int | None, above: tuple[int, ...]
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The queues below the cohort, outside ``visited``, that borrow, as do all cohorts in between."""
    node = state.forest.nodes[cohort]
    for queue in node.queues:
        # One missing resource that it borrows is enough, and the whole subtree is passed over if its cohort borrows
        # none.
        if queue != visited and not state.ledger.is_within(queue, preemptor.short):
            yield queue, (queue, *above)
    for child in node.cohorts:
        if child != visited and not state.ledger.is_within(child, preemptor.short):
            yield from _over_quota(state, preemptor, child, None, (child, *above))
