"""The kinds of Kueue's API: how they are named and what the API server does with them.

Source: Kueue v0.19, CustomResourceDefinitions of ``kueue.x-k8s.io``.
"""

from functools import cache
from importlib import import_module
from typing import Final, NamedTuple

from kubectl_fairshare.api.structures.structure import Struct
from kubectl_fairshare.model.values import dataclass

GROUP: Final = "kueue.x-k8s.io"
OLD: Final = "v1beta1"
STORED: Final = "v1beta2"
VERSIONS: Final = (OLD, STORED)
DEPRECATION: Final = "This version is deprecated. Use v1beta2 instead."


class Names(NamedTuple):
    """How kubectl may call a kind, whether its objects live in namespaces, and the versions served."""

    plural: str
    short: tuple[str, ...] = ()
    namespaced: bool = False
    versions: tuple[str, ...] = VERSIONS


KINDS: Final[dict[str, Names]] = {
    "AdmissionCheck": Names("admissionchecks", ("ac",)),
    "ClusterQueue": Names("clusterqueues", ("cq",)),
    "Cohort": Names("cohorts", ("co",)),
    "LocalQueue": Names("localqueues", ("queue", "queues", "lq"), namespaced=True),
    "MultiKueueCluster": Names("multikueueclusters", ("mkc",)),
    "MultiKueueConfig": Names("multikueueconfigs", ("mkconf",)),
    "ProvisioningRequestConfig": Names("provisioningrequestconfigs", ("prc",)),
    "ResourceFlavor": Names("resourceflavors", ("flavor", "flavors", "rf")),
    "Topology": Names("topologies", ("topo",)),
    "Workload": Names("workloads", ("kwl", "kueueworkload", "kueueworkloads"), namespaced=True),
    "WorkloadPriorityClass": Names("workloadpriorityclasses", ("wpc",)),
}


@dataclass(frozen=True, slots=True)
class Handling:
    """What happens to a write of a kind beside its schema.

    ``defaulted``: a mutating webhook decodes it on create; ``rewritten``: and writes it back from its Go
    type. ``validated``: a webhook validates it. ``converted``: versions are converted by Kueue, not merely
    renamed. ``has_status``: status is a subresource.
    """

    module: str
    constant: str
    defaulted: bool = False
    rewritten: bool = False
    validated: bool = False
    converted: bool = False
    has_status: bool = False


HANDLING: Final[dict[str, Handling]] = {
    "AdmissionCheck": Handling("admission_check", "ADMISSION_CHECK", has_status=True),
    "ClusterQueue": Handling(
        "cluster_queue",
        "CLUSTER_QUEUE",
        defaulted=True,
        rewritten=True,
        validated=True,
        converted=True,
        has_status=True,
    ),
    "Cohort": Handling("cohort", "COHORT", validated=True, converted=True, has_status=True),
    "LocalQueue": Handling("local_queue", "LOCAL_QUEUE", converted=True, has_status=True),
    "MultiKueueCluster": Handling("multikueue", "MULTI_KUEUE_CLUSTER", converted=True, has_status=True),
    "MultiKueueConfig": Handling("multikueue", "MULTI_KUEUE_CONFIG"),
    "ProvisioningRequestConfig": Handling("provisioning", "PROVISIONING_REQUEST_CONFIG"),
    "ResourceFlavor": Handling("resource_flavor", "RESOURCE_FLAVOR", defaulted=True, rewritten=True, validated=True),
    "Topology": Handling("topology", "TOPOLOGY"),
    "Workload": Handling("workload", "WORKLOAD", defaulted=True, validated=True, converted=True, has_status=True),
    "WorkloadPriorityClass": Handling("priority_class", "WORKLOAD_PRIORITY_CLASS"),
}


@cache
def structure(version: str, kind: str) -> Struct:
    """The structure of a kind in a served version; its tables are loaded when they are first asked for."""
    handling = HANDLING[kind]
    module = import_module(f"kubectl_fairshare.schedulers.kueue.admission.structures.{handling.module}")
    old = getattr(module, f"{handling.constant}_V1BETA1", None) if version == OLD else None
    found = old or getattr(module, handling.constant)
    if not isinstance(found, Struct):
        raise TypeError(f"{handling.constant} is not a structure")
    return found
