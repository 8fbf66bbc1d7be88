"""What is odd in states of the schedulers of pods: gangs, devices, gates, priorities, quotas that changed."""

from collections.abc import Callable
from random import Random
from typing import Any, Final

Manifest = dict[str, Any]
Variation = Callable[[list[Manifest], Random], None]
KOORDINATOR: Final = "quota.scheduling.koordinator.sh"


def _of(objects: list[Manifest], kind: str) -> list[Manifest]:
    return [each for each in objects if each["kind"] == kind]


def _waiting(objects: list[Manifest]) -> list[Manifest]:
    return [each for each in _of(objects, "Pod") if "nodeName" not in each["spec"]]


def _placed(objects: list[Manifest]) -> list[Manifest]:
    return [each for each in _of(objects, "Pod") if "nodeName" in each["spec"]]


def _leaving(objects: list[Manifest], dice: Random) -> None:
    """A pod that is being deleted."""
    if pods := _placed(objects):
        dice.choice(pods)["metadata"]["deletionTimestamp"] = "2026-08-01T12:00:10Z"


def _ended(objects: list[Manifest], dice: Random) -> None:
    if pods := _placed(objects):
        dice.choice(pods)["status"]["phase"] = dice.choice(["Succeeded", "Failed"])


def _gated(objects: list[Manifest], dice: Random) -> None:
    if pods := _waiting(objects):
        dice.choice(pods)["spec"]["schedulingGates"] = [{"name": "example.com/wait"}]


def _polite(objects: list[Manifest], dice: Random) -> None:
    if pods := _waiting(objects):
        dice.choice(pods)["spec"]["preemptionPolicy"] = "Never"


def _selecting(objects: list[Manifest], dice: Random) -> None:
    """A pod that wants one node, or one that is not there."""
    nodes = [each["metadata"]["name"] for each in _of(objects, "Node")]
    if pods := _waiting(objects):
        wanted = dice.choice([*nodes, "nowhere"])
        dice.choice(pods)["spec"]["nodeSelector"] = {"kubernetes.io/hostname": wanted}


def _tolerant(objects: list[Manifest], _: Random) -> None:
    for pod in _waiting(objects):
        pod["spec"]["tolerations"] = [{"operator": "Exists"}]


def _with_init(objects: list[Manifest], dice: Random) -> None:
    """A pod with an init container that asks for more, perhaps a sidecar, and an overhead."""
    if pods := _waiting(objects):
        spec = dice.choice(pods)["spec"]
        init: Manifest = {"name": "init", "image": "busybox", "resources": {"requests": {"cpu": "3"}}}
        if dice.random() < 0.5:
            init["restartPolicy"] = "Always"
        spec["initContainers"] = [init]


def _with_device(objects: list[Manifest], dice: Random) -> None:
    """A pod that claims a device, of a claim that is there or not."""
    if not (pods := _waiting(objects)):
        return
    pod = dice.choice(pods)
    space = pod["metadata"].get("namespace", "default")
    pod["spec"]["resourceClaims"] = [{"name": "gpu", "resourceClaimName": "claim"}]
    exactly = {"deviceClassName": "gpu.nvidia.com", "allocationMode": "ExactCount", "count": 1}
    if dice.random() < 0.7:
        objects.append(
            {
                "apiVersion": "resource.k8s.io/v1",
                "kind": "ResourceClaim",
                "metadata": {"name": "claim", "namespace": space},
                "spec": {"devices": {"requests": [{"name": "gpu", "exactly": exactly}]}},
            }
        )
    devices = [{"name": "gpu-0", "attributes": {"type": {"string": "gpu"}}}]
    nodes = [each["metadata"]["name"] for each in _of(objects, "Node")]
    if nodes and dice.random() < 0.6:
        name = dice.choice(nodes)
        objects.append(
            {
                "apiVersion": "resource.k8s.io/v1",
                "kind": "DeviceClass",
                "metadata": {"name": "gpu.nvidia.com"},
                "spec": {},
            }
        )
        objects.append(
            {
                "apiVersion": "resource.k8s.io/v1",
                "kind": "ResourceSlice",
                "metadata": {"name": f"slice-{name}"},
                "spec": {
                    "driver": "gpu.nvidia.com",
                    "nodeName": name,
                    "pool": {"name": name, "generation": 1, "resourceSliceCount": 1},
                    "devices": devices,
                },
            }
        )


def _apart(objects: list[Manifest], dice: Random) -> None:
    """A pod that keeps away from others."""
    if pods := _waiting(objects):
        pod = dice.choice(pods)
        pod["metadata"].setdefault("labels", {})["app"] = "apart"
        term = {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {"app": "apart"}}}
        rules = {"requiredDuringSchedulingIgnoredDuringExecution": [term]}
        pod["spec"]["affinity"] = {"podAntiAffinity": rules}
    if placed := _placed(objects):
        dice.choice(placed)["metadata"].setdefault("labels", {})["app"] = "apart"


def _not_ready(objects: list[Manifest], dice: Random) -> None:
    if nodes := _of(objects, "Node"):
        conditions = [{"type": "Ready", "status": "False"}]
        dice.choice(nodes)["status"]["conditions"] = conditions


def _fewer_places(objects: list[Manifest], dice: Random) -> None:
    if nodes := _of(objects, "Node"):
        node = dice.choice(nodes)
        node["status"]["allocatable"]["pods"] = dice.choice(["0", "1", "2"])


def _lost_node(objects: list[Manifest], dice: Random) -> None:
    """A pod on a node that the input lacks."""
    if pods := _placed(objects):
        dice.choice(pods)["spec"]["nodeName"] = "gone"


def _quota(objects: list[Manifest], dice: Random) -> None:
    """One amount of an ElasticQuota is another, or gone."""
    if quotas := _of(objects, "ElasticQuota"):
        spec = dice.choice(quotas).setdefault("spec", {})
        amounts = spec.get(dice.choice(["min", "max"])) or {}
        if amounts:
            resource = dice.choice(sorted(amounts))
            amounts[resource] = dice.choice(["0", "1", "3", "100"])


def _second_quota(objects: list[Manifest], dice: Random) -> None:
    """A namespace with two ElasticQuotas."""
    if quotas := _of(objects, "ElasticQuota"):
        one = dice.choice(quotas)
        metadata = {**one["metadata"], "name": f"{one['metadata']['name']}-2"}
        objects.append({**one, "metadata": metadata, "spec": {"min": {"cpu": "1"}, "max": {"cpu": "1"}}})


def _lost_quota(objects: list[Manifest], dice: Random) -> None:
    """A pod that names a quota that does not exist, or none."""
    if pods := _of(objects, "Pod"):
        labels = dice.choice(pods)["metadata"].setdefault("labels", {})
        labels.pop(f"{KOORDINATOR}/name", None)
        if dice.random() < 0.5:
            labels[f"{KOORDINATOR}/name"] = "lost"


def _not_lent(objects: list[Manifest], dice: Random) -> None:
    if quotas := _of(objects, "ElasticQuota"):
        labels = dice.choice(quotas)["metadata"].setdefault("labels", {})
        labels[f"{KOORDINATOR}/allow-lent-resource"] = "false"


def _kai_queue(objects: list[Manifest], dice: Random) -> None:
    """One amount of a queue of KAI is another."""
    if queues := _of(objects, "Queue"):
        resources = dice.choice(queues)["spec"].get("resources") or {}
        if resources:
            amounts = resources[dice.choice(sorted(resources))]
            amounts[dice.choice(["quota", "limit", "overQuotaWeight"])] = dice.choice([0, 1, 2, 1000])


def _elastic(objects: list[Manifest], dice: Random) -> None:
    """A gang that needs more pods than it has, or fewer."""
    if groups := _of(objects, "PodGroup"):
        dice.choice(groups)["spec"]["minMember"] = dice.choice([1, 2, 5])


def _lost_group(objects: list[Manifest], dice: Random) -> None:
    """Pods of a PodGroup that the input lacks."""
    if groups := _of(objects, "PodGroup"):
        objects.remove(dice.choice(groups))


def _kai_lost_queue(objects: list[Manifest], dice: Random) -> None:
    if groups := _of(objects, "PodGroup"):
        dice.choice(groups)["spec"]["queue"] = "lost"


def _fraction(objects: list[Manifest], dice: Random) -> None:
    """A pod that shares a GPU."""
    if pods := _waiting(objects):
        pod = dice.choice(pods)
        requests = pod["spec"]["containers"][0].get("resources", {}).get("requests", {})
        if requests.pop("nvidia.com/gpu", None):
            pod["metadata"].setdefault("annotations", {})["gpu-fraction"] = dice.choice(["0.5", "0.25"])


def _sharded(objects: list[Manifest], dice: Random) -> None:
    """A second node pool with a shard of its own, or none: some nodes, and a tree of queues with its work."""
    parents = {each["metadata"]["name"]: each["spec"].get("parentQueue") for each in _of(objects, "Queue")}
    tops = sorted(name for name, parent in parents.items() if parent not in parents)
    if not tops or any(each["kind"] == "SchedulingShard" for each in objects):
        return
    top, pool = dice.choice(tops), {"kai.scheduler/node-pool": "other"}

    def is_moved(queue: str | None) -> bool:
        seen = set[str]()
        while queue is not None and queue not in {top, *seen}:
            seen.add(queue)
            queue = parents.get(queue)
        return queue is not None and queue == top

    groups = {each["metadata"]["name"] for each in _of(objects, "PodGroup") if is_moved(each["spec"].get("queue"))}
    for each in objects:
        of = each["metadata"].get("annotations", {}).get("pod-group-name", each["metadata"]["name"])
        moved = is_moved(of) if each["kind"] == "Queue" else each["kind"] in ("PodGroup", "Pod") and of in groups
        if moved or (each["kind"] == "Node" and dice.random() < 0.5):
            each["metadata"]["labels"] = {**each["metadata"].get("labels", {}), **pool}
    specs: list[Manifest] = [{"partitionLabelValue": "other"}] if dice.random() < 0.8 else []
    for number, spec in enumerate([{}, *specs]):
        metadata = {"name": f"shard{number}"}
        objects.append(
            {"apiVersion": "kai.scheduler/v1", "kind": "SchedulingShard", "metadata": metadata, "spec": spec}
        )


def _kept(objects: list[Manifest], dice: Random) -> None:
    """Queues whose jobs keep what they have for a while."""
    if queues := _of(objects, "Queue"):
        field = dice.choice(["preemptMinRuntime", "reclaimMinRuntime"])
        dice.choice(queues)["spec"][field] = dice.choice(["5m", "10h"])


def _firm(objects: list[Manifest], dice: Random) -> None:
    if groups := _of(objects, "PodGroup"):
        dice.choice(groups)["spec"]["preemptibility"] = dice.choice(["preemptible", "non-preemptible"])


_PODS: Final[list[Variation]] = [
    *(_leaving, _ended, _gated, _selecting, _tolerant, _with_init, _with_device, _apart, _not_ready),
    *(_fewer_places, _lost_node),
]
VARIATIONS: Final[dict[str, list[Variation]]] = {
    "elasticquota": [*_PODS, _polite, _quota, _quota, _second_quota],
    "koordinator": [*_PODS, _polite, _quota, _quota, _lost_quota, _not_lent],
    "kai": [*_PODS, _kai_queue, _kai_queue, _elastic, _lost_group, _kai_lost_queue, _fraction, _kept, _firm, _sharded],
}
