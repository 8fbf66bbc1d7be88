"""Small clusters as manifests: nodes with GPUs, flat queues, and jobs one younger than the other."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.kai.model.objects import KaiState
from kubectl_fairshare.schedulers.kai.session.session import open_session
from kubectl_fairshare.schedulers.kai.solver.cycle import changes, course
from kubectl_fairshare.schedulers.kai.solver.ground import first_layer
from kubectl_fairshare.schedulers.kai.solver.layers import Layer
from kubectl_fairshare.schedulers.recording import accepted_form, manifests_of

Json = dict[str, Any]
NOW = "2026-08-01T12:00:00Z"
PRIORITIES = {"low": 10, "train": 50, "build-preemptible": 75, "build": 100}


def node(name: str, gpus: int = 8, *, labels: Mapping[str, str] | None = None, **spec: Any) -> Json:
    amounts = {"cpu": "64", "memory": "256Gi", "pods": "110", **({"nvidia.com/gpu": str(gpus)} if gpus else {})}
    known = {"nvidia.com/gpu.memory": "81920", "nvidia.com/gpu.count": str(gpus), "kubernetes.io/hostname": name}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {**known, **(labels or {})}},
        "spec": spec,
        "status": {"allocatable": amounts, "conditions": [{"type": "Ready", "status": "True"}]},
    }


def queue(name: str, quota: float = 0, *, priority: int = 100, created: int = 0, limit: float = -1) -> Json:
    free = {"quota": -1, "limit": -1, "overQuotaWeight": 1}
    gpu = {"quota": quota, "limit": limit, "overQuotaWeight": 1}
    return {
        "apiVersion": "scheduling.run.ai/v2",
        "kind": "Queue",
        "metadata": {"name": name, "creationTimestamp": f"2026-07-01T00:00:{created:02}Z"},
        "spec": {"resources": {"cpu": free, "memory": free, "gpu": gpu}, "priority": priority},
    }


def pod(job: str, number: int, gpus: float, at: str = "", **fields: Any) -> Json:
    """A pod that runs on node ``at``, or waits. Less than one GPU is a fraction, of the shared GPU ``group``."""
    annotations, labels = {"pod-group-name": job}, dict(fields.get("labels") or {})
    requests = {"cpu": "1", "memory": "1Gi"}
    if 0 < gpus < 1:
        annotations["gpu-fraction"] = str(gpus)
        labels |= {"runai-gpu-group": fields["group"]} if "group" in fields else {}
    elif gpus:
        requests["nvidia.com/gpu"] = str(int(gpus))
    metadata: Json = {"name": f"{job}-{number}", "namespace": "team", "uid": f"u-{job}-{number}"}
    metadata |= {"annotations": annotations, "labels": labels}
    if "leaves" in fields:
        metadata["deletionTimestamp"] = fields["leaves"]
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": metadata,
        "spec": {
            "schedulerName": "kai-scheduler",
            "containers": [{"name": "m", "resources": {"requests": requests}}],
            **({"nodeName": at} if at else {}),
            **fields.get("spec", {}),
        },
        "status": {"phase": "Running" if at else "Pending"},
    }


def job(name: str, queue_name: str, *pods: Json, priority: str = "train", **spec: Any) -> list[Json]:
    """A PodGroup with its pods."""
    minimum = {} if "subGroups" in spec else {"minMember": 1}
    group = {
        "apiVersion": "scheduling.run.ai/v2alpha2",
        "kind": "PodGroup",
        "metadata": {"name": name, "namespace": "team"},
        "spec": {"queue": queue_name, "priorityClassName": priority, **minimum, **spec},
    }
    return [group, *pods]


def one(name: str, queue_name: str, gpus: float, at: str = "", priority: str = "train", **fields: Any) -> list[Json]:
    """A job of one pod."""
    return job(name, queue_name, pod(name, 0, gpus, at, **fields), priority=priority)


def layer(objects: Sequence[Json], *jobs: Sequence[Json]) -> Layer:
    """The session with ``objects`` and jobs, each a minute younger than the one before."""
    found = [
        {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": n}, "value": value}
        for n, value in PRIORITIES.items()
    ]
    found += objects
    for number, made in enumerate(jobs):
        for each in made:
            each["metadata"]["creationTimestamp"] = f"2026-07-20T00:{number:02}:00Z"
            found.append(each)
    state = assemble(manifests_of(map(accepted_form, found), "scene"), known_schedulers()).snapshot.part(KaiState)
    return first_layer(open_session(replace(state, now=nanoseconds(NOW))))


class NamedChanges(NamedTuple):
    """What differs between two states, by the names of pods."""

    bound: Mapping[str, str]
    pipelined: Mapping[str, str]
    evicted: Sequence[str]
    moved: Mapping[str, str]

    @property
    def any(self) -> bool:
        """Whether anything differs."""
        return any(self[:])


def named(before: Layer, after: Layer) -> NamedChanges:
    """What differs, by name: pods of these scenes are in one namespace."""
    found = changes(before, after)
    bound, pipelined, moved = (
        {key.name: node for key, node in each.items()} for each in (found.bound, found.pipelined, found.moved)
    )
    return NamedChanges(bound, pipelined, [key.name for key in found.evicted], moved)


def alone(first: Layer, name: str) -> NamedChanges:
    """What all actions in a row do for one job."""
    return named(first, course(first, (name,)).layer)


def together(first: Layer) -> NamedChanges:
    """What a cycle over all jobs does."""
    return named(first, course(first).layer)
