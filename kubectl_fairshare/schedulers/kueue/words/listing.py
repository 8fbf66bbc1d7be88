"""The answers for all workloads that wait: whole for those that are shown, in outline for the others.

Why not whole for all: of ten thousand that wait a list shows twenty, and what is known of each takes more than its
manifest. Its place in the list rests on little.
Tested in ``tests/unit/schedulers/kueue/words/test_listing.py``.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from sys import intern
from typing import Protocol, TypeAlias

from kubectl_fairshare.answers.blocks import Group
from kubectl_fairshare.answers.documents import WrittenAnswer
from kubectl_fairshare.answers.standing import Verdict, WhyAnswer
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.why.subjects import Asking
from kubectl_fairshare.schedulers.kueue.why.verdict import Inquiry, Why
from kubectl_fairshare.schedulers.kueue.words.why_answer import KueueWhyDetail, why_answer
from kubectl_fairshare.schedulers.question import WhyQuestion


class Briefly(Protocol):
    """Why each of some workloads waits, one after the other: as often as it is asked."""

    def __call__(self, asked: Iterable[Inquiry], *, grounded: bool) -> Iterator[Why]:
        """The answers; not ``grounded`` they have no facts but those of their reasons."""


class KueueOutline(Value, frozen=True):
    """What orders and groups a workload in a list; the rest is found again where it is asked for."""

    binds: str
    rank: tuple[str, int]
    again: Callable[[], KueueWhyDetail]

    def row(self) -> tuple[str, str, str, str, str]:
        """Workload, queue, place, needs, missing."""
        return self.again().row()

    def groups(self, now: int | None) -> Sequence[Group]:
        """The blocks below the verdict."""
        return self.again().groups(now)

    def document(self) -> WrittenAnswer:
        """The answer as a document."""
        return self.again().document()

    def listed(self) -> WrittenAnswer:
        """The answer as an entry of a list of workloads that wait."""
        return self.again().listed()


Listed: TypeAlias = WhyAnswer[KueueWhyDetail | KueueOutline]


class WaitingAnswers:
    """The answers for the workloads of one snapshot that wait; ``briefly`` is what Kueue decides of them."""

    def __init__(self, asking: Asking, briefly: Briefly, state: KueueState) -> None:
        self._asking = asking
        self._briefly = briefly
        self._state = state

    def of(self, question: WhyQuestion) -> tuple[Listed, ...]:
        """Those that the question picks; whole where it does not say which are shown.

        Raises ``FairshareError`` for an object that an API server would refuse.
        """
        asked = [*self._asking.waiting(question.namespace)]
        found = self._briefly(asked, grounded=question.shown is None)
        waiting = (
            (each, why)
            for each, why in zip(asked, found, strict=True)
            if why.verdict is not Verdict.RUNNING and question.picks(why.workload or why.job)
        )
        if question.shown is None:
            return tuple(self._whole(*each) for each in waiting)
        outlines = [(each, self._outline(each, why)) for each, why in waiting]
        shown = set(map(id, question.shown(tuple(answer for _, answer in outlines))))
        return tuple(self._again(each) if id(answer) in shown else answer for each, answer in outlines)

    def _whole(self, asked: Inquiry, why: Why) -> Listed:
        return self._asking.with_statements(why_answer(why, self._state, listed=True), asked, why)

    def _again(self, asked: Inquiry) -> Listed:
        (why,) = self._briefly([asked], grounded=True)
        return self._whole(asked, why)

    def _outline(self, asked: Inquiry, why: Why) -> Listed:
        """The answer without what a list has of those that it shows alone."""
        answer = why_answer(why, self._state, listed=True)
        detail = KueueOutline(intern(answer.detail.binds), answer.detail.rank, partial(self._detail, asked))
        return replace(answer, detail=detail, because="", title="", facts=(), held=(), binding=(), next=(), possible=())

    def _detail(self, asked: Inquiry) -> KueueWhyDetail:
        (why,) = self._briefly([asked], grounded=True)
        return KueueWhyDetail(why, self._state)
