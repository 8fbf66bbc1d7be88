"""A calibration in every form in which it is printed."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from kubectl_fairshare.answers.ages import length_text
from kubectl_fairshare.answers.calibration import Calibration, DifferenceCause, RecordedSteps
from kubectl_fairshare.answers.details import Document, Places
from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.answers.tables import Column, Row, Tone
from kubectl_fairshare.model.moments import moment_text
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.report.csv_text import csv_text
from kubectl_fairshare.report.text.blocks import blocks_text
from kubectl_fairshare.report.text.closing import closing_lines
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.table import table
from kubectl_fairshare.report.text.view import View

_SHOWN: Final = 10
_CAUSES: Final = {
    DifferenceCause.EARLIER: "an earlier difference",
    DifferenceCause.STOPPING: "the time until pods stop",
    DifferenceCause.RUN_LENGTH: "the length of a run",
    DifferenceCause.CHANCE: "chance",
    DifferenceCause.ASIDE: "jobs set aside a moment longer",
}
"""Why something differs, in words."""


class CalibrationReport(Value, frozen=True):
    """The answer to ``simulate --calibrate``."""

    calibration: Calibration

    @property
    def exit_code(self) -> int:
        """0: it is answered."""
        return 0

    def screen(self, view: View) -> str:
        """The verdict, each comparison in a row, the first jobs in another order, what is assumed."""
        found = self.calibration
        tone: Tone = "good" if found.fidelity.settled else "wait"
        verdict = closing_lines(_verdict(found), tone, found.fidelity, (), view, "")
        rows = [Row(cells) for cells in _rows(found)]
        shown = table([Column("", right=False), Column("", right=False)], rows, view, "  ")[1:]
        swaps = [line for text in _swap_texts(found) for line in paragraph(text, view)]
        notes = [line for note in _notes(found) for line in paragraph(f"note: {note}", view, tone="dim")]
        return blocks_text([verdict, shown, swaps, notes, verdict])

    def document(self, places: Places) -> Document:
        """The answer as a document."""
        from kubectl_fairshare.report.documents.structs import ANSWERS

        found = self.calibration
        return ANSWERS.document("Calibration", replace(found, notes=tuple(_notes(found))), places)

    def names(self) -> Iterable[str]:
        """The jobs that are simulated in another order."""
        swaps = (name for each in self.calibration.swaps for name in (each.earlier, each.later))
        return dict.fromkeys((*swaps, *(each.job for each in self.calibration.evictions)))

    def csv(self) -> str:
        """A line for each comparison."""
        return csv_text(("comparison", "value"), _rows(self.calibration))


def _verdict(found: Calibration) -> str:
    order = f"{found.swapped:,} of {found.pairs:,} pairs of admissions in another order"
    relative = found.relative_error
    if relative is None:
        return f"{count(found.compared, 'job')} compared: {order}"
    return f"{count(found.compared, 'job')} compared: {order}, median error of waiting {relative:.1%} of the median run"


def _rows(found: Calibration) -> Iterator[tuple[str, str]]:
    yield "jobs compared", f"{found.compared:,} of {found.jobs:,}"
    yield "pairs whose order is known", f"{found.pairs:,}"
    yield "  of these in another order", f"{found.swapped:,}"
    if found.swapped:
        yield from _cause_rows(found.causes, found.unexplained, found.unexamined)
    if found.errors is not None:
        errors = found.errors
        for name, value in (("median", errors.median), ("95th percentile", errors.p95), ("mean", errors.mean)):
            yield f"error of waiting, {name}", length_text(value)
        yield "  simulated minus recorded, mean", length_text(found.bias)
        yield "median run time", length_text(found.median_run)
    if found.relative_error is not None:
        yield "median error ÷ median run time", f"{found.relative_error:.2%}"
    yield "evictions, recorded and simulated", f"{found.recorded_evictions:,} and {found.simulated_evictions:,}"
    if found.evictions:
        unexamined = sum(not each.examined for each in found.evictions)
        yield "  of these on one side alone", f"{len(found.evictions):,}"
        yield from _cause_rows(found.eviction_causes, found.unexplained_evictions, unexamined)
    yield "jobs evicted in both or in neither", f"{found.evicted_alike:,}"
    if found.recorded_steps:
        yield from _step_rows(found.steps)
    if found.share_error is not None:
        yield "pods in another queue, on average", f"{found.share_error:.2%}"


def _cause_rows(causes: Mapping[DifferenceCause, int], unexplained: int, unexamined: int) -> Iterator[tuple[str, str]]:
    for cause in DifferenceCause:
        if causes.get(cause):
            yield f"    because of {_CAUSES[cause]}", f"{causes[cause]:,}"
    yield "    without a cause", f"{unexplained:,}"
    if unexamined:
        yield "    not looked at", f"{unexamined:,}"


def _step_rows(steps: RecordedSteps) -> Iterator[tuple[str, str]]:
    yield "admissions and evictions, one by one", f"{steps.total:,}"
    yield "    simulated from the state before", f"{steps.causes.get(DifferenceCause.EARLIER, 0):,}"
    for cause in DifferenceCause:
        if cause is not DifferenceCause.EARLIER and steps.causes.get(cause):
            yield f"    with {_CAUSES[cause]}", f"{steps.causes[cause]:,}"
    yield "    not simulated", f"{len(steps.unexplained):,}"
    if steps.unexamined:
        yield "    not looked at", f"{steps.unexamined:,}"


def _swap_texts(found: Calibration) -> Iterator[str]:
    for each in found.swaps[:_SHOWN]:
        why = _why(each.cause, each.examined)
        moment = moment_text(each.earlier_at)
        yield f"{each.earlier} was admitted before {each.later}, at {moment}; simulated after it{why}"
    if found.swapped > _SHOWN:
        yield f"… and {found.swapped - _SHOWN:,} more pairs"
    for eviction in [each for each in found.evictions if each.examined and each.cause is None][:_SHOWN]:
        done = "evicted, and not in the simulation" if eviction.recorded else "evicted in the simulation alone"
        yield f"{eviction.job} was {done}, at {moment_text(eviction.at)}: without a cause"
    for step in found.steps.unexplained[:_SHOWN]:
        done = "evicted" if step.evicted else "admitted"
        yield f"{step.job} was {done} at {moment_text(step.at)}; no simulation does that from the state before"


def _why(cause: DifferenceCause | None, examined: bool) -> str:
    if cause is not None:
        return f", because of {_CAUSES[cause]}"
    return ": without a cause" if examined else ""


def _notes(found: Calibration) -> Iterator[str]:
    if found.unrecorded:
        yield f"without a recorded first admission, and not compared: {count(found.unrecorded, 'job')}"
    if found.unstarted:
        yield f"recorded as admitted, and never started in the simulation: {count(found.unstarted, 'job')}"
    resolution = length_text(found.resolution)
    yield f"ties: admissions within {resolution}, and jobs of one queue with one priority and one moment of creation"
    if found.causes or found.eviction_causes:
        yield (
            "causes: a simulation that continues from what was recorded shortly before does what was recorded, as it "
            "is (then an earlier difference is the cause), or with another value of what the trace does not record"
        )
    if found.ties:
        yield f"the scheduler leaves to chance: {count(found.ties, 'decision')}, drawn by the seed"
    yield from found.notes
    yield from (f"not exact, because {doubt}" for doubt in found.fidelity.doubts)
