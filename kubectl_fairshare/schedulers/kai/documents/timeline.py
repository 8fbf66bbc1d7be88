"""A simulation's timeline as a document. Amounts are GPUs, usage a fraction of the capacity in the window."""

import math
from typing import Final

from kubectl_fairshare.answers.documents import DocumentKind, DocumentPart
from kubectl_fairshare.schedulers.kai.model.objects import TimeAware
from kubectl_fairshare.schedulers.kai.release import SCHEDULER, VERSION
from kubectl_fairshare.schedulers.kai.simulation.simulation import Timeline


class TimelineQueuePart(DocumentPart, frozen=True):
    """A queue over time, one number per cycle.

    ``longRun`` is its mean part of the capacity in the cycles that repeat for ever; null if none are known.
    ``secondHalf`` is that in the second half of the cycles.
    """

    name: str
    parent: str | None
    long_run: float | None
    second_half: float
    allocation: tuple[float, ...]
    fair_share: tuple[float, ...]
    usage: tuple[float, ...]


class KaiTimelineDocument(DocumentPart, frozen=True):
    """The timeline; k is null if it is infinite, or if the formula has no k.

    ``period`` is the number of cycles after which jobs and past usage are the same again, so that all repeats for ever;
    null if none was found.
    """

    scheduler: str
    version: str
    time_aware: str
    k: float | None
    capacity: float
    cycles: int
    period: int | None
    queues: tuple[TimelineQueuePart, ...]


COURSE: Final = DocumentKind("KaiCourse", KaiTimelineDocument)


def timeline_document(timeline: Timeline) -> KaiTimelineDocument:
    """The timeline as a document."""
    return KaiTimelineDocument(
        SCHEDULER,
        VERSION,
        timeline.time_aware.value,
        timeline.k if timeline.time_aware is TimeAware.KAI and math.isfinite(timeline.k) else None,
        timeline.capacity,
        len(timeline.points),
        len(timeline.period) or None,
        tuple(_queue(timeline, place, name) for place, name in enumerate(timeline.queues)),
    )


def _queue(timeline: Timeline, place: int, name: str) -> TimelineQueuePart:
    points = [row[place] for row in timeline.points]
    return TimelineQueuePart(
        name,
        timeline.parents[name] or None,
        timeline.long_run(name) if timeline.period else None,
        timeline.long_run(name, len(points) // 2),
        tuple(point.allocation for point in points),
        tuple(point.fair_share for point in points),
        tuple(point.usage for point in points),
    )
