"""One scheduling cycle: the heads, the order in which they are processed, and what becomes of each."""

from dataclasses import dataclass
from typing import Any

from tests.property.obvious.amounts import Amounts, minus, plus
from tests.property.obvious.nomination import Nomination, inadmissible_head, nominate, recorded_targets
from tests.property.obvious.preemption import without
from tests.property.obvious.tree import (
    State,
    borrows,
    children,
    holding,
    is_stopped_or_incomplete,
    releasing,
    root_of,
    share,
    takeable,
    usage,
)
from tests.property.obvious.world import Node, Workload, World

Manifest = dict[str, Any]
OVERLAP = "Workload has overlapping preemption targets with another workload"
NO_ROOM = "Workload no longer fits after processing another workload"


@dataclass(frozen=True)
class Entry:
    """One nomination in a tournament, and the state with its workload added."""

    nomination: Nomination
    after: State


@dataclass(frozen=True)
class Outcome:
    """What a cycle did with one head. ``nomination`` is None for one set aside as inadmissible."""

    workload: Workload
    nomination: Nomination | None
    status: str
    message: str
    reason: str | None


def heads(world: World) -> dict[str, Workload]:
    """The first pending workload of every queue in service (or out of it for a cohort cycle alone)."""
    found: dict[str, Workload] = {}
    for name in sorted(world.queues):
        waiting = [w for w in world.pending.values() if w.queue == name]
        if waiting and not is_stopped_or_incomplete(world, name):
            found[name] = min(waiting, key=lambda w: (-w.priority, w.queued_since, w.uid))
    return found


def run_cycle(state: State, chosen: dict[str, Workload]) -> list[Outcome]:
    """Process the heads chosen, all nominated on the same state; outcomes in the order of processing."""
    outcomes: list[Outcome] = []
    nominations: list[Nomination] = []
    for _, workload in sorted(chosen.items()):
        unfit = inadmissible_head(state.world, workload)
        if unfit is None:
            nominations.append(nominate(state, workload))
        else:
            outcomes.append(Outcome(workload, None, "inadmissible", *unfit))
    evicted: list[Workload] = []
    while nominations:
        nomination, state = _first(state, nominations)
        nominations.remove(nomination)
        outcome, state = _process(state, nomination, evicted)
        if outcome.reason == "WaitingForPreemptedWorkloads":
            evicted += [target.victim for target in nomination.targets]
        outcomes.append(outcome)
    return outcomes


def _first(state: State, nominations: list[Nomination]) -> tuple[Nomination, State]:
    """Which nomination is processed next, and the state once each was added on trial and removed again."""
    if state.world.strategies is None:
        first = min(nominations, key=lambda n: (n.assignment.borrowing, *_seniority(n), n.workload.queue))
        return first, state
    root = min(root_of(state.world, ("ClusterQueue", n.workload.queue)) for n in nominations)
    entries: list[Entry] = []
    for nomination in nominations:
        queue, wanted = nomination.workload.queue, nomination.assignment.usage()
        if root_of(state.world, ("ClusterQueue", queue)) == root:
            entries.append(Entry(nomination, holding(state, queue, wanted)))
            state = releasing(entries[-1].after, queue, wanted)
    winner = _tournament(entries, root)
    assert winner is not None
    return winner.nomination, state


def _seniority(nomination: Nomination) -> tuple[int, float]:
    return -nomination.workload.priority, nomination.workload.queued_since.timestamp()


def _tournament(entries: list[Entry], node: Node) -> Entry | None:
    """The winner below the node; None when nothing below it was nominated.

    What is left over as a tie has no defined winner. Here it is the queue whose name comes first, and the cohort whose
    name comes last: that reproduces all recordings, of which only one depends on the choice between cohorts.
    """
    if node[0] == "ClusterQueue":
        return next((entry for entry in entries if entry.nomination.workload.queue == node[1]), None)
    nodes = children(entries[0].after.world, node)
    cohorts, queues = [n for n in nodes if n[0] == "Cohort"], [n for n in nodes if n[0] == "ClusterQueue"]
    below = [(child, _tournament(entries, child)) for child in [*reversed(cohorts), *queues]]
    ranked = [(_rank(child, winner), winner) for child, winner in below if winner is not None]
    return min(ranked, key=lambda place: place[0])[1] if ranked else None


def _rank(child: Node, entry: Entry) -> tuple[Any, ...]:
    """Not borrowing before borrowing, lower share, seniority, cohorts before queues."""
    wanted = entry.nomination.assignment.usage()
    borrowing = any(borrows(entry.after, child, fr) for fr, amount in wanted.items() if amount > 0)
    return borrowing, share(entry.after, child).rank(), _seniority(entry.nomination), child[0] == "ClusterQueue"


def _process(state: State, nomination: Nomination, evicted: list[Workload]) -> tuple[Outcome, State]:
    workload, assignment, targets = nomination.workload, nomination.assignment, nomination.targets
    wanted = assignment.usage()
    if assignment.mode == "NoFit":
        return Outcome(workload, nomination, "", assignment.message, assignment.token), state
    if assignment.mode == "Preempt" and not targets:
        return Outcome(workload, nomination, "", assignment.message, "WaitingForQuota"), _reserved(state, nomination)
    if any(target.victim in evicted for target in targets):
        return Outcome(workload, nomination, "skipped", OVERLAP, "WaitingForQuota"), state
    room = without(state, evicted + [target.victim for target in targets])
    if any(amount > takeable(room, workload.queue, fr) for fr, amount in wanted.items()):
        return Outcome(workload, nomination, "skipped", NO_ROOM, "WaitingForQuota"), state
    after = holding(state, workload.queue, wanted)
    if assignment.mode == "Fit":
        return Outcome(workload, nomination, "assumed", "", None), after
    message = f"{assignment.message}. Pending the preemption of {len(targets)} workload(s)"
    return Outcome(workload, nomination, "", message, "WaitingForPreemptedWorkloads"), after


def _reserved(state: State, nomination: Nomination) -> State:
    """Room kept free for a workload that has nobody to preempt, unless its queue can reclaim from anybody.

    In an over-used queue the amount may be negative: the queue's own usage falls then, its cohort's does not.
    """
    queue = nomination.workload.queue
    world, node = state.world, ("ClusterQueue", queue)
    if (world.queues[queue].get("preemption") or {}).get("reclaimWithinCohort") == "Any":
        return state
    kept: Amounts = {}
    for fr, amount in nomination.assignment.usage().items():
        nominal, used = world.nominal[node].get(fr, 0), usage(state, node, fr)
        if nomination.assignment.borrowing == 0:
            kept[fr] = min(amount, max(0, minus(nominal, used)))
        elif fr in world.borrowing_limit[node]:
            kept[fr] = min(amount, minus(plus(nominal, world.borrowing_limit[node][fr]), used))
        else:
            kept[fr] = amount
    return holding(state, queue, kept)


def recorded_cycle(outcomes: list[Outcome]) -> list[Manifest]:
    """The recorded form of a cycle."""
    return [
        {
            "workload": o.workload.key,
            "status": o.status,
            "mode": o.nomination.assignment.mode if o.nomination else "",
            "message": o.message,
            "reason": o.reason,
            "targets": recorded_targets(o.nomination.targets) if o.nomination else [],
        }
        for o in sorted(outcomes, key=lambda o: o.workload.key)
    ]
