"""A comparison of policies over time as a document, as types. Durations are seconds.

Tested in ``tests/unit/report/simulation/test_comparison.py``.
"""

from typing import Literal, TypeAlias, TypedDict

from kubectl_fairshare.report.documents import parts

BoundWord: TypeAlias = Literal["exact", "atLeast", "atMost", "window"]
"""Whether a figure stays so in a longer simulation, may rise, may fall, or is that of the simulated time alone."""


class GroupFiguresPart(TypedDict):
    """The jobs of a queue, of a priority class, or all (an empty name).

    ``bounds`` has the figures that a longer simulation changes, such as ``waitSeconds.median``: ``atLeast``, it may
    rise; ``atMost``, it may fall; ``window``, both. Jobs that never started wait at least until the end.
    """

    name: str
    jobs: int
    waitSeconds: parts.DispersionPart | None
    slowdown: parts.DispersionPart | None
    evictions: int
    evictedJobs: int
    lostSeconds: float
    finished: int
    neverRan: int
    refused: int
    bounds: dict[str, BoundWord]


class UtilisationPart(TypedDict):
    """What was held of the sum of all quotas of a resource in a flavor."""

    flavor: str
    resource: str
    part: float


class RunFiguresPart(TypedDict):
    """The figures of one seed. ``heldBound`` is the bound of ``utilisation``, ``heldOfQuota`` and ``jain``."""

    seed: int
    ties: int
    total: GroupFiguresPart
    queues: list[GroupFiguresPart]
    classes: list[GroupFiguresPart]
    utilisation: list[UtilisationPart]
    heldOfQuota: dict[str, float]
    jain: float | None
    heldBound: BoundWord


class MeasurePart(TypedDict):
    """One measure over all seeds, its difference to the baseline, and the ends of the 95 % interval around that.

    ``bound`` is that of the mean in a longer simulation, ``differenceBound`` that of the difference.
    """

    name: str
    unit: str
    mean: float
    difference: float | None
    low: float | None
    high: float | None
    bound: BoundWord
    differenceBound: BoundWord


class CurvePart(TypedDict):
    """A value at each moment."""

    name: str
    values: list[float | None]


class ComparedPolicyPart(TypedDict):
    """One policy; the curves are those of the first seed."""

    name: str
    exact: bool
    doubts: list[str]
    notes: list[str]
    ended: bool
    measures: list[MeasurePart]
    runs: list[RunFiguresPart]
    moments: list[str]
    heldOfQuota: list[CurvePart]
    waiting: list[CurvePart]
    jain: list[float | None]


class ComparisonDocument(TypedDict):
    """Policies on the same jobs; the first is the baseline."""

    apiVersion: parts.ApiVersion
    kind: Literal["Comparison"]
    scheduler: str
    version: str
    jobs: int
    start: str
    end: str
    seeds: list[int]
    policies: list[ComparedPolicyPart]
    notes: list[str]
