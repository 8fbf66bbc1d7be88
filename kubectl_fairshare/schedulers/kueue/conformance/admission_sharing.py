"""Replays of recorded cases with admission fair sharing: what each LocalQueue used, and the orders that follow."""

from collections.abc import Mapping
from typing import Any, Final

from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.admission_sharing import figures
from kubectl_fairshare.schedulers.kueue.admission_sharing.figures import Consumption
from kubectl_fairshare.schedulers.kueue.admission_sharing.past_usage import (
    Entry,
    UsageLedger,
    admitted_usage,
    by_local_queue,
    is_sampled,
    scoped_queues,
    status_entry,
)
from kubectl_fairshare.schedulers.kueue.cycle.cycle import HeadStatus
from kubectl_fairshare.schedulers.kueue.cycle.play import Play
from kubectl_fairshare.schedulers.kueue.cycle.queues import waiting
from kubectl_fairshare.schedulers.kueue.model.consumption import quantity_of
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP, AdmissionSharing, LocalQueue
from kubectl_fairshare.schedulers.kueue.tree.state import State

Document = dict[str, Any]
PANIC: Final = "runtime error: invalid memory address or nil pointer dereference"
_RESTARTED: Final = "restarted"


def with_memory(state: State, case: JsonObject) -> State:
    """The state with what the manager of the case has in memory at its moment."""
    sharing = state.configuration.admission_sharing
    return state if sharing is None else state.with_past(_memory(state, case, sharing))


def fields(state: State, case: JsonObject) -> Document:
    """The fields of a case with admission fair sharing."""
    if state.past is None:
        return {}
    rounds, after, crashed = _rounds(state, case)
    sampled = {name: _takes_sample(state, queue, case) for name, queue in state.kueue.local_queues.items()}
    queues = [q for q in sorted(state.holders.queues) if state.is_active(q)]
    orders = {state.forest.nodes[q].name: [h.name for h in state.holders.of(q)] for q in queues}
    return {
        **({"cyclePanic": PANIC} if crashed else {}),
        "localQueues": _local_queues(state, state.past, sampled, case),
        "localQueuesAfter": _local_queues(state, after, sampled, case),
        "queueOrder": {name: [w.name for w in queue] for name, queue in waiting(state, everywhere=True).items()},
        "candidateOrder": orders,
        "rounds": rounds,
    }


def _memory(state: State, case: JsonObject, sharing: AdmissionSharing) -> UsageLedger:
    past = UsageLedger(sharing, scoped_queues(state.kueue), {})
    held = by_local_queue(state.kueue)
    for name, queue in state.kueue.local_queues.items():
        known, apart = _is_known(state, queue, case), sharing.release.penalty_sums
        entry = status_entry(queue) if known else Entry(weight=queue.weight)
        entry = replace(entry, penalties=_penalties(case, name) if known or apart else {})
        if _takes_sample(state, queue, case):
            fresh = queue.sampled is None or case["manager"] == _RESTARTED
            span = 0 if fresh else nanoseconds(case["now"]) - (queue.sampled or 0)
            admitted = admitted_usage(held.get(name, ()))
            before = admitted if fresh and sharing.release.starts_as_admitted else entry.consumed
            consumed = figures.sampled(before, admitted, span, sharing)
            entry = replace(entry, consumed=consumed)
        past = past.with_entry(name, entry)
    return past


def _is_known(state: State, queue: LocalQueue, case: JsonObject) -> bool:
    """Whether the manager has read the LocalQueue: now, or before, if it did not restart since."""
    charged = bool(_penalties(case, (queue.namespace, queue.name))) and not state.configuration.release.penalty_sums
    remembered = case["manager"] != _RESTARTED and (queue.sampled is not None or charged)
    return remembered or is_sampled(state.kueue, queue, state.shown_inactive)


def _penalties(case: JsonObject, local_queue: tuple[str, str]) -> dict[ObjectKey, Consumption]:
    found: dict[ObjectKey, Consumption] = {}
    for penalty in case.get("penalties") or ():
        if tuple(penalty["localQueue"].split("/")) == local_queue:
            namespace, name = penalty["workload"].split("/")
            resources = {r: quantity_of(value) for r, value in penalty["resources"].items()}
            found[ObjectKey(GROUP, "Workload", namespace, name)] = resources
    return found


def _takes_sample(state: State, queue: LocalQueue, case: JsonObject) -> bool:
    """Whether the manager samples the LocalQueue at the moment of the case."""
    sharing = state.configuration.admission_sharing
    if sharing is None or not is_sampled(state.kueue, queue, state.shown_inactive):
        return False
    if case["manager"] == _RESTARTED or queue.sampled is None:
        return True
    pending = any(q.unscaled for p in _penalties(case, (queue.namespace, queue.name)).values() for q in p.values())
    return pending or nanoseconds(case["now"]) - queue.sampled >= sharing.sampling * 10**9


def _rounds(state: State, case: JsonObject) -> tuple[list[Document], UsageLedger | None, bool]:
    """Cycles in a row until one admits nothing, or preempts; the past usage after the first; whether one crashes."""
    play = Play(state, waiting(state), nanoseconds(case["now"]), lambda _: None)
    rounds: list[Document] = []
    after = state.past
    while len(rounds) < case["rounds"]:
        heads = play.heads()
        if rounds and not heads:
            break
        play.cycle()
        if any(e.nomination.crashes for e in play.entries):
            return rounds, after, True
        admitted = [e for e in play.entries if e.status is HeadStatus.ASSUMED]
        rounds.append({"heads": heads, "admitted": sorted(e.nomination.workload.name for e in admitted)})
        after = play.state.past if len(rounds) == 1 else after
        if not admitted or any(e.preempts for e in play.entries):
            break
    return rounds, after, False


def _local_queues(
    state: State, past: UsageLedger | None, sampled: Mapping[tuple[str, str], bool], case: JsonObject
) -> list[Document]:
    if past is None:
        return []
    return [
        {
            "name": "/".join(name),
            "clusterQueue": queue.cluster_queue,
            "weight": queue.weight,
            "known": _is_known(state, queue, case),
            "sampled": sampled[name],
            "consumed": _amounts(past.of(name).consumed),
            "penalty": _amounts(past.of(name).penalty),
            "usage": _usage(past.of(name).usage),
        }
        for name, queue in state.kueue.local_queues.items()
    ]


def _amounts(consumption: Consumption) -> Document:
    return {resource: q.value for resource, q in sorted(consumption.items()) if q.unscaled}


def _usage(usage: float) -> float | str:
    if usage == figures.BEFORE_ALL:
        return "NaN"
    return "+Inf" if usage == float("inf") else usage
