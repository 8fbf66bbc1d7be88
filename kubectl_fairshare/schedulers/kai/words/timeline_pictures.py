"""A simulation's timeline as CSV in KAI's columns, as a picture, and as a page that contains the picture."""

from typing import Final

from kubectl_fairshare.report.csv_text import csv_text
from kubectl_fairshare.report.page.frame import framed, safe, table
from kubectl_fairshare.schedulers.kai.simulation.simulation import Timeline
from kubectl_fairshare.schedulers.kai.words.screens import figures as kai_figures

_WIDTH: Final = 960
_PANEL: Final = 220
_LEFT: Final = 56
_TOP: Final = 28
_FONT: Final = 'font-family="system-ui,sans-serif" font-size="12"'
_COLOURS: Final = ("#0b6e4f", "#c1440e", "#2a4d9b", "#8a5a00", "#7a1f6b", "#00798c", "#4f5d2f", "#8c2f39")


def timeline_csv(timeline: Timeline) -> str:
    """Time, queue, allocation and fair share, as KAI's simulator writes them; queues in the order of the input."""
    rows = (
        (time, queue, f"{point.allocation:f}", f"{point.fair_share:f}")
        for time, points in enumerate(timeline.points)
        for queue, point in zip(timeline.queues, points, strict=True)
    )
    return csv_text(("Time", "QueueID", "Allocation", "FairShare"), rows)


def timeline_svg(timeline: Timeline) -> str:
    """One panel per leaf queue: what it held, and its fair share, over time."""
    leaves = _leaves(timeline)
    height = _TOP + len(leaves) * _PANEL + 24
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" {_FONT}>',
        f"<title>{safe(_title(timeline))}</title>",
        f'<rect width="{_WIDTH}" height="{height}" fill="#fff"/>',
        f'<text x="{_LEFT}" y="18" fill="#444">filled: GPUs held; line: fair share</text>',
    ]
    for number, queue in enumerate(leaves):
        parts += _panel(timeline, queue, number)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _leaves(timeline: Timeline) -> list[str]:
    parents = set(timeline.parents.values())
    return [queue for queue in timeline.queues if queue not in parents]


def _panel(timeline: Timeline, queue: str, number: int) -> list[str]:
    place = timeline.queues.index(queue)
    points = [row[place] for row in timeline.points]
    top, colour = _TOP + number * _PANEL, _COLOURS[number % len(_COLOURS)]
    floor, tall = top + _PANEL - 36, _PANEL - 64
    most = max([timeline.capacity, *(p.fair_share for p in points), 1.0])

    def y(value: float) -> str:
        return f"{floor - tall * value / most:.1f}"

    def x(time: float) -> str:
        return f"{_LEFT + (_WIDTH - _LEFT - 16) * time / max(len(points), 1):.1f}"

    held = " ".join(f"{x(i)},{y(p.allocation)} {x(i + 1)},{y(p.allocation)}" for i, p in enumerate(points))
    share = " ".join(f"{x(i)},{y(p.fair_share)} {x(i + 1)},{y(p.fair_share)}" for i, p in enumerate(points))
    return [
        f'<text x="{_LEFT}" y="{top + 20}" font-weight="bold" fill="{colour}">{safe(queue)}</text>',
        f'<polygon points="{x(0)},{floor} {held} {x(len(points))},{floor}" fill="{colour}" fill-opacity=".25"/>',
        f'<polyline points="{share}" fill="none" stroke="{colour}" stroke-width="1.5"/>',
        f'<line x1="{_LEFT}" y1="{floor}" x2="{_WIDTH - 16}" y2="{floor}" stroke="#888"/>',
        f'<text x="{_LEFT - 8}" y="{y(most)}" text-anchor="end" fill="#666">{most:g}</text>',
        f'<text x="{_LEFT - 8}" y="{floor}" text-anchor="end" fill="#666">0</text>',
        f'<text x="{_WIDTH - 16}" y="{floor + 16}" text-anchor="end" fill="#666">{len(points)} cycles</text>',
    ]


def timeline_html(timeline: Timeline) -> str:
    """One self-contained page with the figures and the picture."""
    rows = []
    for queue in timeline.queues:
        late = timeline.late(queue) or [0.0]
        share = f"{100 * timeline.long_run(queue):.1f} %"
        rows.append((safe(queue), share, f"{min(late):g}", f"{max(late):g}"))
    title = _title(timeline)
    when = "long run" if timeline.period else "second half"
    figures = table(("queue", when, "least", "most"), rows, numbers=True)
    return framed(title, (f"<h1>{safe(title)}</h1>", *figures, timeline_svg(timeline)))


def _title(timeline: Timeline) -> str:
    formula = kai_figures.formula(timeline.time_aware, timeline.k)
    return f"KAI simulation: {len(timeline.points)} cycles, {timeline.capacity:g} GPUs, {formula}"
