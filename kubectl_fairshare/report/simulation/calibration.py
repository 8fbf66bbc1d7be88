"""A calibration in every form in which it is printed."""

from collections.abc import Iterable, Iterator
from typing import Final, Literal, TypedDict

from kubectl_fairshare.answers.calibration import Calibration, Unrecorded
from kubectl_fairshare.model.moments import moment_text
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.report.csv_text import csv_text
from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.comparison import DispersionPart
from kubectl_fairshare.report.printable import Document, Places
from kubectl_fairshare.report.simulation.comparison_words import seconds_text
from kubectl_fairshare.report.text.blocks import blocks_text
from kubectl_fairshare.report.text.closing import closing_lines
from kubectl_fairshare.report.text.colour import Tone
from kubectl_fairshare.report.text.figures import count
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.table import Column, Row, table
from kubectl_fairshare.report.text.view import View

_SECOND: Final = 1e9
_SHOWN: Final = 10
_CAUSES: Final = {
    Unrecorded.STOPPING: "another `--stopping`",
    Unrecorded.RUN_LENGTH: "longer or shorter runs",
    Unrecorded.CHANCE: "another seed",
}
"""What the trace does not record, in words."""


class SwapPart(TypedDict):
    """Two jobs that the cluster admitted in the other order.

    ``cause``: with another value of that, which the trace does not record, the simulation has the recorded order. null:
    with none that was tried.
    """

    earlier: str
    later: str
    earlierAt: str
    laterAt: str
    cause: Literal["stopping", "runLength", "chance"] | None


class CalibrationDocument(TypedDict):
    """A replay of a trace compared with what the cluster recorded; durations are seconds."""

    apiVersion: parts.ApiVersion
    kind: Literal["Calibration"]
    scheduler: str
    version: str
    exact: bool
    jobs: int
    compared: int
    unrecorded: int
    unstarted: int
    resolutionSeconds: float
    pairs: int
    swapped: int
    undetermined: int
    causes: dict[str, int]
    swaps: list[SwapPart]
    waitErrorSeconds: DispersionPart | None
    waitBiasSeconds: float
    medianRunSeconds: float
    relativeError: float | None
    recordedEvictions: int
    simulatedEvictions: int
    evictedAlike: int
    shareError: float | None
    ties: int
    notes: list[str]


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """The answer to ``simulate --calibrate``."""

    calibration: Calibration

    @property
    def exit_code(self) -> int:
        """0: it is answered."""
        return 0

    def screen(self, view: View) -> str:
        """The verdict, each comparison in a row, the first jobs in another order, what is assumed."""
        found = self.calibration
        tone: Tone = "good" if found.fidelity.exact else "wait"
        verdict = closing_lines(_verdict(found), tone, found.fidelity, (), view, "")
        rows = [Row(cells) for cells in _rows(found)]
        shown = table([Column("", right=False), Column("", right=False)], rows, view, "  ")[1:]
        swaps = [line for text in _swap_texts(found) for line in paragraph(text, view)]
        notes = [line for note in _notes(found) for line in paragraph(f"note: {note}", view, tone="dim")]
        return blocks_text([verdict, shown, swaps, notes, verdict])

    def document(self, places: Places) -> Document:  # noqa: ARG002 -- it cites no place
        """The answer as a document."""
        return calibration_document(self.calibration)

    def names(self) -> Iterable[str]:
        """The jobs that are simulated in another order."""
        return dict.fromkeys(name for each in self.calibration.swaps for name in (each.earlier, each.later))

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
    for cause, pairs in sorted(found.causes.items()):
        yield f"    right with {_CAUSES[cause]}", f"{pairs:,}"
    if found.swapped:
        yield "    with all of these in another order", f"{found.swapped - found.undetermined:,}"
    if found.errors is not None:
        errors = found.errors
        for name, value in (("median", errors.median), ("95th percentile", errors.p95), ("mean", errors.mean)):
            yield f"error of waiting, {name}", seconds_text(value / _SECOND)
        yield "  simulated minus recorded, mean", seconds_text(found.bias / _SECOND)
        yield "median run time", seconds_text(found.median_run / _SECOND)
    if found.relative_error is not None:
        yield "median error ÷ median run time", f"{found.relative_error:.2%}"
    yield "evictions, recorded and simulated", f"{found.recorded_evictions:,} and {found.simulated_evictions:,}"
    yield "jobs evicted in both or in neither", f"{found.evicted_alike:,}"
    if found.share_error is not None:
        yield "pods in another queue, on average", f"{found.share_error:.2%}"


def _swap_texts(found: Calibration) -> Iterator[str]:
    for each in found.swaps[:_SHOWN]:
        yield f"{each.earlier} was admitted before {each.later}, at {moment_text(each.earlier_at)}; simulated after it"
    if found.swapped > _SHOWN:
        yield f"… and {found.swapped - _SHOWN:,} more pairs"


def _notes(found: Calibration) -> Iterator[str]:
    if found.unrecorded:
        yield f"without a recorded first admission, and not compared: {count(found.unrecorded, 'job')}"
    if found.unstarted:
        yield f"recorded as admitted, and never started in the simulation: {count(found.unstarted, 'job')}"
    resolution = seconds_text(found.resolution / _SECOND)
    yield f"ties: admissions within {resolution}, and jobs of one queue with one priority and one moment of creation"
    if found.undetermined:
        yield (
            f"the trace does not determine the order of {count(found.undetermined, 'pair')}: simulated once more with "
            "other values of what it does not record, these have the recorded order"
        )
    if found.ties:
        yield f"the scheduler leaves to chance: {count(found.ties, 'decision')}, drawn by the seed"
    yield from found.notes
    yield from (f"not exact, because {doubt}" for doubt in found.fidelity.doubts)


def calibration_document(found: Calibration) -> CalibrationDocument:
    """The whole answer."""
    errors = found.errors
    wait: DispersionPart | None = None
    if errors is not None:
        mean, median, p95, most = (each / _SECOND for each in errors)
        wait = {"mean": mean, "median": median, "p95": p95, "most": most}
    swaps: list[SwapPart] = [
        {
            "earlier": each.earlier,
            "later": each.later,
            "earlierAt": moment_text(each.earlier_at),
            "laterAt": moment_text(each.later_at),
            "cause": None if each.cause is None else each.cause.value,
        }
        for each in found.swaps
    ]
    return {
        "apiVersion": parts.API_VERSION,
        "kind": "Calibration",
        "scheduler": found.scheduler,
        "version": found.version,
        "exact": found.fidelity.exact,
        "jobs": found.jobs,
        "compared": found.compared,
        "unrecorded": found.unrecorded,
        "unstarted": found.unstarted,
        "resolutionSeconds": found.resolution / _SECOND,
        "pairs": found.pairs,
        "swapped": found.swapped,
        "undetermined": found.undetermined,
        "causes": {str(cause): pairs for cause, pairs in sorted(found.causes.items())},
        "swaps": swaps,
        "waitErrorSeconds": wait,
        "waitBiasSeconds": found.bias / _SECOND,
        "medianRunSeconds": found.median_run / _SECOND,
        "relativeError": found.relative_error,
        "recordedEvictions": found.recorded_evictions,
        "simulatedEvictions": found.simulated_evictions,
        "evictedAlike": found.evicted_alike,
        "shareError": found.share_error,
        "ties": found.ties,
        "notes": list(_notes(found)),
    }
