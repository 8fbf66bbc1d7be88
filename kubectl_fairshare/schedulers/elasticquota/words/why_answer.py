"""The reasons of pods as the answer that all schedulers share, with the fields that only this scheduler has."""

from kubectl_fairshare.answers.answer import amount_of
from kubectl_fairshare.answers.blocks import Group
from kubectl_fairshare.answers.documents import WrittenAnswer
from kubectl_fairshare.answers.number_text import amount
from kubectl_fairshare.answers.standing import HeldAmount, Verdict, WhyAnswer
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.elasticquota.explain.citation import cited_objects
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.elasticquota.why.verdict import HeldBy, Why
from kubectl_fairshare.schedulers.elasticquota.words.plan_answer import SCHEDULER, amounts_of, plan_answer
from kubectl_fairshare.schedulers.elasticquota.words.why_clauses import WHY_WORDS, next_commands
from kubectl_fairshare.schedulers.elasticquota.words.why_screen import why_groups
from kubectl_fairshare.schedulers.kubescheduler.refusals import missing_texts
from kubectl_fairshare.schedulers.kubescheduler.why_words import name_text, title


class QuotaWhyDetail(Value, frozen=True):
    """What only reasons of pods have: what nodes lack, who can preempt it, what the cluster recorded."""

    why: Why
    state: State

    @property
    def binds(self) -> str:
        """What binds, without the details of single pods."""
        return WHY_WORDS.binding_clause(self.why)

    @property
    def rank(self) -> tuple[str, int]:
        """The namespace, then the priority, highest first."""
        return title(self.why).partition("/")[0], 0 if self.why.pod is None else -self.why.pod.priority

    def row(self) -> tuple[str, str, str, str, str]:
        """Workload, quota, position by priority, needs, missing."""
        why = self.why
        name = name_text(why)
        needs, missing = _shortage(why)
        place = f"{len(why.ahead) + 1}/{why.rivals}" if why.queued else ""
        return name, _quota(why, self.state), place, needs, missing

    def groups(self, now: int | None) -> list[Group]:
        """The blocks below the verdict."""
        return why_groups(self.why, self.state, now)

    def document(self) -> WrittenAnswer:
        """The answer as a document."""
        from kubectl_fairshare.schedulers.elasticquota.documents.why import WHY, why_document

        plan = self.why.plan
        answer = None if plan is None else plan_answer(plan, self.state, cited_objects(self.state, plan))
        return WrittenAnswer(WHY, why_document(self.why, _quota(self.why, self.state), answer))

    def listed(self) -> WrittenAnswer:
        """The answer as an entry in the list of waiting workloads."""
        from kubectl_fairshare.schedulers.elasticquota.documents.why import WAITING, waiting_entry

        return WrittenAnswer(WAITING, waiting_entry(self.why, _quota(self.why, self.state)))


def why_answer(why: Why, state: State) -> WhyAnswer[QuotaWhyDetail]:
    """The answer for one pod, or for several equal ones."""
    state = why.state or state
    excesses = () if why.plan is None else why.plan.attempt.gate.excesses
    helped = why.plan is not None and why.queued and why.verdict in (Verdict.NOT_NOW, Verdict.NEVER)
    asked = None if why.plan is None else plan_answer(why.plan, state, ())
    plan = asked if helped else None
    return WhyAnswer(
        scheduler=SCHEDULER,
        verdict=why.verdict,
        reason=str(why.reason),
        because=WHY_WORDS.reason_clause(why),
        facts=why.facts,
        fidelity=why.fidelity,
        detail=QuotaWhyDetail(why, state),
        key=why.key,
        job=why.job,
        queue=_quota(why, state),
        short=tuple(amount_of(excess.resource, excess.more) for excess in excesses),
        held=tuple(map(_held_amount, why.held)),
        since=why.since,
        now=why.now,
        title=title(why),
        priority=None if why.pod is None else why.pod.priority,
        needs=() if why.pod is None else amounts_of(why.pod.charge),
        binding=() if plan is None else plan.binding,
        remedies=() if plan is None else plan.remedies,
        next=tuple(next_commands(why)),
        possible=() if asked is None else asked.possible,
    )


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
    if why.refusals:
        return missing_texts(why.refusals)
    excess = next(iter(why.plan.attempt.gate.excesses), None) if why.plan is not None else None
    if excess is None:
        return "", ""
    return f"{amount(excess.resource, excess.wanted)} {excess.resource}", amount(excess.resource, excess.more)
