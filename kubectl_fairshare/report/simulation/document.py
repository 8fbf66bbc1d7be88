"""A simulation as a document: every job, and the queues over time.

Tested in ``tests/unit/policy/simulation/test_command.py``.
"""

from typing import Final, Literal, TypedDict

from kubectl_fairshare.answers.dispersion import FigureBound
from kubectl_fairshare.answers.simulation import (
    PoolResource,
    QueueSeries,
    SimulatedJob,
    Simulation,
    UserSeries,
    waiting,
)
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.moments import exact_text
from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.comparison import BoundWord
from kubectl_fairshare.report.documents.parts import Places

_SECOND: Final = 10**9


class SimulatedEvictionPart(TypedDict):
    """An eviction: its moment, the workload that needed the quota, and the scheduler's rule."""

    at: str
    by: str
    rule: str


class SimulatedJobPart(TypedDict):
    """One job. ``waitedSeconds`` is the time until its first start.

    ``stillWaits``: it never started, so that this is the time until the end, and the job waits at least as long.
    ``refused`` says why it is never considered.
    """

    namespace: str
    name: str
    queue: str
    created: str
    admitted: list[str]
    evictions: list[SimulatedEvictionPart]
    finished: str | None
    waitedSeconds: float
    stillWaits: bool
    lostSeconds: float
    refused: str


class JobWaitsPart(TypedDict):
    """How long the jobs that the scheduler considers wait, in seconds.

    ``neverStarted`` counts those of which only a lower bound is known; ``bounds`` has the figures that are lower bounds
    for that (``atLeast``), or, if jobs are still to come, those of the jobs that came (``window``).
    """

    jobs: int
    neverStarted: int
    mean: float
    median: float
    p95: float
    most: float
    bounds: dict[str, BoundWord]


class UsePart(TypedDict):
    """One resource of a queue, in one pool: used and entitled at each moment, and the exact sum over time."""

    pool: str
    resource: str
    used: list[int]
    entitled: list[int]
    heldSeconds: float


class SimulatedQueuePart(TypedDict):
    """One queue at each of the moments; ``standing`` is the number by which the scheduler compares queues."""

    name: str
    uses: list[UsePart]
    waiting: list[int]
    standing: list[float | None]


class UserUsePart(TypedDict):
    """One resource of a user, in one pool, at each moment."""

    pool: str
    resource: str
    used: list[int]


class SimulatedUserPart(TypedDict):
    """A user within a queue at each of the moments; ``standing`` is its past usage as the scheduler counts it."""

    name: str
    uses: list[UserUsePart]
    standing: list[float | None]


class AbsentWorkPart(TypedDict):
    """Running or waiting work of the input that is not simulated, because it is not among the jobs."""

    kind: str
    namespace: str
    name: str


class SimulationDocument(TypedDict):
    """The answer to ``simulate`` for a scenario of jobs, or a trace.

    ``ended``: nothing happens after the end; otherwise all figures are those of the simulated time. ``running`` counts
    jobs that run on at the end, ``toCome`` those that had not come. ``waiting`` is null without jobs.
    """

    apiVersion: parts.ApiVersion
    kind: Literal["Simulation"]
    fidelity: parts.FidelityPart
    assumptions: list[str]
    seed: int
    ties: int
    cycles: int
    decisions: int
    start: str
    end: str
    ended: bool
    endless: bool
    running: int
    toCome: int
    waiting: JobWaitsPart | None
    moments: list[str]
    queues: list[SimulatedQueuePart]
    users: list[SimulatedUserPart]
    jobs: list[SimulatedJobPart]
    leftOut: list[AbsentWorkPart]


def simulation_document(simulation: Simulation, places: Places) -> SimulationDocument:
    """The whole simulation."""
    return {
        "apiVersion": parts.API_VERSION,
        "kind": "Simulation",
        "fidelity": parts.fidelity(simulation.fidelity, places),
        "assumptions": list(simulation.notes),
        "seed": simulation.seed,
        "ties": simulation.ties,
        "cycles": simulation.cycles,
        "decisions": simulation.decisions,
        "start": exact_text(simulation.start),
        "end": exact_text(simulation.end),
        "ended": simulation.ended,
        "endless": simulation.endless,
        "running": simulation.running,
        "toCome": simulation.to_come,
        "waiting": _waiting(simulation),
        "moments": [exact_text(moment) for moment in simulation.moments],
        "queues": [_queue(name, series) for name, series in simulation.queues.items()],
        "users": [_user(name, series) for name, series in simulation.users.items()],
        "jobs": [_job(job, simulation.end) for job in simulation.jobs],
        "leftOut": [_left_out(key) for key in simulation.left_out],
    }


def _waiting(simulation: Simulation) -> JobWaitsPart | None:
    wait, never, jobs, bounds = waiting(simulation.jobs, simulation.end)
    if wait is None:
        return None
    mean, median, p95, most = (each / _SECOND for each in wait)
    if simulation.to_come:  # their waiting may be shorter, or longer
        bounds = dict.fromkeys(wait._fields, FigureBound.WINDOW)
    return {
        "jobs": jobs,
        "neverStarted": never,
        "mean": mean,
        "median": median,
        "p95": p95,
        "most": most,
        "bounds": {name: bound.value for name, bound in bounds.items()},
    }


def _left_out(key: ObjectKey) -> AbsentWorkPart:
    return {"kind": key.kind, "namespace": key.namespace, "name": key.name}


def _queue(name: str, series: QueueSeries) -> SimulatedQueuePart:
    pairs = sorted({*series.used, *series.entitled, *series.held})
    uses = [_use(pair, series) for pair in pairs]
    return {"name": name, "uses": uses, "waiting": list(series.waiting), "standing": list(series.standing)}


def _use(pair: PoolResource, series: QueueSeries) -> UsePart:
    nothing = (0,) * len(series.waiting)
    return {
        "pool": pair[0],
        "resource": pair[1],
        "used": list(series.used.get(pair, nothing)),
        "entitled": list(series.entitled.get(pair, nothing)),
        "heldSeconds": series.held.get(pair, 0) / _SECOND,
    }


def _user(name: str, series: UserSeries) -> SimulatedUserPart:
    uses: list[UserUsePart] = [
        {"pool": pool, "resource": resource, "used": list(used)} for (pool, resource), used in series.used.items()
    ]
    return {"name": name, "uses": uses, "standing": list(series.standing)}


def _job(of: SimulatedJob, end: int) -> SimulatedJobPart:
    return {
        "namespace": of.job.namespace,
        "name": of.job.name,
        "queue": of.queue,
        "created": exact_text(of.job.created),
        "admitted": [exact_text(moment) for moment in of.admitted],
        "evictions": [{"at": exact_text(each.at), "by": each.by, "rule": each.rule} for each in of.evictions],
        "finished": None if of.finished is None else exact_text(of.finished),
        "waitedSeconds": of.waited(end) / _SECOND,
        "stillWaits": not of.started,
        "lostSeconds": of.lost / _SECOND,
        "refused": of.refused,
    }
