"""What became of the workloads of a snapshot: running, waiting and finished ones.

A condition keeps only the last moment of its kind; the Events that are left have earlier ones, and the status counts
evictions. Jobs whose Workload is gone are read from their own status.
Source: Kueue v0.19 API, ``status`` of a Workload; its events.
Tested in ``tests/unit/cli/commands/test_trace.py``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from kubectl_fairshare.jobs.events import events_of, moments_of, note_of
from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.jobs.history import (
    Happening,
    JobEvent,
    PastWork,
    in_arrival,
    in_order,
    lacking_notes,
    lost_jobs,
    with_events,
)
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.job_trace import TracedJob, TracedPods
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.jobs.context import Context
from kubectl_fairshare.schedulers.kueue.jobs.kinds.every_kind import ALL_KINDS
from kubectl_fairshare.schedulers.kueue.jobs.ownership import workloads_of
from kubectl_fairshare.schedulers.kueue.jobs.pending import pending_of
from kubectl_fairshare.schedulers.kueue.jobs.record import Record, is_workload, latest_moment, record_of
from kubectl_fairshare.schedulers.kueue.model.workload import Pending, PodSet

_JOBS: Final = {(kind.group, kind.kind) for kind in ALL_KINDS if not kind.carrier and kind.group not in ("", "apps")}
_CONDITIONS: Final = {each.value: each for each in Happening}
_EVICTED_BY: Final = "EvictedDueTo"
_ENDS: Final = {"Complete": "Succeeded", "Completed": "Succeeded", "Succeeded": "Succeeded", "Failed": "Failed"}
_SHOWN: Final = 3
_DEVICES: Final = "DynamicResourceAllocation"
_PREEMPTED: Final = "Preempted"


def history(snapshot: Snapshot, *, evicted: bool = False) -> PastWork:
    """The jobs of the snapshot, by creation. Raises ``FairshareError`` for fields of another type than Kueue's.

    ``evicted``: only those with evictions, without notes on the others; what they request is not read.
    """
    manifests, context = snapshot.manifests, snapshot.part(Context)
    workloads = [manifest for manifest in manifests.values() if is_workload(manifest.key)]
    about: dict[ObjectKey, list[_Occurrence]] = {}
    for event in map(root_of, events_of(manifests.values())):
        note = note_of(event)
        if is_workload(note.about):
            occurrences = (_Occurrence(note.reason, moment) for moment in moments_of(event))
            about.setdefault(note.about, []).extend(occurrences)
    taken = (each for each in workloads if not evicted or _was_evicted(each, about.get(each.key, ())))
    found = [_of_workload(each, about.get(each.key, ()), context) for each in taken]
    ended = [] if evicted else list(_without_workload(manifests, workloads, context))
    jobs = in_arrival([*(job for job, _ in found), *ended])
    lost = lost_jobs(((key, each.at) for key, several in about.items() for each in several), manifests)
    uncounted = [(job, missing) for job, missing in found if missing]
    notes = (*_uncounted(uncounted), *lacking_notes(jobs), *_by_status(ended))
    return PastWork("kueue", "cluster", jobs, latest_moment(manifests.values()) or None, lost, notes)


class _Occurrence(NamedTuple):
    """An Event about a Workload, at one of the moments at which it occurred."""

    reason: str
    at: int


def _was_evicted(manifest: Manifest, notes: Iterable[_Occurrence]) -> bool:
    """Whether a condition, a count or an Event says so."""
    record = record_of(manifest)
    return (
        any(each.count for each in record.evictions)
        or any(each.what is Happening.EVICTED for each in _by_condition(record))
        or any(each.reason.startswith(_EVICTED_BY) for each in notes)
    )


def _of_workload(manifest: Manifest, notes: Iterable[_Occurrence], context: Context) -> tuple[TracedJob, int]:
    """The job, and how many of its evictions have no moment."""
    root = root_of(manifest)
    pending, record = pending_of(manifest, context), record_of(manifest)
    counted = sum(each.count for each in record.evictions)
    events = _without_void(in_order((*_by_condition(record), *_by_event(notes))), counted)
    evicted = sum(each.what is Happening.EVICTED for each in events)
    missing = max(counted - evicted, 0)
    job = traced_job(pending, manifest.key, _priority_class(root))
    limited = bool(context.limit_ranges.get(manifest.key.namespace))
    job = replace(job, lacks=(*_untraced(root, job.lacks, limited=limited), *_unplayed(root, events)))
    return with_events(job, events, missing), missing


def _without_void(events: Sequence[JobEvent], counted: int) -> tuple[JobEvent, ...]:
    """The events without evictions that Kueue did not count and that no admission comes before.

    It chose a workload as a victim whose admission was still being written, and the admission prevailed.
    """
    surplus = sum(each.what is Happening.EVICTED for each in events) - counted if counted else 0
    found: list[JobEvent] = []
    runs = False
    for each in events:
        if each.what is Happening.EVICTED and not runs and surplus > 0:
            surplus -= 1
            continue
        runs = each.what is Happening.ADMITTED or (runs and each.what is not Happening.EVICTED)
        found.append(each)
    return tuple(found)


def traced_job(pending: Pending, key: ObjectKey, rank: str = "") -> TracedJob:
    """What a job asks for; what became of it is not known here."""
    pods = tuple(map(_pods, pending.pod_sets))
    queue, lacks = pending.local_queue, tuple(_lacks(pending))
    return TracedJob(key.name, key.namespace, queue, pending.created, pods, pending.priority, rank, lacks=lacks)


def _lacks(pending: Pending) -> Iterator[str]:
    """What decides about the workload and is not in a line of a trace."""
    found = {
        "node affinity": any(each.affinity is not None for each in pending.pod_sets),
        "topology requests": any(each.topology is not None for each in pending.pod_sets),
        "gates": bool(pending.gated_by) or pending.preemption_gated,
        "elastic slices": pending.replaces is not None,
        "pods that end before their job": any(each.reclaimable for each in pending.pod_sets),
        "`active: false`": not pending.active,
    }
    yield from (name for name, there in found.items() if there)
    yield from pending.unmodelled


def _untraced(root: Field, lacks: tuple[str, ...], *, limited: bool) -> Iterator[str]:
    """What a pod of one container does not hold; ``limited``: LimitRanges look at each container alone."""
    yield from lacks
    specs = [each.at("template", "spec") for each in root.at("spec", "podSets").entries()]
    if any(spec.at("resourceClaims").entries() for spec in specs) and _DEVICES not in lacks:
        yield "device claims"
    several = any(len(spec.at("containers").entries()) > 1 or spec.at("initContainers").entries() for spec in specs)
    if limited and several:
        yield "the containers that LimitRanges limit"


def _unplayed(root: Field, events: Iterable[JobEvent]) -> Iterator[str]:
    """What stopped the workload, or may stop it, and no simulation plays."""
    if root.at("spec", "maximumExecutionTimeSeconds").value is not None:
        yield "a maximum execution time"
    reasons = {each.reason for each in events if each.what is Happening.EVICTED} - {_PREEMPTED, ""}
    yield from (f"the cause of evictions for {reason}" for reason in sorted(reasons))


def _priority_class(root: Field) -> str:
    reference = root.at("spec", "priorityClassRef", "name").text()
    return reference or root.at("spec", "priorityClassName").text()


def _pods(pods: PodSet) -> TracedPods:
    selector = {each.key: each.values[0] for each in pods.node_selector}
    return TracedPods(pods.name, pods.count, pods.occupies, pods.min_count, selector, pods.tolerations)


def _by_condition(record: Record) -> Iterator[JobEvent]:
    """The last moment of each kind; a condition that no longer holds has only the moment at which that changed."""
    for condition in record.conditions:
        what = _CONDITIONS.get(condition.type)
        if what is not None and condition.moment is not None and condition.holds:
            reason = condition.reason if what in (Happening.EVICTED, Happening.FINISHED) else ""
            yield JobEvent(condition.moment, what, reason, last=True)


def _by_event(notes: Iterable[_Occurrence]) -> Iterator[JobEvent]:
    for note in notes:
        if note.reason in (Happening.RESERVED, Happening.ADMITTED):
            yield JobEvent(note.at, Happening(note.reason))
        elif note.reason.startswith(_EVICTED_BY):
            yield JobEvent(note.at, Happening.EVICTED, note.reason.removeprefix(_EVICTED_BY))


def _without_workload(
    manifests: Mapping[ObjectKey, Manifest], workloads: list[Manifest], context: Context
) -> Iterator[TracedJob]:
    """The jobs that ended and whose Workload is gone, by their own status."""
    for manifest in manifests.values():
        if (manifest.key.group, manifest.key.kind) not in _JOBS:
            continue
        ended = _ended(root_of(manifest))
        if ended is None or workloads_of(manifest, workloads):
            continue
        try:
            pending = pending_of(manifest, context)
        except FairshareError:  # what Kueue would not have taken has no place in the trace
            continue
        if not pending.local_queue or (pending.refusal is not None and not pending.refusal.suspended):
            continue
        started = root_of(manifest).at("status", "startTime").moment()
        events = [ended] if started is None else [JobEvent(started, Happening.ADMITTED), ended]
        yield with_events(traced_job(pending, manifest.key), events)


def _ended(root: Field) -> JobEvent | None:
    """The end of a job by its own status; None if it has not ended."""
    for condition in root.at("status", "conditions").entries():
        reason = _ENDS.get(condition.at("type").text())
        if reason is not None and condition.at("status").text() == "True":
            at = root.at("status", "completionTime").moment() or condition.at("lastTransitionTime").moment()
            return None if at is None else JobEvent(at, Happening.FINISHED, reason)
    return None


def _uncounted(jobs: list[tuple[TracedJob, int]]) -> Iterator[str]:
    if jobs:
        names = some_of([job.key for job, _ in jobs], _SHOWN)
        total = sum(missing for _, missing in jobs)
        yield f"evictions that the cluster counted and whose moments are lost: {total}, of {names}"


def _by_status(jobs: list[TracedJob]) -> Iterator[str]:
    if jobs:
        shown = some_of([job.key for job in jobs], _SHOWN)
        yield f"jobs without a Workload any more, read from their own status: {len(jobs)}, {shown}"
