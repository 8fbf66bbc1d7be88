"""Ray's kinds: a head, groups of workers, for some RayJobs a submitter; with the containers that KubeRay adds.

Source: Kueue v0.19 integrations ``ray.io/…``. Amounts of added containers are KubeRay's own; so is the default of 0
replicas for a group of workers, which the API server writes before Kueue's own default of 1 could count.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.jobs.kinds.kind import (
    ExistingClusterError,
    JobKind,
    Known,
    PodTemplate,
    pod_template,
)
from kubectl_fairshare.schedulers.kueue.model.objects import ELASTIC_JOB

_AUTOSCALER: Final = {"cpu": "500m", "memory": "512Mi"}
_SUBMITTER: Final = {"requests": {"cpu": "500m", "memory": "200Mi"}, "limits": {"cpu": "1", "memory": "1Gi"}}
_REDIS_CLEANUP: Final = {"cpu": "200m", "memory": "256Mi"}
_FAULT_TOLERANT: Final = "ray.io/ft-enabled"
_MULTIKUEUE: Final = "kueue.x-k8s.io/multikueue"
_MOST_POD_SETS: Final = 18
_IN_JOB: Final = "K8sJobMode"
_IN_HEAD: Final = "SidecarMode"


def _of_cluster(ray: Field, known: Known) -> tuple[PodTemplate, ...]:
    del known
    return _cluster(ray, ray.at("spec"))


def _of_service(ray: Field, known: Known) -> tuple[PodTemplate, ...]:
    del known
    return _cluster(ray, ray.at("spec", "rayClusterConfig"))


def _of_job(ray: Field, known: Known) -> tuple[PodTemplate, ...]:
    del known
    spec = ray.at("spec")
    if _chooses(spec):
        raise ExistingClusterError(spec.at("clusterSelector").place)
    mode = spec.at("submissionMode").text(_IN_JOB)
    extra = [{"name": "ray-job-submitter", "resources": _SUBMITTER}] if mode == _IN_HEAD else []
    cluster = _cluster(ray, spec.at("rayClusterSpec"), extra)
    return (*cluster, _submitter(spec)) if mode == _IN_JOB else cluster


def _chooses(spec: Field) -> bool:
    """Whether a RayJob runs in a cluster that exists."""
    return bool(spec.at("clusterSelector").mapping())


def _submitter(spec: Field) -> PodTemplate:
    own = spec.at("submitterPodTemplate")
    if own.value is not None:
        return pod_template("submitter", 1, own)
    pod = {"containers": [{"name": "ray-job-submitter", "resources": _SUBMITTER}], "restartPolicy": "Never"}
    return PodTemplate("submitter", 1, own.at("spec")._replace(value=pod))


def _cluster(ray: Field, spec: Field, extra: list[Json] | None = None) -> tuple[PodTemplate, ...]:
    head = pod_template("head", 1, spec.at("headGroupSpec", "template"))
    added = list(_sidecars(spec)) + (extra or [])
    whole = _head_pod(head.spec, added, cleans_up=_is_fault_tolerant(ray, spec))
    workers = (_workers(group) for group in spec.at("workerGroupSpecs").entries())
    return (replace(head, spec=whole), *workers)


def _workers(group: Field) -> PodTemplate:
    count = group.at("replicas").natural(0) * max(1, group.at("numOfHosts").natural(1))
    return pod_template(group.at("groupName").text().lower(), count, group.at("template"))


def _sidecars(spec: Field) -> list[Json]:
    """The autoscaler container next to the head, if the cluster scales itself."""
    if not spec.at("enableInTreeAutoscaling").flag():
        return []
    own = spec.at("autoscalerOptions", "resources")
    resources = {"requests": _AUTOSCALER, "limits": _AUTOSCALER} if own.value is None else own.mapping()
    return [{"name": "autoscaler", "resources": resources}]


def _is_fault_tolerant(ray: Field, spec: Field) -> bool:
    address = ray.at("metadata", "annotations").at(_FAULT_TOLERANT).text().lower()
    return address == "true" or spec.at("gcsFaultToleranceOptions").value is not None


def _head_pod(pod: Field, added: list[Json], *, cleans_up: bool) -> Field:
    """The head's pod spec with the added containers; the cleanup of Redis raises the first container's requests."""
    if not added and not cleans_up:
        return pod
    containers = [entry.mapping() for entry in pod.at("containers").entries()]
    if cleans_up and containers:
        first = pod.at("containers").entries()[0]
        requests = first.at("resources", "requests")
        most = {r: _larger(requests.at(r), least) for r, least in _REDIS_CLEANUP.items()}
        resources = {**first.at("resources").mapping(), "requests": {**requests.mapping(), **most}}
        containers[0] = {**first.mapping(), "resources": resources}
    return pod._replace(value={**pod.mapping(), "containers": [*containers, *added]})


def _larger(written: Field, least: str) -> Json:
    return written.value if written.nano(native=False) > quantity.nano(least) else least


def _of_new_cluster(ray: Field, elastic: bool) -> Iterator[Problem]:
    spec = ray.at("spec")
    scales = spec.at("enableInTreeAutoscaling")
    if elastic and scales.flag() and spec.at("managedBy").text() == _MULTIKUEUE:
        message = "a cluster that scales itself cannot be managed by MultiKueue: Kueue's webhook rejects it"
        yield Problem(message, scales.place, "turn it off, or remove `managedBy`")
    yield from _of_cluster_spec(spec, elastic)


def _of_cluster_spec(spec: Field, elastic: bool) -> Iterator[Problem]:
    """What Kueue's webhook rejects in the spec of a cluster."""
    scales = spec.at("enableInTreeAutoscaling")
    if scales.flag() and not elastic:
        message = "`enableInTreeAutoscaling` is on, but the job is not elastic: Kueue's webhook rejects it"
        yield Problem(message, scales.place, f'turn it off, or annotate `{ELASTIC_JOB}: "true"`')
    groups = spec.at("workerGroupSpecs")
    if len(groups.entries()) >= _MOST_POD_SETS:
        message = f"{len(groups.entries())} groups of workers: Kueue's webhook accepts {_MOST_POD_SETS - 1} at most"
        yield Problem(message, groups.place, "write fewer groups of workers")
    for group in groups.entries():
        if group.at("groupName").text() == "head":
            message = "a group of workers has the name `head`, which Kueue's webhook keeps for the head"
            yield Problem(message, group.at("groupName").place, "give the group another name")


def _of_new_job(ray: Field, elastic: bool) -> Iterator[Problem]:
    spec = ray.at("spec")
    if _chooses(spec):
        if spec.at("rayClusterSpec").value is not None:
            message = "it has `clusterSelector` and `rayClusterSpec`: Kueue's webhook accepts only one of them"
            yield Problem(message, spec.at("clusterSelector").place, "remove one of them")
        return
    if spec.at("rayClusterSpec").value is None:
        yield Problem("it has no `rayClusterSpec`: Kueue's webhook rejects it", spec.place, "write `rayClusterSpec`")
        return
    if not spec.at("shutdownAfterJobFinishes").flag():
        message = "`shutdownAfterJobFinishes` is not true: Kueue's webhook rejects the RayJob"
        yield Problem(message, spec.at("shutdownAfterJobFinishes").place, "write `shutdownAfterJobFinishes: true`")
    yield from _of_cluster_spec(spec.at("rayClusterSpec"), elastic)


RAY_KINDS: Final = (
    JobKind(
        "ray.io",
        "v1",
        "RayCluster",
        "ray.io/raycluster",
        _of_cluster,
        native=False,
        rejections=_of_new_cluster,
    ),
    JobKind(
        "ray.io",
        "v1",
        "RayService",
        "ray.io/rayservice",
        _of_service,
        native=False,
        rejections=lambda ray, elastic: _of_cluster_spec(ray.at("spec", "rayClusterConfig"), elastic),
    ),
    JobKind("ray.io", "v1", "RayJob", "ray.io/rayjob", _of_job, native=False, rejections=_of_new_job),
)
