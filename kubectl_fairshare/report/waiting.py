"""The answer to ``why`` without a name: the waiting workloads, grouped by what binds, printed.

Tested in ``tests/unit/report/test_why.py``.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from kubectl_fairshare.answers.fidelity import Fidelity, Gap
from kubectl_fairshare.answers.standing import Verdict, WhyAnswer
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.report.next_steps import HERE, GivenOptions, typed
from kubectl_fairshare.report.plan import object_name
from kubectl_fairshare.report.printable import Document, Places, WhyDetail
from kubectl_fairshare.report.text.closing import closing_lines, exactness
from kubectl_fairshare.report.text.colour import Tone
from kubectl_fairshare.report.text.figures import count
from kubectl_fairshare.report.text.heading import gap_lines, missing_lines, verdict_lines
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.table import Column, Row, folded, table
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.report.verdicts import VERDICT_TONES, VERDICT_WORDS
from kubectl_fairshare.report.why import answer_keys, statements, verdict_rows

SORTS: Final = ("place", "age", "priority", "needs")
"""The orders of the list: by queue and place; the oldest, the highest priority, or the largest need first."""
_NEXT: Final = 2
"""Commands below the list."""
_NAMED: Final = 3
"""Workloads that a mark below the list names."""
_ORDER: Final = (Verdict.NOT_NOW, Verdict.WAITING, Verdict.UNKNOWN, Verdict.NEVER, Verdict.UNMANAGED)
_COLUMNS: Final = (
    Column("WORKLOAD", right=False),
    Column("QUEUE", right=False, rank=1),
    Column("PLACE", kept=False),
    Column("NEEDS", kept=False, rank=2),
    Column("MISSING", kept=False, rank=3),
    Column("SINCE", right=False, kept=False, rank=4),
)
Answers = tuple[WhyAnswer[WhyDetail], ...]
_Group = tuple[Verdict, str, str]


class Listing(Value, frozen=True):
    """Which of the waiting workloads to list, and in what order. ``limit`` is the most of them; None for all."""

    sort: str = SORTS[0]
    queue: str = ""
    resource: str = ""
    limit: int | None = None

    def chosen(self, answers: Answers) -> Answers:
        """The workloads in question, in order; all of them, whatever the limit."""
        fitting = (a for a in answers if self.queue in ("", a.queue) and self._needs(a))
        return tuple(sorted(fitting, key=_SORT_KEYS[self.sort]))

    def _needs(self, answer: WhyAnswer[WhyDetail]) -> bool:
        amounts = (*answer.needs, *answer.short)
        return not self.resource or any(amount.resource == self.resource for amount in amounts)


def _by_place(answer: WhyAnswer[WhyDetail]) -> tuple[object, ...]:
    return (*answer.detail.rank, tuple(answer.job or answer.key or ()))


def _by_age(answer: WhyAnswer[WhyDetail]) -> tuple[object, ...]:
    return (answer.since is None, answer.since or 0, *_by_place(answer))


def _by_priority(answer: WhyAnswer[WhyDetail]) -> tuple[object, ...]:
    return (answer.priority is None, -(answer.priority or 0), *_by_place(answer))


def _by_needs(answer: WhyAnswer[WhyDetail]) -> tuple[object, ...]:
    return (-max((amount.value for amount in answer.needs or answer.short), default=0), *_by_place(answer))


_SORT_KEYS: Final = dict(zip(SORTS, (_by_place, _by_age, _by_priority, _by_needs), strict=True))


class WaitingReport(Value, frozen=True):
    """The answer to ``why`` without a name: waiting workloads, grouped by what binds; ``unlisted`` counts the others.

    ``fidelity`` is that of all answers together, and ``general`` are its gaps that no single answer has; ``namespace``
    is the one in the question, None for all.
    """

    scheduler: str
    fidelity: Fidelity
    answers: Answers
    unlisted: tuple[str, ...]
    namespace: str | None = None
    choice: Listing = Listing()
    origin: GivenOptions = HERE
    general: tuple[Gap, ...] = ()

    @property
    def exit_code(self) -> int:
        """0: it is answered."""
        return 0

    def screen(self, view: View) -> str:
        """The verdict; the groups, first those that could run if others ended; then what is not listed."""
        lines: list[str] = []
        for (verdict, _, binds), group in self._groups():
            title = f"{VERDICT_WORDS[verdict]} · {count(len(group), 'workload')} · {binds}"
            lines += [view.paint(VERDICT_TONES[verdict], line) for line in folded(title, view.width, "  ")]
            lines += table(_COLUMNS, [Row(each.detail.row(view)) for each in group], view, "  ")
            lines.append("")
        gaps = gap_lines(replace(self.fidelity, gaps=self.general), view)
        first = [*verdict_lines(self._sum, self._tone, self.fidelity, view), *gaps, ""]
        others = view.paint("dim", f"not listed: {', '.join(self._others)}")
        marks = [line for text in self._marks for line in paragraph(text, view, "", "  ")]
        closing = [*missing_lines(self.fidelity, view), *marks, others, *self._closing(view)]
        return "\n".join([*first, *lines, *self._next_lines(view), *closing]) + "\n"

    def brief(self, view: View) -> str:
        """The number of workloads for each reason, in at most eight lines."""
        groups = [f"{count(len(g), 'workload')} {VERDICT_WORDS[v]}: {binds}" for (v, _, binds), g in self._groups()]
        lines = [line for text in groups for line in folded(text, view.width, "  ")]
        closing = self._closing(view)
        return "\n".join([*(lines or [f"no workload waits{self._within}"])[: 8 - len(closing)], *closing]) + "\n"

    def markdown(self, view: View) -> str:
        """The verdict; a table for each group; what is not listed; the verdict again, and whether it is exact."""
        from kubectl_fairshare.report.markdown import md_table, md_text, prose

        lines = [f"**{prose(self._sum)}**", ""]
        for (verdict, _, binds), group in self._groups():
            lines += [f"**{VERDICT_WORDS[verdict]} · {count(len(group), 'workload')}** · {prose(binds)}", ""]
            rows = [each.detail.row(view) for each in group]
            lines += [*md_table([column.title.lower() for column in _COLUMNS], rows), ""]
        others = prose(f"not listed: {', '.join(self._others)}")
        marks = [line for text in self._marks for line in (prose(text), "")]
        return md_text([*lines, *marks, others, "", f"⇒ {prose(self._sum)} · {prose(exactness(*self._certainty))}"])

    def document(self, places: Places) -> Document:
        """All that wait, in the order of the screen; ``notListed`` says what else there is."""
        from kubectl_fairshare.report.documents import parts

        groups = [
            {
                "verdict": verdict.value,
                "reason": reason,
                "binds": binds,
                "workloads": [{**each.detail.listed(places), **statements(each, places)} for each in group],
            }
            for (verdict, reason, binds), group in self._groups()
        ]
        return {
            "apiVersion": parts.API_VERSION,
            "kind": "WaitingList",
            "scheduler": self.scheduler,
            "namespace": self.namespace,
            "omitted": len(self._chosen) - len(self._listed),
            "notListed": self._others,
            "fidelity": parts.fidelity(self.fidelity, places),
            "next": self._next,
            "groups": groups,
        }

    def names(self) -> Iterable[str]:
        """The workloads, as kubectl names objects; jobs without one by their own names."""
        return (object_name(key) for key in answer_keys(self._listed))

    def csv(self) -> str:
        """A line for each workload: its verdict and reason."""
        return verdict_rows(self._listed)

    @property
    def _chosen(self) -> Answers:
        return self.choice.chosen(self.answers)

    @property
    def _listed(self) -> Answers:
        return self._chosen[: self.choice.limit]

    @property
    def _within(self) -> str:
        return "" if self.namespace is None else f" in namespace {self.namespace}"

    @property
    def _others(self) -> list[str]:
        """What the list omits, and why: other states, other queues, the limit."""
        omitted, filtered = len(self._chosen) - len(self._listed), len(self.answers) - len(self._chosen)
        found = [f"{omitted} beyond --limit"] if omitted else []
        found += [f"{filtered} filtered out"] if filtered else []
        found += self.unlisted
        if any(each.verdict is Verdict.UNKNOWN or not each.fidelity.settled for each in self.answers):
            found.append("some answers are not exact: run `why NAME`")
        return found

    @property
    def _marks(self) -> list[str]:
        """The workloads that something besides quotas holds, and those whose requests have more parts; a line each."""
        held = [each.title for each in self._listed if each.holds]
        added = [each.title for each in self._listed if not all(part.as_written for part in each.parts)]
        return [
            f"{text}, see `why NAME`: {some_of(names, _NAMED)}"
            for text, names in (("also held besides quotas", held), ("requests that are not simply written", added))
            if names
        ]

    @property
    def _next(self) -> list[str]:
        """The commands to run next: why the first of each of the largest groups waits."""
        firsts = (group[0] for _, group in self._groups())
        keys = [key for answer in firsts if (key := answer.job or answer.key) is not None]
        return [self.origin.repeated(f"kubectl fairshare why {typed(key)}") for key in keys[:_NEXT]]

    def _next_lines(self, view: View) -> list[str]:
        return ["next", *(view.paint("dim", f"  {command}") for command in self._next), ""] if self._next else []

    def _closing(self, view: View) -> list[str]:
        return closing_lines(self._sum, self._tone, *self._certainty, view, "")

    @property
    def _certainty(self) -> tuple[Fidelity, Sequence[str]]:
        """How sure the list is: as the first answer that is not exact, and the mode of the scheduler."""
        if not self._listed:
            return self.fidelity, ()
        inexact = next((each for each in self._listed if not each.fidelity.settled), self._listed[0])
        return inexact.fidelity, inexact.context

    @property
    def _sum(self) -> str:
        """How many workloads have each verdict."""
        counts = ", ".join(f"{n} {VERDICT_WORDS[verdict]}" for verdict, n in self._counts() if n)
        return counts or f"no workload waits{self._within}"

    @property
    def _tone(self) -> Tone:
        return "wait" if self._listed else "good"

    def _counts(self) -> Iterable[tuple[Verdict, int]]:
        return ((verdict, sum(each.verdict is verdict for each in self._listed)) for verdict in Verdict)

    def _groups(self) -> list[tuple[_Group, list[WhyAnswer[WhyDetail]]]]:
        return groups_of(self._listed, by_size=self.choice.sort == SORTS[0])


def groups_of(answers: Answers, *, by_size: bool = True) -> list[tuple[_Group, list[WhyAnswer[WhyDetail]]]]:
    """Workloads that the same limit binds. By verdict, then the largest group first; or else in the given order."""
    groups: dict[_Group, list[WhyAnswer[WhyDetail]]] = {}
    for answer in answers:
        groups.setdefault((answer.verdict, answer.reason, answer.detail.binds), []).append(answer)
    if not by_size:
        return list(groups.items())
    return sorted(groups.items(), key=lambda group: (_rank(group[0][0]), -len(group[1]), *group[0][1:]))


def _rank(verdict: Verdict) -> int:
    return _ORDER.index(verdict) if verdict in _ORDER else len(_ORDER)
