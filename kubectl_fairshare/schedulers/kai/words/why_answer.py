"""KAI's reasons as the answer that all schedulers share, with the fields that only KAI has."""

from kubectl_fairshare.answers.answer import BindingLimit
from kubectl_fairshare.answers.blocks import Group
from kubectl_fairshare.answers.documents import WrittenAnswer
from kubectl_fairshare.answers.standing import HeldAmount, Verdict, WhyAnswer
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kai.why.standing import HoldingJob, Why
from kubectl_fairshare.schedulers.kai.words.plan_answer import (
    SCHEDULER,
    amount_of,
    binding_limits,
    plan_answer,
    shard_text,
)
from kubectl_fairshare.schedulers.kai.words.screens.why import why_groups
from kubectl_fairshare.schedulers.kai.words.why_words import first_clause, group_clause, next_commands, why_clause


class KaiWhyDetail(Value, frozen=True):
    """What only KAI's reasons have: PodGroups, positions, minimum runtimes, the cluster's own record."""

    why: Why

    @property
    def binds(self) -> str:
        """The limit that binds, otherwise the dominant reason, without details of single jobs where that is unknown."""
        limits = _limits(self.why)
        return limits[0].clause if limits else group_clause(self.why)

    @property
    def rank(self) -> tuple[str, int]:
        """The queue, and the position in it."""
        return self.why.queue, 0 if self.why.turn is None else self.why.turn.position

    def row(self) -> tuple[str, str, str, str, str]:
        """Job, queue, place, needs, missing."""
        why = self.why
        place = "" if why.turn is None else f"{why.turn.position}/{why.turn.of}"
        limits = _limits(why)[:1]
        needs = "".join(f"{limit.needed.text} {limit.needed.resource}" for limit in limits)
        short = "".join(limit.short.text for limit in limits)
        key = why.subject
        return f"{key.namespace}/{key.name}", why.queue, place, needs, short

    def groups(self, now: int | None) -> list[Group]:
        """The blocks below the verdict."""
        return why_groups(self.why, now)

    def document(self) -> WrittenAnswer:
        """The answer as a document."""
        from kubectl_fairshare.schedulers.kai.documents.why import WHY, why_document

        answer = None if self.why.plan is None else plan_answer(self.why.plan, self.why.state)
        return WrittenAnswer(WHY, why_document(self.why, why_clause(self.why), answer, tuple(next_commands(self.why))))

    def listed(self) -> WrittenAnswer:
        """The answer as an entry in the list of waiting jobs."""
        from kubectl_fairshare.schedulers.kai.documents.why import WAITING, waiting_entry

        return WrittenAnswer(WAITING, waiting_entry(self.why, why_clause(self.why), _limits(self.why)))


def why_answer(why: Why) -> WhyAnswer[KaiWhyDetail]:
    """The answer for one job."""
    plan = None if why.plan is None else plan_answer(why.plan, why.state)
    helped = plan is not None and why.verdict in (Verdict.NOT_NOW, Verdict.NEVER)
    return WhyAnswer(
        scheduler=SCHEDULER,
        verdict=why.verdict,
        reason=str(why.reason),
        because=first_clause(why),
        facts=why.facts,
        fidelity=why.fidelity,
        detail=KaiWhyDetail(why),
        key=why.group,
        job=None if why.subject == why.group else why.subject,
        queue=why.queue,
        short=tuple(limit.short for limit in _limits(why)),
        held=tuple(map(_held_amount, why.holding)),
        since=why.since,
        now=why.now,
        title=f"{why.subject.namespace}/{why.subject.name}",
        priority=None if why.job is None else why.job.priority,
        needs=() if plan is None else tuple(need.asked for need in plan.needs),
        binding=_limits(why),
        remedies=plan.remedies if plan is not None and helped else (),
        next=tuple(next_commands(why)),
        possible=() if plan is None else plan.possible,
        context=() if why.plan is None else (shard_text(why.plan.shard),),
    )


def _held_amount(of: HoldingJob) -> HeldAmount:
    key = of.job.group.key
    amount, name = amount_of(of.r, of.amount), f"{key.namespace}/{key.name}"
    return HeldAmount(key, of.job.queue, amount, of.borrows, name, of.job.group.last_start or None)


def _limits(why: Why) -> tuple[BindingLimit, ...]:
    """The limits behind the dominant reason."""
    binds = why.verdict in (Verdict.NOT_NOW, Verdict.NEVER)
    return tuple(binding_limits(why.plan)) if binds and why.plan is not None else ()
