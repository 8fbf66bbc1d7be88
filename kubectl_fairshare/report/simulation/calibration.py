"""A calibration in every form in which it is printed."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal, TypeAlias, TypedDict

from kubectl_fairshare.answers.ages import length_text
from kubectl_fairshare.answers.calibration import Calibration, DifferenceCause
from kubectl_fairshare.answers.details import Document, Places
from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.answers.tables import Column, Row, Tone
from kubectl_fairshare.model.moments import moment_text
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.report.csv_text import csv_text
from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.comparison import DispersionPart
from kubectl_fairshare.report.text.blocks import blocks_text
from kubectl_fairshare.report.text.closing import closing_lines
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.table import table
from kubectl_fairshare.report.text.view import View

_SECOND: Final = 1e9
_SHOWN: Final = 10
_CAUSES: Final = {
    DifferenceCause.EARLIER: "an earlier difference",
    DifferenceCause.STOPPING: "the time until pods stop",
    DifferenceCause.RUN_LENGTH: "the length of a run",
    DifferenceCause.CHANCE: "chance",
    DifferenceCause.ASIDE: "jobs set aside a moment longer",
}
"""Why something differs, in words."""
_Word: TypeAlias = Literal["earlier", "stopping", "runLength", "chance", "aside"]


class SwapPart(TypedDict):
    """Two jobs that the cluster admitted in the other order.

    ``cause``: a simulation from the state that was recorded shortly before has the recorded order, as it is
    (``earlier``), or with another value of what the trace does not record. null: none has it, or, if not ``examined``,
    none was made.
    """

    earlier: str
    later: str
    earlierAt: str
    laterAt: str
    cause: _Word | None
    examined: bool


class OneSidedEvictionPart(TypedDict):
    """An eviction that was recorded and not simulated within three seconds, or simulated and not recorded.

    ``cause`` and ``examined`` are as for two jobs in another order.
    """

    job: str
    at: str
    recorded: bool
    cause: _Word | None
    examined: bool


class RecordedStepPart(TypedDict):
    """A recorded admission, or eviction, that no simulation does from the state recorded before it."""

    job: str
    at: str
    evicted: bool


class RecordedStepsPart(TypedDict):
    """The recorded admissions and evictions, each looked at from the state that was recorded before it.

    ``causes`` counts them by what else the first simulation has that does it; those under "earlier" need nothing else.
    ``unexplained`` are those that none does, ``unexamined`` counts those for which none was made.
    """

    total: int
    causes: dict[str, int]
    unexplained: list[RecordedStepPart]
    unexamined: int


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
    causes: dict[str, int]
    unexplained: int
    unexamined: int
    swaps: list[SwapPart]
    waitErrorSeconds: DispersionPart | None
    waitBiasSeconds: float
    medianRunSeconds: float
    relativeError: float | None
    recordedEvictions: int
    simulatedEvictions: int
    evictedAlike: int
    evictions: list[OneSidedEvictionPart]
    unexplainedEvictions: int
    steps: RecordedStepsPart
    shareError: float | None
    ties: int
    notes: list[str]


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

    def document(self, places: Places) -> Document:  # noqa: ARG002 -- it cites no place
        """The answer as a document."""
        return calibration_document(self.calibration)

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
    if found.steps:
        yield from _step_rows(found)
    if found.share_error is not None:
        yield "pods in another queue, on average", f"{found.share_error:.2%}"


def _cause_rows(causes: Mapping[DifferenceCause, int], unexplained: int, unexamined: int) -> Iterator[tuple[str, str]]:
    for cause in DifferenceCause:
        if causes.get(cause):
            yield f"    because of {_CAUSES[cause]}", f"{causes[cause]:,}"
    yield "    without a cause", f"{unexplained:,}"
    if unexamined:
        yield "    not looked at", f"{unexamined:,}"


def _step_rows(found: Calibration) -> Iterator[tuple[str, str]]:
    causes = found.step_causes
    yield "admissions and evictions, one by one", f"{len(found.steps):,}"
    yield "    simulated from the state before", f"{causes.get(DifferenceCause.EARLIER, 0):,}"
    for cause in DifferenceCause:
        if cause is not DifferenceCause.EARLIER and causes.get(cause):
            yield f"    with {_CAUSES[cause]}", f"{causes[cause]:,}"
    yield "    not simulated", f"{len(found.unexplained_steps):,}"
    unexamined = sum(not each.examined for each in found.steps)
    if unexamined:
        yield "    not looked at", f"{unexamined:,}"


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
    for step in found.unexplained_steps[:_SHOWN]:
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
            "examined": each.examined,
        }
        for each in found.swaps
    ]
    evictions: list[OneSidedEvictionPart] = [
        {
            "job": each.job,
            "at": moment_text(each.at),
            "recorded": each.recorded,
            "cause": None if each.cause is None else each.cause.value,
            "examined": each.examined,
        }
        for each in found.evictions
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
        "causes": {str(cause): pairs for cause, pairs in sorted(found.causes.items())},
        "unexplained": found.unexplained,
        "unexamined": found.unexamined,
        "swaps": swaps,
        "waitErrorSeconds": wait,
        "waitBiasSeconds": found.bias / _SECOND,
        "medianRunSeconds": found.median_run / _SECOND,
        "relativeError": found.relative_error,
        "recordedEvictions": found.recorded_evictions,
        "simulatedEvictions": found.simulated_evictions,
        "evictedAlike": found.evicted_alike,
        "evictions": evictions,
        "unexplainedEvictions": found.unexplained_evictions,
        "steps": _steps(found),
        "shareError": found.share_error,
        "ties": found.ties,
        "notes": list(_notes(found)),
    }


def _steps(found: Calibration) -> RecordedStepsPart:
    return {
        "total": len(found.steps),
        "causes": {str(cause): steps for cause, steps in sorted(found.step_causes.items())},
        "unexplained": [
            {"job": each.job, "at": moment_text(each.at), "evicted": each.evicted} for each in found.unexplained_steps
        ],
        "unexamined": sum(not each.examined for each in found.steps),
    }
