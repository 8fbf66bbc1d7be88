"""The lines of a trace, as types: a header, then a line for each job.

Tested in ``tests/unit/input/traces/test_reading.py``.
"""

from typing import Literal, NotRequired, TypedDict

from kubectl_fairshare.report.documents import parts


class LostPart(TypedDict):
    """Jobs of which only events were left; ``since`` is the oldest event, null without one."""

    jobs: int
    since: str | None


TraceDocument = TypedDict(
    "TraceDocument",
    {
        "apiVersion": parts.FileVersion,
        "kind": Literal["Trace"],
        "scheduler": str,
        "source": str,
        "redacted": str,
        "jobs": int,
        "from": str | None,
        "until": str | None,
        "lost": LostPart,
        "notes": list[str],
    },
)
"""The first line: where the jobs come from, how many there are, and what the source could not give."""


class TolerationPart(TypedDict):
    """A toleration, with the fields of a pod."""

    key: NotRequired[str]
    operator: NotRequired[str]
    value: NotRequired[str]
    effect: NotRequired[str]


class TracedPodsPart(TypedDict):
    """Equal pods of a job; ``requests`` is per pod."""

    name: str
    count: int
    requests: dict[str, str]
    minCount: NotRequired[int]
    nodeSelector: NotRequired[dict[str, str]]
    tolerations: NotRequired[list[TolerationPart]]


class TracedEvictionPart(TypedDict):
    """An eviction that a cluster recorded."""

    at: str
    reason: str


class TracedJobPart(TypedDict):
    """A job. A field that is left out is not known; without ``durationSeconds`` the job never ends.

    ``lacks`` names what decides where the job runs and is not in the line: a simulation of it is not exact.
    """

    name: str
    namespace: str
    queue: str
    created: str
    podSets: list[TracedPodsPart]
    priority: NotRequired[int]
    priorityClass: NotRequired[str]
    durationSeconds: NotRequired[float]
    reserved: NotRequired[str]
    admitted: NotRequired[str]
    readmitted: NotRequired[list[str]]
    evicted: NotRequired[list[TracedEvictionPart]]
    finished: NotRequired[str]
    lacks: NotRequired[list[str]]
