"""A comparison of policies as a page: tables that can be sorted, and curves that can be zoomed.

The curves are drawn by uPlot (MIT, https://github.com/leeoniya/uPlot), which the package has as data near this page's
frame. Without a script the page has all tables. Tested in ``tests/unit/report/simulation/test_comparison.py``.
"""

from collections.abc import Iterator, Sequence
from typing import Final, TypedDict

from kubectl_fairshare.answers.comparison import ComparedPolicy, Comparison, Curve, GroupFigures, RunFigures
from kubectl_fairshare.model.moments import moment_text
from kubectl_fairshare.report.page.charts import chart_block
from kubectl_fairshare.report.page.frame import framed, safe, table
from kubectl_fairshare.report.simulation import comparison_words as words
from kubectl_fairshare.report.text.closing import exactness

_SECOND: Final = 10**9
_MOST_LINES: Final = 24
"""Curves of one picture: with more, colours repeat too often."""


class ChartData(TypedDict):
    """One picture: a list of moments in seconds, and a list of values for each curve."""

    title: str
    unit: str
    names: list[str]
    x: list[float]
    y: list[list[float | None]]


def comparison_page(comparison: Comparison) -> str:
    """The whole page."""
    title = words.verdict(comparison)
    pictures = list(_pictures(comparison))
    body = (
        f"<h1>{safe(title)}</h1>",
        f'<p class="dim">{safe(_subtitle(comparison))}</p>',
        *_measures(comparison),
        "<h2>Over time</h2>",
        '<p class="dim">Drag across a picture to zoom in, double-click to see all. Press a name to hide a curve.</p>',
        *(chart_block(number, picture["title"]) for number, picture in enumerate(pictures)),
        *_groups(comparison),
        *_notes(comparison),
    )
    return framed(title, body, charts=pictures)


def _subtitle(comparison: Comparison) -> str:
    period = f"{moment_text(comparison.start)} to {moment_text(comparison.end)}"
    seeds = ", ".join(map(str, comparison.seeds))
    return f"{exactness(comparison.fidelity)} · {period} · seeds {seeds}"


def _measures(comparison: Comparison) -> Iterator[str]:
    first, *others = comparison.policies
    yield f"<h2>{'Differences' if others else 'Figures'}</h2>"
    if others:
        yield '<p class="dim">Differences to the first policy, with 95 % confidence intervals over the seeds.</p>'
    titles = ["measure", first.name, *(title for each in others for title in (each.name, "difference"))]
    yield from table(titles, _measure_rows(first, others), numbers=True)


def _measure_rows(first: ComparedPolicy, others: Sequence[ComparedPolicy]) -> Iterator[list[str]]:
    for number, measure in enumerate(first.measures):
        row = [safe(measure.name), _cell(measure.mean, words.mean_text(measure))]
        for policy in others:
            other = policy.measures[number] if number < len(policy.measures) else measure
            row.append(_cell(other.mean, words.mean_text(other)))
            difference = _cell(other.difference or 0.0, words.difference_text(other))
            row.append(f'<span class="{words.tone(other)}">{difference}</span>' if words.tone(other) else difference)
        yield row


def _cell(value: float, text: str) -> str:
    """A figure as people read it, sorted by its value."""
    return f'<b data-v="{value:g}">{safe(text)}</b>'


def _pictures(comparison: Comparison) -> Iterator[ChartData]:
    policies = comparison.policies
    yield _joined("Jain's index: 1 is equal", "", [(p.name, p.moments, p.jain.values) for p in policies])
    waits = [(policy.name, policy.moments, _sums(policy.waiting, len(policy.moments))) for policy in policies]
    yield _joined("Waiting jobs", "", waits)
    for policy in policies:
        lines = sorted(policy.shares, key=lambda line: -max(v or 0.0 for v in line.values))[:_MOST_LINES]
        shown = [(line.name, policy.moments, line.values) for line in sorted(lines, key=lambda line: line.name)]
        yield _joined(f"{policy.name}: what each queue holds of its quota", "", shown)


def _sums(lines: Sequence[Curve], moments: int) -> tuple[float | None, ...]:
    return tuple(sum(line.values[number] or 0.0 for line in lines) for number in range(moments))


def _joined(title: str, unit: str, curves: Sequence[tuple[str, Sequence[int], Sequence[float | None]]]) -> ChartData:
    """Curves with moments of their own on one axis: between two of its moments a curve has no value."""
    axis = sorted({moment for _, moments, _ in curves for moment in moments})
    values = [dict(zip(moments, found, strict=True)) for _, moments, found in curves]
    return {
        "title": title,
        "unit": unit,
        "names": [name for name, _, _ in curves],
        "x": [moment / _SECOND for moment in axis],
        "y": [[_rounded(each.get(moment)) for moment in axis] for each in values],
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _groups(comparison: Comparison) -> Iterator[str]:
    for title, groups in (("queue", _queues), ("class", _classes)):
        yield f"<h2>By {title}</h2>"
        rows = (
            [safe(group.name or "–"), safe(policy.name), *map(safe, words.group_cells(group))]
            for policy in comparison.policies
            for group in groups(policy.first)
        )
        yield from table((title, "policy", *words.GROUP_TITLES), rows, numbers=True)


def _queues(figures: RunFigures) -> tuple[GroupFigures, ...]:
    return figures.queues


def _classes(figures: RunFigures) -> tuple[GroupFigures, ...]:
    return figures.classes


def _notes(comparison: Comparison) -> Iterator[str]:
    found = words.notes(comparison)
    if found:
        yield f"<h2>What is assumed</h2><ul>{''.join(f'<li>{safe(note)}</li>' for note in found)}</ul>"
