"""What a cluster recorded about a job.

Source: KAI-Scheduler v0.17 API, ``status`` of a PodGroup; core/v1, ``status`` of a Pod.
"""

from collections.abc import Iterable, Mapping, Sequence

from kubectl_fairshare.jobs.events import Condition, Note, by_moment, condition_of
from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.kai.model.objects import PodGroup
from kubectl_fairshare.schedulers.kai.why.standing import Explanation, JobRecord

UNSCHEDULABLE = "UnschedulableOnNodePool"


def record_of(
    group: PodGroup,
    pods: Iterable[ObjectKey],
    manifests: Mapping[ObjectKey, Manifest],
    events: Mapping[ObjectKey, Sequence[Note]],
) -> JobRecord:
    """The record of a PodGroup and its pods; ``events`` are those of each object.

    Raises ``FairshareError`` for a field whose type is not KAI's.
    """
    pods = tuple(pods)
    manifest = manifests.get(group.key)
    status = None if manifest is None else root_of(manifest).at("status")
    scheduling = () if status is None else status.at("schedulingConditions").entries()
    others = () if status is None else status.at("conditions").entries()
    return JobRecord(
        conditions=tuple(condition_of(entry) for entry in (*scheduling, *others)),
        explanations=tuple(_explanation(each) for entry in scheduling for each in entry.at("reasons").entries()),
        unscheduled=_unscheduled(pods, manifests),
        notes=tuple(sorted((n for key in (group.key, *pods) for n in events.get(key, ())), key=by_moment)),
        last_start=group.last_start,
        last_eviction=group.last_eviction,
    )


def unschedulable(record: JobRecord) -> Condition | None:
    """The condition with which KAI reports that it cannot place the job; None without one."""
    return next((c for c in record.conditions if c.type == UNSCHEDULABLE and c.status in ("", "True")), None)


def _explanation(entry: Field) -> Explanation:
    return Explanation(entry.at("reason").text(), entry.at("message").text())


def _unscheduled(
    pods: Iterable[ObjectKey], manifests: Mapping[ObjectKey, Manifest]
) -> tuple[tuple[Condition, int], ...]:
    """PodScheduled conditions of pods that are not True, each message once."""
    by_message: dict[tuple[str, str], tuple[Condition, int]] = {}
    for key in pods:
        manifest = manifests.get(key)
        for entry in () if manifest is None else root_of(manifest).at("status", "conditions").entries():
            condition = condition_of(entry)
            if condition.type == "PodScheduled" and not condition.holds:
                said = condition.reason, condition.message
                first, number = by_message.get(said, (condition, 0))
                by_message[said] = first, number + 1
    return tuple(by_message.values())
