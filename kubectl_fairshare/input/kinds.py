"""Kinds by name: which are cluster-scoped, and what kubectl's users call them."""

from functools import lru_cache
from typing import Final

_CLUSTER_SCOPED: Final = frozenset(
    {
        *(("", kind) for kind in ("Namespace", "Node", "PersistentVolume", "ComponentStatus")),
        *(("rbac.authorization.k8s.io", kind) for kind in ("ClusterRole", "ClusterRoleBinding")),
        ("scheduling.k8s.io", "PriorityClass"),
        ("node.k8s.io", "RuntimeClass"),
        ("apiextensions.k8s.io", "CustomResourceDefinition"),
        ("apiregistration.k8s.io", "APIService"),
        ("certificates.k8s.io", "CertificateSigningRequest"),
        ("networking.k8s.io", "IngressClass"),
        ("flowcontrol.apiserver.k8s.io", "FlowSchema"),
        ("flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration"),
        *(("storage.k8s.io", kind) for kind in ("StorageClass", "CSIDriver", "CSINode", "VolumeAttachment")),
        *(("resource.k8s.io", kind) for kind in ("DeviceClass", "ResourceSlice")),
        ("kai.scheduler", "SchedulingShard"),
        ("kai.scheduler", "Config"),
        ("kai.scheduler", "Topology"),
        ("scheduling.run.ai", "Queue"),
        ("trainer.kubeflow.org", "ClusterTrainingRuntime"),
    }
)
_CLUSTER_SCOPED_GROUPS: Final = frozenset({"admissionregistration.k8s.io"})
_KUEUE: Final = "kueue.x-k8s.io"
_KUEUE_NAMESPACED: Final = frozenset({"LocalQueue", "Workload"})
_SHORT_NAMES: Final = {
    "cq": "clusterqueue",
    "co": "cohort",
    "queue": "localqueue",
    "queues": "localqueue",
    "lq": "localqueue",
    "rf": "resourceflavor",
    "flavor": "resourceflavor",
    "flavors": "resourceflavor",
    "kwl": "workload",
    "kueueworkload": "workload",
    "kueueworkloads": "workload",
    "wl": "workload",
    "ac": "admissioncheck",
    "wpc": "workloadpriorityclass",
    "topo": "topology",
    "pc": "priorityclass",
    "ns": "namespace",
    "limits": "limitrange",
    "cm": "configmap",
    "po": "pod",
    "no": "node",
    "cj": "cronjob",
    "eq": "elasticquota",
    "pg": "podgroup",
    "deploy": "deployment",
    "sa": "serviceaccount",
    "svc": "service",
}
_JUDGED_GROUPS: Final = frozenset({_KUEUE, "scheduling.x-k8s.io", "scheduling.run.ai", "kai.scheduler"})
_READ_GROUPS: Final = _JUDGED_GROUPS | {"", "batch", "policy", "scheduling.k8s.io", "scheduling.sigs.k8s.io"}
_BARE_GROUPS: Final = (".config.k8s.io", "config.kueue.x-k8s.io")
"""Groups of files that are configuration and no objects of a cluster: they need no name."""


def needs_no_name(group: str) -> bool:
    """Whether the documents of a group are configuration files, which have no name."""
    return f".{group}".endswith(_BARE_GROUPS)


def is_judged(group: str) -> bool:
    """Whether objects of a group are judged as their API server would, which tells of a missing name, too."""
    return group in _JUDGED_GROUPS


@lru_cache(maxsize=1024)
def is_read(group: str) -> bool:
    """Whether an answer, or a finding, can rest on objects of a group."""
    from kubectl_fairshare.jobs.kinds.templates import JOB_KINDS

    return group in _READ_GROUPS or needs_no_name(group) or any(kind.group == group for kind in JOB_KINDS)


@lru_cache(maxsize=1024)
def has_namespace(group: str, kind: str) -> bool:
    """Whether objects of a kind lie in a namespace; kinds that we don't know are taken to."""
    if group == _KUEUE:
        return kind in _KUEUE_NAMESPACED
    return not (needs_no_name(group) or group in _CLUSTER_SCOPED_GROUPS or (group, kind) in _CLUSTER_SCOPED)


def is_called(group: str, kind: str, word: str) -> bool:
    """Whether ``word`` names a kind: as kind, plural or short form, perhaps with its group, in any case."""
    word, _, of_group = word.lower().partition(".")
    if of_group and of_group != group:
        return False
    name = kind.lower()
    return word in (name, _plural(name)) or _SHORT_NAMES.get(word) == name


def _plural(name: str) -> str:
    if name.endswith(("s", "x", "ch")):
        return name + "es"
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return name[:-1] + "ies"
    return name + "s"
