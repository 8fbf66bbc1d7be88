"""The reasons of pods as the answer that all schedulers share, with the fields that only pods have.

Decides nothing: it has words only.
Tested in ``tests/unit/schedulers/koordinator/test_words.py`` and ``tests/unit/cli/test_elasticquota_commands.py``.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from kubectl_fairshare.answers.answer import Amount, Answer
from kubectl_fairshare.answers.blocks import Group
from kubectl_fairshare.answers.documents import WrittenAnswer
from kubectl_fairshare.answers.standing import HeldAmount, Verdict, WhyAnswer
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kubescheduler.refusals import missing_texts
from kubectl_fairshare.schedulers.kubescheduler.why_words import WhyWords, name_text, title


class WhyTexts(NamedTuple):
    """How a plugin says why: ``quota`` is the quota of a pod for people, ``sorted_by`` what a list is sorted by first.

    ``charged`` is what a pod adds to its quota; ``short`` what it lacks of a quota, of its next attempt's answer, and
    ``shortage`` what it needs of the first of it, and how much is missing. ``held`` is a holder of what is short.
    ``groups`` are the blocks below the verdict, ``commands`` those to type next.
    """

    scheduler: str
    words: WhyWords[Any]
    plan_answer: Callable[[Any, Any, Sequence[ObjectKey]], Answer[Any]]
    cited: Callable[[Any, Any], Sequence[ObjectKey]]
    quota: Callable[[Any, Any], str]
    sorted_by: Callable[[Any], str]
    charged: Callable[[Any], tuple[Amount, ...]]
    short: Callable[[Any, Answer[Any]], Iterable[Amount]]
    shortage: Callable[[Any], tuple[str, str]]
    held: Callable[[Any], HeldAmount]
    groups: Callable[[Any, Any, int | None], list[Group]]
    commands: Callable[[Any], Iterable[str]]
    document: Callable[[Any, Any, Answer[Any] | None], WrittenAnswer]
    listed: Callable[[Any, Any], WrittenAnswer]


class PodWhyDetail(Value, frozen=True):
    """What only reasons of pods have: what nodes lack, who can preempt it, what the cluster recorded."""

    why: Any
    state: Any
    texts: WhyTexts

    @property
    def binds(self) -> str:
        """What binds, without the details of single pods."""
        return self.texts.words.binding_clause(self.why)

    @property
    def rank(self) -> tuple[str, int]:
        """The quota or namespace, then the priority, highest first."""
        return self.texts.sorted_by(self.why), 0 if self.why.pod is None else -self.why.pod.priority

    def row(self) -> tuple[str, str, str, str, str]:
        """Workload, quota, position by priority, needs, missing."""
        why, texts = self.why, self.texts
        needs, missing = missing_texts(why.refusals) if why.refusals else texts.shortage(why)
        place = f"{len(why.ahead) + 1}/{why.rivals}" if why.queued else ""
        return name_text(why), texts.quota(why, self.state), place, needs, missing

    def groups(self, now: int | None) -> list[Group]:
        """The blocks below the verdict."""
        return self.texts.groups(self.why, self.state, now)

    def document(self) -> WrittenAnswer:
        """The answer as a document."""
        plan, texts = self.why.plan, self.texts
        answer = None if plan is None else texts.plan_answer(plan, self.state, texts.cited(self.state, plan))
        return texts.document(self.why, self.state, answer)

    def listed(self) -> WrittenAnswer:
        """The answer as an entry in the list of waiting workloads."""
        return self.texts.listed(self.why, self.state)


def pod_why_answer(texts: WhyTexts, why: Any, state: Any) -> WhyAnswer[PodWhyDetail]:
    """The answer for one pod, or for several equal ones."""
    state = why.state or state
    asked = None if why.plan is None else texts.plan_answer(why.plan, state, ())
    helped = asked if why.queued and why.verdict in (Verdict.NOT_NOW, Verdict.NEVER) else None
    return WhyAnswer(
        scheduler=texts.scheduler,
        verdict=why.verdict,
        reason=str(why.reason),
        because=texts.words.reason_clause(why),
        facts=why.facts,
        fidelity=why.fidelity,
        detail=PodWhyDetail(why, state, texts),
        key=why.key,
        job=why.job,
        queue=texts.quota(why, state),
        short=() if asked is None else tuple(texts.short(why, asked)),
        held=tuple(map(texts.held, why.held)),
        since=why.since,
        now=why.now,
        title=title(why),
        priority=None if why.pod is None else why.pod.priority,
        needs=() if why.pod is None else texts.charged(why.pod),
        binding=() if helped is None else helped.binding,
        remedies=() if helped is None else helped.remedies,
        next=tuple(texts.commands(why)),
        possible=() if asked is None else asked.possible,
    )
