"""KAI's reasons as the answer that all schedulers share, with the fields that only KAI has."""

from kubectl_fairshare.answers.answer import BindingLimit
from kubectl_fairshare.answers.standing import HeldAmount, Verdict, WhyAnswer
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.report.printable import Document, Places
from kubectl_fairshare.report.text.moments import when
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.kai.documents.why import waiting_entry, why_document
from kubectl_fairshare.schedulers.kai.why.standing import Why
from kubectl_fairshare.schedulers.kai.words.plan_answer import SCHEDULER, amount_of, binding_limits, plan_answer
from kubectl_fairshare.schedulers.kai.words.screens.why import why_screen
from kubectl_fairshare.schedulers.kai.words.why_words import next_commands, why_clause


@dataclass(frozen=True, slots=True)
class KaiWhyDetail:
    """What only KAI's reasons have: PodGroups, positions, minimum runtimes, the cluster's own record."""

    why: Why

    @property
    def binds(self) -> str:
        """The limit that binds, or else the dominant reason."""
        limits = _limits(self.why)
        return limits[0].clause if limits else why_clause(self.why)

    @property
    def rank(self) -> tuple[str, int]:
        """The queue, and the position in it."""
        return self.why.queue, 0 if self.why.turn is None else self.why.turn.position

    def row(self, view: View) -> tuple[str, str, str, str, str, str]:  # noqa: ARG002 -- the same on every screen
        """Job, queue, place, needs, missing, since."""
        why = self.why
        place = "" if why.turn is None else f"{why.turn.position}/{why.turn.of}"
        limits = _limits(why)[:1]
        needs = "".join(f"{limit.needed.text} {limit.needed.resource}" for limit in limits)
        short = "".join(limit.short.text for limit in limits)
        since = when(why.since, why.now) if why.since else ""
        key = why.subject
        return f"{key.namespace}/{key.name}", why.queue, place, needs, short, since

    def screen(self, view: View) -> str:
        """The answer as text."""
        return why_screen(self.why, view)

    def document(self, places: Places) -> Document:
        """The answer as a document."""
        answer = None if self.why.plan is None else plan_answer(self.why.plan, self.why.state)
        return why_document(self.why, why_clause(self.why), answer, tuple(next_commands(self.why)), places)

    def listed(self, places: Places) -> Document:
        """The answer as an entry in the list of waiting jobs."""
        return waiting_entry(self.why, why_clause(self.why), _limits(self.why), places)


def why_answer(why: Why) -> WhyAnswer[KaiWhyDetail]:
    """The answer for one job."""
    holding = ((each.job, amount_of(each.r, each.amount), each.borrows) for each in why.holding)
    return WhyAnswer(
        scheduler=SCHEDULER,
        verdict=why.verdict,
        reason=str(why.reason),
        because=why_clause(why),
        facts=why.facts,
        fidelity=why.fidelity,
        detail=KaiWhyDetail(why),
        key=why.group,
        job=None if why.subject == why.group else why.subject,
        queue=why.queue,
        short=tuple(limit.short for limit in _limits(why)),
        held=tuple(HeldAmount(job.group.key, job.queue, amount, borrows) for job, amount, borrows in holding),
        since=why.since,
    )


def _limits(why: Why) -> tuple[BindingLimit, ...]:
    """The limits behind the dominant reason."""
    binds = why.verdict in (Verdict.NOT_NOW, Verdict.NEVER)
    return tuple(binding_limits(why.plan)) if binds and why.plan is not None else ()
