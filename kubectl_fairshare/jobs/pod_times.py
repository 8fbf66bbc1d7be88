"""When pods were bound, disrupted and ended, by their status, whichever scheduler placed them.

Source: core/v1, ``status`` of a Pod.
"""

from collections.abc import Iterable
from typing import Final

from kubectl_fairshare.jobs.events import condition_of
from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.jobs.history import Happening, JobEvent
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import Value

_ENDED: Final = {"Succeeded": "Succeeded", "Failed": "Failed"}
_PREEMPTED: Final = "PreemptionByScheduler"


class PodTimes(Value, frozen=True):
    """Moments of one pod, in nanoseconds since the epoch; None where the status has none.

    ``preempted`` is when its scheduler chose it as a victim, ``end`` how it ended: Succeeded, Failed, or not yet.
    """

    created: int | None = None
    bound: int | None = None
    preempted: int | None = None
    finished: int | None = None
    end: str = ""


def pod_times(pod: Manifest) -> PodTimes:
    """The moments in a pod's status. Raises ``FairshareError`` for fields of another type than a pod's."""
    root = root_of(pod)
    status = root.at("status")
    bound = preempted = None
    for entry in status.at("conditions").entries():
        condition = condition_of(entry)
        if condition.type == "PodScheduled" and condition.holds:
            bound = condition.moment
        elif condition.type == "DisruptionTarget" and condition.holds and condition.reason == _PREEMPTED:
            preempted = condition.moment
    end = _ENDED.get(status.at("phase").text(), "")
    return PodTimes(
        created=root.at("metadata", "creationTimestamp").moment(),
        bound=bound if bound is not None else status.at("startTime").moment(),
        preempted=preempted,
        finished=_finished(status) if end else None,
        end=end,
    )


def _finished(status: Field) -> int | None:
    states = (each.at("state", "terminated", "finishedAt") for each in status.at("containerStatuses").entries())
    return max(filter(None, map(Field.moment, states)), default=None)


def gang_events(pods: Iterable[PodTimes]) -> list[JobEvent]:
    """What the moments of its pods say of a job: admitted with its first pod, finished when the last one has ended."""
    found = list(pods)
    left = [each for each in found if each.preempted is None]
    events = [JobEvent(each.preempted, Happening.EVICTED, "Preempted") for each in found if each.preempted is not None]
    earlier = [each.bound for each in found if each.preempted is not None and each.bound is not None]
    events += [JobEvent(moment, Happening.ADMITTED) for moment in earlier]
    bound = [each.bound for each in left if each.bound is not None]
    if bound:
        events.append(JobEvent(min(bound), Happening.ADMITTED))
    ends = [each.finished for each in left if each.finished is not None]
    if left and len(ends) == len(left):
        reason = "Failed" if any(each.end == "Failed" for each in left) else "Succeeded"
        events.append(JobEvent(max(ends), Happening.FINISHED, reason))
    return events


def owner_of(pod: Manifest, kind: str) -> ObjectKey | None:
    """The object of a kind that controls the pod; None without one."""
    for owner in root_of(pod).at("metadata", "ownerReferences").entries():
        if owner.at("controller").flag() and owner.at("kind").text() == kind:
            group = owner.at("apiVersion").text().rpartition("/")[0]
            return ObjectKey(group, kind, pod.key.namespace, owner.at("name").text())
    return None
