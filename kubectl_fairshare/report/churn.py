"""The answer to ``why --churn`` in every form in which it is printed.

Tested in ``tests/unit/policy/test_churn.py``.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_fairshare.answers.ages import span_text
from kubectl_fairshare.answers.churn import Churn, ChurningJob, EvictionCause, QueuePair
from kubectl_fairshare.answers.details import Document, Places
from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.report.csv_text import csv_text
from kubectl_fairshare.report.markdown import md_table, md_text, prose
from kubectl_fairshare.report.text.blocks import blocks_text
from kubectl_fairshare.report.text.listing import long_table, rest, shown_items
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.table import Column, Row
from kubectl_fairshare.report.text.view import View

_HOUR: Final = 3600 * 10**9
_COLUMNS: Final = (
    Column("EVICTED"),
    Column("WORKLOAD", right=False),
    Column("QUEUE", right=False, rank=1),
    Column("LOST", kept=False),
    Column("FOR", right=False, note=True),
)
TITLES: Final = ("Evicted", "Workload", "Queue", "Lost", "For")
_CSV: Final = ("namespace", "name", "queue", "evictions", "counted", "lostSeconds", "last", "finished", "for", "rule")


class ChurnReport(Value, frozen=True):
    """What is evicted again and again, printed."""

    found: Churn

    @property
    def exit_code(self) -> int:
        """0: it is what a cluster recorded."""
        return 0

    def screen(self, view: View) -> str:
        """The sum, a line for each job, and the queues among which it repeats."""
        found = self.found
        blocks = [
            [view.paint("wait" if found.jobs else "good", line) for line in paragraph(self.verdict, view, "", "  ")],
            long_table(_COLUMNS, [Row(self.cells(each)) for each in found.jobs], view) if found.jobs else [],
            self._repeats(view),
            [line for note in found.notes for line in paragraph(f"note: {note}", view, tone="dim")],
        ]
        return blocks_text(blocks)

    def brief(self, view: View) -> str:
        """The sum, in one line."""
        return "".join(f"{line}\n" for line in paragraph(self.verdict, view, "", "  "))

    def document(self, places: Places) -> Document:
        """The whole answer."""
        from kubectl_fairshare.report.documents.structs import ANSWERS

        return ANSWERS.document("Churn", self.found, places)

    def names(self) -> Iterable[str]:
        """The jobs."""
        return [f"{each.job.namespace}/{each.job.name}" for each in self.found.jobs]

    def csv(self) -> str:
        """A line for each job."""
        return csv_text(_CSV, (_record(each) for each in self.found.jobs))

    def markdown(self, view: View) -> str:  # noqa: ARG002 -- the same on every screen
        """The sum, a line for each job, and the queues."""
        table = md_table(TITLES, [self.cells(each) for each in self.found.jobs]) if self.found.jobs else []
        return md_text([f"**{prose(self.verdict)}**", "", *table, "", *(f"- {prose(line)}" for line in self.lines())])

    @property
    def verdict(self) -> str:
        """How many jobs, how many evictions, what was lost."""
        found = self.found
        if not found.jobs:
            all_of_them = count(found.every, "eviction")
            return f"no workload was evicted {found.least} times or more: {all_of_them} in all"
        lost = ", ".join(hours_text(resource, value) for resource, value in found.lost.items())
        often = count(sum(each.evictions for each in found.jobs), "eviction")
        return f"{count(len(found.jobs), 'workload')} evicted again and again: {often}{lost and f', lost {lost}'}"

    def lines(self) -> Iterator[str]:
        """The queues among which evictions repeat, rings first."""
        for ring in self.found.cycles:
            yield f"ring: {' evicts '.join((*ring, ring[0]))}"
        for pair in self.found.pairs:
            if pair.evictions >= self.found.least:
                yield _pair_text(pair)

    def _repeats(self, view: View) -> list[str]:
        lines = list(self.lines())
        shown = [line for text in shown_items(lines, view) for line in paragraph(text, view)]
        ring = '`kubectl fairshare search --never "endless evictions"` finds loads that never come to rest'
        return [*shown, *rest(lines, view), *(paragraph(ring, view, tone="dim") if self.found.cycles else [])]

    def cells(self, each: ChurningJob) -> tuple[str, ...]:
        """The job in a table."""
        lost = span_text(each.lost) if each.spans else ""
        causes = "; ".join(map(_cause_text, each.causes))
        return str(each.evictions), each.job.key, each.queue, lost, causes


def hours_text(resource: str, value: int) -> str:
    """An amount of a resource times a time, in hours: ``4.5 nvidia.com/gpu hours``."""
    if quantity.is_binary(resource):
        return f"{value / _HOUR / (1 << 30):.1f} Gi {resource} hours"
    return f"{value / _HOUR / quantity.amount(resource, 1):.1f} {resource} hours"


def _cause_text(cause: EvictionCause) -> str:
    who = f"{cause.by} of {cause.by_queue}" if cause.by and cause.by_queue else cause.by or cause.reason
    rule = f" ({cause.rule.rpartition('.')[2]})" if cause.rule else ""  # the pairs below have the whole path
    return f"{cause.evictions} × {who}{rule}"


def _pair_text(pair: QueuePair) -> str:
    rules = ", ".join(f"{number} by {rule}" for rule, number in pair.rules.items())
    where = "itself" if pair.queue == pair.by_queue else pair.by_queue
    return f"in {pair.queue} for {where}: {count(pair.evictions, 'eviction')}: {rules}"


def _record(each: ChurningJob) -> tuple[str, ...]:
    return (
        each.job.namespace,
        each.job.name,
        each.queue,
        str(each.evictions),
        str(each.counted),
        f"{each.lost_seconds:g}",
        each.last or "",
        str(each.finished).lower(),
        " ".join(f"{cause.evictions}x{cause.by or cause.reason}" for cause in each.causes),
        " ".join(dict.fromkeys(cause.rule for cause in each.causes if cause.rule)),
    )
