"""The names that Koordinator gives to quotas, labels, annotations, gates and resources.

Source: koordinator v1.8.0, ``apis/extension``.
"""

from collections.abc import Mapping
from typing import Final, TypeVar

T = TypeVar("T")
GROUP: Final = "scheduling.sigs.k8s.io"
KIND: Final = "ElasticQuota"
VERSION: Final = "v1alpha1"
PROFILE_GROUP: Final = "quota.koordinator.sh"
PROFILE_KIND: Final = "ElasticQuotaProfile"
SCHEDULER_PLUGINS_GROUP: Final = "scheduling.x-k8s.io"
PLUGINS_GROUP: Final = "scheduling.koordinator.sh"
LOAD_GROUP: Final = "slo.koordinator.sh"
COLOCATION_GROUP: Final = "config.koordinator.sh"
NUMA_GROUP: Final = "topology.node.k8s.io"
OTHER_GROUPS: Final = (PLUGINS_GROUP, LOAD_GROUP, COLOCATION_GROUP, NUMA_GROUP)
"""Groups of Koordinator's other kinds; those that are read lie in no namespace."""

ROOT: Final = "koordinator-root-quota"
SYSTEM: Final = "koordinator-system-quota"
DEFAULT: Final = "koordinator-default-quota"
SPECIAL: Final = (SYSTEM, DEFAULT)
"""The quotas below root that take no part in scaled minima."""
ASSUMED: Final = (ROOT, *SPECIAL)
"""The quotas that the scheduler creates when it starts."""
HOME: Final = "koordinator-system"

_PREFIX: Final = "quota.scheduling.koordinator.sh/"
PARENT: Final = f"{_PREFIX}parent"
IS_PARENT: Final = f"{_PREFIX}is-parent"
LENDS: Final = f"{_PREFIX}allow-lent-resource"
TREE: Final = f"{_PREFIX}tree-id"
IS_ROOT: Final = f"{_PREFIX}is-root"
IGNORES_DEFAULT_TREE: Final = f"{_PREFIX}ignore-default-tree"
FORCED: Final = f"{_PREFIX}allow-force-update"
QUOTA_NAME: Final = f"{_PREFIX}name"
PREEMPTIBLE: Final = f"{_PREFIX}preemptible"
WEIGHT: Final = f"{_PREFIX}shared-weight"
NAMESPACES: Final = f"{_PREFIX}namespaces"
TOTAL: Final = f"{_PREFIX}total-resource"
GUARANTEED: Final = f"{_PREFIX}guaranteed"
STRICT_KEYS: Final = f"{_PREFIX}max-strict-check-resource-keys"
RESERVATION: Final = "node.koordinator.sh/reservation"
SCHEDULER_NAME: Final = f"{PLUGINS_GROUP}/scheduler-name"
REPLACED_RESOURCES: Final = "pod.koordinator.sh/replace-resources"
USAGE_THRESHOLDS: Final = f"{PLUGINS_GROUP}/usage-thresholds"
DOMAIN: Final = "koordinator.sh"
SUBDOMAINS: Final = (
    *("gang.scheduling.", "internal.scheduling.", "node.", "pod.", "quota.scheduling.", "scheduling."),
)
"""Before the domain, in the names of labels and annotations on which the scheduler decides."""

BATCH: Final = {
    "koordinator.sh/batch-cpu": "kubernetes.io/batch-cpu",
    "koordinator.sh/batch-memory": "kubernetes.io/batch-memory",
}
"""Old names of batch resources, and the present ones."""
_DEVICES: Final = {
    f"kubernetes.io/{name}": f"koordinator.sh/{name}"
    for name in ("rdma", "fpga", "gpu", "gpu-core", "gpu-memory", "gpu-memory-ratio")
}
RENAMED: Final = BATCH | _DEVICES
"""Old names of all resources. Pods and nodes have all of them rewritten, quotas only those of batch resources."""


def renamed(amounts: Mapping[str, T], names: Mapping[str, str]) -> Mapping[str, T]:
    """The amounts under their present names. An old name stays if the present one is listed as well."""
    if names.keys().isdisjoint(amounts):
        return amounts
    return {names[r] if r in names and names[r] not in amounts else r: value for r, value in amounts.items()}
