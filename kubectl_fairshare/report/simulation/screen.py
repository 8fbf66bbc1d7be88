"""A simulation in every form in which it is printed: a table of queues, a document, a line for each job.

Tested in ``tests/unit/policy/simulation/test_command.py``.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from kubectl_fairshare.answers.ages import length_text
from kubectl_fairshare.answers.details import Document, Places
from kubectl_fairshare.answers.dispersion import FigureBound
from kubectl_fairshare.answers.number_text import NOTHING, count, nonzero
from kubectl_fairshare.answers.simulation import QueueSeries, SimulatedJob, Simulation, waiting
from kubectl_fairshare.answers.tables import Tone
from kubectl_fairshare.model.moments import exact_text
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.report.csv_text import csv_text
from kubectl_fairshare.report.simulation.comparison_words import MARKS
from kubectl_fairshare.report.simulation.document import simulation_document
from kubectl_fairshare.report.text.blocks import blocks_text
from kubectl_fairshare.report.text.closing import closing_lines
from kubectl_fairshare.report.text.heading import gap_lines
from kubectl_fairshare.report.text.listing import long_table
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.table import Column, Row
from kubectl_fairshare.report.text.view import View

_SECOND: Final = 10**9
_TITLES: Final = (
    *("namespace", "name", "queue", "created", "admitted", "finished", "waitedSeconds", "admissions"),
    *("evictions", "lostSeconds", "refused", "stillWaits"),
)
_COLUMNS: Final = (
    Column("QUEUE", right=False),
    Column("JOBS"),
    Column("ENDED", rank=3),
    Column("WAIT, MEDIAN"),
    Column("WAIT, 95 %"),
    Column("EVICTED"),
    Column("WORK LOST", rank=1),
    Column("HELD OF ITS QUOTA", rank=2, right=False),
)


class SimulationReport(Value, frozen=True):
    """One simulation, printed."""

    simulation: Simulation

    @property
    def exit_code(self) -> int:
        """0: it is answered. 5 if the engine does not decide it exactly."""
        return 0 if self.simulation.exact else 5

    def screen(self, view: View) -> str:
        """The verdict, totals, a row for each queue, jobs that never start, what is assumed."""
        found = self.simulation
        never = any(not each.started for each in found.jobs)
        tone: Tone = "good" if found.ended and found.exact and not never else "wait"
        verdict = closing_lines(_verdict(found), tone, found.fidelity, (), view, "")
        assumed = [line for note in found.notes for line in paragraph(f"assumed: {note}", view, tone="dim")]
        blocks = [
            verdict,
            gap_lines(found.fidelity, view),
            [line for each in _sums(found) for line in paragraph(each, view)],
            [line for each in _stop(found) for line in paragraph(each, view, tone="wait")],
            long_table(_COLUMNS, [_row(name, series, found) for name, series in found.queues.items()], view),
            [line for each in _refused(found.jobs) for line in paragraph(each, view, tone="wait")],
            assumed,
            verdict,
        ]
        return blocks_text(blocks)

    def document(self, places: Places) -> Document:
        """The whole simulation as a document."""
        return simulation_document(self.simulation, places)

    def names(self) -> Iterable[str]:
        """The jobs that never started."""
        return [each.job.key for each in self.simulation.jobs if not each.started]

    def csv(self) -> str:
        """A line for each job, in the order of arrival."""
        return csv_text(_TITLES, (_record(each, self.simulation.end) for each in self.simulation.jobs))


def _sums(found: Simulation) -> Iterator[str]:
    """What became of all jobs together."""
    started = [each for each in found.jobs if each.started]
    ended = sum(each.finished is not None for each in found.jobs)
    evictions = sum(len(each.evictions) for each in found.jobs)
    lost = sum(each.lost for each in found.jobs)
    never = len(found.jobs) - len(started)
    counted = (f"{ended} ended", f"{len(started) - ended} started and did not end", f"{never} never started")
    yield ", ".join(nonzero(counted)) or "no job came"
    yield from _waiting(found)
    least = "" if found.ended else "at least "
    destroyed = f", which destroyed {length_text(lost)} of work" if lost else ""
    yield f"{least}{count(evictions, 'eviction')}{destroyed}" if evictions or least else "no evictions"
    seed = f"; seed {found.seed} decided {count(found.ties, 'tie')}" if found.ties else ""
    yield f"{count(found.cycles, 'cycle')}, {count(found.decisions, 'nomination')}{seed}"


def _waiting(found: Simulation) -> Iterator[str]:
    """How long jobs waited; at least so long, where jobs that never started decide it."""
    wait, never, jobs, bounds = waiting(found.jobs, found.end)
    if wait is None:
        return
    median, p95 = length_text(wait.median), length_text(wait.p95)
    parts = (
        f"median at least {median}" if "median" in bounds else f"median {median}",
        f"95th percentile at least {p95}" if "p95" in bounds else f"95 % at most {p95}",
    )
    of = f" of the {jobs} that came" if found.to_come else ""
    why = f": {never} of {jobs} never started" if bounds.keys() & {"median", "p95"} else ""
    yield f"waiting time{of}: {', '.join(parts)}{why}"


def _stop(found: Simulation) -> Iterator[str]:
    """What goes on after the end, and which figures it changes."""
    span = length_text(found.end - found.start)
    if not found.ended:
        late = f", with {count(found.to_come, 'job')} to come" if found.to_come else ""
        yield f"it stops after {span}{late}: these figures are those of this time"
    elif found.running:
        runs = "1 job runs" if found.running == 1 else f"{found.running:,} jobs run"
        yield f"{runs} for ever: what queues held of their quotas is that of the first {span}"


def _row(name: str, series: QueueSeries, found: Simulation) -> Row:
    jobs = [each for each in found.jobs if each.queue == name]
    ended = sum(each.finished is not None for each in jobs)
    wait, _, _, bounds = waiting(jobs, found.end)
    evicted = sum(len(each.evictions) for each in jobs)
    lost = sum(each.lost for each in jobs)
    spans = {} if wait is None else {"median": wait.median, "p95": wait.p95}
    times = [
        f"{MARKS[bounds.get(part, FigureBound.EXACT)]}{length_text(spans[part])}" if part in spans else NOTHING
        for part in ("median", "p95")
    ]
    cells = (str(len(jobs)), str(ended), *times, str(evicted) if evicted else NOTHING)
    return Row((name, *cells, length_text(lost) if lost else NOTHING, _held(series, found.span)))


def _held(series: QueueSeries, span: int) -> str:
    """The part of its own quota that the queue held over time, by resource: the mean of the quota at each moment."""
    quotas: dict[str, float] = {}
    held: dict[str, int] = {}
    for (_, resource), amounts in series.entitled.items():
        quotas[resource] = quotas.get(resource, 0.0) + sum(amounts) / max(1, len(amounts))
    for (_, resource), amount in series.held.items():
        held[resource] = held.get(resource, 0) + amount
    parts = (
        f"{resource} {100 * held.get(resource, 0) / (quota * span):.0f} %"
        for resource, quota in sorted(quotas.items())
        if quota > 0 and span
    )
    return ", ".join(parts) or NOTHING


def _refused(jobs: Sequence[SimulatedJob]) -> Iterator[str]:
    """Why jobs are never considered, each reason once."""
    reasons: dict[str, list[str]] = {}
    for each in jobs:
        if each.refused:
            reasons.setdefault(each.refused, []).append(each.job.key)
    for reason, names in sorted(reasons.items()):
        yield f"never considered: {some_of(names, 1)}: {reason}"


def _verdict(found: Simulation) -> str:
    """What became of the jobs, and how long was simulated."""
    over = f"{count(len(found.jobs), 'job')} in {length_text(found.end - found.start)}"
    if found.endless:
        return f"{over}: broken off, because jobs evict each other without end"
    if not found.jobs and found.to_come:
        return f"{over}: {count(found.to_come, 'job')} had not come"
    never = sum(not each.started for each in found.jobs)
    ended = sum(each.finished is not None for each in found.jobs)
    if never:
        return f"{over}: {never} never started"
    return f"{over}: all ended" if ended == len(found.jobs) else f"{over}: all started, {ended} ended"


def _record(of: SimulatedJob, end: int) -> tuple[str, ...]:
    return (
        of.job.namespace,
        of.job.name,
        of.queue,
        exact_text(of.job.created),
        exact_text(of.admitted[0]) if of.admitted else "",
        exact_text(of.finished) if of.finished is not None else "",
        f"{of.waited(end) / _SECOND:g}",
        str(len(of.admitted)),
        str(len(of.evictions)),
        f"{of.lost / _SECOND:g}",
        of.refused,
        "" if of.started else "true",
    )
