"""Jobs of a trace as PodGroups with their Pods.

Decides nothing: jobs of a trace as PodGroups and Pods.
Tested in ``tests/unit/policy/simulation/test_sessions.py``.
"""

from collections.abc import Mapping

from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.job_trace import TracedJob, TracedPods
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.kai.jobs.groups import Submission, submission_of
from kubectl_fairshare.schedulers.kai.jobs.labels import labels_of
from kubectl_fairshare.schedulers.kai.model.objects import DEFAULT_SCHEDULER, KaiState, Pod, PodGroup

_MINIMUM = "kai.scheduler/batch-min-member"
_CLASS = "priorityClassName"


class SubmittedJob(Value, frozen=True):
    """A job as KAI knows it, and what each of its pods requests, by the pod's key."""

    submission: Submission
    requests: Mapping[ObjectKey, Mapping[str, int]]
    minimum: int


def submitted_job(job: TracedJob, state: KaiState, now: int) -> SubmittedJob:
    """The PodGroup of a job, with the Pods of all its pod sets."""
    minimum = sum(pods.count if pods.min_count is None else pods.min_count for pods in job.pod_sets)
    labels = labels_of(state, job.queue)
    made = [submission_of(_manifest(job, pods, minimum, i, labels), state) for i, pods in enumerate(job.pod_sets)]
    group = replace(made[0].group, created=now, min_member=minimum)
    parts = list(zip(made, job.pod_sets, strict=True))
    found = tuple(replace(pod, group=group.name) for part, _ in parts for pod in part.pods)
    requests = {pod.key: {**_completed(pod), **pods.requests} for part, pods in parts for pod in part.pods}
    return SubmittedJob(Submission(group, found), requests, minimum)


def _completed(pod: Pod) -> dict[str, int]:
    """What a pod requests of its nodes once an API server has completed it, as KAI counts it."""
    amounts = {"cpu": int(pod.request.cpu), "memory": int(pod.request.memory)}
    return {name: amount for name, amount in amounts.items() if amount}


def refusal(state: KaiState, group: PodGroup) -> str:
    """Why no shard ever tries the jobs of a PodGroup; empty if one does."""
    if group.queue not in state.queues:
        return f"queue {group.queue} does not exist"
    if state.shard_of(group.pool) is None:
        return "no shard serves " + ("jobs without a node pool" if group.pool is None else f"node pool {group.pool}")
    return ""


def _manifest(job: TracedJob, pods: TracedPods, minimum: int, number: int, labels: dict[str, str]) -> Manifest:
    """One pod set of a job, as a Job. Its name has the namespace, as the names of PodGroups must differ."""
    name = f"{job.namespace}.{job.name}" + (f".{number}" if number else "")
    requests: dict[str, Json] = {r: quantity.text(r, amount) for r, amount in sorted(pods.requests.items())}
    container: dict[str, Json] = {"name": "main", "resources": {"requests": requests, "limits": requests}}
    tolerations: list[Json] = [
        {"key": t.key, "operator": t.operator, "value": t.value, "effect": t.effect} for t in pods.tolerations
    ]
    spec: dict[str, Json] = {
        "containers": [container],
        "schedulerName": DEFAULT_SCHEDULER,
        "nodeSelector": dict(pods.node_selector),
        "tolerations": [{k: v for k, v in t.items() if v} for t in tolerations if isinstance(t, dict)],
    }
    if job.priority_class:
        labels = {**labels, _CLASS: job.priority_class}
    metadata: dict[str, Json] = {"namespace": job.namespace, "name": name, "labels": dict(labels)}
    metadata["annotations"] = {_MINIMUM: str(minimum)}
    job_spec: dict[str, Json] = {"parallelism": pods.count, "template": {"spec": spec}}
    data: dict[str, Json] = {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": job_spec}
    return Manifest(ObjectKey("batch", "Job", job.namespace, name), "v1", data, Origin("", 0))
