"""What would be done with one pending workload: whether it is considered, its assignment, its targets."""

from dataclasses import dataclass
from typing import Any

from tests.property.obvious.amounts import Amounts, merged
from tests.property.obvious.assignment import Assignment, PodSetAssignment, assign, targets_of
from tests.property.obvious.pods import matches
from tests.property.obvious.preemption import Question, Target
from tests.property.obvious.tree import State, in_cycle, is_active
from tests.property.obvious.world import Workload, World

Manifest = dict[str, Any]


@dataclass(frozen=True)
class Nomination:
    """An assignment and whom to evict for it."""

    workload: Workload
    assignment: Assignment
    targets: list[Target]


def unfit_namespace(world: World, workload: Workload) -> str | None:
    """Why workloads of this namespace are not considered by the queue; None when they are."""
    name = workload.namespace
    if name not in world.namespaces:
        return f'workload namespace "{name}" does not exist: namespaces "{name}" not found'
    selector = world.queues[workload.queue].get("namespaceSelector")
    if selector is None or not _selects(selector, world.namespaces[name]):
        return "workload namespace doesn't match ClusterQueue selector"
    return None


def _selects(selector: Manifest, labels: dict[str, str]) -> bool:
    pairs = (selector.get("matchLabels") or {}).items()
    return all(labels.get(k) == v for k, v in pairs) and all(
        matches(expression, labels) for expression in selector.get("matchExpressions") or []
    )


def inadmissible_plan(world: World, workload: Workload) -> str | None:
    """Why a plan does not consider the workload at all."""
    if workload.queue not in world.queues or not is_active(world, workload.queue):
        return "no such or inactive ClusterQueue"
    return unfit_namespace(world, workload)


def inadmissible_head(world: World, workload: Workload) -> tuple[str, str] | None:
    """Message and reason token with which a cycle sets a head aside; None when it goes on."""
    if in_cycle(world, ("ClusterQueue", workload.queue)):
        return f"ClusterQueue {workload.queue} is inactive", "Suspended"
    unfit = unfit_namespace(world, workload)
    return None if unfit is None else (unfit, "Misconfigured")


def nominate(state: State, workload: Workload) -> Nomination:
    """The full assignment if it fits or can preempt, else the largest reduced one that does, else the full one."""
    full = _nomination(state, workload, [max(0, p.count - p.reclaimable) for p in workload.pod_sets])
    if _succeeds(full):
        return full
    reducible = sum(p.count - p.min_count for p in workload.pod_sets)
    low, high, found = 0, reducible + 1, full
    while reducible > 0 and low < high:
        probe = (low + high) // 2
        reduced = _nomination(state, workload, _reduced_counts(workload, probe, reducible))
        if _succeeds(reduced):
            high, found = probe, reduced
        else:
            low = probe + 1
    return found


def _reduced_counts(workload: Workload, step: int, steps: int) -> list[int]:
    return [
        0 if p.reclaimable >= p.count else p.count - (p.count - p.min_count) * step // steps for p in workload.pod_sets
    ]


def _succeeds(nomination: Nomination) -> bool:
    return nomination.assignment.mode == "Fit" or bool(nomination.targets)


def _nomination(state: State, workload: Workload, counts: list[int]) -> Nomination:
    assignment = assign(state, workload, counts)
    targets: list[Target] = []
    if assignment.mode == "Preempt":
        wanted = _wanted_of_preemption(assignment)
        targets = targets_of(Question(state, workload, workload.queue, assignment.short(), wanted))
    return Nomination(workload, assignment, targets)


def _wanted_of_preemption(assignment: Assignment) -> Amounts:
    """All that is asked, but without the pods counted and without what is asked 0 of."""
    total: Amounts = {}
    for pod_set in assignment.pod_sets:
        total = merged(total, {fr: v for fr, v in pod_set.amounts().items() if fr[1] != "pods"})
    return {fr: amount for fr, amount in total.items() if amount > 0}


def plan(state: State, workload: Workload) -> Manifest:
    """The recorded form of a plan."""
    unfit = inadmissible_plan(state.world, workload)
    head: Manifest = {"workload": workload.key, "clusterQueue": workload.queue}
    if unfit is not None:
        return head | {"mode": "NoFit", "borrowing": 0, "podSets": None, "inadmissible": unfit}
    nomination = nominate(state, workload)
    assignment = nomination.assignment
    answer = head | {
        "mode": assignment.mode,
        "borrowing": assignment.borrowing,
        "message": assignment.message,
        "podSets": [_pod_set(p) for p in assignment.pod_sets],
        "targets": recorded_targets(nomination.targets),
    }
    return answer | ({"noFitReason": assignment.token} if assignment.mode == "NoFit" else {})


def recorded_targets(targets: list[Target]) -> list[Manifest]:
    """The recorded form of targets."""
    return [{"workload": t.victim.key, "clusterQueue": t.victim.queue, "reason": t.reason} for t in targets]


def _pod_set(pod_set: PodSetAssignment) -> Manifest:
    attempts = [
        {
            "flavor": attempt.flavor,
            "mode": attempt.mode if attempt.mode in ("Fit", "NoFit") else "Preempt",
            "borrow": attempt.borrow,
            "preemption": attempt.mode if attempt.mode not in ("Fit", "NoFit") else None,
            "reasons": sorted(attempt.reasons),
            "reason": attempt.token,
        }
        for attempt in sorted(pod_set.attempts, key=lambda a: a.flavor)
    ]
    return {
        "name": pod_set.name,
        "count": pod_set.count,
        "flavors": [{"resource": r, "flavor": f, "mode": mode} for r, (f, mode) in sorted(pod_set.flavors.items())],
        "message": ", ".join(sorted(pod_set.reasons)),
        "attempts": attempts,
    }
