"""Timelines of queues, printed: a screen, CSV, a picture, and a page that contains the picture."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.answers.details import Document, Places
from kubectl_fairshare.answers.timelines import QueueTimeline, Timelines
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.report.csv_text import csv_text
from kubectl_fairshare.report.documents.structs import written
from kubectl_fairshare.report.page.frame import framed, safe, table
from kubectl_fairshare.report.text.closing import SIGN
from kubectl_fairshare.report.text.drawing import lines_below
from kubectl_fairshare.report.text.table import folded
from kubectl_fairshare.report.text.view import View

_WIDTH: Final = 960
_PANEL: Final = 220
_LEFT: Final = 56
_TOP: Final = 28
_FONT: Final = 'font-family="system-ui,sans-serif" font-size="12"'
_COLOURS: Final = ("#0b6e4f", "#c1440e", "#2a4d9b", "#8a5a00", "#7a1f6b", "#00798c", "#4f5d2f", "#8c2f39")


class TimelinesReport(Value, frozen=True):
    """The answer to `simulate` for a file of queues."""

    of: Timelines

    @property
    def exit_code(self) -> int:
        """0: the question is answered."""
        return 0

    def screen(self, view: View) -> str:
        """The table of queues; the first line and the last say who holds what in the end."""
        verdict = [view.paint("strong", line) for line in folded(f"{SIGN} {self.of.verdict}", view.width, "  ")]
        return "".join(f"{line}\n" for line in [*verdict, *lines_below(self.of.layout, view), "", *verdict])

    def document(self, places: Places) -> Document:
        """Every figure of every cycle."""
        return written(self.of.document, places)

    def names(self) -> Iterator[str]:
        """Raises ``UsageError``: the queues of a file are not objects."""
        raise UsageError(Problem("`simulate` has no `-o name`", help="use `-o csv`, `json`, `yaml` or `text`"))

    def csv(self) -> str:
        """Time, queue, allocation and fair share, as the scheduler's simulator writes them, in the input's order."""
        times = range(len(self.of.queues[0].held) if self.of.queues else 0)
        rows = (
            (time, queue.name, f"{queue.held[time]:f}", f"{queue.fair_shares[time]:f}")
            for time in times
            for queue in self.of.queues
        )
        return csv_text(("Time", "QueueID", "Allocation", "FairShare"), rows)

    def svg(self) -> str:
        """One panel per leaf queue: what it held, and its fair share, over time."""
        leaves = [queue for queue in self.of.queues if not queue.inner]
        height = _TOP + len(leaves) * _PANEL + 24
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" {_FONT}>',
            f"<title>{safe(self.of.title)}</title>",
            f'<rect width="{_WIDTH}" height="{height}" fill="#fff"/>',
            f'<text x="{_LEFT}" y="18" fill="#444">filled: GPUs held; line: fair share</text>',
        ]
        for number, queue in enumerate(leaves):
            parts += _panel(queue, self.of.capacity, number)
        return "\n".join([*parts, "</svg>"]) + "\n"

    def html(self) -> str:
        """One self-contained page with the figures and the picture."""
        rows = [(safe(q.name), f"{100 * q.part:.1f} %", f"{q.least:g}", f"{q.most:g}") for q in self.of.queues]
        figures = table(("queue", self.of.late, "least", "most"), rows, numbers=True)
        return framed(self.of.title, (f"<h1>{safe(self.of.title)}</h1>", *figures, self.svg()))


def _panel(queue: QueueTimeline, capacity: float, number: int) -> list[str]:
    cycles = len(queue.held)
    top, colour = _TOP + number * _PANEL, _COLOURS[number % len(_COLOURS)]
    floor, tall = top + _PANEL - 36, _PANEL - 64
    most = max([capacity, *queue.fair_shares, 1.0])

    def y(value: float) -> str:
        return f"{floor - tall * value / most:.1f}"

    def x(time: float) -> str:
        return f"{_LEFT + (_WIDTH - _LEFT - 16) * time / max(cycles, 1):.1f}"

    held = " ".join(f"{x(i)},{y(each)} {x(i + 1)},{y(each)}" for i, each in enumerate(queue.held))
    share = " ".join(f"{x(i)},{y(each)} {x(i + 1)},{y(each)}" for i, each in enumerate(queue.fair_shares))
    return [
        f'<text x="{_LEFT}" y="{top + 20}" font-weight="bold" fill="{colour}">{safe(queue.name)}</text>',
        f'<polygon points="{x(0)},{floor} {held} {x(cycles)},{floor}" fill="{colour}" fill-opacity=".25"/>',
        f'<polyline points="{share}" fill="none" stroke="{colour}" stroke-width="1.5"/>',
        f'<line x1="{_LEFT}" y1="{floor}" x2="{_WIDTH - 16}" y2="{floor}" stroke="#888"/>',
        f'<text x="{_LEFT - 8}" y="{y(most)}" text-anchor="end" fill="#666">{most:g}</text>',
        f'<text x="{_LEFT - 8}" y="{floor}" text-anchor="end" fill="#666">0</text>',
        f'<text x="{_WIDTH - 16}" y="{floor + 16}" text-anchor="end" fill="#666">{cycles} cycles</text>',
    ]
