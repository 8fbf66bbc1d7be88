"""Why a workload waits, runs, or never starts, as a document."""

from typing import Final

from kubectl_fairshare.answers.documents import DocumentKind, DocumentPart, Hooks, Moment, ProofSteps
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.figures import Quantity
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.jobs.events import Condition, Note
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.schedulers.kueue.documents import limits
from kubectl_fairshare.schedulers.kueue.documents.parts import PairAmountPart, pair_amounts
from kubectl_fairshare.schedulers.kueue.documents.plan import HOOKS
from kubectl_fairshare.schedulers.kueue.explain.decision import Binding, NotAsked, Remedy, SparedCandidate
from kubectl_fairshare.schedulers.kueue.jobs.record import CheckState, EvictionCount
from kubectl_fairshare.schedulers.kueue.model.workload import Holder
from kubectl_fairshare.schedulers.kueue.why.verdict import (
    HeldBy,
    Holding,
    Lift,
    RecordedEviction,
    RecordedPreemptor,
    Taker,
    Why,
)
from kubectl_fairshare.schedulers.kueue.words.agreement import RecordComparison, comparison
from kubectl_fairshare.schedulers.kueue.words.sentences import sentence
from kubectl_fairshare.schedulers.kueue.words.why_words import reason_clause, subject
from kubectl_fairshare.schedulers.record_parts import event_part
from kubectl_fairshare.trace import Fact


class RecordedEvictions(DocumentPart, frozen=True):
    """How often the workload was evicted for a reason."""

    reason: str
    underlying_cause: str
    count: int


class RecordPart(DocumentPart, frozen=True):
    """The status of the Workload, and Events, oldest first."""

    conditions: tuple[Condition, ...]
    admission_checks: tuple[CheckState, ...]
    evictions: tuple[EvictionCount, ...]
    requeues: int
    requeue_at: Moment
    events: tuple[Note, ...]


def record_part(why: Why) -> RecordPart:
    """The record and the Events."""
    of = why.record
    return RecordPart(of.conditions, of.checks, of.evictions, of.requeues, of.requeue_at, why.notes)


def evictions_part(of: EvictionCount) -> RecordedEvictions:
    """How often it was evicted for one reason."""
    return RecordedEvictions(of.reason, of.cause, of.count)


class NamedPart(DocumentPart, frozen=True):
    """A workload, and its job if the input names one."""

    namespace: str
    name: str
    job: str | None


class HeldAmountPart(DocumentPart, frozen=True):
    """A workload that holds what is missing."""

    workload: NamedPart
    cluster_queue: str
    priority: int
    flavor: str
    resource: str
    amount: Quantity
    borrows: bool
    since: Moment


class LeavingPart(DocumentPart, frozen=True):
    """A workload that is being evicted and still holds its quota."""

    workload: NamedPart
    cluster_queue: str
    holds: tuple[PairAmountPart, ...]


class AssignedPart(DocumentPart, frozen=True):
    """The flavors and amounts that a pod set got."""

    name: str
    count: int | None
    flavors: dict[str, str]


class TakerPart(DocumentPart, frozen=True):
    """A queue whose workloads could preempt this one: the law, the policy, and the borrowed amounts."""

    cluster_queue: str
    law: str
    policy: str
    within: bool
    borrowed: tuple[PairAmountPart, ...]
    place: Place


class HoldingPart(DocumentPart, frozen=True):
    """What an admitted workload holds."""

    cluster_queue: str
    since: Moment
    pod_sets: tuple[AssignedPart, ...]
    pods_asked_for: int
    usage: tuple[PairAmountPart, ...]
    queue_borrows: tuple[PairAmountPart, ...]
    queue_out_of_service: tuple[str, ...]
    below_own_quota_without: tuple[PairAmountPart, ...]
    could_take_back: tuple[Taker, ...]


class PreemptorPart(DocumentPart, frozen=True):
    """The preemptor, as far as it is recorded."""

    uid: str
    job_uid: str
    words: str
    path: str
    own_path: str
    workload: str | None
    job: str | None


class EvictionPart(DocumentPart, frozen=True):
    """The last eviction."""

    reason: str
    rule: str
    message: str
    at: Moment
    place: Place
    preemptor: RecordedPreemptor | None


class WhyDocument(DocumentPart, frozen=True):
    """Why one workload is where it is."""

    verdict: Verdict
    reason: str
    law: str
    sentence: str
    subject: str
    workload: ObjectKey | None
    job: str | None
    local_queue: str
    cluster_queue: str
    priority: int | None
    since: Moment
    until: Moment
    evidence: tuple[Fact, ...]
    by_what_is_modelled: Outcome | None
    bindings: tuple[Binding, ...]
    head: NamedPart | None
    head_bindings: tuple[Binding, ...]
    held_by: tuple[HeldAmountPart, ...]
    leaving: tuple[LeavingPart, ...]
    not_taken: tuple[SparedCandidate, ...]
    not_asked: tuple[NotAsked, ...]
    standing: limits.StandingPart | None
    remedies: tuple[Remedy, ...]
    lifts: tuple[Lift, ...]
    holding: Holding | None
    eviction: RecordedEviction | None
    displaced: tuple[NamedPart, ...]
    recorded: RecordPart
    comparison: RecordComparison | None
    proof: ProofSteps
    fidelity: Fidelity


def why_document(why: Why) -> WhyDocument:
    """One answer."""
    plan, asking, then = why.plan, why.asking, why.then or why.plan
    standing = None if plan is None or asking is None else plan.standing
    return WhyDocument(
        verdict=why.verdict,
        reason=str(why.reason),
        law=str(why.because.law),
        sentence=reason_clause(why),
        subject=str(subject(why)),
        workload=why.workload,
        job=_job(why),
        local_queue="" if asking is None else asking.local_queue,
        cluster_queue=why.cluster_queue,
        priority=None if asking is None else asking.priority,
        since=why.since,
        until=why.until,
        evidence=why.facts,
        by_what_is_modelled=None if plan is None else plan.computed,
        bindings=() if then is None else then.bindings,
        head=None if why.head is None else _named(why.head.key, why),
        head_bindings=why.head_bindings,
        held_by=tuple(_held(held, why) for held in why.held),
        leaving=tuple(_leaving(holder, why) for holder in why.leaving),
        not_taken=() if plan is None else plan.refused,
        not_asked=() if plan is None else plan.not_asked,
        standing=None if standing is None or asking is None else limits.standing(standing, asking),
        remedies=() if then is None else then.remedies,
        lifts=why.lifts,
        holding=why.holding,
        eviction=why.eviction,
        displaced=tuple(_named(key, why) for key in why.displaced),
        recorded=record_part(why),
        comparison=comparison(why),
        proof=ProofSteps((why.because,) if plan is None else (why.because, *plan.proof), sentence),
        fidelity=why.fidelity,
    )


def _named(key: ObjectKey, why: Why) -> NamedPart:
    """A workload with its job."""
    job = why.jobs.get(key)
    return NamedPart(key.namespace, key.name, None if job is None else str(job))


def _job(why: Why) -> str | None:
    owner = why.jobs.get(why.workload) if why.workload is not None else None
    found = owner or why.job
    return None if found is None else str(found)


def _held(of: HeldBy, why: Why) -> HeldAmountPart:
    holder = of.holder
    named = _named(holder.key, why)
    return HeldAmountPart(
        named, holder.cluster_queue, holder.priority, *of.pair, of.amount, of.borrows, holder.reserved
    )


def _leaving(of: Holder, why: Why) -> LeavingPart:
    return LeavingPart(_named(of.key, why), of.cluster_queue, pair_amounts(sorted(of.usage.items())))


def _holding(of: Holding) -> HoldingPart:
    return HoldingPart(
        of.holder.cluster_queue,
        of.holder.reserved,
        tuple(AssignedPart(a.name, a.count, dict(a.flavors)) for a in of.assigned),
        of.asked,
        pair_amounts(sorted(of.holder.usage.items())),
        pair_amounts(of.borrowed),
        () if of.out_of_service is None else tuple(of.out_of_service.reasons),
        pair_amounts(of.left_below),
        of.takers,
    )


def _taker(of: Taker) -> TakerPart:
    return TakerPart(of.queue, str(of.law), of.policy, of.own, pair_amounts(of.over), of.place)


def _eviction(of: RecordedEviction) -> EvictionPart:
    return EvictionPart(of.reason, of.rule, of.message, of.moment, of.place, of.preemptor)


def _preemptor(of: RecordedPreemptor) -> PreemptorPart:
    workload, job = (None if key is None else str(key) for key in (of.workload, of.job))
    return PreemptorPart(of.uid, of.job_uid, of.rule, of.path, of.own_path, workload, job)


_HOOKS: Final[Hooks] = {
    **HOOKS,
    Holding: _holding,
    Taker: _taker,
    RecordedEviction: _eviction,
    RecordedPreemptor: _preemptor,
    EvictionCount: evictions_part,
    Note: event_part,
}
WHY: Final = DocumentKind("Why", WhyDocument, "why", _HOOKS)
