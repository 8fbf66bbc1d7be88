"""Why a pod is where it is, as a document."""

from typing import Annotated, Any, Final

from kubectl_fairshare.answers.answer import Answer
from kubectl_fairshare.answers.documents import DocumentKind, DocumentPart, Hooks, Moment
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.figures import Quantity
from kubectl_fairshare.answers.holds import CreationRefusal
from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.jobs.pod_record import PodRecord
from kubectl_fairshare.schedulers.elasticquota.documents.plan import HOOKS, PLAN, excess_part
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.model.vector import Excess
from kubectl_fairshare.schedulers.elasticquota.why.verdict import Exposed, HeldBy, NextPreemptor, Why
from kubectl_fairshare.schedulers.elasticquota.words.why_clauses import WHY_WORDS, next_commands
from kubectl_fairshare.schedulers.kubescheduler import documents
from kubectl_fairshare.trace import Fact


class LenderPart(DocumentPart, frozen=True):
    """A namespace with an unused min."""

    namespace: str
    resource: str
    unused: Quantity


class QuotaTakerPart(DocumentPart, frozen=True):
    """A namespace of which some new pod could preempt this one, and the law."""

    namespace: str
    law: str
    rule: str


class ExposedPart(DocumentPart, frozen=True):
    """Who can preempt a placed pod; ``borrowed`` is what its namespace uses above its min.

    ``lenders`` are those of ``couldPreempt`` with an unused min of that.
    """

    borrowed: tuple[Excess, ...]
    lenders: tuple[LenderPart, ...]
    by_own_namespace: bool
    could_preempt: tuple[QuotaTakerPart, ...]
    below_min_without: tuple[documents.ResourceAmountPart, ...]
    now: tuple[NextPreemptor, ...]


class ElasticQuotaWhyDocument(DocumentPart, frozen=True):
    """Why one pod is where it is; ``alike`` are pods with the same answer.

    The scheduler tries ``ahead`` first, and perhaps some of ``equals``; ``rivals`` counts all waiting pods.
    ``getInFirst`` counts those that get in before it, if the answer would be another without them. ``plan`` is the next
    attempt for a waiting pod.
    """

    verdict: Verdict
    reason: str
    sentence: str
    subject: str
    pod: Pod | None
    job: str | None
    alike: tuple[str, ...]
    quota: str
    since: Moment
    evidence: tuple[Fact, ...]
    held_by: tuple[HeldBy, ...]
    holding: Exposed | None
    ahead: tuple[Pod, ...]
    equals: int
    rivals: int
    get_in_first: int
    not_created: int
    refused_at_creation: tuple[CreationRefusal, ...]
    recorded: PodRecord | None
    next: tuple[str, ...]
    plan: Annotated[Answer[Any], PLAN] | None
    fidelity: Fidelity


class WaitingPodPart(documents.WaitingInQuotaPart, frozen=True):
    """A waiting pod with the ones ``alike``; ``position`` is its best possible position among ``of``.

    ``bindings`` are what of its request is too much.
    """

    bindings: tuple[documents.ExcessPart, ...]


def why_document(why: Why, quota: str, plan: Answer[Any] | None) -> ElasticQuotaWhyDocument:
    """One answer; ``plan`` is the next attempt, ``quota`` names the ElasticQuota."""
    return ElasticQuotaWhyDocument(
        verdict=why.verdict,
        reason=str(why.reason),
        sentence=WHY_WORDS.reason_clause(why),
        subject=str(why.job or why.key),
        pod=why.pod,
        job=None if why.job is None else str(why.job),
        alike=tuple(map(str, why.alike)),
        quota=quota,
        since=why.since,
        evidence=why.facts,
        held_by=why.held,
        holding=why.holding,
        ahead=why.ahead,
        equals=why.equals,
        rivals=why.rivals,
        get_in_first=why.before,
        not_created=why.missing,
        refused_at_creation=why.refusals,
        recorded=why.record,
        next=tuple(next_commands(why)),
        plan=plan,
        fidelity=why.fidelity,
    )


def waiting_entry(why: Why, quota: str) -> WaitingPodPart:
    """A waiting pod, as an entry of a list."""
    excesses = () if why.plan is None else why.plan.attempt.gate.excesses
    refused = (documents.refused_excess(refusal) for refusal in why.refusals if refusal.wanted is not None)
    bindings = (*map(excess_part, excesses), *refused)
    return documents.waiting_part(WaitingPodPart, why, quota, WHY_WORDS.reason_clause(why), bindings=bindings)


def _holding(of: Exposed) -> ExposedPart:
    return ExposedPart(
        of.borrowed,
        tuple(LenderPart(*lender) for lender in of.lenders),
        of.by_own,
        tuple(QuotaTakerPart(each.queue, each.law, each.rule) for each in of.takers),
        tuple(documents.ResourceAmountPart(*less) for less in of.left_below),
        of.now,
    )


_HOOKS: Final[Hooks] = {**HOOKS, Pod: documents.pod_part, Exposed: _holding}
WHY: Final = DocumentKind("Why", ElasticQuotaWhyDocument, "why", _HOOKS)
WAITING: Final = DocumentKind("WaitingList", WaitingPodPart, "waiting", _HOOKS)
