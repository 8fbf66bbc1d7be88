"""Nominations that are known: made once for all questions about a state, and kept while only evictions begin.

Only for speed: every answer is the same without it, and ``python -m tests.bench.without`` prints what it buys. In a
cluster that is full, most cycles evict a few workloads and admit none. Until those have left, nothing but the order of
candidates changes: those that leave come first in their queues. A search that took
them first, did not read their queues, or does not miss what they hold, does the same again: among themselves, those
that leave are in the order in which they were before.

Why not keep a search that took one of them later: it is taken before the others then, and may be enough.
Source: ``CandidatesOrdering`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/preemption/common/ordering.go, which puts those that
leave first.
Tested in ``tests/property/test_nominations.py``.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import overload

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination, Simulation, nominate
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder, Pending
from kubectl_fairshare.schedulers.kueue.preemption.targets import Examination, SearchResult, Target, Trial
from kubectl_fairshare.schedulers.kueue.tree.state import State

Leaving = Mapping[ObjectKey, Holder]
"""Workloads that begin to leave, as they are from then on."""


class Nominations:
    """The nominations of workloads on one state, each made once."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._made: dict[ObjectKey, Nomination] = {}

    def of(self, workload: Pending) -> Nomination:
        """What ``nominate`` returns, the same object where it was asked for before."""
        known = self._made.get(workload.key)
        if known is None or (known.workload is not workload and known.workload != workload):
            known = self._made[workload.key] = nominate(self._state, workload)
        return known

    def untied(self, workload: Pending) -> Nomination | None:
        """The same; None where chance has a part in it, so that it is to be made with the choices of the question."""
        found = self.of(workload)
        return None if workload.is_drawn or any(search.ties for search in found.searches) else found


def only_leaving(before: State, after: State, leaving: Leaving) -> State | None:
    """The state after nothing but evictions began, with the same ledger object; None where more is another."""
    placed = any(holder.placements for holder in leaving.values())
    # Classical search merges its classes with those that leave in front, and past usage orders candidates: neither is
    # kept.
    if not before.fair or not before.chance.first or before.past is not None or placed:
        return None
    return after.with_usage(before.ledger, before.occupancy) if after.ledger.equals(before.ledger) else None


def while_leaving(state: State, nomination: Nomination, leaving: Leaving) -> Nomination | None:
    """The nomination once these have begun to leave, on ``state``; None where it has to be made anew."""
    if nomination.refused is not None:
        return nomination
    if not state.fair or nomination.placed or nomination.placements or nomination.replaced or nomination.second:
        return None
    if nomination.assignment is None or any(p.min_count is not None for p in nomination.workload.pod_sets):
        return None
    same: dict[int, bool | None] = {}
    for short, search in _searches(nomination):
        if id(search) not in same:
            same[id(search)] = found = _is_same(state, short, search, leaving)
            if found is None:
                return None
    if all(same.values()):
        return nomination
    whole = nomination.search
    if whole is not None and not same.get(id(whole), True):
        whole = _renewed(state, whole, leaving)
    return replace(nomination, search=whole, simulations=RenewedSimulations(state, nomination, whole, leaving))


class RenewedSimulations(Sequence[Simulation]):
    """The simulations of a nomination once some have begun to leave, made when they are read: few ever are.

    ``whole`` is its other search on the new state.
    """

    __slots__ = ("_before", "_leaving", "_read", "_state", "_whole")

    def __init__(self, state: State, before: Nomination, whole: SearchResult | None, leaving: Leaving) -> None:
        self._state = state
        self._before = before
        self._whole = whole
        self._leaving = leaving
        self._read: tuple[Simulation, ...] | None = None

    @property
    def _made(self) -> tuple[Simulation, ...]:
        if self._read is None:
            self._read = tuple(self._make())
        return self._read

    def _make(self) -> Iterator[Simulation]:
        before, made = self._before, dict[int, SearchResult]()
        if before.search is not None and self._whole is not None:
            made[id(before.search)] = self._whole  # one search may be both
        for pair, amount, search in before.simulations:
            if id(search) not in made:
                same = _is_same(self._state, frozenset((pair,)), search, self._leaving)
                made[id(search)] = search if same else _renewed(self._state, search, self._leaving)
            yield pair, amount, made[id(search)]

    @property
    def steps(self) -> int:
        """How many candidates they examined: as many as before, as those that leave were among the first."""
        return _steps(self._before.simulations)

    @overload
    def __getitem__(self, index: int) -> Simulation: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Simulation]: ...

    def __getitem__(self, index: int | slice) -> Simulation | Sequence[Simulation]:
        return self._made[index]

    def __len__(self) -> int:
        return len(self._before.simulations)

    def __eq__(self, other: object) -> bool:
        return self._made == (other._made if isinstance(other, RenewedSimulations) else other)

    def __hash__(self) -> int:
        return hash(self._made)


def steps_of(nomination: Nomination) -> int:
    """How many candidates the searches of a nomination examined to decide."""
    return _steps(nomination.simulations) + (0 if nomination.search is None else nomination.search.steps)


def _steps(simulations: Sequence[Simulation]) -> int:
    if isinstance(simulations, RenewedSimulations):
        return simulations.steps
    return sum(search.steps for _, _, search in simulations)


def _searches(nomination: Nomination) -> Iterator[tuple[frozenset[FlavorResource], SearchResult]]:
    """Each search, with what it misses."""
    for pair, _, search in nomination.simulations:
        yield frozenset((pair,)), search
    assignment = nomination.assignment
    if nomination.search is not None and assignment is not None and assignment.short:
        yield assignment.short, nomination.search


def _is_same(state: State, short: frozenset[FlavorResource], search: SearchResult, leaving: Leaving) -> bool | None:
    """Whether the search on the new state is this one; false: it is once these leave in it, too.

    None if it may do something else.
    """
    concerned = [holder for holder in leaving.values() if not short.isdisjoint(holder.usage)]
    if not concerned:
        return True
    if search.foreseen:
        return None if search.again is None else False
    found, trials, queues = search.examined, search.trials, state.forest.queue_ids
    if found.read is None:
        return None
    met = {holder.key for holder in concerned if queues[holder.cluster_queue] in found.read}
    if not met:
        return True
    # They were first and taken already, so it does not matter that they are first now.
    first = trials[: len(met)]
    return False if trials and all(trial.taken and trial.holder.key in met for trial in first) else None


def _renewed(state: State, search: SearchResult, leaving: Leaving) -> SearchResult:
    """The search on the new state, which is the same but for those that leave."""
    if search.foreseen and search.again is not None:
        return replace(search, look=partial(search.again, state))
    found = search.examined
    tried = {id(trial): _tried(trial, leaving) for trial in found.trials}
    trials = tuple(tried[id(trial)] for trial in found.trials)
    examined = Examination(trials, found.ties, found.hopeless, found.candidates, found.came_to, found.read)
    targets = tuple(_taken(target, tried, leaving) for target in search.targets)
    put_back = tuple(_taken(target, tried, leaving) for target in search.put_back)
    return SearchResult(targets, put_back, search.left, examined)


def _taken(target: Target, tried: Mapping[int, Trial], leaving: Leaving) -> Target:
    trial = tried.get(id(target.trial)) or _tried(target.trial, leaving)
    return target if trial is target.trial else Target(trial.holder, target.queue, target.reason, trial)


def _tried(trial: Trial, leaving: Leaving) -> Trial:
    holder = leaving.get(trial.holder.key)
    return trial if holder is None else replace(trial, holder=holder)
