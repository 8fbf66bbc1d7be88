"""KAI's plans as documents. cpu in millicores, memory in bytes, GPUs in devices."""

from collections import Counter
from typing import Any, Final

from kubectl_fairshare.answers.answer import Answer, TriedChange, Unasked
from kubectl_fairshare.answers.documents import DocumentKind, DocumentPart, Extended, Hooks, extended
from kubectl_fairshare.answers.figures import Boundless
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kai.documents.shares import amounts
from kubectl_fairshare.schedulers.kai.documents.usage import usage_part
from kubectl_fairshare.schedulers.kai.explain.decision import (
    Candidate,
    NewValue,
    PassedOver,
    PlacedPod,
    Placement,
    Plan,
    Reclaim,
    RemedyKind,
)
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, KaiState, Resources, TimeAware
from kubectl_fairshare.schedulers.kai.model.usage import PastUsage
from kubectl_fairshare.schedulers.kai.reclaim.validator import Compared, JudgedItem, QuotaCheck


class ReclaimablePart(DocumentPart, frozen=True):
    """A job that may be reclaimed; ``askerSide`` and ``victimSide`` are the two queues that KAI compares."""

    namespace: str
    name: str
    queue: str
    asker_side: str
    victim_side: str
    held: Resources
    allocatable: Resources
    quota: Resources
    safe_below_minimum: bool
    pods_lost: int


class PassedOverPart(DocumentPart, frozen=True):
    """What only KAI says of a queue whose jobs are not candidates: all that they hold."""

    amounts: Resources


class JudgedPart(DocumentPart, frozen=True):
    """One item of the set of victims."""

    queue: str
    item: Resources
    victim_side: str
    held_before: Resources
    maintain_fair_share: bool
    guarantee_deserved_quota: bool
    allowed: bool


class ComparedPart(DocumentPart, frozen=True):
    """A queue above the reclaimer, compared with a sibling; a saturation of null is infinite."""

    queue: str
    sibling: str | None
    resource: str | None
    saturation: Boundless | None
    sibling_saturation: Boundless | None
    multiplier: float
    allowed: bool


class ReclaimPart(DocumentPart, frozen=True):
    """The attempt to reclaim. ``leftOut`` are jobs that no strategy allows once the earlier victims are gone.

    ``firm``: no other set that KAI's solver may try succeeds.
    """

    candidates: tuple[ReclaimablePart, ...]
    enough: bool
    left_out: tuple[str, ...]
    firm: bool
    order_defined: bool
    verdict_defined: bool
    judged: tuple[JudgedItem, ...]
    compared: tuple[Compared | QuotaCheck, ...]


class ChangePart(DocumentPart, frozen=True):
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
    place: Place | None


class KaiRemedyPart(DocumentPart, frozen=True):
    """A change that was simulated and helps, with the fields that it changes."""

    kind: RemedyKind
    changes: tuple[NewValue, ...]
    then: str


class DisplacedPart(DocumentPart, frozen=True):
    """Pods of one job in the same queue that a higher priority evicts together."""

    job: str
    pods: tuple[str, ...]


class PlacedPart(DocumentPart, frozen=True):
    """A pod and its node."""

    pod: str
    node: str


class PlacementPart(DocumentPart, frozen=True):
    """The effect of the first KAI action that has one; ``action`` is empty if no action has an effect.

    ``waiting`` pods get their node after evictions; ``moved`` are pods of other jobs that restart elsewhere.
    ``condition`` is what KAI writes on the PodGroup if no action has an effect; ``otherConditions`` it may write
    instead, by chance.
    """

    action: str
    bound: tuple[PlacedPod, ...]
    waiting: tuple[PlacedPod, ...]
    moved: tuple[PlacedPod, ...]
    condition: str
    other_conditions: tuple[str, ...]


class KaiPlanDocument(DocumentPart, frozen=True):
    """The decision for one job; k is null if it is infinite, or if the formula has no k."""

    shard: str
    time_aware: TimeAware
    k: Boundless | None
    usage: PastUsage | None
    queue: str
    preemptible: bool
    request: Resources
    pods: tuple[str, ...]
    idle: Resources
    larger_than_any_node: tuple[str, ...]
    reclaim: Reclaim | None
    not_asked: tuple[Extended[Unasked, PassedOverPart], ...]
    preemptable: tuple[str, ...]
    displaced: tuple[DisplacedPart, ...]
    remedies: tuple[Extended[TriedChange, KaiRemedyPart], ...]
    placement: Placement | None
    not_decided: tuple[str, ...]


def plan_fields(plan: Plan, state: KaiState, answer: Answer[Any]) -> KaiPlanDocument:
    """The fields that only KAI's plans have."""
    job, shard = plan.job, plan.shard
    return KaiPlanDocument(
        shard=shard.name,
        time_aware=shard.time_aware,
        k=shard.k if shard.time_aware is TimeAware.KAI else None,
        usage=state.past,
        queue=job.queue,
        preemptible=job.preemptible,
        request=job.request.total,
        pods=tuple(task.name for task in job.next),
        idle=plan.room.idle,
        larger_than_any_node=tuple(plan.misfits.names),
        reclaim=plan.reclaim,
        not_asked=extended(answer.unasked, map(_passed_over, () if plan.reclaim is None else plan.reclaim.passed_over)),
        preemptable=tuple(lower.name for lower in plan.lower),
        displaced=tuple(DisplacedPart(e.job.name, tuple(task.name for task in e.tasks)) for e in plan.displaced),
        remedies=remedies(plan, answer),
        placement=plan.placement,
        not_decided=("solver budgets",) if plan.placement else ("node placement", "solver budgets"),
    )


def remedies(plan: Plan, answer: Answer[Any]) -> tuple[Extended[TriedChange, KaiRemedyPart], ...]:
    """What would help, with the fields that change."""
    return extended(answer.remedies, (KaiRemedyPart(of.kind, of.changes, of.then) for of in plan.remedies))


def _placement(where: Placement) -> PlacementPart:
    return PlacementPart(where.action, where.bound, where.waiting, where.moves, where.condition, where.other_conditions)


def _placed(of: PlacedPod) -> PlacedPart:
    return PlacedPart(*of)


def _reclaim(reclaim: Reclaim) -> ReclaimPart:
    lost: Counter[str] = Counter()
    for eviction in reclaim.taken:
        lost[eviction.job.name] += len(eviction.tasks)
    verdict = reclaim.verdict
    return ReclaimPart(
        tuple(_candidate(one, lost[one.job.name]) for one in reclaim.candidates),
        reclaim.enough,
        reclaim.left_out,
        reclaim.firm,
        reclaim.ordered,
        reclaim.defined,
        () if verdict is None else verdict.judged,
        () if verdict is None else verdict.compared,
    )


def _candidate(one: Candidate, lost: int) -> ReclaimablePart:
    job = one.job
    names = job.group.key.namespace, job.name, job.queue, one.asker, one.victim
    return ReclaimablePart(*names, one.held, one.allocatable, one.quota, one.safe, lost)


def _passed_over(one: PassedOver) -> PassedOverPart:
    return PassedOverPart(one.holds)


def _judged(one: JudgedItem) -> JudgedPart:
    return JudgedPart(one.queue, one.item.total, one.victim, one.held, one.by_share, one.by_quota, one.allowed)


def _compared(one: Compared | QuotaCheck) -> ComparedPart:
    if isinstance(one, QuotaCheck):
        return ComparedPart(one.queue, None, None, None, None, 1.0, one.allowed)
    resource = RESOURCES[one.resource]
    return ComparedPart(one.queue, one.sibling, resource, one.ours, one.theirs, one.multiplier, one.allowed)


def _change(of: NewValue) -> ChangePart:
    return ChangePart(of.queue, of.field, of.before, of.after, of.to, of.bound, of.place)


HOOKS: Final[Hooks] = {
    Resources: amounts,
    PastUsage: usage_part,
    Reclaim: _reclaim,
    JudgedItem: _judged,
    Compared | QuotaCheck: _compared,
    Placement: _placement,
    PlacedPod: _placed,
    NewValue: _change,
}
PLAN: Final = DocumentKind("Plan", KaiPlanDocument, "plan", HOOKS)
