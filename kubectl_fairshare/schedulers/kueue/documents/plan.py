"""The whole answer to ``plan``, with its proof, as a document."""

from typing import Any, Final, Literal

from kubectl_fairshare.answers.answer import Answer, BindingLimit, Spared, TriedChange, Unasked, Victim
from kubectl_fairshare.answers.documents import DocumentKind, DocumentPart, Extended, Hooks, extended
from kubectl_fairshare.answers.figures import Quantity
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.documents import limits
from kubectl_fairshare.schedulers.kueue.documents.flavors import PodSetPart, pod_sets
from kubectl_fairshare.schedulers.kueue.documents.parts import share
from kubectl_fairshare.schedulers.kueue.documents.victims import HOOKS as VICTIM_HOOKS
from kubectl_fairshare.schedulers.kueue.documents.victims import (
    Judgements,
    PlanNotAskedPart,
    SimulationPart,
    SparedPart,
    TrialPart,
    VictimPart,
    plan_not_asked,
    simulation,
    spared,
)
from kubectl_fairshare.schedulers.kueue.explain.decision import (
    Borrowed,
    DomainRow,
    Plan,
    UnitGround,
    borrowed_from,
)
from kubectl_fairshare.schedulers.kueue.explain.evidence import refusal_places
from kubectl_fairshare.schedulers.kueue.laws import Share
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import Pending, PodSet
from kubectl_fairshare.schedulers.kueue.words.condition import condition
from kubectl_fairshare.schedulers.kueue.words.screens.plan_limits import by_holdings, by_weight
from kubectl_fairshare.schedulers.kueue.words.sentences import refusal_clause


class LevelPart(DocumentPart, frozen=True):
    """A level at which one domain was looked for: the best, and its room for the pods asked for."""

    level: str
    best: str
    room: int
    asked: int


class AbsentNodePart(DocumentPart, frozen=True):
    """A node of the flavor that does not count."""

    name: str
    because: str


class TopologyPart(DocumentPart, frozen=True):
    """The place of one pod set, or of workers with their leader; or the domains that come closest to one."""

    pod_sets: tuple[str, ...]
    flavor: str
    topology: str
    level: str
    required: bool
    unconstrained: bool
    pods: int
    slice_size: int
    placed: bool
    resource: str
    levels: tuple[LevelPart, ...]
    domains: tuple[DomainRow, ...]
    excluded: dict[str, int]
    not_counted: tuple[AbsentNodePart, ...]


def ground(of: UnitGround) -> TopologyPart:
    """One unit."""
    return TopologyPart(
        of.pod_sets,
        of.flavor,
        of.topology,
        of.levels[of.level],
        of.required,
        of.unconstrained,
        of.pods,
        of.slice_size,
        of.placed,
        of.resource,
        tuple(LevelPart(of.levels[tried.level], tried.best, tried.room, tried.asked) for tried in of.tried),
        of.rows,
        dict(sorted(of.excluded.items())),
        tuple(AbsentNodePart(node.name, why) for node, why in of.absent),
    )


class RequestPart(DocumentPart, frozen=True):
    """What one pod requests of one resource."""

    resource: str
    per_pod: Quantity


class AskedPodSet(DocumentPart, frozen=True):
    """A pod set of the workload, as requested."""

    name: str
    count: int
    min_count: int | None
    reclaimable: int
    requests: tuple[RequestPart, ...]


class WorkloadPart(DocumentPart, frozen=True):
    """What only Kueue says of the workload that was planned."""

    created_nanoseconds: int
    queued_nanoseconds: int
    pod_sets: tuple[PodSet, ...]


class BorrowedPart(DocumentPart, frozen=True):
    """A request that makes the workload borrow: with what its queue uses, it is above the quota of the queue."""

    flavor: str
    resource: str
    needed: Quantity
    used: Quantity
    quota: Quantity


class BorrowingPart(DocumentPart, frozen=True):
    """How far up the tree the request borrows: 0 without borrowing, otherwise the height of the cohort it borrows from.

    ``requests`` are those of this level.
    """

    level: int
    cohort: str | None
    requests: tuple[Borrowed, ...]


class CohortPart(DocumentPart, frozen=True):
    """A Cohort above the ClusterQueue, with its share before the workload."""

    name: str
    declared: bool
    height: int
    share: Share


class ConsideredPart(DocumentPart, frozen=True):
    """Why Kueue does not consider the workload, and the fields behind it."""

    law: str
    sentence: str
    places: tuple[Place, ...]


class ConditionPart(DocumentPart, frozen=True):
    """The condition that Kueue would write; ``token`` is its reason under UnadmittedWorkloadsObservability.

    ``otherMessages`` are those that Kueue may write instead, by chance.
    """

    type: Literal["QuotaReserved"]
    status: str
    reason: str
    token: str
    message: str
    other_messages: tuple[str, ...]


class KueuePlanDocument(DocumentPart, frozen=True):
    """The decision for one workload.

    ``cycles`` is the scheduling cycle that decides, from 1: a search for a flavor may stop without a result, and then
    continues in the next cycle. ``queueShare`` is the share of the ClusterQueue before the workload, null without
    a queue; ``cohorts`` are those above it, from its parent to the root.
    """

    cycles: int
    mode: str
    workload: Pending
    queue_share: Share | None
    cohorts: tuple[CohortPart, ...]
    not_considered: ConsideredPart | None
    borrowing: BorrowingPart | None
    pod_sets: tuple[PodSetPart, ...]
    topology: tuple[UnitGround, ...]
    victims: tuple[Extended[Victim, VictimPart], ...]
    spared: tuple[Extended[Spared, SparedPart], ...]
    not_asked: tuple[Extended[Unasked, PlanNotAskedPart], ...]
    trials: tuple[TrialPart, ...]
    simulations: tuple[SimulationPart, ...]
    bindings: tuple[Extended[BindingLimit, limits.BindingPart], ...]
    standing: limits.StandingPart | None
    remedies: tuple[Extended[TriedChange, limits.PlanRemedyPart], ...]
    condition: ConditionPart


def plan_fields(plan: Plan, kueue: KueueState, answer: Answer[Any]) -> KueuePlanDocument:
    """The fields that only Kueue's plans have."""
    nomination, assignment = plan.nomination, plan.nomination.assignment
    queue = kueue.cluster_queues.get(nomination.cluster_queue)
    words = Judgements(plan.names)
    return KueuePlanDocument(
        cycles=len(plan.earlier) + 1,
        mode=str(nomination.mode),
        workload=plan.workload,
        queue_share=plan.path[0].share if plan.path else None,
        cohorts=tuple(CohortPart(each.name, each.declared, each.height, each.share) for each in plan.path[1:]),
        not_considered=_not_considered(plan),
        borrowing=None if assignment is None else _borrowing(plan, assignment.borrowing),
        pod_sets=() if assignment is None else pod_sets(assignment, kueue, queue, plan.workload.pod_sets),
        topology=plan.grounds,
        victims=extended(answer.victims, map(words.victim, plan.targets)),
        spared=extended(answer.spared, (*map(words.put_back, plan.put_back), *map(spared, plan.refused))),
        not_asked=extended(answer.unasked, map(plan_not_asked, by_holdings(plan.not_asked))),
        trials=tuple(map(words.trial, plan.trials)),
        simulations=tuple(simulation(*each) for each in nomination.simulations),
        bindings=extended(answer.binding, map(limits.binding, by_weight(plan))),
        standing=None if plan.standing is None else limits.standing(plan.standing, plan.workload),
        remedies=extended(answer.remedies, map(limits.plan_remedy, plan.remedies)),
        condition=_condition(plan),
    )


def _borrowing(plan: Plan, level: int) -> BorrowingPart:
    return BorrowingPart(level, borrowed_from(plan, level), plan.borrowed)


def _borrowed(of: Borrowed) -> BorrowedPart:
    return BorrowedPart(*of.pair, of.needed, of.used, of.quota)


def _workload(of: Pending) -> WorkloadPart:
    return WorkloadPart(of.created, of.queued, of.pod_sets)


def _asked(of: PodSet) -> AskedPodSet:
    requests = tuple(RequestPart(r, v) for r, v in sorted(of.requests.items()))
    return AskedPodSet(of.name, of.count, of.min_count, of.reclaimable, requests)


def _not_considered(plan: Plan) -> ConsideredPart | None:
    refused = plan.nomination.refused
    if refused is None:
        return None
    return ConsideredPart(str(refused.law), refusal_clause(refused, plan.workload), tuple(refusal_places(refused)))


def _condition(plan: Plan) -> ConditionPart:
    found = condition(plan)
    texts = found.status, found.reason, found.token, found.message
    return ConditionPart("QuotaReserved", *texts, found.other_messages)


HOOKS: Final[Hooks] = {
    **limits.HOOKS,
    **VICTIM_HOOKS,
    Share: share,
    UnitGround: ground,
    Borrowed: _borrowed,
    Pending: _workload,
    PodSet: _asked,
}
PLAN: Final = DocumentKind("Plan", KueuePlanDocument, "plan", HOOKS)
