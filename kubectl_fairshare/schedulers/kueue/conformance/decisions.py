"""Replays recorded Kueue cases: the engine's answers in the form of the recordings."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import chain, combinations, islice, product
from typing import Any, TypeVar

import orjson

from kubectl_fairshare.model.amounts import bounded_amount
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.choices import Possible
from kubectl_fairshare.schedulers.kueue.admission.topology_encoding import slices
from kubectl_fairshare.schedulers.kueue.conformance import admission_sharing
from kubectl_fairshare.schedulers.kueue.conformance.admission_sharing import PANIC, with_memory
from kubectl_fairshare.schedulers.kueue.conformance.cases import case_snapshot
from kubectl_fairshare.schedulers.kueue.cycle.cycle import CycleRun, HeadStatus, ProcessedHead
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination, nominate_again
from kubectl_fairshare.schedulers.kueue.cycle.possible import (
    MOST_WAYS,
    end_with_requests,
    possible_cycles,
    possible_nominations,
)
from kubectl_fairshare.schedulers.kueue.cycle.queues import heads
from kubectl_fairshare.schedulers.kueue.flavors.assignment import FlavorAttempt, PodSetAssignment, mode_of
from kubectl_fairshare.schedulers.kueue.flavors.map_order import possible_pod_sets
from kubectl_fairshare.schedulers.kueue.laws import Grade, Law, Share
from kubectl_fairshare.schedulers.kueue.model.topology import PlacedPods, TopologyAssignment
from kubectl_fairshare.schedulers.kueue.preemption.targets import Target
from kubectl_fairshare.schedulers.kueue.topology.tree import TopologyTree
from kubectl_fairshare.schedulers.kueue.tree.forest import TreeNode
from kubectl_fairshare.schedulers.kueue.tree.state import State, state_of
from kubectl_fairshare.schedulers.kueue.words import messages as kueue_messages
from kubectl_fairshare.schedulers.recording import POSSIBLE

R = TypeVar("R")
Document = dict[str, Any]
MOST_ANSWERS = 256
"""The most answers that are listed where ties allow several."""
_PREEMPTION = {Grade.NO_CANDIDATES: "NoCandidates", Grade.PREEMPT: "Preempt", Grade.RECLAIM: "Reclaim"}
_ABSENT = (Law.QUEUE_MISSING, Law.QUEUE_INACTIVE, Law.LOCAL_QUEUE_MISSING)


def replay(case: JsonObject) -> Document:
    """The engine's answer to a case, in the form of its ``expected``."""
    state = with_memory(state_of(case_snapshot(case)), case)
    open_ = _with_open_local_queues(state)
    seconds = [_plan(nominate_again(state, s)) | {"secondPass": True} for s in state.kueue.second_pass]
    plans = [
        _documents(possible_nominations(open_, w, MOST_WAYS, end_with_requests), _plans) for w in state.kueue.pending
    ]
    cycles = _documents(possible_cycles(state, MOST_WAYS), _cycles)
    fixed = _fixed(state, case)
    chosen = islice(_combined([*plans, cycles]), MOST_ANSWERS)
    ways = [{**fixed, "plans": [*first, *seconds], **cycle} for *first, cycle in chosen]
    if not state.configuration.release.reason_tokens:
        for way in ways:
            _without_tokens(way)
    named = str(case["config"].get("release", ""))
    if not state.configuration.release.zeros_need_no_room:
        _without_zeros(fixed)
    if named.startswith("v0.16"):
        for way in ways:
            _as_recorded_first(way)
    return ways[0] if len(ways) < 2 else {**ways[0], POSSIBLE: ways}


def _combined(choices: Sequence[Sequence[Json]]) -> Iterator[tuple[Json, ...]]:
    """One of each: first those with the fewest that are not the first."""
    undecided = [place for place, each in enumerate(choices) if len(each) > 1]  # so that each step has an answer
    for size in range(len(undecided) + 1):
        for changed in combinations(undecided, size):
            for others in product(*(choices[place][1:] for place in changed)):
                instead = dict(zip(changed, others, strict=True))
                yield tuple(instead.get(place, each[0]) for place, each in enumerate(choices))


def _documents(possible: Possible[R], documents: Callable[[R], Iterable[Json]]) -> list[Json]:
    """The different documents of the possible results."""
    every = chain.from_iterable(map(documents, possible.results))
    return list({orjson.dumps(each): each for each in every}.values())


def _named(nomination: Nomination) -> Iterator[Nomination]:
    """The nomination, and those with the same decision that name other shortages by chance."""
    assignment = nomination.assignment
    pod_sets = ((),) if assignment is None else islice(possible_pod_sets(assignment), MOST_ANSWERS)
    for each in pod_sets:
        yield nomination if assignment is None else replace(nomination, assignment=replace(assignment, pod_sets=each))


def _plans(nomination: Nomination) -> Iterator[Document]:
    yield from map(_plan, _named(nomination))
    if nomination.assignment is not None and nomination.assignment.may_crash:
        yield _panic(nomination)


def _panic(nomination: Nomination) -> Document:
    return {"workload": nomination.workload.name, "clusterQueue": nomination.cluster_queue, "panic": PANIC}


def _as_recorded_first(way: Document) -> None:
    """The form of a crash in the recordings of v0.16."""
    for plan in way["plans"]:
        if "panic" in plan:
            plan.update({"crash": plan.pop("panic"), "mode": "Crash", "borrowing": 0})
    way.pop("cyclePanic", None)


def _cycles(run: CycleRun) -> Iterator[Document]:
    if any(e.nomination.crashes for e in run.entries):
        yield {"cyclePanic": PANIC}
        return
    entries = [
        list({orjson.dumps(d): d for d in (_entry(replace(e, nomination=n)) for n in _named(e.nomination))}.values())
        for e in run.entries
    ]
    yield from ({"cycle": list(each)} for each in islice(product(*entries), MOST_ANSWERS - 1))
    if any(e.nomination.assignment is not None and e.nomination.assignment.may_crash for e in run.entries):
        yield {"cyclePanic": PANIC}


def _without_zeros(fixed: Document) -> None:
    """The form of leaves in releases that drop amounts of 0."""
    for domain in (each for topology in fixed["topologies"] for each in topology["domains"]):
        for part in ("free", "used"):
            domain[part] = {resource: amount for resource, amount in domain[part].items() if amount}


def _without_tokens(way: Document) -> None:
    """Takes out the reasons that a release does not have."""
    for plan in way["plans"]:
        plan.pop("noFitReason", None)
        for pod_set in plan.get("podSets") or ():
            for attempt in pod_set["attempts"]:
                attempt.pop("reason", None)
    for entry in way.get("cycle", ()):
        entry.pop("reason", None)


def _fixed(state: State, case: JsonObject) -> Document:
    """The fields in which Kueue leaves nothing to chance."""
    return {
        **admission_sharing.fields(state, case),
        "nodes": [_node(state, n) for n in state.forest.nodes if not n.is_queue or state.is_active(n.id)],
        "inactive": sorted(state.inactive),
        "secondPass": sorted(s.workload.name for s in state.kueue.second_pass),
        "topologies": list(_topologies(state)),
        "heads": {q: w.name for q, w in heads(state).items()},
    }


def _with_open_local_queues(state: State) -> State:
    """The state as recorded plans see it: a direct question to the scheduler does not go through the queue."""
    queues = {name: replace(queue, stop_policy="None") for name, queue in state.kueue.local_queues.items()}
    return state.of_snapshot(state.snapshot.with_part(replace(state.kueue, local_queues=queues)))


def _node(state: State, node: TreeNode) -> Document:
    share = state.ledger.share(node.id)
    parent = node.parent
    return {
        "kind": "ClusterQueue" if node.is_queue else "Cohort",
        "name": node.name,
        "parent": None if parent is None else state.forest.nodes[parent].name,
        "weight": node.weight,
        "weightedShare": exact_share(share),
        "roundedShare": share.rounded,
        "dominantResource": share.dominant,
        "borrowing": share.borrowing,
        "resources": [
            {
                "flavor": pair.flavor,
                "resource": pair.resource,
                "subtreeQuota": bounded_amount(state.forest.subtree(node.id, pair)),
                "usage": bounded_amount(state.ledger.usage(node.id, pair)),
                "available": bounded_amount(state.ledger.available(node.id, pair)),
                "potentialAvailable": bounded_amount(state.forest.potential(node.id, pair)),
            }
            for pair in sorted(node.subtree)
        ],
    }


def exact_share(share: Share) -> str:
    """The share as the recordings write it: the shortest decimal text of the float64."""
    if share.rank:
        return "+Inf"
    return format(Decimal(repr(share.value)), "f").removesuffix(".0")


def _plan(nomination: Nomination) -> Document:
    if nomination.crashes:
        return _panic(nomination)
    plan: Document = {
        "workload": nomination.workload.name,
        "clusterQueue": nomination.cluster_queue,
        "mode": str(nomination.mode),
        "borrowing": 0,
        "podSets": None,
    }
    if nomination.refused is not None:
        absent = nomination.refused.law in _ABSENT
        message = "no such or inactive ClusterQueue" if absent else kueue_messages.nomination_message(nomination)
        return plan | {"inadmissible": message}
    assignment, search = nomination.assignment, nomination.search
    if assignment is None or search is None:
        return plan
    return plan | {
        "borrowing": assignment.borrowing,
        "message": kueue_messages.assignment_message(assignment),
        "noFitReason": assignment.token,
        "podSets": [_pod_set(p) for p in assignment.pod_sets],
        "targets": [_target(t) for t in nomination.leaving],
    }


def _pod_set(pod_set: PodSetAssignment) -> Document:
    return {
        "name": pod_set.name,
        "count": pod_set.count,
        "flavors": [
            {"resource": resource, "flavor": flavor, "mode": str(mode_of(grade))}
            for resource, (flavor, grade) in sorted(pod_set.flavors.items())
        ],
        "message": kueue_messages.pod_set_message(pod_set),
        "topologyAssignment": _assignment(pod_set.topology),
        "attempts": [_attempt(a) for a in pod_set.attempts],
    }


def _assignment(found: TopologyAssignment | None) -> Document | None:
    if found is None:
        return None
    return {
        "levels": list(found.levels),
        "domains": [{"values": list(d.values), "count": d.pods} for d in found.domains],
    }


def _topologies(state: State) -> Iterator[Document]:
    """Each leaf of each flavor with a topology that a queue in service uses."""
    queues = (q for name, q in state.kueue.cluster_queues.items() if name not in state.inactive)
    flavors = {f for q in queues for group in q.groups for f in group.flavors}
    for name in sorted(flavors):
        tree = state.occupancy.landscape.tree(name)
        if tree is not None:
            yield {
                "flavor": name,
                "topology": tree.topology.name,
                "levels": list(tree.levels),
                "domains": [_leaf(state, tree, tree.leaf_ids[name]) for name in sorted(tree.leaf_ids)],
            }


def _leaf(state: State, tree: TopologyTree, leaf: int) -> Document:
    remaining = state.occupancy.remaining(tree)
    free = {r: column[leaf] for r, column in tree.free.items()}
    used = {r: free.get(r, 0) - column[leaf] for r, column in remaining.items()}
    here = (p for p in _placements(state, tree) if any(tree.leaf(d.values) == leaf for d in p.domains))
    asked = {resource for placement in here for resource in placement.request}
    known = {r for node in tree.nodes[leaf] for r in (*node.allocatable, *state.kueue.occupied.get(node.name, ()))}
    return {
        "values": list(tree.leaves[leaf]),
        "free": {r: amount for r, amount in free.items() if r in known},
        "used": {r: amount for r, amount in used.items() if amount or r in asked},
    }


def _placements(state: State, tree: TopologyTree) -> Iterator[PlacedPods]:
    """The pods that the tree sees."""
    shared = tree.of_hosts and state.occupancy.landscape.shares_hosts
    for holder in state.kueue.holders:
        yield from (p for p in holder.placements if shared or tree.flavor.name in p.flavors)


def _attempt(attempt: FlavorAttempt) -> Document:
    return {
        "flavor": attempt.flavor,
        "mode": str(attempt.mode),
        "borrow": attempt.borrow,
        "preemption": _PREEMPTION.get(attempt.grade),
        "reasons": sorted({kueue_messages.reason(r) for r in attempt.reasons}),
        "reason": attempt.token,
    }


def _target(target: Target) -> Document:
    return {
        "workload": target.holder.name,
        "clusterQueue": target.holder.cluster_queue,
        "reason": str(target.reason),
    }


def _entry(entry: ProcessedHead) -> Document:
    considered = entry.nomination.assignment is not None
    return {
        "workload": entry.nomination.workload.name,
        "status": str(entry.status),
        "mode": entry.mode if considered else "",
        "message": kueue_messages.entry_message(entry),
        "reason": entry.reason,
        "targets": [_target(t) for t in entry.nomination.leaving],
        "podSets": [_placed_pod_set(p, admitted=entry.status is HeadStatus.ASSUMED) for p in _placed(entry)],
    }


def _placed_pod_set(pod_set: PodSetAssignment, *, admitted: bool) -> Document:
    """Where a pod set goes; of one that is admitted also as its Workload says it."""
    found = _assignment(pod_set.topology) or {}
    place: Document = {"name": pod_set.name, "topologyAssignment": found}
    if admitted:
        place["encoded"] = {"levels": found["levels"], "slices": slices(found["levels"], found["domains"])}
    return place


def _placed(entry: ProcessedHead) -> Iterable[PodSetAssignment]:
    assignment = entry.nomination.assignment
    return () if assignment is None else (p for p in assignment.pod_sets if p.topology is not None)
