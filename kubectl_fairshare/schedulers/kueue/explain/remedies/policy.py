"""Preemption policies of the preemptor's ClusterQueue that would admit it, each simulated before it is proposed."""

from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_fairshare.model.json import FieldPath
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination
from kubectl_fairshare.schedulers.kueue.explain.decision import Remedy, RemedyKind
from kubectl_fairshare.schedulers.kueue.explain.remedies.trying import decision
from kubectl_fairshare.schedulers.kueue.model.objects import Preemption
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.tree.state import State

_NEVER: Final = "Never"
POLICIES: Final[Mapping[RemedyKind, tuple[str, ...]]] = {
    RemedyKind.WITHIN_QUEUE: (_NEVER, "LowerPriority", "LowerOrNewerEqualPriority"),
    RemedyKind.RECLAIM: (_NEVER, "LowerPriority", "Any"),
    RemedyKind.BORROW: (_NEVER, "LowerPriority"),
}
"""The values of each policy: each allows all that the one before it allows."""
_FIELDS: Final[Mapping[RemedyKind, FieldPath]] = {
    RemedyKind.WITHIN_QUEUE: ("withinClusterQueue",),
    RemedyKind.RECLAIM: ("reclaimWithinCohort",),
    RemedyKind.BORROW: ("borrowWithinCohort", "policy"),
}


def policy_remedies(state: State, nomination: Nomination) -> Iterator[Remedy]:
    """The narrowest value of each policy with which a workload that waits is admitted after preemption."""
    queue, workload = nomination.queue, nomination.workload
    if queue is None or nomination.assignment is None:
        return
    now = state.forest.nodes[queue].queue.preemption
    for kind, values in POLICIES.items():
        found = _narrowest(state, queue, workload, kind, values) if _is_valid(now, kind) else None
        if found is not None:
            yield found


def _is_valid(now: Preemption, kind: RemedyKind) -> bool:
    """Whether Kueue's webhook accepts a wider policy: borrowWithinCohort needs reclaimWithinCohort."""
    return kind is not RemedyKind.BORROW or now.reclaim_within_cohort != _NEVER


def _narrowest(state: State, queue: int, workload: Pending, kind: RemedyKind, values: tuple[str, ...]) -> Remedy | None:
    spec = state.forest.nodes[queue].queue
    before = values.index(_value(spec.preemption, kind))
    for after in range(before + 1, len(values)):
        then = decision(state.with_preemption(queue, _with_value(spec.preemption, kind, values[after])), workload)
        if then is not None:
            return Remedy(
                kind,
                before,
                after,
                then.outcome,
                len(then.leaving),
                object=spec.key,
                place=Place(spec.key, ("spec", "preemption", *_FIELDS[kind])),
                words=(values[before], values[after]),
                leaving=then.leaving,
                doubted=then.doubted,
            )
    return None


def _value(of: Preemption, kind: RemedyKind) -> str:
    if kind is RemedyKind.WITHIN_QUEUE:
        return of.within_cluster_queue
    return of.reclaim_within_cohort if kind is RemedyKind.RECLAIM else of.borrow_within_cohort


def _with_value(of: Preemption, kind: RemedyKind, value: str) -> Preemption:
    if kind is RemedyKind.WITHIN_QUEUE:
        return replace(of, within_cluster_queue=value)
    if kind is RemedyKind.RECLAIM:
        return replace(of, reclaim_within_cohort=value)
    return replace(of, borrow_within_cohort=value)
