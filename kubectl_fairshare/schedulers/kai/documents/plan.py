"""KAI's plans as documents. cpu in millicores, memory in bytes, GPUs in devices."""

import math
from typing import Literal, TypedDict

from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.plan import BindingEntry, RemedyEntry, SharedPlan, UnaskedEntry, VictimEntry
from kubectl_fairshare.schedulers.kai.documents.shares import AmountsPart, amounts
from kubectl_fairshare.schedulers.kai.documents.usage import UsagePart, usage_part
from kubectl_fairshare.schedulers.kai.explain.decision import (
    Candidate,
    PassedOver,
    PlacedPod,
    Placement,
    Plan,
    Reclaim,
    Remedy,
)
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, KaiState, TimeAware
from kubectl_fairshare.schedulers.kai.reclaim.validator import Compared, JudgedItem, QuotaCheck
from kubectl_fairshare.schedulers.kai.words.sentences import sentence


class ReclaimablePart(TypedDict):
    """A job that may be reclaimed; ``askerSide`` and ``victimSide`` are the two queues that KAI compares."""

    namespace: str
    name: str
    queue: str
    askerSide: str
    victimSide: str
    held: AmountsPart
    allocatable: AmountsPart
    quota: AmountsPart
    safeBelowMinimum: bool
    podsLost: int


class PassedOverPart(TypedDict):
    """The jobs of one queue that are not candidates."""

    queue: str
    jobs: int
    holds: AmountsPart
    law: str
    reason: str


class JudgedPart(TypedDict):
    """One item of the set of victims."""

    queue: str
    item: AmountsPart
    victimSide: str
    heldBefore: AmountsPart
    maintainFairShare: bool
    guaranteeDeservedQuota: bool
    allowed: bool


class ComparedPart(TypedDict):
    """A queue above the reclaimer, compared with a sibling; a saturation of null is infinite."""

    queue: str
    sibling: str | None
    resource: str | None
    saturation: float | None
    siblingSaturation: float | None
    multiplier: float
    allowed: bool


class ReclaimPart(TypedDict):
    """The attempt to reclaim. ``leftOut`` are jobs that no strategy allows once the earlier victims are gone.

    ``firm``: no other set that KAI's solver may try succeeds.
    """

    candidates: list[ReclaimablePart]
    passedOver: list[PassedOverPart]
    enough: bool
    leftOut: list[str]
    firm: bool
    orderDefined: bool
    verdictDefined: bool
    judged: list[JudgedPart]
    compared: list[ComparedPart]


class ChangePart(TypedDict):
    """One field of a remedy; ``queue`` is empty for the job itself.

    ``resource`` is the resource, or the name of another field. ``bound`` is the bound of the resource that changes,
    ``limit`` or ``quota``; empty for another field. ``to`` is the new value of a field that holds no amount,
    or the sub-group of a minimum; such fields may have no ``before`` and ``after``.
    """

    queue: str
    resource: str
    before: float | None
    after: float | None
    to: str
    bound: str
    place: parts.PlacePart | None


class KaiRemedyPart(RemedyEntry):
    """A change that was simulated and helps, with the fields that it changes."""

    kind: Literal["limit", "quota", "bounds", "preemptibility", "priority", "pods", "request", "nodePool", "minRuntime"]
    changes: list[ChangePart]
    then: str


class DisplacedPart(TypedDict):
    """Pods of one job in the same queue that a higher priority evicts together."""

    job: str
    pods: list[str]


class PlacedPart(TypedDict):
    """A pod and its node."""

    pod: str
    node: str


class PlacementPart(TypedDict):
    """The effect of the first KAI action that has one; ``action`` is empty if no action has an effect.

    ``waiting`` pods get their node after evictions; ``moved`` are pods of other jobs that restart elsewhere.
    ``condition`` is what KAI writes on the PodGroup if no action has an effect; ``otherConditions`` it may write
    instead, by chance.
    """

    action: str
    bound: list[PlacedPart]
    waiting: list[PlacedPart]
    moved: list[PlacedPart]
    condition: str
    otherConditions: list[str]


class KaiPlanDocument(SharedPlan):
    """The decision for one job; k is null if it is infinite, or if the formula has no k."""

    namespace: str
    name: str
    shard: str
    timeAware: str
    k: float | None
    usage: UsagePart | None
    queue: str
    priority: int
    preemptible: bool
    request: AmountsPart
    pods: list[str]
    idle: AmountsPart
    largerThanAnyNode: list[str]
    victims: list[VictimEntry]
    notAsked: list[UnaskedEntry]
    bindings: list[BindingEntry]
    reclaim: ReclaimPart | None
    preemptable: list[str]
    displaced: list[DisplacedPart]
    placement: PlacementPart | None
    remedies: list[KaiRemedyPart]
    notDecided: list[str]


def plan_fields(plan: Plan, state: KaiState, places: parts.Places) -> dict[str, object]:
    """The fields that only KAI's plans have."""
    job, shard = plan.job, plan.shard
    return {
        "namespace": job.group.key.namespace,
        "name": job.name,
        "shard": shard.name,
        "timeAware": shard.time_aware.value,
        "k": shard.k if shard.time_aware is TimeAware.KAI and math.isfinite(shard.k) else None,
        "usage": usage_part(state.past),
        "queue": job.queue,
        "priority": job.priority,
        "preemptible": job.preemptible,
        "request": amounts(job.request.total),
        "pods": [task.name for task in job.next],
        "idle": amounts(plan.room.idle),
        "largerThanAnyNode": list(plan.misfits.names),
        "reclaim": None if plan.reclaim is None else _reclaim(plan.reclaim),
        "preemptable": [lower.name for lower in plan.lower],
        "displaced": [{"job": e.job.name, "pods": [task.name for task in e.tasks]} for e in plan.displaced],
        "remedies": [_remedy(remedy, places) for remedy in plan.remedies],
        "placement": None if plan.placement is None else _placement(plan.placement),
        "notDecided": ["solver budgets"] if plan.placement else ["node placement", "solver budgets"],
    }


def _placement(where: Placement) -> PlacementPart:
    return {
        "action": where.action,
        "bound": [_placed_part(one) for one in where.bound],
        "waiting": [_placed_part(one) for one in where.waiting],
        "moved": [_placed_part(one) for one in where.moves],
        "condition": where.condition,
        "otherConditions": [*where.other_conditions],
    }


def _placed_part(one: PlacedPod) -> PlacedPart:
    return {"pod": one.pod, "node": one.node}


def _reclaim(reclaim: Reclaim) -> ReclaimPart:
    lost: dict[str, int] = {}
    for eviction in reclaim.taken:
        lost[eviction.job.name] = lost.get(eviction.job.name, 0) + len(eviction.tasks)
    verdict = reclaim.verdict
    return {
        "candidates": [_candidate(one, lost.get(one.job.name, 0)) for one in reclaim.candidates],
        "passedOver": [_passed_over(one) for one in reclaim.passed_over],
        "enough": reclaim.enough,
        "leftOut": list(reclaim.left_out),
        "firm": reclaim.firm,
        "orderDefined": reclaim.ordered,
        "verdictDefined": reclaim.defined,
        "judged": [_judged_part(one) for one in verdict.judged] if verdict else [],
        "compared": [_compared_part(one) for one in verdict.compared] if verdict else [],
    }


def _candidate(one: Candidate, lost: int) -> ReclaimablePart:
    return {
        "namespace": one.job.group.key.namespace,
        "name": one.job.name,
        "queue": one.job.queue,
        "askerSide": one.asker,
        "victimSide": one.victim,
        "held": amounts(one.held),
        "allocatable": amounts(one.allocatable),
        "quota": amounts(one.quota),
        "safeBelowMinimum": one.safe,
        "podsLost": lost,
    }


def _passed_over(one: PassedOver) -> PassedOverPart:
    holds = amounts(one.holds)
    return {
        "queue": one.queue,
        "jobs": one.jobs,
        "holds": holds,
        "law": str(one.step.law),
        "reason": sentence(one.step),
    }


def _judged_part(one: JudgedItem) -> JudgedPart:
    return {
        "queue": one.queue,
        "item": amounts(one.item.total),
        "victimSide": one.victim,
        "heldBefore": amounts(one.held),
        "maintainFairShare": one.by_share,
        "guaranteeDeservedQuota": one.by_quota,
        "allowed": one.allowed,
    }


def _compared_part(one: Compared | QuotaCheck) -> ComparedPart:
    if isinstance(one, QuotaCheck):
        return {
            "queue": one.queue,
            "sibling": None,
            "resource": None,
            "saturation": None,
            "siblingSaturation": None,
            "multiplier": 1.0,
            "allowed": one.allowed,
        }
    return {
        "queue": one.queue,
        "sibling": one.sibling,
        "resource": RESOURCES[one.resource],
        "saturation": None if math.isinf(one.ours) else one.ours,
        "siblingSaturation": None if math.isinf(one.theirs) else one.theirs,
        "multiplier": one.multiplier,
        "allowed": one.allowed,
    }


def _remedy(remedy: Remedy, places: parts.Places) -> dict[str, object]:
    changes: list[ChangePart] = [
        {
            "queue": change.queue,
            "resource": change.field,
            "before": change.before,
            "after": change.after,
            "to": change.to,
            "bound": change.bound,
            "place": parts.maybe_place(change.place, places),
        }
        for change in remedy.changes
    ]
    return {"kind": remedy.kind.value, "changes": changes, "then": remedy.then}
