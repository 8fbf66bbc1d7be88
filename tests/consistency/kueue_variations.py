"""What is odd in states of Kueue: queues that are stopped, checks, releases, settings, other pods and quotas."""

from collections.abc import Callable
from random import Random
from typing import Any, Final

from tests.consistency.recorded import STRATEGIES, configuration, manager

Manifest = dict[str, Any]
Variation = Callable[[list[Manifest], Random], None]
API: Final = "kueue.x-k8s.io/v1beta2"
RELEASES: Final = ("v0.16.9", "v0.17.1", "v0.17.8", "v0.18.0", "v0.18.4", "v0.18.6", "v0.19.0", "v0.19.2", "v0.20.0")
_TIME: Final = "2026-08-01T11:50:00Z"


def _of(objects: list[Manifest], kind: str) -> list[Manifest]:
    return [each for each in objects if each["kind"] == kind]


def _waiting(objects: list[Manifest]) -> list[Manifest]:
    return [each for each in _of(objects, "Workload") if "admission" not in each.get("status", {})]


def _holding(objects: list[Manifest]) -> list[Manifest]:
    return [each for each in _of(objects, "Workload") if "admission" in each.get("status", {})]


def _release(objects: list[Manifest], dice: Random) -> None:
    objects[:] = [each for each in objects if each["kind"] != "Deployment"]
    objects.append(manager(dice.choice(RELEASES)))


def _stopped(objects: list[Manifest], dice: Random) -> None:
    queues = [*_of(objects, "ClusterQueue"), *_of(objects, "LocalQueue")]
    if queues:
        dice.choice(queues)["spec"]["stopPolicy"] = dice.choice(["Hold", "HoldAndDrain"])


def _inactive(objects: list[Manifest], dice: Random) -> None:
    works = _of(objects, "Workload")
    if works:
        dice.choice(works)["spec"]["active"] = False


def _backing_off(objects: list[Manifest], dice: Random) -> None:
    """A workload that was evicted and waits until a moment before or after now."""
    works = _waiting(objects)
    if works:
        status = dice.choice(works).setdefault("status", {})
        status["requeueState"] = {
            "count": 2,
            "requeueAt": dice.choice(["2026-08-01T11:59:00Z", "2026-08-01T12:05:00Z"]),
        }
        reason = dice.choice(["Preempted", "PodsReadyTimeout"])
        status["conditions"] = [_condition("Evicted", "True", reason), _condition("Requeued", "False", reason)]


def _finished(objects: list[Manifest], dice: Random) -> None:
    works = _of(objects, "Workload")
    if works:
        conditions = dice.choice(works).setdefault("status", {}).setdefault("conditions", [])
        conditions.append(_condition("Finished", "True", "Succeeded"))


def _leaving(objects: list[Manifest], dice: Random) -> None:
    works = _holding(objects)
    if works:
        conditions = dice.choice(works)["status"].setdefault("conditions", [])
        if not any(each["type"] == "Evicted" for each in conditions):
            conditions.append(_condition("Evicted", "True", "Preempted"))


def _condition(kind: str, status: str, reason: str) -> Manifest:
    return {"type": kind, "status": status, "reason": reason, "message": "", "lastTransitionTime": _TIME}


def _checked(objects: list[Manifest], dice: Random) -> None:
    """An AdmissionCheck on a queue, for all flavors or one; perhaps it does not exist."""
    queues = _of(objects, "ClusterQueue")
    if not queues:
        return
    check: Manifest = {"name": "budget"}
    if dice.random() < 0.3 and (flavors := _of(objects, "ResourceFlavor")):
        check["onFlavors"] = [dice.choice(flavors)["metadata"]["name"]]
    queue = dice.choice(queues)
    queue["spec"]["admissionChecksStrategy"] = {"admissionChecks": [check]}
    if dice.random() < 0.7:
        status = dice.choice(["True", "True", "False"])
        objects.append(
            {
                "apiVersion": API,
                "kind": "AdmissionCheck",
                "metadata": {"name": "budget"},
                "spec": {"controllerName": "example.com/budget"},
                "status": {"conditions": [_condition("Active", status, "Active")]},
            }
        )
    for work in _holding(objects):
        if work["status"]["admission"]["clusterQueue"] == queue["metadata"]["name"]:
            state = {"name": "budget", "state": dice.choice(["Ready", "Pending"]), "message": ""}
            work["status"]["admissionChecks"] = [state | {"lastTransitionTime": _TIME}]


def _configured(objects: list[Manifest], dice: Random) -> None:
    """A setting of the manager that decides."""
    objects[:] = [each for each in objects if each["kind"] != "ConfigMap"]
    choices: list[Manifest] = [
        {"admissionFairSharing": {"usageHalfLifeTime": "1h", "usageSamplingInterval": "5m"}},
        {"fairSharing": {"preemptionStrategies": STRATEGIES}},
        {"fairSharing": {"preemptionStrategies": STRATEGIES[:1]}},
        {"waitForPodsReady": {"timeout": "5m", "blockAdmission": True}},
        {"resources": {"excludeResourcePrefixes": ["nvidia.com"]}},
        {"resources": {"quotaCheckStrategy": "IgnoreUndeclared"}},
        {"resources": {"transformations": [_doubled("cpu")]}},
        {"featureGates": {"PartialAdmission": False}},
        {"featureGates": {"TopologyAwareScheduling": False}},
        {"featureGates": {"FlavorFungibility": False}},
    ]
    settings: Manifest = {}
    for each in dice.sample(choices, dice.choice([1, 1, 2])):
        settings |= each
    if "admissionFairSharing" in settings:
        for queue in _of(objects, "ClusterQueue"):
            if dice.random() < 0.7:
                queue["spec"]["admissionScope"] = {"admissionMode": "UsageBasedAdmissionFairSharing"}
    objects.append(configuration(settings))


def _doubled(resource: str) -> Manifest:
    return {"input": resource, "strategy": "Retain", "outputs": {"example.com/credits": "2"}}


def _devices(objects: list[Manifest], dice: Random) -> None:
    """Pods that claim devices of a class that the manager maps to a resource, or does not map."""
    works = _waiting(objects)
    if not works:
        return
    work = dice.choice(works)
    space = work["metadata"].get("namespace", "default")
    exactly = {"deviceClassName": "gold", "allocationMode": "ExactCount", "count": dice.choice([1, 2])}
    spec = {"devices": {"requests": [{"name": "gpu", "exactly": exactly}]}}
    template = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaimTemplate"}
    objects.append(template | {"metadata": {"name": "claim", "namespace": space}, "spec": {"spec": spec}})
    pod = dice.choice(work["spec"]["podSets"])["template"]["spec"]
    pod["resourceClaims"] = [
        {"name": "gpu", "resourceClaimTemplateName": dice.choice(["claim", "claim", "claim", "none"])}
    ]
    pod["containers"][0].setdefault("resources", {})["claims"] = [{"name": "gpu"}]
    if dice.random() < 0.7:
        objects[:] = [each for each in objects if each["kind"] != "ConfigMap"]
        mapped = dice.choice(["nvidia.com/gpu", "example.com/devices"])
        mappings = {"deviceClassMappings": [{"name": mapped, "deviceClassNames": ["gold"]}]}
        objects.append(configuration({"resources": mappings}))


def _quota(objects: list[Manifest], dice: Random) -> None:
    """One amount of a queue or a cohort is another."""
    amounts = [
        resource
        for each in (*_of(objects, "ClusterQueue"), *_of(objects, "Cohort"))
        for group in each["spec"].get("resourceGroups", ())
        for flavor in group["flavors"]
        for resource in flavor["resources"]
    ]
    if amounts:
        dice.choice(amounts)["nominalQuota"] = dice.choice(["0", "1", "2", "5", "1000"])


def _partial(objects: list[Manifest], dice: Random) -> None:
    if works := _waiting(objects):
        pods = dice.choice(works)["spec"]["podSets"][0]
        if "count" in pods:
            pods["count"] = pods["count"] + dice.choice([1, 2, 4])
            pods["minCount"] = 1


def _gated(objects: list[Manifest], dice: Random) -> None:
    """Pods with a scheduling gate of somebody else."""
    if works := _waiting(objects):
        spec = dice.choice(dice.choice(works)["spec"]["podSets"])["template"]["spec"]
        spec["schedulingGates"] = [{"name": "example.com/wait"}]


def _ranged(objects: list[Manifest], dice: Random) -> None:
    """A LimitRange with defaults, or with a maximum that forbids some pods."""
    if works := _waiting(objects):
        space = dice.choice(works)["metadata"].get("namespace", "default")
        limits: Manifest = {"type": "Container"}
        limits |= dice.choice([{"defaultRequest": {"cpu": "500m"}}, {"max": {"cpu": "1"}}, {"min": {"cpu": "200m"}}])
        objects.append(
            {
                "apiVersion": "v1",
                "kind": "LimitRange",
                "metadata": {"name": "limits", "namespace": space},
                "spec": {"limits": [limits]},
            }
        )


def _queue_of_namespace(objects: list[Manifest], dice: Random) -> None:
    """A queue that takes work of some namespaces only."""
    if queues := _of(objects, "ClusterQueue"):
        dice.choice(queues)["spec"]["namespaceSelector"] = {"matchLabels": {"team": dice.choice(["team-a", "team-b"])}}


def _lost_queue(objects: list[Manifest], dice: Random) -> None:
    """Work that names a LocalQueue that does not exist."""
    if works := _waiting(objects):
        dice.choice(works)["spec"]["queueName"] = "lost"


def _tree(objects: list[Manifest], dice: Random) -> None:
    """Queues below a cohort that is below another."""
    queues = [each for each in _of(objects, "ClusterQueue") if each["spec"].get("cohortName")]
    if queues:
        queue = dice.choice(queues)
        above = queue["spec"]["cohortName"]
        queue["spec"]["cohortName"] = "below"
        objects.append(
            {"apiVersion": API, "kind": "Cohort", "metadata": {"name": "below"}, "spec": {"parentName": above}}
        )


def _strict(objects: list[Manifest], dice: Random) -> None:
    for queue in _of(objects, "ClusterQueue"):
        queue["spec"]["queueingStrategy"] = dice.choice(["StrictFIFO", "StrictFIFO", "BestEffortFIFO"])


def _classes(objects: list[Manifest], dice: Random) -> None:
    """Work with a WorkloadPriorityClass; perhaps it does not exist."""
    for work in _of(objects, "Workload"):
        if dice.random() < 0.5:
            group = {"group": "kueue.x-k8s.io", "kind": "WorkloadPriorityClass", "name": "high"}
            work["spec"] |= {"priority": 5, "priorityClassRef": group}
    if dice.random() < 0.7:
        metadata = {"name": "high"}
        objects.append({"apiVersion": API, "kind": "WorkloadPriorityClass", "metadata": metadata, "value": 5})


VARIATIONS: Final[list[Variation]] = [
    *(_release, _stopped, _inactive, _backing_off, _finished, _leaving, _checked, _configured, _configured, _devices),
    *(_quota, _partial, _gated, _ranged, _queue_of_namespace, _lost_queue, _tree, _strict, _classes, _release),
]
