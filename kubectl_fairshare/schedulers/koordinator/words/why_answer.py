"""The reasons of pods under Koordinator's quotas as the answer that all schedulers share."""

from typing import Final

from kubectl_fairshare.answers.answer import Answer, amount_of
from kubectl_fairshare.answers.documents import WrittenAnswer
from kubectl_fairshare.answers.number_text import amount
from kubectl_fairshare.answers.standing import HeldAmount, WhyAnswer
from kubectl_fairshare.schedulers.koordinator.explain.citation import cited_objects
from kubectl_fairshare.schedulers.koordinator.model.amounts import whole
from kubectl_fairshare.schedulers.koordinator.quotas.state import State
from kubectl_fairshare.schedulers.koordinator.release import NAME
from kubectl_fairshare.schedulers.koordinator.why.verdict import HeldBy, Why
from kubectl_fairshare.schedulers.koordinator.words.amounts import amounts_of
from kubectl_fairshare.schedulers.koordinator.words.plan_answer import RuntimePlanDetail, plan_answer
from kubectl_fairshare.schedulers.koordinator.words.why_clauses import WHY_WORDS, next_commands
from kubectl_fairshare.schedulers.koordinator.words.why_screen import why_groups
from kubectl_fairshare.schedulers.kubescheduler.why_answer import PodWhyDetail, WhyTexts, pod_why_answer


def why_answer(why: Why, state: State) -> WhyAnswer[PodWhyDetail]:
    """The answer for one pod, or for several equal ones."""
    return pod_why_answer(_TEXTS, why, state)


def _document(why: Why, _: State, answer: Answer[RuntimePlanDetail] | None) -> WrittenAnswer:
    from kubectl_fairshare.schedulers.koordinator.documents.why import WHY, why_document

    return WrittenAnswer(WHY, why_document(why, answer))


def _listed(why: Why, _: State) -> WrittenAnswer:
    from kubectl_fairshare.schedulers.koordinator.documents.why import WAITING, waiting_entry

    return WrittenAnswer(WAITING, waiting_entry(why))


def _held_amount(of: HeldBy) -> HeldAmount:
    held = amount_of(of.resource, of.amount)
    return HeldAmount(of.pod.key, of.quota, held, of.borrows, of.pod.name, of.pod.started)


def _shortage(why: Why) -> tuple[str, str]:
    """What the pod needs of the first resource that is short, and how much is missing."""
    refusal = None if why.plan is None else why.plan.attempt.gate.refusal
    if refusal is None or not refusal.exceeded:
        return "", ""
    resource = refusal.exceeded[0]
    wanted, used, limit = (of.get(resource, 0) for of in (refusal.request, refusal.used, refusal.limit))
    return f"{amount(resource, whole(resource, wanted))} {resource}", amount(
        resource, whole(resource, wanted + used - limit)
    )


_TEXTS: Final = WhyTexts(
    scheduler=NAME,
    words=WHY_WORDS,
    plan_answer=plan_answer,
    cited=cited_objects,
    quota=lambda why, _: str(why.quota),
    sorted_by=lambda why: str(why.quota),
    charged=lambda pod: amounts_of(pod.charge),
    short=lambda _, asked: (limit.short for limit in asked.binding),
    shortage=_shortage,
    held=_held_amount,
    groups=why_groups,
    commands=next_commands,
    document=_document,
    listed=_listed,
)
