"""A simulation's timeline as a document. Amounts are GPUs, usage a fraction of the capacity in the window."""

import math
from typing import Literal, TypedDict

from kubectl_fairshare.report.documents.parts import API_VERSION, ApiVersion
from kubectl_fairshare.schedulers.kai.model.objects import TimeAware
from kubectl_fairshare.schedulers.kai.release import SCHEDULER, VERSION
from kubectl_fairshare.schedulers.kai.simulation.simulation import Timeline


class TimelineQueuePart(TypedDict):
    """A queue over time, one number per cycle.

    ``longRun`` is its mean part of the capacity in the cycles that repeat for ever; null if none are known.
    ``secondHalf`` is that in the second half of the cycles.
    """

    name: str
    parent: str | None
    longRun: float | None
    secondHalf: float
    allocation: list[float]
    fairShare: list[float]
    usage: list[float]


class KaiTimelineDocument(TypedDict):
    """The timeline; k is null if it is infinite, or if the formula has no k.

    ``period`` is the number of cycles after which jobs and past usage are the same again, so that all repeats for ever;
    null if none was found.
    """

    apiVersion: ApiVersion
    kind: Literal["KaiCourse"]
    scheduler: str
    version: str
    timeAware: str
    k: float | None
    capacity: float
    cycles: int
    period: int | None
    queues: list[TimelineQueuePart]


def timeline_document(timeline: Timeline) -> KaiTimelineDocument:
    """The timeline as a document."""
    return {
        "apiVersion": API_VERSION,
        "kind": "KaiCourse",
        "scheduler": SCHEDULER,
        "version": VERSION,
        "timeAware": timeline.time_aware.value,
        "k": timeline.k if timeline.time_aware is TimeAware.KAI and math.isfinite(timeline.k) else None,
        "capacity": timeline.capacity,
        "cycles": len(timeline.points),
        "period": len(timeline.period) or None,
        "queues": [_queue(timeline, place, name) for place, name in enumerate(timeline.queues)],
    }


def _queue(timeline: Timeline, place: int, name: str) -> TimelineQueuePart:
    points = [row[place] for row in timeline.points]
    return {
        "name": name,
        "parent": timeline.parents[name] or None,
        "longRun": timeline.long_run(name) if timeline.period else None,
        "secondHalf": timeline.long_run(name, len(points) // 2),
        "allocation": [point.allocation for point in points],
        "fairShare": [point.fair_share for point in points],
        "usage": [point.usage for point in points],
    }
