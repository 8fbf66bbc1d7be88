"""What Koordinator's other plugins decide on: objects, and marks on nodes and pods, by the feature that is a gap.

Source: koordinator v1.8.0, the plugins Reservation, DeviceShare, NodeNUMAResource and LoadAwareScheduling, the
transformers of pods, and the webhook of ClusterColocationProfiles.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from kubectl_fairshare.model.json import Json, JsonObject, listed, mapping, rows
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.koordinator.model import names

Kind = tuple[str, str]
RESERVATION: Final = (names.PLUGINS_GROUP, "Reservation")
DEVICE: Final = (names.PLUGINS_GROUP, "Device")
LOAD: Final = (names.LOAD_GROUP, "NodeMetric")
NUMA: Final = (names.NUMA_GROUP, "NodeResourceTopology")
COLOCATION: Final = (names.COLOCATION_GROUP, "ClusterColocationProfile")
KINDS: Final = frozenset({RESERVATION, DEVICE, LOAD, NUMA, COLOCATION})
"""Kinds of Koordinator that are gaps; they are read to see whether there are any."""
_ENDED: Final = ("Succeeded", "Failed")
_NUMA_LABELS: Final = ("node.koordinator.sh/numa-topology-policy", "node.koordinator.sh/cpu-bind-policy")
_AMPLIFIED: Final = "node.koordinator.sh/resource-amplification-ratio"
_CPU_MANAGER: Final = "kubelet.koordinator.sh/cpu-manager-policy"


def unmodelled_in(objects: Callable[[str, str], Iterable[Manifest]]) -> dict[str, tuple[Place, ...]]:
    """The first place of each feature; ``objects`` gives those of a kind."""
    found: dict[str, tuple[Place, ...]] = {}
    for feature, (kind, decides) in _FEATURES.items():
        place = next((Place(m.key) for m in objects(*kind) if decides(m.data)), None)
        if place is not None:
            found[feature] = (place,)
    return found


def summary_of_load(data: dict[str, Json]) -> dict[str, Json]:
    """A NodeMetric without its figures, which fill a cluster's memory: only whether there are any is read."""
    status = mapping(data, "status")
    kept: JsonObject = {"nodeMetric": {}} if status.get("nodeMetric") is not None else {}
    return {**{name: data[name] for name in ("apiVersion", "kind", "metadata") if name in data}, "status": kept}


def _always(_: JsonObject) -> bool:
    return True


def _is_leaving(data: JsonObject) -> bool:
    return mapping(data, "metadata").get("deletionTimestamp") is not None


def _is_active(reservation: JsonObject) -> bool:
    return mapping(reservation, "status").get("phase") not in _ENDED


def _has_devices(device: JsonObject) -> bool:
    return bool(rows(device, "spec", "devices"))


def _has_load(metric: JsonObject) -> bool:
    return mapping(metric, "status").get("nodeMetric") is not None


def _aligns(topology: JsonObject) -> bool:
    """Whether a kubelet aligns pods with NUMA nodes, or gives them whole cores."""
    policies = listed(topology, "topologyPolicies")
    return any(policy not in ("", "None") for policy in policies) or "static" in _annotation(topology, _CPU_MANAGER)


def _is_numa_node(node: JsonObject) -> bool:
    labels = mapping(node, "metadata", "labels")
    return any(labels.get(name) for name in _NUMA_LABELS) or bool(_annotation(node, _AMPLIFIED))


def _has_thresholds(node: JsonObject) -> bool:
    return bool(_annotation(node, names.USAGE_THRESHOLDS))


def _replaces(pod: JsonObject) -> bool:
    return bool(_annotation(pod, names.REPLACED_RESOURCES))


def _annotation(data: JsonObject, name: str) -> str:
    metadata = data.get("metadata")
    annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
    return str(annotations.get(name) or "") if isinstance(annotations, dict) else ""


_FEATURES: Final[Mapping[str, tuple[Kind, Callable[[JsonObject], bool]]]] = {
    "ColocationProfile": (COLOCATION, _always),
    "Devices": (DEVICE, _has_devices),
    "NodeDeleting": (("", "Node"), _is_leaving),
    "NodeLoad": (LOAD, _has_load),
    "NumaNode": (("", "Node"), _is_numa_node),
    "NumaTopology": (NUMA, _aligns),
    "QuotaDeleting": ((names.GROUP, names.KIND), _is_leaving),
    "ReplacedResources": (("", "Pod"), _replaces),
    "Reservations": (RESERVATION, _is_active),
    "UsageThresholds": (("", "Node"), _has_thresholds),
}
