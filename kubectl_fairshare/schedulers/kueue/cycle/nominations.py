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

from collections.abc import Iterator, Mapping
from functools import partial

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination, nominate
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder, Pending
from kubectl_fairshare.schedulers.kueue.preemption.targets import Examination, SearchResult, Target, Trial, always
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
    met = {}
    for short, search in _searches(nomination):
        if id(search) not in met:
            concerned = [holder for holder in leaving.values() if not short.isdisjoint(holder.usage)]
            met[id(search)] = kept = _kept(state, search, concerned, leaving)
            if kept is None:
                return None
    if all(search is met[id(search)] for _, search in _searches(nomination)):
        return nomination
    whole = None if nomination.search is None else met.get(id(nomination.search), nomination.search)
    return replace(
        nomination,
        search=whole,
        simulations=tuple((pair, amount, met[id(found)] or found) for pair, amount, found in nomination.simulations),
    )


def _searches(nomination: Nomination) -> Iterator[tuple[frozenset[FlavorResource], SearchResult]]:
    """Each search, with what it misses."""
    for pair, _, search in nomination.simulations:
        yield frozenset((pair,)), search
    assignment = nomination.assignment
    if nomination.search is not None and assignment is not None and assignment.short:
        yield assignment.short, nomination.search


def _kept(state: State, search: SearchResult, concerned: list[Holder], leaving: Leaving) -> SearchResult | None:
    """The search on the new state, of which these may be candidates; None if it may do something else."""
    if not concerned:
        return search
    if search.foreseen:
        return None if search.again is None else replace(search, look=partial(search.again, state))
    found, trials, queues = search.examined, search.trials, state.forest.queue_ids
    if found.read is None:
        return None
    met = {holder.key for holder in concerned if queues[holder.cluster_queue] in found.read}
    if not met:
        return search
    # They were first and taken already, so it does not matter that they are first now.
    if not trials or not all(trial.taken and trial.holder.key in met for trial in trials[: len(met)]):
        return None
    tried = tuple(_tried(trial, leaving) for trial in trials)
    examined = Examination(tried, found.ties, found.hopeless, found.candidates, found.came_to, found.read)
    targets = tuple(_taken(target, leaving) for target in search.targets)
    put_back = tuple(_taken(target, leaving) for target in search.put_back)
    return SearchResult(targets, put_back, search.left, always(examined))


def _taken(target: Target, leaving: Leaving) -> Target:
    trial = _tried(target.trial, leaving)
    return target if trial is target.trial else Target(trial.holder, target.queue, target.reason, trial)


def _tried(trial: Trial, leaving: Leaving) -> Trial:
    holder = leaving.get(trial.holder.key)
    return trial if holder is None else replace(trial, holder=holder)
