"""What Koordinator's scheduler knows of objects: their kinds, arguments of plugins, and the names in its domains.

Source: koordinator v1.8.0, ``apis/extension``, ``apis/quota`` and ``pkg/scheduler/apis/config/v1``.
Tested in ``tests/property/exact/test_unknown_fields.py``.
"""

from collections.abc import Mapping
from typing import Final

from kubectl_fairshare.api.structures.structure import Struct
from kubectl_fairshare.api.unknown import KnownParts
from kubectl_fairshare.input.text.scheduler_configuration import HOLDERS, enabled_at
from kubectl_fairshare.input.units.installed_charts import ChartObject
from kubectl_fairshare.input.unknown_fields import unknown_around_pods, unknown_settings
from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import ByKind
from kubectl_fairshare.schedulers.koordinator.admission.kinds import API, PROFILES
from kubectl_fairshare.schedulers.koordinator.model import names
from kubectl_fairshare.schedulers.koordinator.reading.arguments import PLUGIN, POINTS

_MARKS: Final[Mapping[str, frozenset[str]]] = {
    "gang.scheduling.koordinator.sh/": frozenset(
        {
            *("groups", "match-policy", "min-available", "mode", "name", "network-topology-index"),
            *("network-topology-spec", "timeout", "total-number", "waiting-time"),
        }
    ),
    "internal.scheduling.koordinator.sh/": frozenset(
        {
            *("bind-gang-group-id", "bind-gang-member-count", "original-scheduler-name", "scheduling-hint"),
        }
    ),
    "koordinator.sh/": frozenset(
        {
            *("blkioQOS", "core-sched-group-id", "core-sched-policy", "cpuBurst", "cpuQOS"),
            *("eviction-enabled", "eviction-policy", "eviction-priority", "gpu-driver"),
            *("gpu-isolation-provider", "gpu-model", "memoryQOS", "networkQOS", "oom-score-adj"),
            *("oom-score-adj-spec", "priority", "priority-class", "qosClass"),
            *("enable-colocation", "intercepted", "mutated"),  # selectors of profiles in its pages choose by these
        }
    ),
    "node.koordinator.sh/": frozenset(
        {
            *("be-cpu-shared-pools", "colocation-strategy", "cpu-basic-info", "cpu-bind-policy"),
            *("cpu-normalization-enabled", "cpu-normalization-ratio", "cpu-reclaim-ratio"),
            *("cpu-shared-pools", "cpu-topology", "enable-numa-reservation", "extended-resource-spec"),
            *("gpu-driver-version", "gpu-model", "gpu-partition-policy", "gpu-vendor"),
            *("memory-reclaim-ratio", "mid-static-cpu-reserved-ratio", "mid-static-memory-reserved-ratio"),
            *("network-bandwidth", "numa-allocate-strategy", "numa-topology-policy"),
            *("originExtendedAllocatable", "pod-cpu-allocs", "raw-allocatable", "resctrl", "reservation"),
            *("resource-amplification-ratio", "secondary-device-well-planned", "system-qos-resource"),
            "thirdPartyAllocations",
        }
    ),
    "pod.koordinator.sh/": frozenset(
        {
            *("is-pre-allocatable", "mutating-update", "pre-allocatable-priority", "replace-resources"),
            "skip-enhanced-validation",
        }
    ),
    "quota.scheduling.koordinator.sh/": frozenset(
        {
            *("admission", "allocated", "allow-force-update", "allow-lent-resource", "child-request"),
            *("guaranteed", "ignore-default-tree", "is-parent", "is-root", "max-strict-check-resource-keys"),
            *("name", "namespaces", "non-preemptible-request", "non-preemptible-used", "parent"),
            *("preemptible", "profile", "request", "resource-keys", "runtime", "shared-weight"),
            *("total-resource", "tree-id", "unschedulable-resource"),
        }
    ),
    "scheduling.koordinator.sh/": frozenset(
        {
            *("bind-gang-group-id", "bind-gang-member-count", "bind-timestamp", "device-allocate-hint"),
            *("device-allocated", "device-joint-allocate", "diagnosis", "disable-preemptible"),
            *("eviction-cost", "exact-match-reservation", "gpu-minors", "gpu-partition-spec"),
            *("gpu-partitions", "is-pre-allocation", "load-estimated-scaling-factors"),
            *("load-estimated-seconds-after-initialized", "load-estimated-seconds-after-pod-scheduled"),
            *("network-topology-selector", "nominated-pods-to-ignore", "numa-topology-spec"),
            *("operating-mode", "pre-allocation-required", "preemption-policy", "questioned-object-key"),
            *("reservation-affinity", "reservation-allocated", "reservation-current-owner"),
            *("reservation-ignored", "reservation-name", "reservation-node", "reservation-order"),
            *("reservation-owners", "reservation-resize-allocatable", "reservation-restricted-options"),
            *("reserve-pod", "resource-spec", "resource-status", "scheduler-name", "scheduling-hint"),
            *("scheduling-phase", "soft-eviction", "topology-key-to-explain", "usage-thresholds"),
        }
    ),
}
KNOWN: Final = KnownParts((API, PROFILES), _MARKS, unmarked=("Namespace",))
_KINDS: Final = (
    (names.GROUP, names.KIND),
    (names.PROFILE_GROUP, names.PROFILE_KIND),
    ("", "Node"),
    ("policy", "PodDisruptionBudget"),
)
_ARGUMENTS: Final = f"{names.VERSION}/arguments"


def unknown_places(kinds: ByKind, made: ChartObject | None = None) -> tuple[Place, ...]:
    """The places of what is unknown in the objects that decide; ``made`` is the configuration that a chart makes."""
    holders = [manifest for kind in HOLDERS for manifest in kinds.get(kind, ())]
    settings = unknown_settings(holders, made, KNOWN, _runs, _arguments)
    return (*unknown_around_pods(kinds, KNOWN, _KINDS), *settings)


def _runs(profile: Field) -> bool:
    return any(PLUGIN in enabled_at(profile, point) for point in POINTS)


def _arguments(plugin: str) -> Struct | None:
    """The arguments of one of Koordinator's plugins; None for any other."""
    try:
        return API.library.struct(_ARGUMENTS, f"{plugin}Args")
    except KeyError:
        return None
