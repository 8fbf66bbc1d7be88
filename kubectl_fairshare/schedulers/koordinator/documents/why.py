"""Why a pod is where it is, as a document."""

from typing import Annotated, Any, Final

from kubectl_fairshare.answers.answer import Answer
from kubectl_fairshare.answers.documents import DocumentKind, DocumentPart, Hooks, Moment
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.holds import CreationRefusal
from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.jobs.pod_record import PodRecord
from kubectl_fairshare.schedulers.koordinator.documents.plan import HOOKS, PLAN
from kubectl_fairshare.schedulers.koordinator.model.amounts import whole
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.why.verdict import HeldBy, Why
from kubectl_fairshare.schedulers.koordinator.words.why_clauses import WHY_WORDS, next_commands
from kubectl_fairshare.schedulers.kubescheduler.documents import (
    ResourceAmountPart,
    WaitingInQuotaPart,
    pod_names,
    pod_part,
    waiting_part,
)
from kubectl_fairshare.trace import Fact


class QuotaPreemptorPart(DocumentPart, frozen=True):
    """A quota of which some new pod could preempt this one, and the law."""

    quota: str
    law: str
    rule: str


class KoordinatorWhyDocument(DocumentPart, frozen=True):
    """Why one pod is where it is; ``alike`` are pods with the same answer, ``plan`` the next attempt of a waiting one.

    ``couldPreempt`` are the quotas of which some new pod takes a placed one; its own is then ``belowMinWithout`` it.
    ``preemptors`` are waiting pods that preempt it next, or may if ties decide so: those in ``preemptorsByTie``. For
    ``preemptorsAcrossQuotas`` DefaultPreemption may evict it. ``revocable``: its quota uses more than its runtime, and
    the over-use revoker would evict it; with ``revocableByTie`` it may. It runs only if ``monitored``. The scheduler
    tries ``ahead`` first, and perhaps some of ``equals``; ``getInFirst`` counts the pods that get in before it, if the
    answer would be another without them.
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
    could_preempt: tuple[QuotaPreemptorPart, ...]
    below_min_without: tuple[ResourceAmountPart, ...]
    preemptors: tuple[Pod, ...]
    preemptors_by_tie: tuple[str, ...]
    preemptors_across_quotas: tuple[str, ...]
    revocable: bool
    revocable_by_tie: bool
    monitored: bool
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


def why_document(why: Why, plan: Answer[Any] | None) -> KoordinatorWhyDocument:
    """One answer; ``plan`` is the next attempt."""
    risk = why.risk
    return KoordinatorWhyDocument(
        verdict=why.verdict,
        reason=str(why.reason),
        sentence=WHY_WORDS.reason_clause(why),
        subject=str(why.job or why.key),
        pod=why.pod,
        job=None if why.job is None else str(why.job),
        alike=tuple(map(str, why.alike)),
        quota=why.quota,
        since=why.since,
        evidence=why.facts,
        held_by=why.held,
        could_preempt=tuple(QuotaPreemptorPart(each.queue, each.law, each.rule) for each in why.takers),
        below_min_without=tuple(ResourceAmountPart(r, whole(r, nano)) for r, nano in why.left_below),
        preemptors=(*risk.preemptors, *risk.perhaps),
        preemptors_by_tie=pod_names(risk.perhaps),
        preemptors_across_quotas=pod_names(risk.across),
        revocable=risk.revoked or risk.revoked_perhaps,
        revocable_by_tie=risk.revoked_perhaps,
        monitored=why.watched,
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


def waiting_entry(why: Why) -> WaitingInQuotaPart:
    """A waiting pod, as an entry of a list."""
    sentence = WHY_WORDS.reason_clause(why) or WHY_WORDS.binding_clause(why)
    return waiting_part(WaitingInQuotaPart, why, why.quota, sentence)


_HOOKS: Final[Hooks] = {**HOOKS, Pod: pod_part}
WHY: Final = DocumentKind("Why", KoordinatorWhyDocument, "why", _HOOKS)
WAITING: Final = DocumentKind("WaitingList", WaitingInQuotaPart, "waiting", _HOOKS)
