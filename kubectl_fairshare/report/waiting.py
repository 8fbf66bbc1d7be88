"""The answer to ``why`` without a name: a line for each waiting workload, worst first; in groups where it is wide.

Tested in ``tests/unit/report/test_why.py``.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from kubectl_fairshare.answers.ages import AsOf, age
from kubectl_fairshare.answers.counts import QueueCounts, counts_text
from kubectl_fairshare.answers.details import Document, Places, WhyDetail
from kubectl_fairshare.answers.fidelity import Fidelity, Gap
from kubectl_fairshare.answers.forecast import Forecast, WaitingForecast
from kubectl_fairshare.answers.number_text import count, nonzero
from kubectl_fairshare.answers.standing import Verdict, WhyAnswer
from kubectl_fairshare.answers.tables import Tone
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.report.forecast.words import start_cell, starts_clause
from kubectl_fairshare.report.next_steps import HERE, GivenOptions, typed
from kubectl_fairshare.report.plan import object_name
from kubectl_fairshare.report.text.clean import printable
from kubectl_fairshare.report.text.closing import closing_lines, exactness
from kubectl_fairshare.report.text.heading import gap_lines, missing_lines, verdict_lines
from kubectl_fairshare.report.text.paragraph import command_lines, paragraph
from kubectl_fairshare.report.text.table import Column, Row, cut_text, folded, table
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.report.verdicts import VERDICT_TONES, VERDICT_WORDS
from kubectl_fairshare.report.why import answer_keys, verdict_records, verdict_rows

if TYPE_CHECKING:
    from kubectl_fairshare.report.forecast.document import StartPart

SORTS: Final = ("worst", "place", "age", "priority", "needs")
"""The orders of the list: by verdict, then the oldest first; by queue and place; the oldest, the highest priority, or
the largest need first."""
_FIRST: Final = 20
"""Workloads that a terminal shows of a long list unless ``--limit`` says how many."""
_LONG: Final = 30
"""A list of at most so many workloads is shown whole."""
_NAMED: Final = 3
"""Workloads that a mark below the list names."""
_BRIEF: Final = 8
_NEXT: Final = 2
"""Commands in a document; a screen has one."""
_WORST: Final = (
    *(Verdict.NEVER, Verdict.UNMANAGED, Verdict.NOT_NOW, Verdict.UNKNOWN, Verdict.WAITING),
    *(Verdict.RUNNING, Verdict.FINISHED),
)
"""The verdicts, worst first."""
_COLUMNS: Final = (
    Column("WORKLOAD", right=False),
    Column("QUEUE", right=False, rank=1),
    Column("AGE", kept=False),
    Column("VERDICT", right=False),
    Column("BECAUSE", right=False, note=True),
)
_GROUPED: Final = (
    Column("WORKLOAD", right=False),
    Column("QUEUE", right=False, rank=1),
    Column("PLACE", kept=False),
    Column("NEEDS", kept=False, rank=2),
    Column("MISSING", kept=False, rank=3),
    Column("AGE", kept=False, rank=4),
)
_START: Final = Column("START")
Answers = tuple[WhyAnswer[WhyDetail], ...]
_Group = tuple[Verdict, str, str]


class Listing(Value, frozen=True):
    """Which of the waiting workloads to list, and in what order. ``limit`` is the most to show, None without one."""

    sort: str = SORTS[0]
    queue: str = ""
    resource: str = ""
    limit: int | None = None

    def chosen(self, answers: Answers) -> Answers:
        """The workloads in question, in order; all of them, whatever the limit."""
        fitting = (a for a in answers if self.queue in ("", a.queue) and self._needs(a))
        return tuple(sorted(fitting, key=_SORT_KEYS[self.sort]))

    def shown(self, answers: Answers) -> Answers:
        """The first of these, as many as the limit says."""
        return self.chosen(answers)[: self.limit]

    def _needs(self, answer: WhyAnswer[WhyDetail]) -> bool:
        amounts = (*answer.needs, *answer.short)
        return not self.resource or any(amount.resource == self.resource for amount in amounts)


def _by_place(answer: WhyAnswer[WhyDetail]) -> tuple[object, ...]:
    return (*answer.detail.rank, tuple(answer.job or answer.key or ()))


def _by_age(answer: WhyAnswer[WhyDetail]) -> tuple[object, ...]:
    return (answer.since is None, answer.since or 0, *_by_place(answer))


def _by_verdict(answer: WhyAnswer[WhyDetail]) -> tuple[object, ...]:
    return (_rank(answer.verdict), *_by_age(answer))


def _by_priority(answer: WhyAnswer[WhyDetail]) -> tuple[object, ...]:
    return (answer.priority is None, -(answer.priority or 0), *_by_place(answer))


def _by_needs(answer: WhyAnswer[WhyDetail]) -> tuple[object, ...]:
    return (-max((amount.value for amount in answer.needs or answer.short), default=0), *_by_place(answer))


_SORT_KEYS: Final = dict(zip(SORTS, (_by_verdict, _by_place, _by_age, _by_priority, _by_needs), strict=True))


class WaitingReport(Value, frozen=True, dict=True):
    """The answer to ``why`` without a name: all waiting workloads; ``unlisted`` counts the others.

    ``fidelity`` is that of all answers together, and ``general`` are its gaps that no single answer has; ``namespace``
    is the one in the question, None for all. ``as_of`` is the moment that ages count to. ``counts`` are the workloads
    of the whole input, as the answer about shares has them; None for a part. One that is being evicted runs, and is
    listed. ``forecast`` says when they start, if that was asked for.
    """

    scheduler: str
    fidelity: Fidelity
    answers: Answers
    unlisted: tuple[str, ...]
    namespace: str | None = None
    choice: Listing = Listing()
    origin: GivenOptions = HERE
    general: tuple[Gap, ...] = ()
    as_of: AsOf = AsOf()
    counts: QueueCounts | None = None
    forecast: Forecast | None = None

    @property
    def exit_code(self) -> int:
        """0: it is answered."""
        return 0

    def screen(self, view: View) -> str:
        """The verdict; a line for each workload, worst first, or on a wide screen by what binds; what is not listed."""
        shown = self._shown(view)
        gaps = gap_lines(replace(self.fidelity, gaps=self.general), view)
        lines = [*verdict_lines(self._sum, self._tone, self.fidelity, view), *gaps, ""]
        lines += self._grouped_lines(shown, view) if view.wide else self._rows(shown, view)
        lines += ["", *self._next_lines(view)] if shown else []
        marks = [line for text in self._marks(shown) for line in paragraph(text, view, "", "  ")]
        lines += [*missing_lines(self.fidelity, view), *marks, *self._others_lines(len(shown), view)]
        return "\n".join([*lines, *self._closing(view)]) + "\n"

    def brief(self, view: View) -> str:
        """The number of workloads for each reason, in at most eight lines."""
        closing = self._closing(view)
        groups = [f"{count(len(g), 'workload')} {VERDICT_WORDS[v]}: {binds}" for (v, _, binds), g in self._groups]
        room = _BRIEF - len(closing)
        more = [f"{count(len(groups) - room + 1, 'other reason')}: `-o wide` has all"] if len(groups) > room else []
        lines = [cut_text(printable(text), view.width) for text in groups[: room - len(more)]]
        return "\n".join([*(lines or [f"no workload waits{self._within}"]), *more, *closing]) + "\n"

    def markdown(self, view: View) -> str:  # noqa: ARG002 -- a table has no width
        """The verdict; the table; what is not listed; the verdict again, and whether it is exact."""
        from kubectl_fairshare.report.markdown import md_table, md_text, prose

        lines = [f"**{prose(self._sum)}**", ""]
        if self._listed:
            titles = [column.title.lower() for column in self._columns]
            lines += [*md_table(titles, [self._cells(each) for each in self._listed]), ""]
        left, counted = self._others(len(self._listed)), [] if self.counts is None else [counts_text(self.counts)]
        omitted = [f"not listed: {', '.join(left)}"] if left else []
        others = prose(" · ".join([*counted, *omitted, *self._doubts]))
        marks = [line for text in self._marks(self._listed) for line in (prose(text), "")]
        ages = [prose(self.as_of.clause), ""] if self.as_of.clause else []
        ages += [] if self.forecast is None else [prose(starts_clause(self.forecast)), ""]
        end = f"⇒ {prose(self._sum)} · {prose(exactness(*self._certainty))}"
        return md_text([*lines, *marks, *ages, others, "", end])

    def document(self, places: Places) -> Document:
        """All that wait, by what binds; ``notListed`` says what else there is."""
        from kubectl_fairshare.report.documents import parts
        from kubectl_fairshare.report.documents.structs import shared_part, written_entry

        groups = [
            {
                "verdict": verdict.value,
                "reason": reason,
                "binds": binds,
                "workloads": [
                    {
                        **written_entry(each.detail.listed(), places),
                        **shared_part(each, places),
                        **self._start_document(each),
                    }
                    for each in group
                ],
            }
            for (verdict, reason, binds), group in groups_of(self._listed, by_size=self._by_size)
        ]
        return {
            "apiVersion": parts.API_VERSION,
            "kind": "WaitingList",
            "scheduler": self.scheduler,
            "namespace": self.namespace,
            "omitted": len(self._chosen) - len(self._listed),
            "notListed": [*self._others(len(self._listed)), *self._doubts],
            "fidelity": parts.fidelity(self.fidelity, places),
            "next": self._next,
            "groups": groups,
            "asOf": parts.moment(self.as_of.moment),
            "running": None if self.counts is None else self.counts.running,
            "pending": None if self.counts is None else self.counts.pending,
        }

    def names(self) -> Iterable[str]:
        """The workloads, as kubectl names objects; jobs without one by their own names."""
        return (object_name(key) for key in answer_keys(self._listed))

    def csv(self) -> str:
        """A line for each workload: its verdict and reason."""
        return verdict_rows(self._listed, self.as_of, self._start_documents)

    def records(self) -> Iterator[Document]:
        """A small document for each workload, in the order of the screen."""
        return verdict_records(self._listed, self.as_of, self._start_documents)

    @cached_property
    def _chosen(self) -> Answers:
        return self.choice.chosen(self.answers)

    @property
    def _listed(self) -> Answers:
        """What a program gets: all in question, or as many as ``--limit`` says."""
        return self._chosen[: self.choice.limit]

    def _shown(self, view: View) -> Answers:
        """What a screen shows: on a terminal, the first of a long list unless ``--limit`` says how many."""
        few = self.choice.limit is None and view.on_terminal and not view.wide and len(self._chosen) > _LONG
        return self._listed[:_FIRST] if few else self._listed

    def _rows(self, shown: Answers, view: View) -> list[str]:
        rows = [Row(self._cells(each), VERDICT_TONES[each.verdict]) for each in shown]
        return table(self._columns, rows, view) if rows else []

    def _cells(self, answer: WhyAnswer[WhyDetail]) -> tuple[str, ...]:
        name, queue = answer.detail.row()[:2]
        since = age(answer.since, self.as_of.moment)
        because = answer.because or answer.detail.binds
        return name, queue, since, VERDICT_WORDS[answer.verdict], *self._start(answer), because

    @property
    def _columns(self) -> tuple[Column, ...]:
        return _COLUMNS if self.forecast is None else (*_COLUMNS[:-1], _START, _COLUMNS[-1])

    @cached_property
    def _starts(self) -> dict[ObjectKey, WaitingForecast]:
        return {} if self.forecast is None else self.forecast.by_object()

    def _started(self, answer: WhyAnswer[WhyDetail]) -> WaitingForecast | None:
        return next((self._starts[key] for key in (answer.job, answer.key) if key in self._starts), None)

    def _start(self, answer: WhyAnswer[WhyDetail]) -> tuple[str, ...]:
        """When it starts, in a cell; no cell where that was not asked for."""
        return () if self.forecast is None else (start_cell(self._started(answer), self.forecast),)

    @property
    def _start_documents(self) -> "dict[str, StartPart | None] | None":
        """When each starts, by titles; None where that was not asked for."""
        if self.forecast is None:
            return None
        return {each.title: self._start_part(each) for each in self._listed}

    def _start_document(self, answer: WhyAnswer[WhyDetail]) -> Document:
        return {} if self.forecast is None else {"forecast": self._start_part(answer)}

    def _start_part(self, answer: WhyAnswer[WhyDetail]) -> "StartPart | None":
        """When it starts; None for what is not played."""
        from kubectl_fairshare.report.forecast.document import start_part

        found = self._started(answer)
        return None if found is None or self.forecast is None else start_part(found, self.forecast)

    def _grouped_lines(self, shown: Answers, view: View) -> list[str]:
        """A table for each limit that binds those that are shown; its title counts all that it binds."""
        lines: list[str] = []
        sizes = {key: len(group) for key, group in self._groups}
        for key, group in groups_of(shown, by_size=self._by_size):
            verdict, _, binds = key
            part = f", {len(group)} shown" if len(group) < sizes[key] else ""
            title = f"{VERDICT_WORDS[verdict]} · {count(sizes[key], 'workload')}{part} · {binds}"
            lines += [""] if lines else []
            lines += [view.paint(VERDICT_TONES[verdict], line) for line in folded(title, view.width, "  ")]
            rows = [Row((*waiting_row(each), age(each.since, self.as_of.moment), *self._start(each))) for each in group]
            lines += table(_GROUPED if self.forecast is None else (*_GROUPED, _START), rows, view, "  ")
        return lines

    @property
    def _within(self) -> str:
        return "" if self.namespace is None else f" in namespace {self.namespace}"

    def _others(self, shown: int) -> list[str]:
        """What the list omits, and why: other states, other queues, the limit."""
        omitted, filtered = len(self._chosen) - shown, len(self.answers) - len(self._chosen)
        remedy = "beyond --limit" if self.choice.limit is not None else "more (`--limit N`, `-o csv`)"
        found = [f"{omitted:,} {remedy}"] if omitted else []
        found += [f"{filtered} filtered out"] if filtered else []
        return [*found, *nonzero(self.unlisted)]

    @property
    def _doubts(self) -> list[str]:
        """That some answers are not exact, if some are."""
        doubted = any(each.verdict is Verdict.UNKNOWN or not each.fidelity.settled for each in self.answers)
        return ["some answers are not exact: run `why NAME`"] if doubted else []

    def _others_lines(self, shown: int, view: View) -> list[str]:
        ages = self.as_of.clause if any(each.since for each in self._listed) else ""
        starts = "" if self.forecast is None else starts_clause(self.forecast)
        others = self._others(shown)
        counted = f"all: {counts_text(self.counts)}" if self.counts is not None else ""
        left = f"not listed: {', '.join(others)}" if others else ""
        text = " · ".join(filter(None, (counted, left, *self._doubts, ages, starts)))
        return paragraph(text, view, "", "  ", "dim")

    @staticmethod
    def _marks(listed: Answers) -> list[str]:
        """The workloads that something besides quotas holds, and those whose requests have more parts; a line each."""
        held = [each.title for each in listed if each.holds]
        added = [each.title for each in listed if not all(part.as_written for part in each.parts)]
        return [
            f"{text}, see `why NAME`: {some_of(names, _NAMED)}"
            for text, names in (("also held besides quotas", held), ("requests that are not simply written", added))
            if names
        ]

    @property
    def _next(self) -> list[str]:
        """The commands to run next: why the first of each of the worst groups waits."""
        firsts = (group[0] for _, group in self._groups)
        keys = [key for answer in firsts if (key := answer.job or answer.key) is not None]
        return [self.origin.repeated(f"kubectl fairshare why {typed(key)}") for key in keys[:_NEXT]]

    def _next_lines(self, view: View) -> list[str]:
        return [line for command in self._next[:1] for line in command_lines(command, view, "next: ", "dim")]

    def _closing(self, view: View) -> list[str]:
        return closing_lines(self._sum, self._tone, *self._certainty, view, "")

    @property
    def _certainty(self) -> tuple[Fidelity, Sequence[str]]:
        """How sure the list is: as the first answer that is not exact, else as the list, with the scheduler's mode."""
        if not self._chosen:
            return self.fidelity, ()
        inexact = next((each for each in self._chosen if not each.fidelity.settled), None)
        if inexact is not None:
            return inexact.fidelity, inexact.context
        first = self._chosen[0]
        return first.fidelity if self.fidelity.settled else self.fidelity, first.context

    @property
    def _sum(self) -> str:
        """How many workloads have each verdict; the limit changes nothing."""
        counts = Counter(each.verdict for each in self._chosen)
        texts = (f"{counts[verdict]:,} {VERDICT_WORDS[verdict]}" for verdict in _WORST if counts[verdict])
        return ", ".join(texts) or f"no workload waits{self._within}"

    @property
    def _tone(self) -> Tone:
        return "wait" if self._chosen else "good"

    @property
    def _by_size(self) -> bool:
        return self.choice.sort in SORTS[:2]

    @cached_property
    def _groups(self) -> list[tuple[_Group, list[WhyAnswer[WhyDetail]]]]:
        """All that is chosen, by what binds it; ``--limit`` changes nothing."""
        return groups_of(self._chosen, by_size=self._by_size)


def waiting_row(answer: WhyAnswer[WhyDetail]) -> tuple[str, str, str, str, str]:
    """Workload, queue, place, needs, missing: what it needs in all, if no limit says of what it needs too much."""
    name, queue, place, needs, missing = answer.detail.row()
    asked = ", ".join(f"{each.text} {each.resource}" for each in answer.needs)
    return name, queue, place, needs or asked, missing


def groups_of(answers: Answers, *, by_size: bool = True) -> list[tuple[_Group, list[WhyAnswer[WhyDetail]]]]:
    """Workloads that the same limit binds. By verdict, then the largest group first; or in the given order."""
    groups: dict[_Group, list[WhyAnswer[WhyDetail]]] = {}
    for answer in answers:
        groups.setdefault((answer.verdict, answer.reason, answer.detail.binds), []).append(answer)
    if not by_size:
        return list(groups.items())
    return sorted(groups.items(), key=lambda group: (_rank(group[0][0]), -len(group[1]), *group[0][1:]))


def _rank(verdict: Verdict) -> int:
    return _WORST.index(verdict)
