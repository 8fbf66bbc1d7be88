"""Ray's kinds: a sub-group of the head, one of each group of workers, with the containers that KubeRay adds.

Source: KAI-Scheduler v0.17, its pod groupers for ``ray.io``; KubeRay v1.4 for the pods. The submitter of a RayJob
starts when the cluster runs, so it is not part of the decision.
"""

from collections.abc import Callable
from typing import Final

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.schedulers.kai.jobs.kinds.shape import (
    GangShape,
    PodRole,
    Shaped,
    Shapes,
    constrained,
    rejected,
    unmodelled,
)
from kubectl_fairshare.schedulers.kai.model.objects import SubGroup

_HEAD: Final = "headgroup"
_NODE: Final = "ray.io/node-type"
_PRIORITY: Final = "ray.io/priority-class-name"
_WAIT_FOR_HEAD: Final[JsonObject] = {
    "name": "wait-gcs-ready",
    "resources": {"requests": {"cpu": "200m", "memory": "256Mi"}, "limits": {"cpu": "200m", "memory": "256Mi"}},
}
_AUTOSCALER: Final = {"cpu": "500m", "memory": "512Mi"}
_SUBMITTER: Final[JsonObject] = {
    "name": "ray-job-submitter",
    "resources": {"requests": {"cpu": "500m", "memory": "200Mi"}, "limits": {"cpu": "1", "memory": "1Gi"}},
}


def _in(*path: str) -> Callable[[Field], GangShape]:
    """The shape of an object with the spec of a cluster at ``path``."""

    def shape(ray: Field) -> GangShape:
        spec = ray.at("spec")
        if spec.at("clusterSelector").mapping():
            raise unmodelled(spec.at("clusterSelector").place, "a RayJob in a RayCluster that exists (plan that)")
        sidecar = (_SUBMITTER,) if spec.at("submissionMode").text() == "SidecarMode" else ()
        return _cluster(ray, ray.at(*path), sidecar)

    return shape


def _cluster(ray: Field, spec: Field, sidecar: tuple[JsonObject, ...]) -> GangShape:
    head = spec.at("headGroupSpec", "template")
    beside = (*_autoscaler(spec), *sidecar)
    extra: dict[str, tuple[JsonObject, ...]] = {"containers": beside} if beside else {}
    roles = [PodRole("head", 1, head, _HEAD, {_NODE: "head"}, extra)]
    groups = [SubGroup(_HEAD, None, 1, None)]
    for number, entry in enumerate(spec.at("workerGroupSpecs").entries()):
        least = _least(entry, number)
        if least is None:
            continue
        name = entry.at("groupName").text() or f"worker-group-{number}"
        groups.append(SubGroup(name, None, least, None))
        waits: dict[str, tuple[JsonObject, ...]] = {"initContainers": (_WAIT_FOR_HEAD,)}
        roles.append(PodRole(name, _workers(entry), entry.at("template"), name, {_NODE: "worker"}, waits))
    return GangShape(
        tuple(roles),
        sum(each.min_member or 0 for each in groups),
        sub_groups=tuple(groups),
        priority_class=ray.at("metadata", "labels").texts().get(_PRIORITY),
        topology=any(constrained(role.template) for role in roles),
    )


def _least(group: Field, number: int) -> int | None:
    """The workers that a group needs to start; None for a group that KAI leaves out."""
    if group.at("suspended").flag():
        return None
    wanted, least = group.at("replicas").integer(0), group.at("minReplicas").integer(0)
    if least > wanted:
        reason = f"KAI's pod grouper fails: minReplicas {least} is above replicas {wanted} in worker group {number}"
        raise rejected(group.at("replicas").place, reason)
    if not wanted and not least:
        return None
    return (least or wanted) * group.at("numOfHosts").integer(1)


def _workers(group: Field) -> int:
    """The pods that KubeRay creates for a group of workers."""
    if group.at("suspend").flag():
        return 0
    most = group.at("maxReplicas")
    wanted = group.at("replicas").natural(0)
    count = wanted if most.value is None else min(wanted, most.natural(0))
    return count * max(1, group.at("numOfHosts").natural(1))


def _autoscaler(spec: Field) -> tuple[JsonObject, ...]:
    """The autoscaler container next to the head, if the cluster scales itself."""
    if not spec.at("enableInTreeAutoscaling").flag():
        return ()
    own = spec.at("autoscalerOptions", "resources")
    if own.value is None:
        return ({"name": "autoscaler", "resources": {"requests": _AUTOSCALER, "limits": _AUTOSCALER}},)
    for amounts in ("requests", "limits"):
        own.at(amounts).resources(native=False)
    return ({"name": "autoscaler", "resources": own.mapping()},)


_VERSIONS: Final = frozenset({"v1", "v1alpha1"})
RAY: Final[Shapes] = {
    ("ray.io", "RayCluster"): Shaped(_VERSIONS, _in("spec")),
    ("ray.io", "RayJob"): Shaped(_VERSIONS, _in("spec", "rayClusterSpec")),
    ("ray.io", "RayService"): Shaped(_VERSIONS, _in("spec", "rayClusterConfig")),
}
