"""A comparison of policies in every form in which it is printed."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from kubectl_fairshare.answers.comparison import (
    ComparedPolicy,
    Comparison,
    Curve,
    GroupFigures,
    Measure,
    RunFigures,
)
from kubectl_fairshare.answers.details import Document, Places
from kubectl_fairshare.answers.dispersion import Dispersion
from kubectl_fairshare.answers.tables import Column, Row, Tone
from kubectl_fairshare.model.moments import moment_text
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.report.csv_text import csv_text
from kubectl_fairshare.report.documents import comparison as types
from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.simulation import comparison_words as words
from kubectl_fairshare.report.text.blocks import blocks_text
from kubectl_fairshare.report.text.closing import closing_lines
from kubectl_fairshare.report.text.listing import long_table
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.table import table
from kubectl_fairshare.report.text.view import View

_SECOND: Final = 1e9
_UTILISATION: Final = "utilisation"
TITLES: Final = (
    *("policy", "seed", "group", "name", "jobs", "waitMean", "waitMedian", "waitP95", "slowdownMedian"),
    *("slowdownP95", "evictions", "evictedJobs", "lostSeconds", "finished", "neverRan", "refused", "bounds"),
)
"""The columns of CSV and Parquet; durations are seconds. The last has the figures that a longer simulation changes."""
_NAMES: Final = {"wait": "waitSeconds", "evicted": "evictedJobs", "lost": "lostSeconds", "never": "neverRan"}
"""The names of figures in a document, where they differ."""
_COLUMNS: Final = {name: title for name, title in _NAMES.items() if name != "wait"}


class ComparisonReport(Value, frozen=True):
    """The answer to ``simulate`` with several policies or seeds."""

    comparison: Comparison

    @property
    def exit_code(self) -> int:
        """0: it is answered; 5 if a policy has no exact answer."""
        return 0 if all(policy.fidelity.settled for policy in self.comparison.policies) else 5

    def screen(self, view: View) -> str:
        """The measures of all policies side by side, then queues and classes, then what is assumed."""
        comparison = self.comparison
        verdict = words.verdict(comparison)
        tone: Tone = "good" if comparison.fidelity.settled else "wait"
        first = closing_lines(verdict, tone, comparison.fidelity, (), view, "")
        notes = [line for note in words.notes(comparison) for line in paragraph(f"note: {note}", view, tone="dim")]
        return blocks_text([first, *_measures(comparison, view), *_groups(comparison, view), notes, first])

    def document(self, places: Places) -> Document:  # noqa: ARG002 -- it cites no place
        """The answer as a document."""
        return comparison_document(self.comparison)

    def names(self) -> Iterable[str]:
        """The policies."""
        return (policy.name for policy in self.comparison.policies)

    def csv(self) -> str:
        """A line for each policy, seed and group."""
        return csv_text(TITLES, rows(self.comparison))

    def html(self) -> str:
        """The answer as a page that loads nothing from elsewhere."""
        from kubectl_fairshare.report.simulation.comparison_page import comparison_page

        return comparison_page(self.comparison)


def _measures(comparison: Comparison, view: View) -> Iterator[list[str]]:
    """The measures of the policies next to the baseline: in one table if it may be wide, otherwise one by one."""
    first, *others = comparison.policies
    together = view.wide or len(others) < 2
    for beside in [others] if together else [[each] for each in others]:
        yield from _measure_tables(first, beside, view)


def _measure_tables(first: ComparedPolicy, others: Sequence[ComparedPolicy], view: View) -> Iterator[list[str]]:
    """A table of the measures, and one of utilisation, whose names are long."""
    for title in ("", _UTILISATION):
        columns = [Column(title.upper(), right=False), Column(first.name)]
        columns += [column for each in others for column in (Column(each.name), Column("DIFFERENCE"))]
        found = [
            Row(_measure_cells(measure, number, others, title))
            for number, measure in enumerate(first.measures)
            if bool(title) == measure.name.startswith(_UTILISATION)
        ]
        if found:
            yield table(columns, found, view, "  ")


def _measure_cells(measure: Measure, number: int, others: Sequence[ComparedPolicy], title: str) -> tuple[str, ...]:
    """The name of a measure below the title of its table, its value, and its value and difference in each policy."""
    cells = [measure.name.removeprefix(f"{title}, "), words.mean_text(measure)]
    for policy in others:
        other = policy.measures[number] if number < len(policy.measures) else measure
        cells += [words.mean_text(other), words.difference_text(other)]
    return tuple(cells)


def _groups(comparison: Comparison, view: View) -> Iterator[list[str]]:
    for title, groups in (("QUEUE", _queues), ("CLASS", _classes)):
        columns = [Column(title, right=False), Column("POLICY", right=False)]
        columns += [Column(each.upper(), rank=max(number - 2, 0)) for number, each in enumerate(words.GROUP_TITLES)]
        found = [
            Row((group.name, policy.name, *words.group_cells(group)))
            for number in range(max(len(groups(policy.first)) for policy in comparison.policies))
            for policy in comparison.policies
            if number < len(groups(policy.first))
            for group in (groups(policy.first)[number],)
        ]
        yield long_table(columns, found, view)


def _queues(figures: RunFigures) -> tuple[GroupFigures, ...]:
    return figures.queues


def _classes(figures: RunFigures) -> tuple[GroupFigures, ...]:
    return figures.classes


def rows(comparison: Comparison) -> Iterator[tuple[object, ...]]:
    """The rows of CSV and Parquet: policy, seed, kind of group, its name, figures."""
    for policy in comparison.policies:
        for run in policy.runs:
            yield _row(policy.name, run.seed, "all", run.total)
            yield from (_row(policy.name, run.seed, "queue", group) for group in run.queues)
            yield from (_row(policy.name, run.seed, "class", group) for group in run.classes)


def _row(policy: str, seed: int, kind: str, group: GroupFigures) -> tuple[object, ...]:
    wait, slow = group.wait, group.slowdown
    waits = (None,) * 3 if wait is None else tuple(each / _SECOND for each in (wait.mean, wait.median, wait.p95))
    slows = (None,) * 2 if slow is None else (slow.median, slow.p95)
    counts = (group.evictions, group.evicted, group.lost / _SECOND, group.finished, group.never, group.refused)
    named = ((_column(name), bound) for name, bound in group.bounds.items())
    bounds = " ".join(f"{column}={bound}" for column, bound in named if column in TITLES)
    return (policy, seed, kind, group.name, group.jobs, *waits, *slows, *counts, bounds)


def _column(name: str) -> str:
    """The column of a figure."""
    figure, _, part = name.partition(".")
    return _COLUMNS.get(figure, figure) + part[:1].upper() + part[1:]


def comparison_document(comparison: Comparison) -> types.ComparisonDocument:
    """The whole answer."""
    return {
        "apiVersion": parts.API_VERSION,
        "kind": "Comparison",
        "scheduler": comparison.scheduler,
        "version": comparison.version,
        "jobs": comparison.jobs,
        "start": moment_text(comparison.start),
        "end": moment_text(comparison.end),
        "seeds": list(comparison.seeds),
        "policies": [_policy(policy) for policy in comparison.policies],
        "notes": list(comparison.notes),
    }


def _policy(policy: ComparedPolicy) -> types.ComparedPolicyPart:
    measures: list[types.MeasurePart] = [
        {
            "name": each.name,
            "unit": each.unit,
            "mean": each.mean,
            "difference": each.difference,
            "low": each.low,
            "high": each.high,
            "bound": each.bound.value,
            "differenceBound": each.difference_bound.value,
        }
        for each in policy.measures
    ]
    return {
        "name": policy.name,
        "exact": policy.fidelity.exact,
        "doubts": list(policy.fidelity.doubts),
        "notes": list(policy.notes),
        "ended": policy.ended,
        "measures": measures,
        "runs": [_run(run) for run in policy.runs],
        "moments": [moment_text(moment) for moment in policy.moments],
        "heldOfQuota": [_curve(line) for line in policy.shares],
        "waiting": [_curve(line) for line in policy.waiting],
        "jain": list(policy.jain.values),
    }


def _curve(line: Curve) -> types.CurvePart:
    return {"name": line.name, "values": list(line.values)}


def _run(run: RunFigures) -> types.RunFiguresPart:
    return {
        "seed": run.seed,
        "ties": run.ties,
        "total": _group(run.total),
        "queues": [_group(group) for group in run.queues],
        "classes": [_group(group) for group in run.classes],
        "utilisation": [
            {"flavor": pool, "resource": resource, "part": part}
            for (pool, resource), part in sorted(run.utilisation.items())
        ],
        "heldOfQuota": dict(run.ratios),
        "jain": run.jain,
        "heldBound": run.held_bound.value,
    }


def _group(group: GroupFigures) -> types.GroupFiguresPart:
    return {
        "name": group.name,
        "jobs": group.jobs,
        "waitSeconds": _spread(group.wait, _SECOND),
        "slowdown": _spread(group.slowdown, 1.0),
        "evictions": group.evictions,
        "evictedJobs": group.evicted,
        "lostSeconds": group.lost / _SECOND,
        "finished": group.finished,
        "neverRan": group.never,
        "refused": group.refused,
        "bounds": {_field(name): bound.value for name, bound in group.bounds.items()},
    }


def _field(name: str) -> str:
    """The path of a figure in the document."""
    figure, dot, part = name.partition(".")
    return _NAMES.get(figure, figure) + dot + part


def _spread(spread: Dispersion | None, unit: float) -> parts.DispersionPart | None:
    if spread is None:
        return None
    mean, median, p95, most = (each / unit for each in spread)
    return {"mean": mean, "median": median, "p95": p95, "most": most}
