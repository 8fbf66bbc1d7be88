"""One search under fair sharing that answers for a range of sizes, for questions about the largest that gets in.

A search compares sizes in three places: whether the preemptor is entitled, which queue comes next, and which candidate
it may take. Each of them compares the share of a node above the preemptor, which never falls when the preemptor is
larger, with a share that does not depend on it. So all sizes between two for which every comparison comes out the same
take the same workloads in the same order, and each of them gets in if it is at most what these leave free.
Counter-example to fewer comparisons: with 5 GPUs the preemptor's department has a smaller share than the one next to
it, and victims come from there; with 6 it has the larger, and they come from its own. Nothing refused it in between.
Only a hint: the engine decides each figure, and one unit more; ``python -m tests.bench.without`` prints what it buys.
Source: ``fairPreemptions`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/preemption/preemption.go, which decides one size;
"fair preemption" in ``docs/laws.md``.
Tested in ``tests/property/test_alike.py``.
"""

from collections.abc import Mapping
from itertools import pairwise
from typing import TypeAlias

from kubectl_fairshare.schedulers.kueue.laws import Law, Preemptor
from kubectl_fairshare.schedulers.kueue.preemption.fair import CandidatesOf, FairSearch
from kubectl_fairshare.schedulers.kueue.preemption.fair_targets import KnownRefusals, fair_walk, hopelessness
from kubectl_fairshare.schedulers.kueue.preemption.queue_ordering import QueueOrdering
from kubectl_fairshare.schedulers.kueue.preemption.replay import Replay
from kubectl_fairshare.schedulers.kueue.preemption.targets import Trial
from kubectl_fairshare.schedulers.kueue.tree.headroom import Headroom
from kubectl_fairshare.schedulers.kueue.tree.ledger import Ledger
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.schedulers.sandbox import SizeSpan

_Order: TypeAlias = tuple[float, float]


def alike(state: State, preemptor: Preemptor, replay: Replay, within: tuple[int, int], unit: int) -> SizeSpan | None:
    """The sizes that are decided as the preemptor's, which asks for one flavor-resource; None where that is unknown.

    Only sizes ``within`` two bounds are looked at; an end of the span may be up to a ``unit`` too near.
    """
    most = dict.fromkeys(preemptor.usage, within[1])
    # Once an amount is unlimited it stays so, and sizes are no longer comparable; nor are they where chance decides.
    if Headroom(state.forest, preemptor.queue, most).overflows(state.ledger) or not state.chance.fixed:
        return None
    sizes = AlikeSizes(state, preemptor, within, unit)
    return _WholeSearch(state, preemptor, replay, sizes).reached()


class AlikeSizes:
    """The sizes for which every comparison so far comes out as for ``size``: those from ``least`` to ``most``.

    ``node`` of a comparison is the preemptor's queue or a cohort above it, in the ledger that was last passed to
    ``move`` with the preemptor in it. Between two moves only the tightest comparisons of each node count.
    """

    def __init__(self, state: State, preemptor: Preemptor, within: tuple[int, int], unit: int) -> None:
        ((self._pair, self.size),) = preemptor.usage.items()
        self.least, self.most = within
        self._queue, self._unit = preemptor.queue, unit
        path = state.forest.path(preemptor.queue)
        # Without a lendingLimit on the path each node bears the whole size, so that its share needs no new ledger.
        self._passes_on = not any(state.forest.local(node, self._pair) for node in path)
        self._ledger = state.ledger
        self._above: dict[tuple[int, bool], _Order] = {}
        self._below: dict[tuple[int, bool], _Order] = {}

    def note(self, node: int, theirs: _Order, *, holds: bool, strict: bool) -> None:
        """The node's share with the preemptor is at most ``theirs``, or below it if ``strict``: it ``holds`` or not."""
        key = node, strict
        tightest = (self._above if holds else self._below).get(key)
        if holds:
            if tightest is None or theirs < tightest:
                self._above[key] = theirs
        elif tightest is None or theirs > tightest:
            self._below[key] = theirs

    def note_bound(self, bound: int, *, holds: bool) -> None:
        """The size is at most ``bound``: it ``holds`` or not."""
        if holds:
            self.most = min(self.most, bound)
        else:
            self.least = max(self.least, bound + 1)

    def none_but_this(self) -> None:
        """Other sizes may be decided in another way."""
        self.least = self.most = self.size

    def move(self, ledger: Ledger) -> None:
        """Workloads have left some of the nodes above the preemptor."""
        for holds, tightest in ((True, self._above), (False, self._below)):
            for (node, strict), theirs in tightest.items():
                self._narrow(node, theirs, holds, strict)
            tightest.clear()
        self._ledger = ledger

    def _narrow(self, node: int, theirs: _Order, holds: bool, strict: bool) -> None:
        """Moves one end to a size for which the comparison comes out the same."""
        inner, outer = self.size, self.most if holds else self.least
        if self._comes_out(node, outer, theirs, strict) is holds:
            return
        # Bisection: the share of a node above the preemptor never falls as the size grows.
        while abs(outer - inner) > self._unit:
            middle = (inner + outer) // 2
            same = self._comes_out(node, middle, theirs, strict) is holds
            inner, outer = (middle, outer) if same else (inner, middle)
        if holds:
            self.most = inner
        else:
            self.least = inner

    def _comes_out(self, node: int, size: int, theirs: _Order, strict: bool) -> bool:
        if self._passes_on:
            mine = self._ledger.share_with(node, self._pair, size).order
        else:
            mine = self._ledger.plus(self._queue, {self._pair: size}).share(node).order
        return mine < theirs if strict else mine <= theirs


class _WholeSearch:
    """A search that goes on when the preemptor fits, and notes every comparison with its size."""

    def __init__(self, state: State, preemptor: Preemptor, replay: Replay, sizes: AlikeSizes) -> None:
        self._search = FairSearch(state, preemptor)
        self._replay = replay
        self._sizes = sizes
        self._ties: list[tuple[int, ...]] = []
        ((self._pair, _),) = preemptor.usage.items()
        own = state.forest.subtree(preemptor.queue, self._pair) - state.ledger.usage(preemptor.queue, self._pair)
        sizes.note_bound(own, holds=self._search.entitled)

    def reached(self) -> SizeSpan:
        """The sizes for which it does the same, and the largest that gets in once all have left."""
        search, sizes = self._search, self._sizes
        if not (self._replay.only_targets and hopelessness(search).is_lost_at_once()):
            self._look()
        sizes.move(search.ledger)
        return SizeSpan(sizes.least, sizes.most, search.ledger.free(search.preemptor.queue, self._pair))

    def _look(self) -> None:
        search, route = self._search, self._replay.route(self._search, self._ties)
        if not search.entitled:
            for target in route.follow():
                self._note(target.trial, strict=True)
        asked = search.asked
        for trial in search.examine(self._walk, route.candidates, KnownRefusals(search)):
            self._note(trial, strict=trial.law is Law.S2B)
            if trial.taken:
                route.note()
            if search.asked is not asked:
                asked = search.asked
                self._sizes.move(search.ledger)
        if not search.entitled:
            route.remember()

    def _note(self, trial: Trial, *, strict: bool) -> None:
        if trial.at is None or trial.theirs is None or trial.mine is None:
            return
        if strict and trial.mine.order == trial.theirs.order and trial.taken:
            # Equal and taken under the strict rule: a step that was followed, by S2-a. Whether it is followed depends
            # on the size.
            self._sizes.none_but_this()
        else:
            self._sizes.note(trial.at[0], trial.theirs.order, holds=trial.taken, strict=strict)

    def _walk(self, candidates: CandidatesOf) -> QueueOrdering:
        search = self._search
        ordering = fair_walk(_WatchedOrdering, search, candidates, self._ties, lambda _: 0)
        ordering.watch(self._sizes, {above: below for below, above in pairwise(search.path)})
        return ordering


class _WatchedOrdering(QueueOrdering):
    """The same order; each step from a cohort above the preemptor notes what it compared with the node below it."""

    def watch(self, sizes: AlikeSizes, below: Mapping[int, int]) -> None:
        """Notes comparisons in ``sizes``; ``below`` is the node of the preemptor's path under each of its cohorts."""
        self._sizes, self._below = sizes, below

    def _step(self, cohort: int) -> int | None:
        found = super()._step(cohort)
        mine = self._below.get(cohort)
        if mine is not None and found is not None:
            share = self._share(mine).order
            theirs = self._best_other(cohort, mine) if found == mine else self._share(found).order
            if theirs == share:
                self._sizes.none_but_this()
            elif theirs is not None and (found == mine or share < theirs):
                self._sizes.note(mine, theirs, holds=share < theirs, strict=share < theirs)
        return found

    def _best_other(self, cohort: int, mine: int) -> _Order | None:
        """The largest share of the other nodes, or more; None if there are none."""
        entries = (entry for heap in self._heaps[cohort] for entry in heap[:3] if entry[3] != mine)
        return max(((-entry[0], -entry[1]) for entry in entries), default=None)
