"""A plan without a moment: whether each moment from the latest event on gives the same.

Tested in ``tests/unit/schedulers/kai/test_gaps.py``.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.explain.decision import PlacedPod, Plan
from kubectl_fairshare.schedulers.kai.gaps import UNDATED, without
from kubectl_fairshare.schedulers.kai.model.objects import KaiState, Phase, PodGroup, Shard
from kubectl_fairshare.schedulers.kai.session.session import Session, open_session
from kubectl_fairshare.schedulers.kai.solver.statuses import STUCK_AFTER

_MOST: Final = 16
"""The most moments that are tried."""


def losses(found: Plan) -> tuple[Outcome, frozenset[str], frozenset[PlacedPod]]:
    """The outcome, and the pods of other jobs that are evicted or moved."""
    moves = frozenset(found.placement.moves) if found.placement else frozenset[PlacedPod]()
    return found.computed, frozenset(task.name for each in found.victims for task in each.tasks), moves


def at_every_moment(session: Session, found: Plan, decide: Callable[[Session], Plan]) -> Plan:
    """The plan, with its outcome where only the moment was open and every moment gives that outcome.

    Without a moment no minimum runtime and no delay of a stored job is counted, and no pod is stuck. The gaps stay if
    other pods leave at some moments; where outcomes differ, the plan has each with the moment from which it holds.
    """
    doubts = {gap.feature for gap in found.fidelity.gaps if gap.touches}
    if not doubts or not doubts <= UNDATED:
        return found
    moments = sorted({*_moments(session.state, session.shard)})
    if len(moments) > _MOST:
        return found
    plans = [decide(open_session(replace(session.state, now=moment), session.shard)) for moment in moments]
    outcomes = {each.outcome for each in plans}
    if Outcome.UNKNOWN in outcomes:
        return found
    if len(outcomes) > 1:
        return replace(found, moments=tuple(_changes(moments, plans)))
    agree = all(losses(each) == losses(plans[0]) for each in plans)
    shown = found if losses(found) in map(losses, plans) else plans[0]
    known = without(found.fidelity, *UNDATED) if agree else found.fidelity
    return replace(shown, outcome=shown.computed, fidelity=known)


def _changes(moments: Sequence[int], plans: Sequence[Plan]) -> Iterator[tuple[int, Plan]]:
    """The plans that differ from the one before, each with the moment from which it holds: 0 for the first."""
    yield 0, plans[0]
    for (_, before), (moment, plan) in pairwise(zip(moments, plans, strict=True)):
        if losses(plan) != losses(before):
            yield moment, plan


def _moments(state: KaiState, shard: Shard) -> Iterator[int]:
    """The moment of the latest event, and those later ones after which a pod or a job counts otherwise."""
    groups = state.pod_groups
    latest = max((m for g in groups for m in (g.created, g.last_start or 0, g.last_eviction or 0)), default=0)
    yield latest
    spans = {shard.reclaim_min_runtime, shard.preempt_min_runtime}
    spans |= {s for q in state.queues.values() for s in (q.reclaim_min_runtime, q.preempt_min_runtime) if s}
    ends = [end for group in groups for end in _ends(group, spans)]
    for pod in state.pods:
        since = (pod.raw.get("metadata") or {}).get("deletionTimestamp")
        if pod.phase is Phase.RELEASING and since:
            ends.append(nanoseconds(since) + STUCK_AFTER)
    yield from (end + 1 for end in ends if end >= latest)


def _ends(group: PodGroup, spans: set[int]) -> Iterator[int]:
    """When the minimum runtimes and the delay of a job end."""
    if group.last_start is not None:
        yield from (group.last_start + span for span in spans if span)
    if group.preemption_delay > 0:
        yield max(group.created, group.last_eviction or 0) + group.preemption_delay
