"""Which workloads wait in which queue, and in which order.

Why not by age alone: a workload of priority 10 that came last is before all of priority 0, and in a BestEffortFIFO
queue one for which others were preempted is before both.
Source: ``queueOrderingFunc``, ``baseCompareFunc`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/cache/queue/cluster_queue.go; "queue order" in
``docs/laws.md``.
Tested in ``tests/unit/schedulers/kueue/explain/test_position.py``.
"""

from bisect import bisect_left
from collections.abc import Sequence
from functools import partial
from typing import Final, TypeAlias

from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.moments import moment_text
from kubectl_fairshare.schedulers.kueue.jobs.blocks import ON_HOLD
from kubectl_fairshare.schedulers.kueue.jobs.laws import NEVER_QUEUED
from kubectl_fairshare.schedulers.kueue.laws import Law, queue_order
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.tree.activity import shows_active
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.trace import Fact, Operand, Step

STRICT: Final = "StrictFIFO"


def waiting(state: State, *, everywhere: bool = False) -> dict[str, list[Pending]]:
    """The pending workloads of every ClusterQueue that keeps a queue, in order.

    In a BestEffortFIFO queue one for which others were preempted comes before all others. A queue out of service
    keeps none, unless its reason is a cohort cycle alone, or one that its conditions do not show. Workloads that are
    deactivated, gated, in a stopped or missing LocalQueue, or never made of their job wait in no queue, and neither
    do those that their status keeps out: on hold, in a backoff, not requeued.
    """
    queues: dict[str, list[Pending]] = {}
    for workload in state.kueue.pending:
        name = state.cluster_queue_of(workload)
        known = name in state.kueue.cluster_queues and (everywhere or keeps_queue(state, name))
        if known and is_queued(state, workload) and blocking_step(state, workload) is None:
            queues.setdefault(name, []).append(workload)
    return {name: _in_order(state, name, queues[name]) for name in sorted(queues)}


_Place: TypeAlias = tuple[float, bool, int, bool, tuple[int, int, str]]


def _in_order(state: State, name: str, queue: list[Pending]) -> list[Pending]:
    return sorted(queue, key=partial(_place, state, name))


def _place(state: State, name: str, workload: Pending) -> _Place:
    """What orders a queue: past usage, then a preemptor, then Kueue's order; what has no moment comes last."""
    strict = state.kueue.cluster_queues[name].queueing_strategy == STRICT
    usage = past_usage(state, name, workload)
    # Past usage comes before the preemptor: admission fair sharing may take the front from it.
    return usage, strict or not workload.preempting, -workload.priority, workload.undated, queue_order(workload)


def place_in(state: State, name: str, queue: Sequence[Pending], workload: Pending) -> int | None:
    """The place of a workload, from 0, in a queue that is in order; None if it is not there."""
    first = bisect_left(queue, _place(state, name, workload), key=partial(_place, state, name))
    if first < len(queue) and queue[first].key == workload.key:
        return first
    return next((place for place, each in enumerate(queue) if each.key == workload.key), None)


def unordered(state: State, name: str, queue: Sequence[Pending], workload: Pending) -> tuple[Pending, ...]:
    """The workloads of a queue of which the input does not say whether they are ahead of this one.

    They rank the same, and both lack a moment, or have the same moment and no UID.
    """
    if workload.uid and not workload.undated:
        return ()
    alike = (w for w in queue if w.undated == workload.undated and (w.undated or not w.uid))
    own = rank(state, name, workload)
    return tuple(w for w in alike if rank(state, name, w) == own and w.key != workload.key)


def rank(state: State, name: str, workload: Pending) -> tuple[float, bool, int, int]:
    """What orders a workload in its queue, apart from its UID."""
    strict = state.kueue.cluster_queues[name].queueing_strategy == STRICT
    moment = -1 if workload.undated else workload.queued
    return past_usage(state, name, workload), strict or not workload.preempting, workload.priority, moment


def past_usage(state: State, cluster_queue: str, workload: Pending) -> float:
    """The past usage of the workload's LocalQueue, as far as the ClusterQueue orders by it; 0 elsewhere."""
    if state.past is None:
        return 0.0
    return state.past.usage(cluster_queue, (workload.key.namespace, workload.local_queue))


def keeps_queue(state: State, name: str) -> bool:
    """Whether workloads of the ClusterQueue can become heads."""
    return shows_active(state.inactive.get(name))


def is_queued(state: State, workload: Pending) -> bool:
    """Whether there is such a workload, it is active and not gated, and its LocalQueue lets it wait."""
    if workload.refusal is not None and workload.refusal.law in NEVER_QUEUED:
        return False
    local = state.kueue.local_queues.get((workload.key.namespace, workload.local_queue))
    held = bool(workload.gated_by) or any(block.until is None for block in workload.blocks)
    return workload.active and not held and local is not None and local.stop_policy == "None"


def blocking_step(state: State, workload: Pending) -> Step | None:
    """What in the status of a workload keeps it out of its queue now; None if nothing does.

    A backoff counts until the state is surely from after its end.
    """
    # At the very moment of its end a backoff is over.
    lasting = [b for b in workload.blocks if b.until is None or b.until > state.kueue.moment]
    if not lasting:
        return None
    first = lasting[0]
    if first.until is not None:
        operands: tuple[tuple[str, Operand], ...] = (("until", first.until), ("evictions", first.evictions))
        return Step(Law.BACKOFF, operands, holds=False, rests_on=(Fact(first.place, moment_text(first.until)),))
    law = Law.ON_HOLD if first.kind == ON_HOLD else Law.NOT_REQUEUED
    reason = Place(first.place.object, (*first.place.path, "reason"))
    operands = () if law is Law.ON_HOLD else (("condition", first.kind), ("reason", first.reason))
    return Step(law, operands, holds=False, rests_on=(Fact(reason, first.reason),))


def heads(state: State) -> dict[str, Pending]:
    """The first workload of every queue that is not empty, by ClusterQueue."""
    return {name: queue[0] for name, queue in waiting(state).items()}
