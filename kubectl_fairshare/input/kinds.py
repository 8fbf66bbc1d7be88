"""Kinds of Kubernetes itself by name: which are cluster-scoped, and what kubectl's users call them."""

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
        ("trainer.kubeflow.org", "ClusterTrainingRuntime"),
    }
)
_CLUSTER_SCOPED_GROUPS: Final = frozenset({"admissionregistration.k8s.io"})
_CONFIGURATION: Final = ".config.k8s.io"
"""Ends of API groups whose documents configure Kubernetes' programs and are not objects of a cluster."""
SCHEDULER_CONFIGURATION: Final = ("kubescheduler.config.k8s.io", "KubeSchedulerConfiguration")
KOORD_QUEUE: Final = frozenset({("scheduling.x-k8s.io", "Queue"), ("scheduling.x-k8s.io", "QueueUnit")})
"""Kinds of koord-queue, which holds jobs back until its own queues let them go."""
READ_GROUPS: Final = frozenset({"", "batch", "policy", "scheduling.k8s.io"})
"""Groups of Kubernetes that answers rest on, whatever the scheduler."""
READ_CORE_KINDS: Final = frozenset({"LimitRange", "Namespace", "Node", "Pod", "ResourceQuota"})
"""Kinds of the core group that answers rest on."""
SHORT_NAMES: Final = {
    "pc": "priorityclass",
    "ns": "namespace",
    "limits": "limitrange",
    "cm": "configmap",
    "po": "pod",
    "no": "node",
    "cj": "cronjob",
    "deploy": "deployment",
    "sa": "serviceaccount",
    "svc": "service",
}


def is_configuration(group: str) -> bool:
    """Whether the documents of a group are configuration files of Kubernetes' own programs."""
    return f".{group}".endswith(_CONFIGURATION)


def is_cluster_scoped(group: str, kind: str) -> bool:
    """Whether objects of a kind lie in no namespace; False for kinds that are not known."""
    return group in _CLUSTER_SCOPED_GROUPS or (group, kind) in _CLUSTER_SCOPED


def plural(name: str) -> str:
    """The plural of a kind in small letters."""
    if name.endswith(("s", "x", "ch")):
        return name + "es"
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return name[:-1] + "ies"
    return name + "s"
