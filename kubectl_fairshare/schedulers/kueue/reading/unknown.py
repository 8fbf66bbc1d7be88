"""What Kueue knows of objects: their kinds, and the names in its domain.

Source: Kueue v0.19.2, its CustomResourceDefinitions, and the names with ``kueue.x-k8s.io/`` in its code; those that
v0.16.9 alone has, too.
Tested in ``tests/property/exact/test_unknown_fields.py``.
"""

from collections.abc import Collection
from typing import Final

from kubectl_fairshare.api.unknown import KnownParts
from kubectl_fairshare.input.unknown_fields import unknown_in
from kubectl_fairshare.jobs.pod_surroundings import LIMIT_RANGE, RUNTIME_CLASS
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import ByKind
from kubectl_fairshare.schedulers.kueue.admission.kinds import APIS
from kubectl_fairshare.schedulers.kueue.jobs.context import CLAIM_TEMPLATE, DEVICE_CLASS
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.reading.topology import NODE, POD

_OF_OTHERS: Final = frozenset({"default-queue"})
"""Names in its domain that others read: CodeFlare's SDK for Python picks the queue of a job by it, and Kueue has it in
no release. Kueue's default is the LocalQueue that is called `default`."""
KNOWN: Final = KnownParts(
    APIS,
    {
        f"{GROUP}/": frozenset(
            {
                *("admission-gated-by", "auto-generated", "cluster-queue-name", "component-workload-index"),
                *("concurrent-admission-parent", "elastic-job", "is-group-workload"),
                *("job-completions-equal-parallelism", "job-min-parallelism", "job-owner-gvk"),
                *("job-owner-name", "job-uid", "local-queue-name", "managed", "max-exec-time-seconds"),
                *("multikueue-origin", "multikueue-origin-uid", "multikueue-worker-workload-pod"),
                *("pod-group-fast-admission", "pod-group-name", "pod-group-pod-index"),
                *("pod-group-pod-index-label", "pod-group-serving", "pod-group-total-count"),
                *("pod-index-offset", "pod-suspending-parent", "podset", "podset-group-name"),
                *("podset-preferred-topology", "podset-replica-sizes", "podset-required-topology"),
                *("podset-slice-required-topology", "podset-slice-required-topology-constraints"),
                *("podset-slice-size", "podset-unconstrained-topology", "prebuilt-workload-name"),
                *("priority-boost", "priority-class", "queue-name", "raycluster-generation"),
                *("raycluster-podset-replica-sizes", "retriable-in-group", "role-hash"),
                *("safe-to-forcefully-delete", "stopping", "tas", "workload"),
                *("workload-allowed-resource-flavors", "workload-slice-name"),
                "workload-slice-replacement-for",
            }
        )
        | _OF_OTHERS
    },
    {"Workload": ("admission",)},
)
_WORKLOAD: Final = (GROUP, "Workload")
_KINDS: Final = (
    *((GROUP, kind) for kind in ("AdmissionCheck", "ClusterQueue", "Cohort", "LocalQueue", "ResourceFlavor")),
    *((GROUP, kind) for kind in ("Topology", "WorkloadPriorityClass")),
    *(("", LIMIT_RANGE), RUNTIME_CLASS, CLAIM_TEMPLATE, DEVICE_CLASS),
)


def unknown_places(kinds: ByKind, live: Collection[ObjectKey], *, placing: bool) -> tuple[Place, ...]:
    """The places of what is unknown in the objects that decide: of Workloads those that are ``live``.

    ``placing``: topologies place pods on nodes.
    """
    read = (*_KINDS, NODE, POD) if placing else _KINDS
    workloads = (manifest for manifest in kinds.get(_WORKLOAD, ()) if manifest.key in live)
    others = (manifest for kind in read for manifest in kinds.get(kind, ()))
    return unknown_in((*workloads, *others), KNOWN)
