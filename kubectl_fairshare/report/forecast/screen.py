"""A forecast in every form in which it is printed: a table by start, or what each job in question waits for.

Tested in ``tests/unit/policy/forecast/test_command.py``.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from kubectl_fairshare.answers.details import Document, Places
from kubectl_fairshare.answers.forecast import (
    Forecast,
    ForecastVerdict,
    Interval,
    RunningForecast,
    WaitingForecast,
)
from kubectl_fairshare.answers.number_text import amount, count
from kubectl_fairshare.answers.tables import Column, Row, Tone
from kubectl_fairshare.model.moments import exact_text, moment_text
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.report.csv_text import csv_text
from kubectl_fairshare.report.forecast.document import forecast_document
from kubectl_fairshare.report.forecast.words import (
    after_text,
    calibration_text,
    change_text,
    clock_text,
    duration_text,
    freed_text,
    interval_text,
    leaving_moment,
    preemption_text,
    start_text,
    tried_text,
)
from kubectl_fairshare.report.markdown import md_table, md_text, prose
from kubectl_fairshare.report.text.blocks import blocks_text
from kubectl_fairshare.report.text.closing import closing_lines
from kubectl_fairshare.report.text.heading import gap_lines, verdict_lines
from kubectl_fairshare.report.text.listing import long_table
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.view import View

_COLUMNS: Final = (
    Column("START"),
    Column("10 %–90 %", right=False),
    Column("JOB", right=False),
    Column("QUEUE", right=False, rank=1),
    Column("NEEDS", right=False, rank=2),
    Column("AFTER", right=False, note=True),
)
_MARKDOWN: Final = ("Start", "10 %–90 %", "Job", "Queue", "Needs", "After")
_TITLES: Final = (
    *("namespace", "name", "title", "queue", "place", "verdict", "p10", "p50", "p90", "unstarted"),
    *("after", "preemptedInPlays", "preemptedBy", "durationSource"),
)
_SHOWN: Final = 3
"""Jobs that a sentence names, and ends that a screen lists unless it is wide."""


class ForecastReport(Value, frozen=True):
    """One forecast, printed."""

    found: Forecast

    @property
    def exit_code(self) -> int:
        """0: it is answered. 5 if the engine does not decide it exactly; durations are in the open."""
        return 0 if self.found.engine.exact else 5

    def screen(self, view: View) -> str:
        """The verdict; the jobs in question or a table of all; where durations come from; what is assumed."""
        found = self.found
        about = [self._block(each, view) for each in found.waiting] if found.asked else []
        about += [self._running_block(each, view) for each in found.running] if found.asked else []
        blocks = [
            [
                *verdict_lines(self._verdict, self._tone, found.fidelity, view),
                *self._lines(self._moment, view, "dim"),
                *self._lines(self._calibration, view, "dim"),
            ],
            gap_lines(found.fidelity, view),
            *about,
            [] if found.asked else long_table(_COLUMNS, [self._row(each) for each in found.waiting], view),
            [line for text in self._refused() for line in paragraph(text, view, tone="wait")],
            [] if found.asked else self._lines(self._sources, view),
            [line for note in found.notes for line in paragraph(f"assumed: {note}", view, tone="dim")],
            closing_lines(self._verdict, self._tone, found.fidelity, (), view, ""),
        ]
        return blocks_text(blocks)

    def document(self, places: Places) -> Document:
        """The whole forecast as a document."""
        return forecast_document(self.found, places)

    def names(self) -> Iterable[str]:
        """The jobs that wait, by start."""
        return [f"{each.keys[0].kind.lower()}/{each.keys[0].name}" for each in self.found.waiting]

    def csv(self) -> str:
        """A line for each job that waits, by start."""
        return csv_text(_TITLES, (self._record(each) for each in self.found.waiting))

    def markdown(self, view: View) -> str:  # noqa: ARG002 -- the same on every screen
        """The verdict and a table of the jobs that wait."""
        rows = [self._row(each).cells for each in self.found.waiting]
        table = md_table(_MARKDOWN, rows) if rows else []
        cited = [prose(self._calibration), ""] if self._calibration else []
        assumed = [f"- assumed: {prose(note)}" for note in self.found.notes]
        gaps = [f"- not exact: {prose(doubt)}" for doubt in self.found.fidelity.doubts]
        return md_text(
            [f"**{prose(self._verdict)}**", "", prose(self._moment), "", *cited, *table, "", *gaps, *assumed]
        )

    # --- sentences

    @property
    def _tone(self) -> Tone:
        return "good" if all(each.verdict is ForecastVerdict.STARTS for each in self.found.waiting) else "wait"

    @property
    def _verdict(self) -> str:
        """The outcome of the job in question, or of all that wait."""
        found = self.found
        several: tuple[WaitingForecast | RunningForecast, ...] = (*found.waiting, *found.running)
        if found.asked and len(several) == 1:
            return self._sentence(several[0])
        kinds = Counter(each.verdict for each in found.waiting)
        words = (
            (ForecastVerdict.STARTS, "starts", "start"),
            (ForecastVerdict.UNTIMED, "has no time", "have no time"),
            (ForecastVerdict.NO_START, "does not start", "do not start"),
        )
        parts = ", ".join(count(kinds[kind], one, many) for kind, one, many in words if kinds[kind])
        return f"{count(len(found.waiting), 'job waits', 'jobs wait')}{': ' + parts if parts else ''}"

    def _sentence(self, of: WaitingForecast | RunningForecast) -> str:
        title = self.found.title(of.job.key)
        if isinstance(of, RunningForecast):
            return f"{title} · runs, ends {interval_text(of.ends, self.found.now)}"
        after = after_text(of, self.found)
        return f"{title} · {start_text(of, self.found)}{', ' + after if after else ''}"

    @property
    def _moment(self) -> str:
        """From when on it is played, and how often."""
        source = f", {self.found.now_source}" if self.found.now_source else ""
        plays = count(self.found.plays, "play")
        return f"from {moment_text(self.found.now)}{source}; times in UTC, 10 %–90 % of {plays}"

    @property
    def _calibration(self) -> str:
        """How far earlier forecasts were off: such as this one, if it is about one job that starts."""
        found = self.found
        if found.calibration is None:
            return ""
        one = found.waiting[0].starts.median if found.asked and len(found.waiting) == 1 else None
        return calibration_text(found.calibration, None if one is None else one - found.now)

    @property
    def _sources(self) -> str:
        """How many durations come from where."""
        durations = [each.duration for each in self.found.waiting] + [each.duration for each in self.found.running]
        every = Counter(duration.source.value for duration in durations)
        listed = ", ".join(f"{number} {source}" for source, number in sorted(every.items()))
        return f"durations: {listed}" if listed else ""

    def _lines(self, text: str, view: View, tone: Tone = "") -> list[str]:
        return paragraph(text, view, tone=tone) if text else []

    def _refused(self) -> Iterator[str]:
        """Why jobs are not considered, each reason once."""
        reasons: dict[str, list[str]] = {}
        for each in self.found.waiting:
            if each.refused:
                reasons.setdefault(each.refused, []).append(self.found.title(each.job.key))
        for reason, names in sorted(reasons.items()):
            yield f"not considered: {some_of(names, 1)}: {reason}"

    # --- blocks

    def _block(self, of: WaitingForecast, view: View) -> list[str]:
        """What one job waits for, in order, and what happens to it afterwards."""
        found = self.found
        head = [] if len(found.asked) == 1 else self._lines(self._sentence(of), view)
        needs = f"needs {_needs(of)} in {of.queue or 'no queue'} · place {of.place} in the order of starts"
        lines = [*head, *self._lines(needs, view)]
        if of.unstarted and of.verdict is not ForecastVerdict.NO_START:
            lines += self._lines(f"does not start in {of.unstarted} of {found.plays} plays", view, "wait")
        ends = of.awaits if view.wide else of.awaits[-_SHOWN:]
        if ends:
            earlier = len(of.awaits) - len(ends)
            lines += self._lines(f"waits for{f', after {earlier} others' if earlier else ''}", view)
        for end in ends:
            text = f"{leaving_moment(end, found)}, {freed_text(end)}"
            lines += paragraph(f"{text}; {duration_text(end.duration)}", view, "    ", "      ")
        for queue, names in of.before.items():
            shown = some_of([found.title(name) for name in names], _SHOWN)
            lines += self._lines(f"before it: {count(len(names), 'job')} of {queue}: {shown}", view)
        if of.verdict is ForecastVerdict.NO_START:
            lines += self._lines("`kubectl fairshare why` says what keeps it out", view)
        else:
            lines += self._lines(f"then: {preemption_text(of.preemption, found)}", view)
            lines += self._lines(duration_text(of.duration), view)
        if of.changes is not None:
            lines += self._lines(tried_text(of.changes, found), view)
            for change in of.changes.helping:
                lines += paragraph(change_text(change, found), view, "    ", "      ")
        return lines

    def _running_block(self, of: RunningForecast, view: View) -> list[str]:
        found = self.found
        head = [] if len(found.asked) == 1 else self._lines(self._sentence(of), view)
        since = f"in {of.queue} since {clock_text(of.since, found.now)} · {duration_text(of.duration)}"
        return [*head, *self._lines(since, view), *self._lines(preemption_text(of.preemption, found), view)]

    def _row(self, of: WaitingForecast) -> Row:
        """A job in the table."""
        found, starts = self.found, of.starts
        tone: Tone = "" if of.verdict is ForecastVerdict.STARTS else "wait"
        ends = "" if starts.early is None else "–".join(clock_text(at, found.now) for at in (starts.early, starts.late))
        cells = (_moment_cell(of, found.now), ends, found.title(of.job.key), of.queue, _needs(of))
        return Row((*cells, after_text(of, found).removeprefix("after ")), tone)

    def _record(self, of: WaitingForecast) -> tuple[str, ...]:
        preemption = of.preemption
        return (
            of.job.namespace,
            of.job.name,
            self.found.title(of.job.key),
            of.queue,
            str(of.place),
            of.verdict.value,
            *_moments(of.starts),
            str(of.unstarted),
            self.found.title(of.awaits[-1].job) if of.awaits else "",
            str(preemption.plays) if preemption is not None else "0",
            self.found.title(preemption.by) if preemption is not None else "",
            of.duration.source.value,
        )


def _moments(starts: Interval) -> Sequence[str]:
    return ["" if at is None else exact_text(at) for at in starts]


def _moment_cell(of: WaitingForecast, now: int) -> str:
    if of.verdict is ForecastVerdict.NO_START:
        return "no start"
    return "now" if of.starts.late == now else clock_text(of.starts.median, now)


def _needs(of: WaitingForecast) -> str:
    return ", ".join(f"{amount(resource, value)} {resource}" for resource, value in sorted(of.job.total.items()))
