"""The results of a sweep, printed: each cell over its seeds, and the front of Pareto between waiting and evictions.

Tested in ``tests/unit/report/simulation/test_sweep.py``.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, TypedDict, TypeVar

from kubectl_fairshare.answers.ages import length_text
from kubectl_fairshare.answers.comparison import Measure
from kubectl_fairshare.answers.details import Document, Places
from kubectl_fairshare.answers.dispersion import FigureBound, joint_bound
from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.answers.tables import Column, Row
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.report.csv_text import csv_text
from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.comparison import BoundWord
from kubectl_fairshare.report.page.charts import chart_block
from kubectl_fairshare.report.page.frame import framed, safe, table
from kubectl_fairshare.report.simulation.comparison_words import MARKS, unit_of
from kubectl_fairshare.report.text.blocks import blocks_text
from kubectl_fairshare.report.text.closing import SIGN
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.table import folded
from kubectl_fairshare.report.text.table import table as lines_of
from kubectl_fairshare.report.text.view import View

ResultRow = Mapping[str, Any]
DOUBTS: Final = "not exact"
"""The column that says why a simulation is not exact; empty for one that is."""
DIVIDER: Final = "; "
BOUNDS: Final = "bounds"
"""The column that names the measures which a longer simulation changes: ``evictions=atLeast``; empty without."""
WAITING: Final = "waiting, mean"
EVICTIONS: Final = "evictions"
_SECOND: Final = 10**9
_FRONT: Final = (
    "the front: no other combination has less waiting without more evictions, or fewer evictions without more waiting"
)
_FRONT_SO_FAR: Final = (
    f"{_FRONT}. A longer simulation may give another one: ≥ and ≤ mark bounds of what it gives, ~ a figure of the "
    "simulated time alone"
)
_SHOWN: Final = {
    "waiting, median": 3,
    "waiting, p95": 4,
    WAITING: 0,
    EVICTIONS: 0,
    "lost work": 2,
    "never ran": 1,
    "Jain's index": 5,
}
"""The measures of a combination, each with its rank: on a narrow screen the highest are left out first."""


class SweptCellPart(TypedDict):
    """One combination of values: its measures, each the mean over the seeds. ``front``: no other cell beats it.

    ``bounds`` has the measures that a longer simulation changes: it may raise them (``atLeast``), lower them
    (``atMost``), or both (``window``).
    """

    settings: dict[str, str]
    seeds: int
    front: bool
    measures: dict[str, float]
    bounds: dict[str, BoundWord]


class SweepDocument(TypedDict):
    """The results of a sweep; durations are seconds. ``doubts`` are why not all of its simulations are exact."""

    apiVersion: parts.ApiVersion
    kind: Literal["Sweep"]
    scheduler: str
    axes: list[str]
    exact: bool
    doubts: list[str]
    cells: list[SweptCellPart]


class SweptCell(Value, frozen=True):
    """One combination of values with the means of its measures over ``seeds``."""

    settings: tuple[str, ...]
    seeds: int
    measures: Mapping[str, float]
    front: bool
    bounds: Mapping[str, FigureBound]

    def text(self, measure: str) -> str:
        """A measure as people read it, with its bound; empty if there is none."""
        text = _text(measure, self.measures.get(measure))
        return MARKS[self.bounds.get(measure, FigureBound.EXACT)] + text if text else ""


class SweepReport(Value, frozen=True):
    """The answer to ``simulate sweep``: ``rows`` are the results, a row for each cell and seed."""

    scheduler: str
    axes: tuple[str, ...]
    rows: tuple[ResultRow, ...]
    cell: str

    @property
    def exit_code(self) -> int:
        """0: it is answered. 5 if some of it is not decided exactly."""
        return 5 if self.doubts else 0

    @property
    def doubts(self) -> tuple[str, ...]:
        """Why simulations are not exact, each reason once."""
        found = (reason for row in self.rows for reason in str(row.get(DOUBTS) or "").split(DIVIDER) if reason)
        return tuple(dict.fromkeys(found))

    @property
    def cells(self) -> tuple[SweptCell, ...]:
        """The combinations of values, by waiting, each over all its seeds."""
        by_settings: dict[tuple[str, ...], list[ResultRow]] = {}
        for row in self.rows:
            by_settings.setdefault(tuple(str(row[axis]) for axis in self.axes), []).append(row)
        means = {
            settings: _means(rows, {self.cell, "seed", DOUBTS, BOUNDS, *self.axes})
            for settings, rows in by_settings.items()
        }
        front = _front(means)
        ordered = sorted(means, key=lambda each: (means[each].get(WAITING, 0.0), means[each].get(EVICTIONS, 0.0), each))
        return tuple(
            SweptCell(each, len(by_settings[each]), means[each], each in front, _bounds(by_settings[each]))
            for each in ordered
        )

    def screen(self, view: View) -> str:
        """The verdict, the cells of the front, and why not all is exact."""
        cells = self.cells
        front = [cell for cell in cells if cell.front]
        text = f"{SIGN} {self._title(cells)}, {len(front)} on the front · {self._certainty()}"
        verdict = [view.paint("wait" if self.doubts else "good", line) for line in folded(text, view.width, "  ")]
        columns = [
            *(Column(_short(axis), right=False) for axis in self.axes),
            *(Column(n.upper(), rank=rank) for n, rank in _SHOWN.items()),
        ]
        rows = [Row((*cell.settings, *(cell.text(name) for name in _SHOWN))) for cell in front]
        doubts = [line for each in self.doubts for line in paragraph(f"not exact: {each}", view, tone="wait")]
        return blocks_text(
            [verdict, paragraph(_front_text(cells), view), lines_of(columns, rows, view, "  "), doubts, verdict]
        )

    def _title(self, cells: Sequence[SweptCell]) -> str:
        """How much was simulated."""
        return f"{count(len(cells), 'combination')} over {count(len(self.rows), 'simulation')}"

    def _certainty(self) -> str:
        return "not exact" if self.doubts else "exact"

    def document(self, places: Places) -> Document:  # noqa: ARG002 -- it cites no place
        """The answer as a document."""
        return sweep_document(self)

    def names(self) -> Iterable[str]:
        """The combinations of the front."""
        return (self._settings_text(cell) for cell in self.cells if cell.front)

    def csv(self) -> str:
        """A line for each simulation."""
        titles = list(dict.fromkeys(title for row in self.rows for title in row))
        return csv_text(titles, ([row.get(title, "") for title in titles] for row in self.rows))

    def html(self) -> str:
        """The answer as a page that loads nothing from elsewhere."""
        cells = self.cells
        title = self._title(cells)
        body = (
            f"<h1>{safe(title)}</h1>",
            f'<p class="dim">{self._certainty()} · {safe(_front_text(cells))}</p>',
            chart_block(0, "Mean waiting against evictions"),
            "<h2>All combinations</h2>",
            *self._table(cells),
            *(f'<p class="dim">not exact: {safe(each)}</p>' for each in self.doubts),
        )
        return framed(title, body, script=True, charts=[_points(cells)])

    def _table(self, cells: Sequence[SweptCell]) -> Iterator[str]:
        rows = (
            [
                *(f'<b data-v="{safe(value)}">{safe(value)}</b>' for value in cell.settings),
                "front" if cell.front else "",
                *(_cell(cell.measures.get(name), cell.text(name)) for name in _SHOWN),
            ]
            for cell in cells
        )
        yield '<div class="bar" hidden><input type="search" placeholder="Search"><output></output></div>'
        yield from table((*self.axes, "", *_SHOWN), rows, numbers=True)

    def _settings_text(self, cell: SweptCell) -> str:
        return ",".join(f"{axis}={value}" for axis, value in zip(self.axes, cell.settings, strict=True))


def _means(rows: Sequence[ResultRow], without: set[str]) -> dict[str, float]:
    names = [name for name in rows[0] if name not in without]
    return {name: sum(float(row.get(name) or 0.0) for row in rows) / len(rows) for name in names}


def _bounds(rows: Sequence[ResultRow]) -> dict[str, FigureBound]:
    """The measures of a cell that a longer simulation changes."""
    found: dict[str, list[FigureBound]] = {}
    for row in rows:
        for each in filter(None, str(row.get(BOUNDS) or "").split(DIVIDER)):
            name, _, bound = each.rpartition("=")
            found.setdefault(name, []).append(FigureBound(bound))
    return {name: joint_bound(bounds) for name, bounds in found.items()}


def bounds_text(measures: Iterable[Measure]) -> str:
    """The measures that a longer simulation changes, as a result holds them."""
    return DIVIDER.join(f"{each.name}={each.bound}" for each in measures if each.bound is not FigureBound.EXACT)


def _front_text(cells: Sequence[SweptCell]) -> str:
    """What the front is, as far as it was simulated."""
    return _FRONT_SO_FAR if any(cell.bounds for cell in cells) else _FRONT


def _front(means: Mapping[tuple[str, ...], Mapping[str, float]]) -> set[tuple[str, ...]]:
    return set(pareto({each: (found.get(WAITING, 0.0), found.get(EVICTIONS, 0.0)) for each, found in means.items()}))


Name = TypeVar("Name", bound=Hashable)


def pareto(points: Mapping[Name, tuple[float, float]]) -> list[Name]:
    """The names of the points that no other point beats, by the first figure: less is better in both."""
    found: list[Name] = []
    least = float("inf")
    for name, (first, second) in sorted(points.items(), key=lambda each: each[1]):
        if second < least or (found and points[found[-1]] == (first, second)):
            found.append(name)
            least = second
    return found


def _short(axis: str) -> str:
    """An axis as a title: the object and the last field."""
    before, _, path = axis.rpartition(":")
    return f"{before}:{path.rpartition('.')[2]}" if before else axis


def _text(name: str, value: float | None) -> str:
    if value is None:
        return ""
    return length_text(value * _SECOND) if name.startswith(("waiting", "lost")) else f"{value:.4g}"


def _cell(value: float | None, text: str) -> str:
    return "" if value is None else f'<b data-v="{value:g}">{safe(text)}</b>'


def _points(cells: Sequence[SweptCell]) -> dict[str, object]:
    """Waiting against evictions: all cells, and those of the front."""
    points = sorted((cell.measures.get(WAITING, 0.0), cell.measures.get(EVICTIONS, 0.0), cell.front) for cell in cells)
    size, unit = unit_of(max((x for x, _, _ in points), default=0.0))
    return {
        "kind": "points",
        "title": "",
        "xTitle": f"mean waiting, {unit}",
        "unit": "evictions",
        "names": ["beaten", "front"],
        "x": [x / size for x, _, _ in points],
        "y": [[None if front else y for _, y, front in points], [y if front else None for _, y, front in points]],
    }


def sweep_document(report: SweepReport) -> SweepDocument:
    """The whole answer."""
    cells: list[SweptCellPart] = [
        {
            "settings": dict(zip(report.axes, cell.settings, strict=True)),
            "seeds": cell.seeds,
            "front": cell.front,
            "measures": dict(cell.measures),
            "bounds": {name: bound.value for name, bound in cell.bounds.items()},
        }
        for cell in report.cells
    ]
    return {
        "apiVersion": parts.API_VERSION,
        "kind": "Sweep",
        "scheduler": report.scheduler,
        "axes": list(report.axes),
        "exact": not report.doubts,
        "doubts": list(report.doubts),
        "cells": cells,
    }
