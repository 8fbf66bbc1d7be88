"""A simulation's course as a document. Amounts are GPUs, usage a fraction of the capacity in the window."""

import math
from typing import Literal, TypedDict

from kubectl_fairshare.report.documents.parts import API_VERSION, ApiVersion
from kubectl_fairshare.schedulers.kai.model.objects import TimeAware
from kubectl_fairshare.schedulers.kai.release import SCHEDULER, VERSION
from kubectl_fairshare.schedulers.kai.simulation.simulation import Course


class CourseQueuePart(TypedDict):
    """A queue over time, a number for each cycle; ``longRun`` is the part of all held in the second half."""

    name: str
    parent: str | None
    longRun: float
    allocation: list[float]
    fairShare: list[float]
    usage: list[float]


class KaiCourseDocument(TypedDict):
    """The course; k is null where it is infinite, or plays no part in the formula."""

    apiVersion: ApiVersion
    kind: Literal["KaiCourse"]
    scheduler: str
    version: str
    timeAware: str
    k: float | None
    capacity: float
    cycles: int
    queues: list[CourseQueuePart]


def course_document(course: Course) -> KaiCourseDocument:
    """The course as a document."""
    return {
        "apiVersion": API_VERSION,
        "kind": "KaiCourse",
        "scheduler": SCHEDULER,
        "version": VERSION,
        "timeAware": course.time_aware.value,
        "k": course.k if course.time_aware is TimeAware.KAI and math.isfinite(course.k) else None,
        "capacity": course.capacity,
        "cycles": len(course.points),
        "queues": [_queue(course, place, name) for place, name in enumerate(course.queues)],
    }


def _queue(course: Course, place: int, name: str) -> CourseQueuePart:
    points = [row[place] for row in course.points]
    return {
        "name": name,
        "parent": course.parents[name] or None,
        "longRun": course.long_run(name, len(points) // 2),
        "allocation": [point.allocation for point in points],
        "fairShare": [point.fair_share for point in points],
        "usage": [point.usage for point in points],
    }
