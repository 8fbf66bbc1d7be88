"""The timeline of a simulation: one line per queue, with the part of the cluster that it held in the long run."""

from itertools import pairwise
from typing import Final

from kubectl_fairshare.report.text.closing import SIGN
from kubectl_fairshare.report.text.figures import count
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.table import Column, Row, folded, table
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.kai.release import SCHEDULER, VERSION
from kubectl_fairshare.schedulers.kai.simulation.simulation import Timeline
from kubectl_fairshare.schedulers.kai.words.screens import figures as kai_figures

_BARS: Final = " ▁▂▃▄▅▆▇█"
_SHOWN: Final = 4
_NOTE: Final = (
    "A simulation: each unit of time is one scheduling cycle and one sample of usage. Evicted jobs wait again. "
    "LONG RUN: the part of all GPUs that the queue held in the second half."
)


def timeline_screen(timeline: Timeline, view: View) -> str:
    """A table of the queues; bars show what each held over time."""
    cycles = len(timeline.points)
    k = kai_figures.formula(timeline.time_aware, timeline.k)
    verdict = [view.paint("strong", line) for line in folded(f"{SIGN} {_verdict(timeline)}", view.width, "  ")]
    opening = f"{SCHEDULER} {VERSION} · simulation · {k} · {count(cycles, 'cycle')}"
    lines = [*verdict, f"  {opening} · {kai_figures.with_unit('gpu', timeline.capacity)}", ""]
    columns = (
        Column("QUEUE", right=False),
        Column("LONG RUN"),
        Column("LEAST"),
        Column("MOST"),
        Column("SWITCHES"),
        Column("LAST SHARE"),
        Column("OVER TIME", right=False),
    )
    lines += table(columns, [Row(_cells(timeline, queue)) for queue in timeline.queues], view)
    return "\n".join([*lines, *paragraph(_NOTE, view, "", "", "dim"), "", *verdict]) + "\n"


def _verdict(timeline: Timeline) -> str:
    """The part of all GPUs that each leaf queue holds in the long run, the largest parts first."""
    half = len(timeline.points) // 2
    leaves = [queue for queue in timeline.queues if queue not in timeline.parents.values()]
    held = sorted(((timeline.long_run(queue, half), queue) for queue in leaves), key=lambda each: (-each[0], each[1]))
    parts = ", ".join(f"{queue} {100 * part:.1f} %" for part, queue in held[:_SHOWN])
    more = f", {count(len(held) - _SHOWN, 'more queue')}" if len(held) > _SHOWN else ""
    return f"in the long run: {parts}{more}" if parts else "no queues"


def _cells(timeline: Timeline, queue: str) -> tuple[str, ...]:
    half = len(timeline.points) // 2
    held = timeline.allocations(queue)
    late = held[half:] or [0.0]
    place = timeline.queues.index(queue)
    last = timeline.points[-1][place].fair_share if timeline.points else 0.0
    depth, above = 0, timeline.parents.get(queue, "")
    while above and depth < len(timeline.queues):
        depth, above = depth + 1, timeline.parents.get(above, "")
    return (
        "  " * depth + queue,
        f"{100 * timeline.long_run(queue, half):.1f} %",
        kai_figures.number(min(late), 2),
        kai_figures.number(max(late), 2),
        str(sum(a != b for a, b in pairwise(held))),
        kai_figures.number(last, 2),
        bars(held, timeline.capacity, 24),
    )


def bars(held: list[float], capacity: float, width: int) -> str:
    """A bar for each stretch of time; its height is the mean of what was held."""
    if not held or not capacity:
        return ""
    width = min(width, len(held))
    edges = [len(held) * i // width for i in range(width + 1)]
    means = (sum(held[a:b]) / (b - a) for a, b in pairwise(edges))
    return "".join(_BARS[min(round(8 * mean / capacity), 8)] for mean in means).rstrip()
