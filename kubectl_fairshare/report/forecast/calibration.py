"""How far forecasts were from what a trace recorded, in every form in which that is printed.

Tested in ``tests/unit/policy/forecast/test_calibration.py``.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_fairshare.answers.ages import length_text, span_text
from kubectl_fairshare.answers.details import Document, Places
from kubectl_fairshare.answers.forecast import DurationSource
from kubectl_fairshare.answers.forecast_calibration import ForecastCalibration, LeadFigures, StartErrors
from kubectl_fairshare.answers.number_text import NOTHING, count
from kubectl_fairshare.answers.tables import Column, Row, Tone
from kubectl_fairshare.model.moments import moment_text
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.report.csv_text import csv_text
from kubectl_fairshare.report.markdown import md_table, md_text, prose
from kubectl_fairshare.report.text.blocks import blocks_text
from kubectl_fairshare.report.text.closing import closing_lines
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.table import table
from kubectl_fairshare.report.text.view import View

_SECOND: Final = 10**9
_TITLES: Final = ("Ahead", "Forecasts", "In interval", "Before", "After", "Median error", "95 %", "Bias")
_COLUMNS: Final = (Column("AHEAD", right=False), *(Column(title.upper()) for title in _TITLES[1:]))
_CSV: Final = (
    *("aheadBelowSeconds", "forecasts", "covered", "early", "late", "coverage"),
    *("compared", "medianErrorSeconds", "p95ErrorSeconds", "biasSeconds"),
)


class ForecastCalibrationReport(Value, frozen=True):
    """The answer to ``forecast --calibrate``."""

    found: ForecastCalibration

    @property
    def exit_code(self) -> int:
        """0: it is answered."""
        return 0

    def screen(self, view: View) -> str:
        """The verdict, the figures by how far ahead forecasts are, what their errors come from, notes."""
        found = self.found
        tone: Tone = "good" if found.every.forecasts else "wait"
        verdict = closing_lines(_verdict(found), tone, found.fidelity, (), view, "")
        about = paragraph(_about(found), view, tone="dim")
        figures = table(_COLUMNS, [Row(cells) for cells in _rows(found)], view, "  ")
        causes = [line for text in _causes(found) for line in paragraph(text, view)]
        notes = [line for note in _notes(found) for line in paragraph(f"note: {note}", view, tone="dim")]
        return blocks_text([[*verdict, *about], figures, causes, notes, verdict])

    def document(self, places: Places) -> Document:
        """The answer as a document."""
        from kubectl_fairshare.report.documents.structs import ANSWERS

        return ANSWERS.document("ForecastCalibration", replace(self.found, notes=tuple(_notes(self.found))), places)

    def names(self) -> Iterable[str]:
        """Nothing: it is about forecasts, not about objects."""
        return ()

    def csv(self) -> str:
        """A line for all forecasts, and one for each distance."""
        return csv_text(_CSV, (_record(each) for each in (self.found.every, *self.found.leads)))

    def markdown(self, view: View) -> str:  # noqa: ARG002 -- the same on every screen
        """The verdict, the figures and the notes."""
        found = self.found
        notes = [f"- {prose(note)}" for note in (*_causes(found), *_notes(found))]
        figures = md_table(_TITLES, list(_rows(found)))
        return md_text([f"**{prose(_verdict(found))}**", "", prose(_about(found)), "", *figures, "", *notes])


def _verdict(found: ForecastCalibration) -> str:
    every = found.every
    if every.coverage is None or every.errors.distances is None:
        return f"no forecast has a time to compare, of {count(found.jobs, 'job')}"
    median = length_text(every.errors.distances.median)
    return f"80 % intervals held {every.coverage:.0%} of {count(every.forecasts, 'start')}, median error {median}"


def _about(found: ForecastCalibration) -> str:
    span = f"{moment_text(found.start)} to {moment_text(found.end)}"
    asked = f"{count(found.moments, 'moment')} of {span}, {count(found.jobs, 'job')} that waited"
    return f"{asked}, {count(found.plays, 'play')} each"


def _rows(found: ForecastCalibration) -> Iterator[tuple[str, ...]]:
    least = 0
    for each in found.leads:
        span = f"< {span_text(each.below)}" if each.below is not None else f"≥ {span_text(least)}"
        if each.forecasts:
            yield span, *_cells(each)
        least = each.below or least
    yield "all", *_cells(found.every)


def _cells(of: LeadFigures) -> tuple[str, ...]:
    coverage = NOTHING if of.coverage is None else f"{of.coverage:.0%}"
    return f"{of.forecasts:,}", coverage, f"{of.early:,}", f"{of.late:,}", *_error_cells(of.errors)


def _error_cells(errors: StartErrors) -> tuple[str, str, str]:
    if errors.distances is None:
        return NOTHING, NOTHING, NOTHING
    return length_text(errors.distances.median), length_text(errors.distances.p95), _signed(errors.bias)


def _signed(bias: float) -> str:
    return f"+{length_text(bias)}" if bias > 0 else length_text(bias)


def _causes(found: ForecastCalibration) -> Iterator[str]:
    """What is left of the errors with what a forecast cannot know."""
    known = (
        ("with the durations that were recorded", found.recorded),
        ("with these and the jobs that came later", found.foreseen),
    )
    for words, errors in known:
        if errors.distances is not None:
            median, _, bias = _error_cells(errors)
            yield f"{words}: median error {median}, bias {bias}, of {count(errors.compared, 'start')}"


def _notes(found: ForecastCalibration) -> Iterator[str]:
    sources = ", ".join(f"{found.sources[each]:,} {each.value}" for each in DurationSource if found.sources.get(each))
    if sources:
        yield f"durations: {sources}"
    counted = (
        (found.untimed, "without a time, because a duration is not known"),
        (found.no_start, f"that the job does not start; {found.refuted:,} of these started"),
        (found.unknown, "whose interval had not ended when the trace does"),
    )
    for number, words in counted:
        if number:
            yield f"not compared: {count(number, 'forecast')} {words}"
    if found.unread:
        yield f"{count(found.unread, 'moment')} left out: the trace does not say which jobs ran then"
    if found.displaced:
        yield (
            f"running jobs that the policy of the input does not let run: {found.displaced:,}; give the policy that "
            "was in force with -f"
        )
    yield f"a start up to {length_text(found.tolerance)} outside of an interval counts as in it"
    yield "a bias above 0: forecast later than it came"
    yield from found.notes
    yield from (f"not exact, because {doubt}" for doubt in found.fidelity.doubts)


def _record(of: LeadFigures) -> tuple[str, ...]:
    distances = of.errors.distances
    return (
        "" if of.below is None else _number(of.below),
        *(str(number) for number in (of.forecasts, of.covered, of.early, of.late)),
        "" if of.coverage is None else f"{of.coverage:.4f}",
        str(of.errors.compared),
        *(("", "", "") if distances is None else map(_number, (distances.median, distances.p95, of.errors.bias))),
    )


def _number(nanoseconds: float) -> str:
    return f"{nanoseconds / _SECOND:.3f}"
