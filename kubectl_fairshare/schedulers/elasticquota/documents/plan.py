"""The whole answer to ``plan`` for a pod under ElasticQuotas, with its proof, as a document."""

from typing import Any, cast

from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.plan import BindingEntry, SharedPlan, UnaskedEntry, VictimEntry
from kubectl_fairshare.schedulers.elasticquota.documents.parts import (
    AskedPodPart,
    ChangePart,
    ChoicePart,
    CourseName,
    EligibilityPart,
    FilterPart,
    GatePart,
    LostNodePart,
    NodeRoomPart,
    NodeTrialPart,
    QuotaRemedyPart,
    ResourceAmountPart,
    SpreadPart,
    UntakenPart,
    VictimPart,
)
from kubectl_fairshare.schedulers.elasticquota.explain.decision import Plan
from kubectl_fairshare.schedulers.elasticquota.explain.proof import lack_step, rejection_step
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.model.vector import Excess, Vector
from kubectl_fairshare.schedulers.elasticquota.preemption.spread import NodeRoom
from kubectl_fairshare.schedulers.elasticquota.preemption.victims import Fate, NodeTrial
from kubectl_fairshare.schedulers.elasticquota.words.sentences import sentence
from kubectl_fairshare.schedulers.kubescheduler.decision import Remedy, RemedyChange
from kubectl_fairshare.schedulers.kubescheduler.refusals import ExcessPart, RefusalPart, refusal_part


class ElasticQuotaPlanDocument(SharedPlan):
    """The decision for one pod; the objects in ``restsOn`` alone give the same decision."""

    quotaHalfOnly: bool
    course: CourseName
    pod: AskedPodPart
    preFilter: GatePart
    feasibleNodes: list[str]
    filter: list[FilterPart]
    eligibility: EligibilityPart | None
    overMin: list[ExcessPart]
    trials: list[NodeTrialPart]
    choice: ChoicePart | None
    elsewhere: list[str]
    notTaken: list[UntakenPart]
    spread: SpreadPart | None
    refusedAtCreation: list[RefusalPart]
    victims: list[VictimEntry]
    notAsked: list[UnaskedEntry]
    bindings: list[BindingEntry]
    remedies: list[QuotaRemedyPart]


def plan_fields(plan: Plan, places: parts.Places) -> dict[str, object]:
    """The fields that only plans under ElasticQuotas have."""
    attempt = plan.attempt
    return {
        "quotaHalfOnly": plan.half,
        "course": attempt.course.value,
        "pod": _asked_part(plan),
        "preFilter": _gate(plan),
        "feasibleNodes": list(attempt.feasible),
        "filter": [_filter(plan, name) for name in attempt.filters],
        "eligibility": _eligibility(plan),
        "overMin": [excess_part(e) for e in plan.over_min],
        "trials": [_trial(trial) for trial in attempt.trials.values()],
        "choice": _choice(plan),
        "elsewhere": list(plan.elsewhere),
        "notTaken": [_untaken_part(pod, str(law)) for pod, law in plan.spared],
        "spread": _spread(plan),
        "refusedAtCreation": [refusal_part(refusal, places) for refusal in plan.refusals],
        "remedies": [_remedy(remedy, places) for remedy in plan.remedies],
    }


def _amounts(of: Vector) -> list[ResourceAmountPart]:
    return [{"resource": r, "amount": parts.amount(r, of.of(r))} for r in of.listed() if of.of(r)]


def excess_part(of: Excess) -> ExcessPart:
    """A resource in which the request exceeds a bound."""
    return {
        "resource": of.resource,
        "wanted": parts.amount(of.resource, of.wanted),
        "used": parts.amount(of.resource, of.used),
        "bound": parts.amount(of.resource, of.bound),
        "more": parts.amount(of.resource, of.more),
    }


def _asked_part(plan: Plan) -> AskedPodPart:
    pod = plan.pod
    return {
        "namespace": pod.namespace,
        "name": pod.key.name,
        "source": str(plan.origin.place.object),
        "priority": pod.priority,
        "mayPreempt": pod.preempts,
        "scheduler": pod.scheduler,
        "node": plan.origin.node or None,
        "charge": _amounts(pod.charge),
        "request": _amounts(pod.request),
    }


def _gate(plan: Plan) -> GatePart:
    gate = plan.attempt.gate
    return {
        "verdict": gate.verdict.value,
        "quota": plan.pod.namespace if gate.quoted else None,
        "excesses": [excess_part(e) for e in gate.excesses],
        "peers": [
            {"pod": p.pod.name, "node": p.pod.nominated, "inQuota": p.in_quota, "inPool": p.in_pool} for p in gate.peers
        ],
    }


def _filter(plan: Plan, node: str) -> FilterPart:
    verdict = plan.attempt.filters[node]
    return {
        "node": node,
        "status": verdict.status.value,
        "lacks": [{"law": str(lack.law), "sentence": sentence(lack_step(node, lack))} for lack in verdict.lacks],
    }


def _eligibility(plan: Plan) -> EligibilityPart | None:
    found = plan.attempt.eligibility
    if found is None:
        return None
    leaving = None if found.leaving is None else found.leaving.name
    return {"eligible": found.eligible, "law": str(found.law), "leaving": leaving}


def _trial(trial: NodeTrial) -> NodeTrialPart:
    return {
        "node": trial.node,
        "rejected": None if trial.rejected is None else str(trial.rejected),
        "sentence": None if trial.rejected is None else sentence(rejection_step(trial)),
        "victims": [_victim(fate) for fate in trial.victims],
        "putBack": [_victim(fate) for fate in trial.fates if not fate.leaves],
        "pdbViolations": trial.violations,
        "excesses": [excess_part(e) for e in trial.excesses],
        "ties": [[pod.name for pod in tie] for tie in trial.ties],
    }


def _victim(fate: Fate) -> VictimPart:
    pod = fate.taken.pod
    return {
        "pod": pod.name,
        "priority": pod.priority,
        "terminating": pod.terminating,
        "law": str(fate.taken.law),
        "borrowed": [excess_part(e) for e in fate.taken.borrowed],
        "fate": str(fate.law),
        "exceeded": [excess_part(e) for e in fate.excesses],
        "brokenBudgets": [budget.key.name for budget in fate.budgets],
    }


def _untaken_part(pod: Pod, law: str) -> UntakenPart:
    return {"pod": pod.name, "priority": pod.priority, "law": law}


def _choice(plan: Plan) -> ChoicePart | None:
    choice = plan.attempt.choice
    if choice is None:
        return None
    lost: list[LostNodePart] = [
        {"node": each.node, "law": str(each.law), "figure": each.figure, "best": each.best} for each in choice.lost
    ]
    return {"nodes": list(choice.nodes), "lost": lost}


def _spread(plan: Plan) -> SpreadPart | None:
    spread = plan.spread
    if spread is None:
        return None
    return {
        "isReason": spread.is_reason,
        "quotasAllow": spread.quotas_allow,
        "roomInSum": spread.in_sum,
        "takeablePods": spread.takeable,
        "nodes": [_room(room) for room in spread.rooms],
    }


def _room(room: NodeRoom) -> NodeRoomPart:
    return {
        "node": room.node,
        "free": None if room.free is None else _amounts(room.free),
        "takeable": _amounts(room.takeable),
        "pods": room.pods,
        "excesses": [excess_part(e) for e in room.excesses],
    }


def _remedy(of: Remedy, places: parts.Places) -> dict[str, object]:
    return {
        "changes": [_change(change, places) for change in of.changes],
        "course": of.course.value,
        "nodes": list(of.nodes),
        "priorityClass": of.named,
        "alternatives": of.alternatives,
        "fewestVictims": of.fewest,
    }


def _change(of: RemedyChange, places: parts.Places) -> ChangePart:
    return {
        "kind": cast("Any", of.kind.value),  # no change concerns the label of Koordinator
        "resource": of.resource or None,
        "before": of.before,
        "after": of.after,
        "pod": None if of.pod is None else of.pod.name,
        "place": parts.maybe_place(of.place, places),
    }
