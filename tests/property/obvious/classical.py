"""Classical preemption: reclaim from borrowers on the way to the root, then from the own queue."""

from dataclasses import dataclass

from tests.property.obvious.amounts import FlavorResource, minus
from tests.property.obvious.preemption import (
    Question,
    Target,
    borrow_within_cohort,
    candidates,
    fits,
    in_candidate_order,
    needed_targets,
    without,
)
from tests.property.obvious.tree import State, ancestors, borrows, children, free_local, within
from tests.property.obvious.world import Node, Workload

REASONS = {
    "WithinCQ": "InClusterQueue",
    "Reclaim": "InCohortReclamation",
    "WithoutBorrowing": "InCohortReclamation",
    "WhileBorrowing": "InCohortReclaimWhileBorrowing",
}


@dataclass(frozen=True)
class Candidate:
    """A candidate and the terms on which it may be preempted (a key of ``REASONS``)."""

    victim: Workload
    variant: str


def classical_targets(question: Question) -> list[Target]:
    """The workloads to evict; none when that would not help."""
    hierarchy, priority = _elsewhere(question)
    own = candidates(question, question.queue)
    ordered = (
        [_candidate(question, w, "hierarchy") for w in in_candidate_order(hierarchy, question.queue)],
        [_candidate(question, w, "priority") for w in in_candidate_order(priority, question.queue)],
        [Candidate(w, "WithinCQ") for w in own],
    )
    listed = [c for group in ordered for c in group if c.victim.being_evicted]
    listed += [c for group in ordered for c in group if not c.victim.being_evicted]
    for may_borrow in _attempts(question, bool(hierarchy), bool(hierarchy or priority)):
        targets = _attempt(question, listed, may_borrow)
        if targets:
            return targets
    return []


def _elsewhere(question: Question) -> tuple[list[Workload], list[Workload]]:
    """Candidates of other queues: where the queue has a claim by hierarchy, and where priority alone counts."""
    state, node = question.state, question.node
    hierarchy: list[Workload] = []
    priority: list[Workload] = []
    if question.policy("reclaimWithinCohort") == "Never":
        return hierarchy, priority
    advantage = not any(borrows(state, node, fr, amount) for fr, amount in question.wanted.items())
    rest = {fr: _rest(state, node, fr, amount) for fr, amount in question.wanted.items()}
    visited = node
    for ancestor in ancestors(state.world, node):
        found = [w for queue in _borrowing_queues(question, ancestor, visited) for w in candidates(question, queue)]
        (hierarchy if advantage else priority).extend(found)
        advantage = advantage or not any(borrows(state, ancestor, fr, amount) for fr, amount in rest.items())
        rest = {fr: _rest(state, ancestor, fr, amount) for fr, amount in rest.items()}
        visited = ancestor
    return hierarchy, priority


def _rest(state: State, node: Node, fr: FlavorResource, amount: int) -> int:
    """What of the amount is left for the parent; never negative."""
    return max(0, minus(amount, free_local(state, node, fr)))


def _borrowing_queues(question: Question, cohort: Node, visited: Node | None) -> list[str]:
    """The queues below the cohort, apart from the part visited, reached through borrowing nodes only."""
    found: list[str] = []
    for child in children(question.state.world, cohort):
        if child == visited or within(question.state, child, question.short):
            continue
        if child[0] == "ClusterQueue":
            found.append(child[1])
        else:
            found.extend(_borrowing_queues(question, child, None))
    return found


def _candidate(question: Question, victim: Workload, kind: str) -> Candidate:
    policy, threshold = borrow_within_cohort(question.state, question.queue)
    if kind == "hierarchy":
        return Candidate(victim, "Reclaim")
    above = threshold is not None and victim.priority > threshold
    if policy == "Never" or victim.priority >= question.workload.priority or above:
        return Candidate(victim, "WithoutBorrowing")
    return Candidate(victim, "WhileBorrowing")


def _attempts(question: Question, any_hierarchy: bool, any_elsewhere: bool) -> list[bool]:
    """Whether borrowing is allowed, in one attempt after the other."""
    forbidden = borrow_within_cohort(question.state, question.queue)[0] == "Never"
    below_nominal = not any(borrows(question.state, question.node, fr, 1) for fr in question.short)
    if not any_elsewhere or (forbidden and not below_nominal):
        return [True]
    if forbidden and not any_hierarchy:
        return [False, True]
    return [True, False]


def _attempt(question: Question, listed: list[Candidate], may_borrow: bool) -> list[Target]:
    targets: list[Target] = []
    state = question.state
    for candidate in listed:
        if _is_out_of_reach(question, state, candidate, may_borrow):
            continue
        targets.append(Target(candidate.victim, REASONS[candidate.variant]))
        state = without(state, [candidate.victim])
        if fits(state, question, may_borrow):
            return needed_targets(state, targets, lambda s: fits(s, question, may_borrow))
    return []


def _is_out_of_reach(question: Question, state: State, candidate: Candidate, may_borrow: bool) -> bool:
    """Whether taking the candidate is not allowed by now: its side has come within quota, or borrowing forbids it."""
    if candidate.victim.queue == question.queue:
        return False
    if may_borrow and candidate.variant == "WithoutBorrowing":
        return True
    node: Node = ("ClusterQueue", candidate.victim.queue)
    shared = ancestors(state.world, question.node)
    side = [node] + [a for a in ancestors(state.world, node) if a not in shared]
    return any(within(state, n, question.short) for n in side)
