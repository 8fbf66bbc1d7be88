"""The reasons of pods as the answer that all schedulers share, with the fields that only this scheduler has."""

from kubectl_fairshare.answers.answer import amount_of
from kubectl_fairshare.answers.blocks import Group
from kubectl_fairshare.answers.documents import WrittenAnswer
from kubectl_fairshare.answers.number_text import amount
from kubectl_fairshare.answers.standing import HeldAmount, Verdict, WhyAnswer
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.koordinator.explain.citation import cited_objects
from kubectl_fairshare.schedulers.koordinator.model.amounts import whole
from kubectl_fairshare.schedulers.koordinator.quotas.state import State
from kubectl_fairshare.schedulers.koordinator.release import NAME
from kubectl_fairshare.schedulers.koordinator.why.verdict import HeldBy, Why
from kubectl_fairshare.schedulers.koordinator.words.amounts import amounts_of
from kubectl_fairshare.schedulers.koordinator.words.plan_answer import plan_answer
from kubectl_fairshare.schedulers.koordinator.words.why_clauses import WHY_WORDS, next_commands
from kubectl_fairshare.schedulers.koordinator.words.why_screen import why_groups
from kubectl_fairshare.schedulers.kubescheduler.refusals import missing_texts
from kubectl_fairshare.schedulers.kubescheduler.why_words import name_text, title


class RuntimeWhyDetail(Value, frozen=True):
    """What only reasons of pods have: what nodes lack, who can preempt it, what the cluster recorded."""

    why: Why
    state: State

    @property
    def binds(self) -> str:
        """What binds, without the details of single pods."""
        return WHY_WORDS.binding_clause(self.why)

    @property
    def rank(self) -> tuple[str, int]:
        """The quota, then the priority, highest first."""
        return self.why.quota, 0 if self.why.pod is None else -self.why.pod.priority

    def row(self) -> tuple[str, str, str, str, str]:
        """Workload, quota, position by priority, needs, missing."""
        why = self.why
        name = name_text(why)
        needs, missing = _shortage(why)
        place = f"{len(why.ahead) + 1}/{why.rivals}" if why.queued else ""
        return name, why.quota, place, needs, missing

    def groups(self, now: int | None) -> list[Group]:
        """The blocks below the verdict."""
        return why_groups(self.why, self.state, now)

    def document(self) -> WrittenAnswer:
        """The answer as a document."""
        from kubectl_fairshare.schedulers.koordinator.documents.why import WHY, why_document

        plan = self.why.plan
        answer = None if plan is None else plan_answer(plan, self.state, cited_objects(self.state, plan))
        return WrittenAnswer(WHY, why_document(self.why, answer))

    def listed(self) -> WrittenAnswer:
        """The answer as an entry in the list of waiting workloads."""
        from kubectl_fairshare.schedulers.koordinator.documents.why import WAITING, waiting_entry

        return WrittenAnswer(WAITING, waiting_entry(self.why))


def why_answer(why: Why, state: State) -> WhyAnswer[RuntimeWhyDetail]:
    """The answer for one pod, or for several equal ones."""
    state = why.state or state
    helped = why.plan is not None and why.queued and why.verdict in (Verdict.NOT_NOW, Verdict.NEVER)
    plan = None if why.plan is None else plan_answer(why.plan, state, ())
    answer = plan if helped else None
    return WhyAnswer(
        scheduler=NAME,
        verdict=why.verdict,
        reason=str(why.reason),
        because=WHY_WORDS.reason_clause(why),
        facts=why.facts,
        fidelity=why.fidelity,
        detail=RuntimeWhyDetail(why, state),
        key=why.key,
        job=why.job,
        queue=why.quota,
        short=() if plan is None else tuple(limit.short for limit in plan.binding),
        held=tuple(map(_held_amount, why.held)),
        since=why.since,
        now=why.now,
        title=title(why),
        priority=None if why.pod is None else why.pod.priority,
        needs=() if why.pod is None else amounts_of(why.pod.charged),
        binding=() if answer is None else answer.binding,
        remedies=() if answer is None else answer.remedies,
        next=tuple(next_commands(why)),
        possible=() if plan is None else plan.possible,
    )


def _held_amount(of: HeldBy) -> HeldAmount:
    held = amount_of(of.resource, of.amount)
    return HeldAmount(of.pod.key, of.quota, held, of.borrows, of.pod.name, of.pod.started)


def _shortage(why: Why) -> tuple[str, str]:
    """What the pod needs of the first resource that is short, and how much is missing."""
    if why.refusals:
        return missing_texts(why.refusals)
    refusal = None if why.plan is None else why.plan.attempt.gate.refusal
    if refusal is None or not refusal.exceeded:
        return "", ""
    resource = refusal.exceeded[0]
    wanted, used, limit = (of.get(resource, 0) for of in (refusal.request, refusal.used, refusal.limit))
    return f"{amount(resource, whole(resource, wanted))} {resource}", amount(
        resource, whole(resource, wanted + used - limit)
    )
