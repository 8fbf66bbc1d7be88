"""The queues that hold what is missing but have no candidates, each with the law that excludes it."""

from itertools import takewhile

from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination
from kubectl_fairshare.schedulers.kueue.explain.decision import NotAsked
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Assignment, Mode
from kubectl_fairshare.schedulers.kueue.flavors.placing import lacks_place
from kubectl_fairshare.schedulers.kueue.laws import Law, Preemptor, policy_towards
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.preemption.targets import Candidates, SearchResult
from kubectl_fairshare.schedulers.kueue.tree.state import State


def deciding_search(nomination: Nomination) -> tuple[SearchResult, frozenset[FlavorResource]]:
    """The search that decided, and the flavor-resources that it had to free.

    It is the search for the whole assignment, or the first search for a single flavor-resource that failed before.
    """
    whole = nomination.search
    short = frozenset() if nomination.assignment is None else _short(nomination.assignment)
    if whole is not None and (whole.targets or whole.trials):
        return whole, short
    for pair, _, search in nomination.simulations:
        if not search.targets and search.trials:
            return search, frozenset((pair,))
    return whole or SearchResult(), short


def not_asked(
    state: State, nomination: Nomination, search: SearchResult, short: frozenset[FlavorResource]
) -> tuple[NotAsked, ...]:
    """The queues of the preemptor's tree that hold what is ``short`` and have no candidate in ``search``, by name."""
    queue, assignment = nomination.queue, nomination.assignment
    if queue is None or assignment is None or assignment.mode is Mode.FIT:
        return ()
    workload = nomination.workload
    preemptor = Preemptor(queue, workload.priority, workload.queued, short, {})
    seen = {t.queue for t in search.trials}
    tried = bool(search.trials or search.targets or nomination.simulations) or lacks_place(assignment)
    found = []
    for other in state.forest.queues_below(state.forest.root(queue)):
        holds = tuple((p, state.ledger.usage(other, p)) for p in sorted(short) if state.ledger.usage(other, p) > 0)
        if other not in seen and holds:
            law, cohort = _why_not(state, preemptor, other, search, tried=tried)
            name = state.forest.nodes[other].name
            found.append(NotAsked(name, law, holds, state.holders.count(other), cohort))
    return tuple(sorted(found, key=lambda n: n.queue))


def _short(assignment: Assignment) -> frozenset[FlavorResource]:
    """The flavor-resources that need preemption; if the assignment failed, all that are not free now."""
    if assignment.short:
        return assignment.short
    reasons = (r for p in assignment.pod_sets for a in p.attempts for r in a.reasons)
    return frozenset(
        FlavorResource(str(r.operand("flavor")), str(r.operand("resource")))
        for r in reasons
        if r.law is Law.EXCEEDS_AVAILABLE
    )


def _why_not(state: State, preemptor: Preemptor, other: int, search: SearchResult, *, tried: bool) -> tuple[Law, str]:
    """The law, and the cohort that it is about, empty if it is not about one."""
    if not state.is_active(other):
        return Law.QUEUE_INACTIVE, ""
    if _policy(state, preemptor, other) == "Never":
        return Law.POLICY, ""
    if other != preemptor.queue and state.ledger.is_within(other, preemptor.short):
        return Law.QUEUE_NOT_BORROWING, ""
    if not tried:
        return Law.PREEMPTION_NOT_TRIED, ""
    cohort = _cohort_within_quota(state, preemptor, other)
    if cohort is not None:
        return Law.COHORT_NOT_BORROWING, cohort
    # Under policy Any, a queue with usage always has a candidate; to list them would sort its workloads.
    if _policy(state, preemptor, other) != "Any" and next(Candidates(state, preemptor).of(other), None) is None:
        return Law.NO_CANDIDATES, ""
    if search.targets:
        return Law.NOT_NEEDED, ""
    # Without trials the search failed for a reason that preemption cannot remove.
    in_vain = search.examined.hopeless or not search.trials
    return (Law.NOT_ENOUGH if in_vain else Law.WITHIN_QUOTA), ""


def _policy(state: State, preemptor: Preemptor, other: int) -> str:
    policies = state.forest.nodes[preemptor.queue].queue.preemption
    return policy_towards(policies, own=other == preemptor.queue)


def _cohort_within_quota(state: State, preemptor: Preemptor, other: int) -> str | None:
    """The lowest cohort without borrowing between the queue and the ancestors that it shares with the preemptor."""
    common = frozenset(state.forest.path(preemptor.queue))
    for cohort in list(takewhile(lambda n: n not in common, state.forest.path(other)))[1:]:
        borrows = (
            state.ledger.share(cohort).borrowing if state.fair else not state.ledger.is_within(cohort, preemptor.short)
        )
        if not borrows:
            return state.forest.nodes[cohort].name
    return None
