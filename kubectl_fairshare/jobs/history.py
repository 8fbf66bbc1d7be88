"""What a source knows of past and present jobs, whichever scheduler decided, and how one job's records become one line.

Moments are nanoseconds since the epoch.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from kubectl_fairshare.model.job_trace import TracedEviction, TracedJob
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.model.values import Value, replace


class Happening(StrEnum):
    """What happens to a job, in the order in which it happens at one moment."""

    RESERVED = "QuotaReserved"
    ADMITTED = "Admitted"
    EVICTED = "Evicted"
    FINISHED = "Finished"


_RANK: Final = {each: number for number, each in enumerate(Happening)}
_SHOWN: Final = 3
_CREATION: Final = "the moment of creation"
_ROUNDED: Final = 10**9
"""How far apart two records of one happening may be, in nanoseconds: conditions have whole seconds."""


class JobEvent(NamedTuple):
    """One thing that happened to a job, and the scheduler's reason.

    ``last``: it comes from a record that keeps only the last of its kind, such as a condition.
    """

    at: int
    what: Happening
    reason: str = ""
    last: bool = False


class Lost(Value, frozen=True):
    """How many jobs a source has only events of, and the oldest event that it has; None without one."""

    jobs: int = 0
    since: int | None = None


class PastWork(Value, frozen=True):
    """The jobs of one source, by creation and name. ``source`` says in a word where they come from.

    ``scheduler`` is empty where the source names none. ``until`` is the last moment of which the source knows anything.
    ``lost`` are jobs of which only events are left, ``notes`` what the jobs do not hold. ``redacted``: what is hidden
    in it, by the name of the redaction; empty for nothing.
    """

    scheduler: str
    source: str
    jobs: tuple[TracedJob, ...]
    until: int | None = None
    lost: Lost = Lost()
    notes: tuple[str, ...] = ()
    redacted: str = ""


def in_order(events: Iterable[JobEvent]) -> tuple[JobEvent, ...]:
    """The events by moment, each once.

    A condition has whole seconds, cut; an Event of the same happening may be up to a second later, and is more exact.
    An Event after a record that keeps only the last of its kind is of the same happening, too, however much later: a
    busy API server takes seconds between the two, and another happening would have changed the record.
    """
    every = sorted(events, key=_order)
    latest = {event.what: event.at for event in every if not event.last}
    found: list[JobEvent] = []
    for event in every:
        if event.last and latest.get(event.what, -1) >= event.at:
            continue
        same = next((i for i in reversed(range(len(found))) if found[i].what is event.what), None)
        if same is None or not _is_same(found[same].at, event.at):
            found.append(event)
        else:
            found[same] = JobEvent(event.at, event.what, found[same].reason or event.reason)
    return tuple(sorted(found, key=_order))


def _is_same(moment: int, later: int) -> bool:
    """Whether two records of one kind are of one happening: the same moment, or one that is cut to a second."""
    return moment == later or (moment % _ROUNDED == 0 and later - moment <= _ROUNDED)


def _order(event: JobEvent) -> tuple[int, int, str]:
    return event.at, _RANK[event.what], event.reason


def with_events(job: TracedJob, events: Iterable[JobEvent], missing: int = 0) -> TracedJob:
    """The job with what happened to it. ``missing`` counts evictions whose moments are not among the events.

    ``admitted`` and ``reserved`` are the first moments of their kind, and None where an earlier one may be missing;
    ``readmitted`` are the admissions after evictions. The duration is that of the last run, the only one that was not
    interrupted; None for a job that has not finished.
    """
    ordered = in_order(events)
    evictions = [each for each in ordered if each.what is Happening.EVICTED]
    finished = next((each.at for each in ordered if each.what is Happening.FINISHED), None)
    started = _last_start(ordered)
    return replace(
        job,
        reserved=None if missing else _first(ordered, Happening.RESERVED),
        admitted=None if missing else _first(ordered, Happening.ADMITTED),
        readmitted=tuple(_after_evictions(ordered)),
        evictions=tuple(TracedEviction(each.at, each.reason) for each in evictions),
        finished=finished,
        uncounted=missing,
        duration=None if finished is None or started is None else _between(started, finished),
    )


def _between(start: int, end: int) -> int:
    """The time between two moments. An end in whole seconds is cut, so the start is cut, too: both errors cancel."""
    return max(end - (start - start % _ROUNDED if end % _ROUNDED == 0 else start), 0)


def _first(events: Sequence[JobEvent], what: Happening) -> int | None:
    """The first moment of a kind; None if an eviction comes before it, because an earlier one is then missing."""
    for each in events:
        if each.what is what:
            return each.at
        if each.what is Happening.EVICTED:
            return None
    return None


def _after_evictions(events: Sequence[JobEvent]) -> Iterator[int]:
    """The admissions after an eviction, the first one after each."""
    stopped = False
    for each in events:
        if each.what is Happening.EVICTED:
            stopped = True
        elif each.what is Happening.ADMITTED and stopped:
            stopped = False
            yield each.at


def _last_start(events: Sequence[JobEvent]) -> int | None:
    """The last admission that no eviction follows."""
    start: int | None = None
    for each in events:
        if each.what is Happening.ADMITTED:
            start = each.at
        elif each.what is Happening.EVICTED:
            start = None
    return start


def lacking_notes(jobs: Sequence[TracedJob]) -> Iterator[str]:
    """One sentence that counts the jobs whose trace lacks a field that decides; empty if there are none."""
    lacking = [(job.key, [each for each in job.lacks if each != _CREATION]) for job in jobs]
    names = [key for key, what in lacking if what]
    if names:
        every = ", ".join(sorted({each for _, what in lacking for each in what}))
        yield f"jobs with {every}, which a trace does not hold: {len(names)}, {some_of(names, _SHOWN)}"
    undated = [job.key for job in jobs if _CREATION in job.lacks]
    if undated:
        what = "jobs without a creationTimestamp, taken as created at their first recorded moment"
        yield f"{what}: {len(undated)}, {some_of(undated, _SHOWN)}"


def dated(jobs: Iterable[TracedJob]) -> tuple[TracedJob, ...]:
    """The jobs by creation, then name. One without a creation (0) comes at its first recorded moment.

    One without any moment comes with the earliest of the others. What it lacks says so: a replay of it is not exact.
    """
    every = [(job, [at for at in _moments(job) if at]) for job in jobs]
    earliest = min((at for _, moments in every for at in moments), default=0)
    return in_arrival(
        job if job.created else replace(job, created=min(moments, default=earliest), lacks=(*job.lacks, _CREATION))
        for job, moments in every
    )


def _moments(job: TracedJob) -> Iterator[int]:
    """The moments that a job's record has."""
    yield job.created
    yield from (at for at in (job.reserved, job.admitted, *job.readmitted, job.finished) if at is not None)
    yield from (each.at for each in job.evictions)


def in_arrival(jobs: Iterable[TracedJob]) -> tuple[TracedJob, ...]:
    """The jobs by creation, then name."""
    return tuple(sorted(jobs, key=lambda job: (job.created, job.namespace, job.name)))


def lost_jobs(events: Iterable[tuple[ObjectKey, int | None]], known: Iterable[ObjectKey]) -> Lost:
    """The objects that ``events`` are about, each with its moment, and that are not ``known``."""
    there = frozenset(known)
    about = list(events)
    moments = [at for _, at in about if at is not None]
    gone = {key for key, _ in about if key not in there}
    return Lost(len(gone), min(moments, default=None))
