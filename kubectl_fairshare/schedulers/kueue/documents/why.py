"""Why a workload waits, runs, or never starts, as a document."""

from typing import Literal, TypedDict

from kubectl_fairshare.model.json import field_text
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.plan import OutcomeName
from kubectl_fairshare.report.documents.proof import ProofPart, proof
from kubectl_fairshare.report.documents.shared import Explained, VerdictName
from kubectl_fairshare.schedulers.kueue.documents import limits, victims
from kubectl_fairshare.schedulers.kueue.documents.parts import PairAmountPart, pair_amounts
from kubectl_fairshare.schedulers.kueue.documents.why_record import RecordPart, record_part
from kubectl_fairshare.schedulers.kueue.model.workload import Holder, Pending
from kubectl_fairshare.schedulers.kueue.why.verdict import (
    HeldBy,
    Holding,
    Lift,
    RecordedEviction,
    RecordedPreemptor,
    Why,
)
from kubectl_fairshare.schedulers.kueue.words.agreement import comparison
from kubectl_fairshare.schedulers.kueue.words.sentences import sentence
from kubectl_fairshare.schedulers.kueue.words.why_words import reason_clause, subject
from kubectl_fairshare.trace import Fact


class GroundPart(TypedDict):
    """A field that the answer rests on: its place and its value, which is null for a whole object."""

    source: str | None
    line: int | None
    column: int | None
    object: str
    field: str
    value: parts.OperandValue


class NamedPart(TypedDict):
    """A workload, and its job if the input names one."""

    namespace: str
    name: str
    job: str | None


class HeldAmountPart(TypedDict):
    """A workload that holds what is missing."""

    workload: NamedPart
    clusterQueue: str
    priority: int
    flavor: str
    resource: str
    amount: parts.AmountPart
    borrows: bool
    since: str | None


class LeavingPart(TypedDict):
    """A workload that is being evicted and still holds its quota."""

    workload: NamedPart
    clusterQueue: str
    holds: list[PairAmountPart]


class AssignedPart(TypedDict):
    """The flavors and amounts that a pod set got."""

    name: str
    count: int | None
    flavors: dict[str, str]


class TakerPart(TypedDict):
    """A queue whose workloads could preempt this one: the law, the policy, and the borrowed amounts."""

    clusterQueue: str
    law: str
    policy: str
    within: bool
    borrowed: list[PairAmountPart]
    place: parts.PlacePart


class LiftPart(TypedDict):
    """A change after which Kueue considers the workload, and the outcome then."""

    place: parts.PlacePart
    before: str
    after: str
    outcome: OutcomeName
    victims: int


class HoldingPart(TypedDict):
    """What an admitted workload holds."""

    clusterQueue: str
    since: str | None
    podSets: list[AssignedPart]
    podsAskedFor: int
    usage: list[PairAmountPart]
    queueBorrows: list[PairAmountPart]
    queueOutOfService: list[str]
    belowOwnQuotaWithout: list[PairAmountPart]
    couldTakeBack: list[TakerPart]


class PreemptorPart(TypedDict):
    """The preemptor, as far as it is recorded."""

    uid: str
    jobUid: str
    words: str
    path: str
    ownPath: str
    workload: str | None
    job: str | None


class EvictionPart(TypedDict):
    """The last eviction."""

    reason: str
    rule: str
    message: str
    at: str | None
    place: parts.PlacePart
    preemptor: PreemptorPart | None


class WrittenConditionPart(TypedDict):
    """The condition QuotaReserved that Kueue would write now; ``otherMessages`` it may write instead, by chance."""

    status: str
    reason: str
    token: str
    message: str
    otherMessages: list[str]


class RecordComparisonPart(TypedDict):
    """Whether the record matches the computed answer, and which of them is newer."""

    agreement: Literal["Same", "Unseen", "NotSinceEviction", "RecordIsOlder", "Differs"]
    sentence: str
    computed: WrittenConditionPart


class WhyFields(TypedDict):
    """Why one workload is where it is."""

    apiVersion: parts.ApiVersion
    kind: Literal["Why"]
    verdict: VerdictName
    reason: str
    law: str
    sentence: str
    subject: str
    workload: parts.WorkloadName | None
    job: str | None
    localQueue: str
    clusterQueue: str
    priority: int | None
    since: str | None
    until: str | None
    evidence: list[GroundPart]
    byQuotaAlone: OutcomeName | None
    bindings: list[limits.LimitPart]
    head: NamedPart | None
    headBindings: list[limits.LimitPart]
    heldBy: list[HeldAmountPart]
    leaving: list[LeavingPart]
    notTaken: list[victims.RefusedPart]
    notAsked: list[victims.NotAskedPart]
    standing: limits.StandingPart | None
    remedies: list[limits.SimulatedRemedyPart]
    lifts: list[LiftPart]
    holding: HoldingPart | None
    eviction: EvictionPart | None
    displaced: list[NamedPart]
    recorded: RecordPart
    comparison: RecordComparisonPart | None
    proof: ProofPart
    fidelity: parts.FidelityPart


class WhyDocument(WhyFields, Explained):
    """Why a workload is where it is."""


def why_document(why: Why, places: parts.Places) -> WhyFields:
    """One answer."""
    plan, asking, then = why.plan, why.asking, why.then or why.plan
    standing = None if plan is None else plan.standing
    return {
        "apiVersion": parts.API_VERSION,
        "kind": "Why",
        "verdict": why.verdict.value,
        "reason": str(why.reason),
        "law": str(why.because.law),
        "sentence": reason_clause(why),
        "subject": str(subject(why)),
        "workload": None if why.workload is None else parts.workload_name(why.workload),
        "job": _job(why),
        "localQueue": "" if asking is None else asking.local_queue,
        "clusterQueue": why.cluster_queue,
        "priority": None if asking is None else asking.priority,
        "since": parts.moment(why.since),
        "until": parts.moment(why.until),
        "evidence": [_evidence(fact, places) for fact in why.facts],
        "byQuotaAlone": None if plan is None else plan.computed.value,
        "bindings": [] if then is None else [limits.binding(b, places) for b in then.bindings],
        "head": None if why.head is None else named_part(why.head.key, why),
        "headBindings": [limits.binding(b, places) for b in why.head_bindings],
        "heldBy": [_held(h, why) for h in why.held],
        "leaving": [_leaving(h, why) for h in why.leaving],
        "notTaken": [] if plan is None else [victims.refused_part(r) for r in plan.refused],
        "notAsked": [] if plan is None else [victims.not_asked(n) for n in plan.not_asked],
        "standing": _standing(why, asking) if standing is not None else None,
        "remedies": [] if then is None else [limits.remedy(r, places) for r in then.remedies],
        "lifts": [_lift(lift, places) for lift in why.lifts],
        "holding": None if why.holding is None else _holding(why.holding, places),
        "eviction": None if why.eviction is None else _eviction(why.eviction, places),
        "displaced": [named_part(key, why) for key in why.displaced],
        "recorded": record_part(why.record, why.notes, places),
        "comparison": _comparison(why),
        "proof": proof((why.because,) if plan is None else (why.because, *plan.proof), places, sentence),
        "fidelity": parts.fidelity(why.fidelity, places),
    }


def named_part(key: ObjectKey, why: Why) -> NamedPart:
    """A workload with its job."""
    job = why.jobs.get(key)
    return {"namespace": key.namespace, "name": key.name, "job": None if job is None else str(job)}


def _job(why: Why) -> str | None:
    owner = why.jobs.get(why.workload) if why.workload is not None else None
    found = owner or why.job
    return None if found is None else str(found)


def _evidence(fact: Fact, places: parts.Places) -> GroundPart:
    location = places.get(fact.place)
    return {
        "source": location.source if location else None,
        "line": location.line if location else None,
        "column": location.column if location else None,
        "object": str(fact.place.object),
        "field": field_text(fact.place.path),
        "value": parts.operand(fact.value),
    }


def _held(of: HeldBy, why: Why) -> HeldAmountPart:
    return {
        "workload": named_part(of.holder.key, why),
        "clusterQueue": of.holder.cluster_queue,
        "priority": of.holder.priority,
        "flavor": of.pair.flavor,
        "resource": of.pair.resource,
        "amount": parts.amount(of.pair.resource, of.amount),
        "borrows": of.borrows,
        "since": parts.moment(of.holder.reserved),
    }


def _lift(of: Lift, places: parts.Places) -> LiftPart:
    return {
        "place": parts.place(of.place, places),
        "before": of.before,
        "after": of.after,
        "outcome": of.outcome.value,
        "victims": of.victims,
    }


def _leaving(of: Holder, why: Why) -> LeavingPart:
    holds = pair_amounts(sorted(of.usage.items()))
    return {"workload": named_part(of.key, why), "clusterQueue": of.cluster_queue, "holds": holds}


def _standing(why: Why, asking: Pending | None) -> limits.StandingPart | None:
    if why.plan is None or why.plan.standing is None or asking is None:
        return None
    return limits.standing(why.plan.standing, asking)


def _holding(of: Holding, places: parts.Places) -> HoldingPart:
    return {
        "clusterQueue": of.holder.cluster_queue,
        "since": parts.moment(of.holder.reserved),
        "podSets": [{"name": a.name, "count": a.count, "flavors": dict(a.flavors)} for a in of.assigned],
        "podsAskedFor": of.asked,
        "usage": pair_amounts(sorted(of.holder.usage.items())),
        "queueBorrows": pair_amounts(of.borrowed),
        "queueOutOfService": [] if of.out_of_service is None else list(of.out_of_service.reasons),
        "belowOwnQuotaWithout": pair_amounts(of.left_below),
        "couldTakeBack": [
            {
                "clusterQueue": t.queue,
                "law": str(t.law),
                "policy": t.policy,
                "within": t.own,
                "borrowed": pair_amounts(t.over),
                "place": parts.place(t.place, places),
            }
            for t in of.takers
        ],
    }


def _eviction(of: RecordedEviction, places: parts.Places) -> EvictionPart:
    return {
        "reason": of.reason,
        "rule": of.rule,
        "message": of.message,
        "at": parts.moment(of.moment),
        "place": parts.place(of.place, places),
        "preemptor": None if of.preemptor is None else _preemptor(of.preemptor),
    }


def _preemptor(of: RecordedPreemptor) -> PreemptorPart:
    return {
        "uid": of.uid,
        "jobUid": of.job_uid,
        "words": of.rule,
        "path": of.path,
        "ownPath": of.own_path,
        "workload": None if of.workload is None else str(of.workload),
        "job": None if of.job is None else str(of.job),
    }


def _comparison(why: Why) -> RecordComparisonPart | None:
    found = comparison(why)
    if found is None:
        return None
    computed = found.computed
    return {
        "agreement": found.agreement.value,
        "sentence": found.clause,
        "computed": {
            "status": computed.status,
            "reason": computed.reason,
            "token": computed.token,
            "message": computed.message,
            "otherMessages": [*computed.other_messages],
        },
    }
