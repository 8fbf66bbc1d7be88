"""The reasons of pods under ElasticQuotas as the answer that all schedulers share."""

from typing import Final

from kubectl_fairshare.answers.answer import Answer, amount_of
from kubectl_fairshare.answers.documents import WrittenAnswer
from kubectl_fairshare.answers.number_text import amount
from kubectl_fairshare.answers.standing import HeldAmount, WhyAnswer
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.elasticquota.explain.citation import cited_objects
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.elasticquota.why.verdict import HeldBy, Why
from kubectl_fairshare.schedulers.elasticquota.words.plan_answer import (
    SCHEDULER,
    QuotaPlanDetail,
    amounts_of,
    plan_answer,
)
from kubectl_fairshare.schedulers.elasticquota.words.why_clauses import WHY_WORDS, next_commands
from kubectl_fairshare.schedulers.elasticquota.words.why_screen import why_groups
from kubectl_fairshare.schedulers.kubescheduler.why_answer import PodWhyDetail, WhyTexts, pod_why_answer
from kubectl_fairshare.schedulers.kubescheduler.why_words import title


def why_answer(why: Why, state: State) -> WhyAnswer[PodWhyDetail]:
    """The answer for one pod, or for several equal ones."""
    return pod_why_answer(_TEXTS, why, state)


def _document(why: Why, state: State, answer: Answer[QuotaPlanDetail] | None) -> WrittenAnswer:
    from kubectl_fairshare.schedulers.elasticquota.documents.why import WHY, why_document

    return WrittenAnswer(WHY, why_document(why, _quota(why, state), answer))


def _listed(why: Why, state: State) -> WrittenAnswer:
    from kubectl_fairshare.schedulers.elasticquota.documents.why import WAITING, waiting_entry

    return WrittenAnswer(WAITING, waiting_entry(why, _quota(why, state)))


def _held_amount(of: HeldBy) -> HeldAmount:
    key = of.pod.key
    amount, name = amount_of(of.resource, of.amount), f"{key.namespace}/{key.name}"
    return HeldAmount(key, key.namespace, amount, of.borrows, name, of.pod.started)


def _quota(why: Why, state: State) -> str:
    key: ObjectKey | None = why.job or why.key
    quota = None if key is None else state.source.quotas.get(key.namespace)
    return "" if quota is None else f"{quota.namespace}/{quota.key.name}"


def _shortage(why: Why) -> tuple[str, str]:
    """What the pod needs of the first resource that is short, and how much is missing."""
    excess = next(iter(why.plan.attempt.gate.excesses), None) if why.plan is not None else None
    if excess is None:
        return "", ""
    return f"{amount(excess.resource, excess.wanted)} {excess.resource}", amount(excess.resource, excess.more)


_TEXTS: Final = WhyTexts(
    scheduler=SCHEDULER,
    words=WHY_WORDS,
    plan_answer=plan_answer,
    cited=cited_objects,
    quota=_quota,
    sorted_by=lambda why: title(why).partition("/")[0],
    charged=lambda pod: amounts_of(pod.charge),
    short=lambda why, _: (amount_of(excess.resource, excess.more) for excess in why.plan.attempt.gate.excesses),
    shortage=_shortage,
    held=_held_amount,
    groups=why_groups,
    commands=next_commands,
    document=_document,
    listed=_listed,
)
