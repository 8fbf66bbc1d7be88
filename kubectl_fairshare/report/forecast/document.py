"""A forecast as a document: every job with its interval, what it waits for, and where durations come from.

Tested in ``tests/unit/policy/forecast/test_command.py``.
"""

from collections.abc import Mapping
from typing import Literal, TypedDict

from kubectl_fairshare.answers.forecast import (
    AwaitedEnd,
    CitedCalibration,
    CitedLead,
    Forecast,
    ForecastDuration,
    Interval,
    LaterPreemption,
    RunningForecast,
    TriedChanges,
    WaitingForecast,
)
from kubectl_fairshare.answers.simulation import PoolResource
from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.moments import exact_text
from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.parts import Places

_SECOND = 10**9


class IntervalPart(TypedDict):
    """A moment: with a chance of 10 %, 50 % and 90 % it has come by then; null where it has no time."""

    p10: str | None
    p50: str | None
    p90: str | None


class DurationPart(TypedDict):
    """How long a job is taken to run in all. ``said`` names the source; each of the seconds was one run.

    ``source``: ``given`` with an option, a stated ``limit``, the ``past``, the ``default``, ``lasting``
    for what is made again whenever it ends, or ``unknown``.
    """

    source: Literal["given", "limit", "past", "default", "lasting", "unknown"]
    said: str
    seconds: list[float]
    elapsedSeconds: float


class FreedPart(TypedDict):
    """An amount of a resource in a pool, which is a flavor, or empty where a scheduler has none."""

    pool: str
    resource: str
    amount: str
    value: int


class AwaitedPart(TypedDict):
    """A job that gives back what a waiting one can use, in the play in which that starts at the median."""

    job: str
    title: str
    how: Literal["ends", "preempted"]
    at: IntervalPart
    frees: list[FreedPart]
    duration: DurationPart


class StartsBeforePart(TypedDict):
    """The jobs of one queue that start before."""

    queue: str
    jobs: list[str]


class LaterPreemptionPart(TypedDict):
    """In how many plays a job is preempted after its start, for which job in most of them, by which rule."""

    plays: int
    by: str
    rule: str


class ForecastObjectPart(TypedDict):
    """An object by which people name the job."""

    kind: str
    namespace: str
    name: str


class ForecastChangePart(TypedDict):
    """A change that brings the job forward, who can make it, and when it starts then."""

    change: str
    by: Literal["owner", "namespace-admin", "admin"]
    verdict: Literal["starts", "untimed", "noStart"]
    starts: IntervalPart


class TriedChangesPart(TypedDict):
    """How many changes were tried, in how many plays each, the start ``before`` in as many, and those that help."""

    tried: int
    plays: int
    before: IntervalPart
    helping: list[ForecastChangePart]


class WaitingForecastPart(TypedDict):
    """A job that waits. ``place`` is its place in the order of starts, from 1.

    Its ``verdict`` is `untimed` if it starts once work has ended whose duration is not known, and `noStart` if it does
    not start, whatever ends. ``unstarted`` counts the plays in which it does not. ``changes`` is what would bring it
    forward, earliest start first; null where nothing was tried: without a name, and for a job that starts now.
    """

    namespace: str
    name: str
    title: str
    objects: list[ForecastObjectPart]
    queue: str
    place: int
    verdict: Literal["starts", "untimed", "noStart"]
    starts: IntervalPart
    unstarted: int
    waitsFor: list[AwaitedPart]
    before: list[StartsBeforePart]
    preempted: LaterPreemptionPart | None
    duration: DurationPart
    refused: str
    changes: TriedChangesPart | None


class StartPart(TypedDict):
    """When a job that waits starts, as `forecast` says it, and the last job that gives back what it waits for."""

    now: str
    plays: int
    verdict: Literal["starts", "untimed", "noStart"]
    starts: IntervalPart
    after: str | None
    refused: str


class RunningForecastPart(TypedDict):
    """A job that runs."""

    namespace: str
    name: str
    title: str
    objects: list[ForecastObjectPart]
    queue: str
    since: str
    ends: IntervalPart
    preempted: LaterPreemptionPart | None
    duration: DurationPart


class CitedLeadPart(TypedDict):
    """Earlier forecasts from ``fromSeconds`` to ``belowSeconds`` ahead; null: to all that were farther.

    ``coverage`` is the part of them whose interval held the start, ``bias`` the mean error, above 0: too late.
    """

    fromSeconds: float
    belowSeconds: float | None
    forecasts: int
    coverage: float
    medianErrorSeconds: float
    biasSeconds: float


class CitedCalibrationPart(TypedDict):
    """How far earlier forecasts were off, from a file that `forecast --calibrate` wrote about a trace of that time.

    ``every`` is null where none of them had a time.
    """

    file: str
    start: str
    end: str
    every: CitedLeadPart | None
    leads: list[CitedLeadPart]


class ForecastDocument(TypedDict):
    """The answer to `forecast`: jobs that wait by start, and jobs that run by end.

    ``fidelity`` has a gap for durations that are not given. ``calibration`` says how far earlier forecasts were off;
    null without `--calibration`. ``nowSource`` says where ``now`` comes from; empty for the
    clock or an option.
    """

    apiVersion: parts.ApiVersion
    kind: Literal["Forecast"]
    scheduler: str
    fidelity: parts.FidelityPart
    assumptions: list[str]
    now: str
    nowSource: str
    seed: int
    plays: int
    endless: bool
    calibration: CitedCalibrationPart | None
    waiting: list[WaitingForecastPart]
    running: list[RunningForecastPart]


def forecast_document(found: Forecast, places: Places) -> ForecastDocument:
    """The whole forecast."""
    return {
        "apiVersion": parts.API_VERSION,
        "kind": "Forecast",
        "scheduler": found.scheduler,
        "fidelity": parts.fidelity(found.fidelity, places),
        "assumptions": list(found.notes),
        "now": exact_text(found.now),
        "nowSource": found.now_source,
        "seed": found.seed,
        "plays": found.plays,
        "endless": found.endless,
        "calibration": None if found.calibration is None else _calibration(found.calibration),
        "waiting": [_waiting(each, found) for each in found.waiting],
        "running": [_running(each, found) for each in found.running],
    }


def start_part(of: WaitingForecast, found: Forecast) -> StartPart:
    """The start of one job."""
    return {
        "now": exact_text(found.now),
        "plays": found.plays,
        "verdict": of.verdict.value,
        "starts": _interval(of.starts),
        "after": found.title(of.awaits[-1].job) if of.awaits else None,
        "refused": of.refused,
    }


def _waiting(of: WaitingForecast, found: Forecast) -> WaitingForecastPart:
    return {
        "namespace": of.job.namespace,
        "name": of.job.name,
        "title": found.title(of.job.key),
        "objects": [_object(key) for key in of.keys],
        "queue": of.queue,
        "place": of.place,
        "verdict": of.verdict.value,
        "starts": _interval(of.starts),
        "unstarted": of.unstarted,
        "waitsFor": [_awaited(end, found) for end in of.awaits],
        "before": [{"queue": queue, "jobs": list(jobs)} for queue, jobs in of.before.items()],
        "preempted": _preemption(of.preemption),
        "duration": _duration(of.duration),
        "refused": of.refused,
        "changes": None if of.changes is None else _changes(of.changes),
    }


def _changes(of: TriedChanges) -> TriedChangesPart:
    helping: list[ForecastChangePart] = [
        {
            "change": each.change,
            "by": each.maker.value,
            "verdict": each.verdict.value,
            "starts": _interval(each.starts),
        }
        for each in of.helping
    ]
    return {"tried": of.tried, "plays": of.plays, "before": _interval(of.before), "helping": helping}


def _running(of: RunningForecast, found: Forecast) -> RunningForecastPart:
    return {
        "namespace": of.job.namespace,
        "name": of.job.name,
        "title": found.title(of.job.key),
        "objects": [_object(key) for key in of.keys],
        "queue": of.queue,
        "since": exact_text(of.since),
        "ends": _interval(of.ends),
        "preempted": _preemption(of.preemption),
        "duration": _duration(of.duration),
    }


def _interval(of: Interval) -> IntervalPart:
    p10, p50, p90 = (None if at is None else exact_text(at) for at in of)
    return {"p10": p10, "p50": p50, "p90": p90}


def _awaited(end: AwaitedEnd, found: Forecast) -> AwaitedPart:
    return {
        "job": end.job,
        "title": found.title(end.job),
        "how": end.how.value,
        "at": _interval(end.at),
        "frees": _freed(end.freed),
        "duration": _duration(end.duration),
    }


def _freed(freed: Mapping[PoolResource, int]) -> list[FreedPart]:
    return [
        {"pool": pool, "resource": resource, "amount": quantity.text(resource, value), "value": value}
        for (pool, resource), value in sorted(freed.items())
    ]


def _duration(of: ForecastDuration) -> DurationPart:
    seconds = [span / _SECOND for span in of.spans]
    return {"source": of.source.value, "said": of.said, "seconds": seconds, "elapsedSeconds": of.elapsed / _SECOND}


def _preemption(of: LaterPreemption | None) -> LaterPreemptionPart | None:
    return None if of is None else {"plays": of.plays, "by": of.by, "rule": of.rule}


def _calibration(cited: CitedCalibration) -> CitedCalibrationPart:
    return {
        "file": cited.file,
        "start": exact_text(cited.start),
        "end": exact_text(cited.end),
        "every": None if cited.every is None else _cited(cited.every),
        "leads": [_cited(each) for each in cited.leads],
    }


def _cited(lead: CitedLead) -> CitedLeadPart:
    return {
        "fromSeconds": lead.least / _SECOND,
        "belowSeconds": None if lead.below is None else lead.below / _SECOND,
        "forecasts": lead.forecasts,
        "coverage": lead.coverage,
        "medianErrorSeconds": lead.error / _SECOND,
        "biasSeconds": lead.bias / _SECOND,
    }


def _object(key: ObjectKey) -> ForecastObjectPart:
    return {"kind": key.kind, "namespace": key.namespace, "name": key.name}
