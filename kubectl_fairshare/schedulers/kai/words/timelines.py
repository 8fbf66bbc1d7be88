"""A simulation as timelines of queues, each with the part of the cluster that it holds in the long run."""

from itertools import pairwise
from typing import Final

from kubectl_fairshare.answers.blocks import Layout, Remark, Table, unfolded
from kubectl_fairshare.answers.documents import WrittenAnswer
from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.answers.tables import Column, Row
from kubectl_fairshare.answers.timelines import QueueTimeline, Timelines
from kubectl_fairshare.schedulers.kai.documents.timeline import COURSE, timeline_document
from kubectl_fairshare.schedulers.kai.release import SCHEDULER, VERSION
from kubectl_fairshare.schedulers.kai.simulation.simulation import Timeline
from kubectl_fairshare.schedulers.kai.words.screens import figures as kai_figures

_BARS: Final = " ▁▂▃▄▅▆▇█"
_SHOWN: Final = 4
_NOTE: Final = (
    "A simulation: each unit of time is one scheduling cycle and one sample of usage. Evicted jobs wait again. {} {}, "
    "LEAST, MOST: what the queue {}, the first as a part of all GPUs."
)


def timelines(timeline: Timeline) -> Timelines:
    """A table of the queues, in which bars show what each held over time; and what pictures are made of."""
    cycles, capacity = len(timeline.points), timeline.capacity
    k = kai_figures.formula(timeline.time_aware, timeline.k)
    opening = f"{SCHEDULER} {VERSION} · simulation · {k} · {count(cycles, 'cycle')}"
    columns = (
        Column("QUEUE", right=False),
        Column(_late(timeline)[1]),
        Column("LEAST"),
        Column("MOST"),
        Column("SWITCHES"),
        Column("LAST SHARE"),
        Column("OVER TIME", right=False),
    )
    rows = [Row(_cells(timeline, queue)) for queue in timeline.queues]
    note = Remark(_NOTE.format(*_late(timeline)), "dim", first="", more="")
    above = [unfolded(f"{opening} · {kai_figures.with_unit('gpu', capacity)}")]
    return Timelines(
        f"KAI simulation: {cycles} cycles, {capacity:g} GPUs, {k}",
        _verdict(timeline),
        "long run" if timeline.period else "second half",
        capacity,
        tuple(_queue(timeline, place, name) for place, name in enumerate(timeline.queues)),
        Layout((), ([Table(columns, rows), note],), above),
        WrittenAnswer(COURSE, timeline_document(timeline)),
    )


def _queue(timeline: Timeline, place: int, name: str) -> QueueTimeline:
    late, points = timeline.late(name) or [0.0], [row[place] for row in timeline.points]
    return QueueTimeline(
        name,
        name in timeline.parents.values(),
        tuple(point.allocation for point in points),
        tuple(point.fair_share for point in points),
        timeline.long_run(name),
        min(late),
        max(late),
    )


def _late(timeline: Timeline) -> tuple[str, str, str]:
    """What is known of the long run, the title of the column, and of which cycles its figures are."""
    cycles = len(timeline.period)
    if not cycles:
        unknown = "No cycles were found that repeat, so the long run is not known."
        return unknown, "2ND HALF", "held in the second half of the cycles"
    repeated = f"the same {cycles:,} cycles repeat for ever" if cycles > 1 else "nothing changes"
    return f"From some cycle on, {repeated}.", "LONG RUN", "holds from then on"


def _verdict(timeline: Timeline) -> str:
    """The part of all GPUs that each leaf queue holds in the long run, the largest parts first."""
    leaves = [queue for queue in timeline.queues if queue not in timeline.parents.values()]
    held = sorted(((timeline.long_run(queue), queue) for queue in leaves), key=lambda each: (-each[0], each[1]))
    if not held:
        return "no queues"
    if timeline.period and not any(part for part, _ in held):
        return "in the long run nothing runs"
    parts = ", ".join(f"{queue} {100 * part:.1f} %" for part, queue in held[:_SHOWN])
    more = f", {count(len(held) - _SHOWN, 'more queue')}" if len(held) > _SHOWN else ""
    when = "in the long run" if timeline.period else "in the second half, perhaps not in the long run"
    return f"{when}: {parts}{more}"


def _cells(timeline: Timeline, queue: str) -> tuple[str, ...]:
    held = timeline.allocations(queue)
    late = timeline.late(queue) or [0.0]
    place = timeline.queues.index(queue)
    last = timeline.points[-1][place].fair_share if timeline.points else 0.0
    depth, above = 0, timeline.parents.get(queue, "")
    while above and depth < len(timeline.queues):
        depth, above = depth + 1, timeline.parents.get(above, "")
    return (
        "  " * depth + queue,
        f"{100 * timeline.long_run(queue):.1f} %",
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
