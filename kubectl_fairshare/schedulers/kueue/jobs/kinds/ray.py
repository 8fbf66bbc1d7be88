"""Ray's kinds: a head, groups of workers, for some RayJobs a submitter; with the containers that KubeRay adds.

Source: Kueue v0.19 integrations ``ray.io/…``. Amounts of added containers are KubeRay's own; so is the default of 0
replicas for a group of workers, which the API server writes before Kueue's own default of 1 could count.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.request_parts import Addition, Additions
from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.jobs.kinds.kind import (
    ExistingClusterError,
    JobKind,
    Known,
    PodTemplate,
    named,
    pod_template,
)
from kubectl_fairshare.schedulers.kueue.model.objects import ELASTIC_JOB
from kubectl_fairshare.schedulers.kueue.release import KueueRelease

_AUTOSCALER: Final = {"cpu": "500m", "memory": "512Mi"}
_SUBMITTER: Final = {"requests": {"cpu": "500m", "memory": "200Mi"}, "limits": {"cpu": "1", "memory": "1Gi"}}
_REDIS_CLEANUP: Final = {"cpu": "200m", "memory": "256Mi"}
_FAULT_TOLERANT: Final = "ray.io/ft-enabled"
_MULTIKUEUE: Final = "kueue.x-k8s.io/multikueue"
_IN_JOB: Final = "K8sJobMode"
_IN_HEAD: Final = "SidecarMode"


class _Added(NamedTuple):
    """A container that KubeRay adds to the head."""

    name: str
    resources: Mapping[str, Json]
    addition: Addition


def _of_cluster(ray: Field, known: Known) -> tuple[PodTemplate, ...]:
    return _cluster(ray, ray.at("spec"), known)


def _of_service(ray: Field, known: Known) -> tuple[PodTemplate, ...]:
    return _cluster(ray, ray.at("spec", "rayClusterConfig"), known)


def _of_job(ray: Field, known: Known) -> tuple[PodTemplate, ...]:
    spec = ray.at("spec")
    if _chooses(spec):
        raise ExistingClusterError(spec.at("clusterSelector").place)
    mode = spec.at("submissionMode").text(_IN_JOB)
    where = spec.at("submissionMode").place
    submitter = _Added("ray-job-submitter", _SUBMITTER, Addition("KubeRay's submitter next to the head", where))
    extra = [submitter] if mode == _IN_HEAD and known.release.submitter_beside_head else []
    cluster = _cluster(ray, spec.at("rayClusterSpec"), known, extra)
    return (*cluster, _submitter(spec)) if mode == _IN_JOB else cluster


def _chooses(spec: Field) -> bool:
    """Whether a RayJob runs in a cluster that exists."""
    return bool(spec.at("clusterSelector").mapping())


def _submitter(spec: Field) -> PodTemplate:
    own = spec.at("submitterPodTemplate")
    if own.value is not None:
        return pod_template("submitter", 1, own)
    pod = {"containers": [{"name": "ray-job-submitter", "resources": _SUBMITTER}], "restartPolicy": "Never"}
    default = Addition("KubeRay's default without submitterPodTemplate", spec.place)
    additions: Additions = {("containers", 0): default}
    return PodTemplate("submitter", 1, own.at("spec")._replace(value=pod), additions=additions)


def _cluster(ray: Field, spec: Field, known: Known, extra: Iterable[_Added] = ()) -> tuple[PodTemplate, ...]:
    beside = _sidecars(spec) if known.release.autoscaler_counts else ()
    head = _with_added(pod_template("head", 1, spec.at("headGroupSpec", "template")), [*beside, *extra])
    if known.release.redis_cleanup_counts and _is_fault_tolerant(ray, spec):
        head = _with_cleanup(head, spec.at("gcsFaultToleranceOptions").place)
    return (head, *(_workers(group) for group in spec.at("workerGroupSpecs").entries()))


def _workers(group: Field) -> PodTemplate:
    count = group.at("replicas").natural(0) * max(1, group.at("numOfHosts").natural(1))
    return pod_template(group.at("groupName").text().lower(), count, group.at("template"))


def _sidecars(spec: Field) -> Iterator[_Added]:
    """The autoscaler container next to the head, if the cluster scales itself."""
    if not spec.at("enableInTreeAutoscaling").flag():
        return
    own = spec.at("autoscalerOptions", "resources")
    if own.value is None:
        default = Addition("KubeRay's default for enableInTreeAutoscaling", spec.at("enableInTreeAutoscaling").place)
        yield _Added("autoscaler", {"requests": _AUTOSCALER, "limits": _AUTOSCALER}, default)
    else:
        yield _Added("autoscaler", own.mapping(), Addition("autoscalerOptions.resources", own.place))


def _is_fault_tolerant(ray: Field, spec: Field) -> bool:
    address = ray.at("metadata", "annotations").at(_FAULT_TOLERANT).text().lower()
    return address == "true" or spec.at("gcsFaultToleranceOptions").value is not None


def _with_added(head: PodTemplate, added: Sequence[_Added]) -> PodTemplate:
    """The head with the containers that KubeRay adds."""
    if not added:
        return head
    own = [entry.mapping() for entry in head.spec.at("containers").entries()]
    new = [{"name": each.name, "resources": each.resources} for each in added]
    additions: Additions = {("containers", len(own) + i): each.addition for i, each in enumerate(added)}
    return _with_containers(head, [*own, *new], additions)


def _with_cleanup(head: PodTemplate, place: Place) -> PodTemplate:
    """The head whose first container requests at least what the cleanup of Redis needs."""
    containers = head.spec.at("containers").entries()
    if not containers:
        return head
    first, requests = containers[0], containers[0].at("resources", "requests")
    most = {r: _larger(requests.at(r), least) for r, least in _REDIS_CLEANUP.items()}
    resources = {**first.at("resources").mapping(), "requests": {**requests.mapping(), **most}}
    raised = [r for r, value in most.items() if value == _REDIS_CLEANUP[r] != requests.at(r).value]
    cleanup = Addition("KubeRay's cleanup of Redis", place)
    raises: Additions = {("containers", 0, r): cleanup for r in raised}
    additions = {**head.additions, **raises}
    others = [entry.mapping() for entry in containers[1:]]
    return _with_containers(head, [{**first.mapping(), "resources": resources}, *others], additions)


def _with_containers(head: PodTemplate, containers: Sequence[Json], additions: Additions) -> PodTemplate:
    spec = head.spec._replace(value={**head.spec.mapping(), "containers": [*containers]})
    return replace(head, spec=spec, additions=additions)


def _larger(written: Field, least: str) -> Json:
    return written.value if written.nano(native=False) > quantity.nano(least) else least


def _of_new_cluster(ray: Field, elastic: bool, release: KueueRelease) -> Iterator[Problem]:
    spec = ray.at("spec")
    scales = spec.at("enableInTreeAutoscaling")
    if elastic and scales.flag() and spec.at("managedBy").text() == _MULTIKUEUE:
        message = "a cluster that scales itself cannot be managed by MultiKueue: Kueue's webhook rejects it"
        yield Problem(message, scales.place, "turn it off, or remove `managedBy`")
    yield from _of_cluster_spec(spec, elastic, release)


def _of_new_service(ray: Field, elastic: bool, release: KueueRelease) -> Iterator[Problem]:
    """A service's own webhook, or that of its cluster where the release has none for services."""
    own = elastic if "ray.io/rayservice" in release.frameworks_gone else _is_annotated(ray)
    yield from _of_cluster_spec(ray.at("spec", "rayClusterConfig"), own, release)


def _is_annotated(ray: Field) -> bool:
    """Whether RayJobs and RayServices are elastic for their webhooks, which ask no feature gate."""
    return ray.at("metadata", "annotations").at(ELASTIC_JOB).text() == "true"


def _of_cluster_spec(spec: Field, elastic: bool, release: KueueRelease) -> Iterator[Problem]:
    """What Kueue's webhook rejects in the spec of a cluster."""
    scales = spec.at("enableInTreeAutoscaling")
    if scales.flag() and not elastic:
        message = "`enableInTreeAutoscaling` is on, but the job is not elastic: Kueue's webhook rejects it"
        yield Problem(message, scales.place, f'turn it off, or annotate `{ELASTIC_JOB}: "true"`')
    groups, most = spec.at("workerGroupSpecs"), release.most_pod_sets - 1
    if len(groups.entries()) > most:
        message = f"{len(groups.entries())} groups of workers: Kueue's webhook accepts {most} at most"
        yield Problem(message, groups.place, "write fewer groups of workers")
    for group in groups.entries():
        if group.at("groupName").text() == "head":
            message = "a group of workers has the name `head`, which Kueue's webhook keeps for the head"
            yield Problem(message, group.at("groupName").place, "give the group another name")


def _of_new_job(ray: Field, _elastic: bool, release: KueueRelease) -> Iterator[Problem]:
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
    yield from _of_cluster_spec(spec.at("rayClusterSpec"), _is_annotated(ray), release)


RAY_KINDS: Final = (
    JobKind(
        *named("ray.io", "RayCluster"),
        _of_cluster,
        native=False,
        rejections=_of_new_cluster,
    ),
    JobKind(
        *named("ray.io", "RayService"),
        _of_service,
        native=False,
        rejections=_of_new_service,
    ),
    JobKind(*named("ray.io", "RayJob"), _of_job, native=False, rejections=_of_new_job),
)
