"""What Kueue recorded of each eviction: for whom, in which queues, and which field of the policy allows it.

The condition Evicted keeps only the last one; the Events that are left have earlier ones, each with the same message.
Source: Kueue v0.19, conditions Evicted and Preempted, Events EvictedDueTo….
Tested in ``tests/unit/policy/test_churn.py``.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from kubectl_fairshare.answers.churn import NotedEviction
from kubectl_fairshare.jobs.events import events_of, moments_of, note_of
from kubectl_fairshare.jobs.fields import root_of
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.kueue.jobs.record import is_workload, record_of
from kubectl_fairshare.schedulers.kueue.why.evicted import RULES, Uids, preemptor_of

_EVICTED_BY: Final = "EvictedDueTo"
_PREVIOUSLY: Final = "Previously: "
_NEAR: Final = 2 * 10**9
_FIELDS: Final = {
    "InClusterQueue": "preemption.withinClusterQueue",
    "InCohortReclamation": "preemption.reclaimWithinCohort",
    "InCohortFairSharing": "fairSharing.preemptionStrategies",
    "InCohortReclaimWhileBorrowing": "preemption.borrowWithinCohort",
    "PodsReadyTimeout": "waitForPodsReady.timeout",
    "ClusterQueueStopped": "stopPolicy of the ClusterQueue",
    "LocalQueueStopped": "stopPolicy of the LocalQueue",
    "MaximumExecutionTimeExceeded": "maximumExecutionTimeSeconds",
    "AdmissionCheck": "admissionChecksStrategy",
}
"""What in the policy allows an eviction, by Kueue's reason."""


def evictions(snapshot: Snapshot) -> Mapping[str, Sequence[NotedEviction]]:
    """The evictions of each Workload with a moment, by ``namespace/name``, oldest first."""
    manifests = snapshot.manifests
    uids = Uids(manifests.values())
    found: dict[ObjectKey, list[NotedEviction]] = {}
    for event in map(root_of, events_of(manifests.values())):
        note = note_of(event)
        if is_workload(note.about) and note.reason.startswith(_EVICTED_BY):
            reason = note.reason.removeprefix(_EVICTED_BY)
            several = (_eviction(at, reason, note.message, uids) for at in moments_of(event))
            found.setdefault(note.about, []).extend(several)
    for key in filter(is_workload, manifests):
        evicted = record_of(manifests[key]).condition("Evicted")
        if evicted is None or evicted.moment is None or not evicted.holds:
            continue
        known = found.setdefault(key, [])
        if all(abs(each.at - (evicted.moment or 0)) > _NEAR for each in known):
            known.append(_eviction(evicted.moment, evicted.reason, evicted.message, uids))
    return {f"{key.namespace}/{key.name}": sorted(_distinct(each)) for key, each in found.items() if each}


def _distinct(several: Sequence[NotedEviction]) -> Iterator[NotedEviction]:
    """Each once: two Events may be about one."""
    seen: set[int] = set()
    for each in several:
        if each.at not in seen:
            seen.add(each.at)
            yield each


def _eviction(at: int, reason: str, message: str, uids: Uids) -> NotedEviction:
    preemptor = preemptor_of(message.removeprefix(_PREVIOUSLY), uids)
    if preemptor is None:
        return NotedEviction(at, reason, rule=_FIELDS.get(reason, ""))
    rule = RULES.get(preemptor.rule, "")
    queue, by_queue = (path.rpartition("/")[2] for path in (preemptor.own_path, preemptor.path))
    return NotedEviction(at, reason, preemptor.job or preemptor.workload, queue, by_queue, _FIELDS.get(rule, rule))
