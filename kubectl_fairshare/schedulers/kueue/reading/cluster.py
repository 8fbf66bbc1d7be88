"""What Kueue reads of a cluster, and where its manager keeps its Configuration.

Source: Kueue v0.19, its manifests and chart; its feature gates, of which each release changed some.
Tested in ``tests/unit/input/cluster/test_roles.py``.
"""

from typing import Final

from kubectl_fairshare.input.cluster.connection import Connection, Refused
from kubectl_fairshare.input.cluster.installed import config_maps, definition_at, mismatch, release_at
from kubectl_fairshare.input.cluster.resources import (
    NODES,
    PODS,
    RESOURCE_QUOTAS,
    ClusterReads,
    Objects,
    Resource,
    Settings,
    events_about,
)
from kubectl_fairshare.input.extent import Unread
from kubectl_fairshare.jobs.kinds import POD_MAKERS
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.json import Json, mappings
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.releases import Release
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.reading.release_signs import DEFINITIONS, sign_of
from kubectl_fairshare.schedulers.kueue.reading.written_settings import KIND, holds_configuration

_FIRST: Final = Release(0, 16)
_LAST: Final = Release(0, 20)
_USUAL: Final = Release(0, 19)
_CONFIG_MAP: Final = "kueue-manager-config"
_MANAGER: Final = "kueue-controller-manager"
_CHANGES: Final = {
    Release(0, 15): ("kueue.x-k8s.io/v1beta2 is served", "admission fair sharing is on by default"),
    Release(0, 17): (
        "a queue within its nominal quota reclaims without comparing shares (FairSharingPreemptWithinNominal)",
        "workloads that do not borrow go first (FairSharingPrioritizeNonBorrowing)",
    ),
    Release(0, 18): ("equal workloads are requeued together (SchedulingEquivalenceHashing)",),
    Release(0, 19): (
        "the scan of flavors continues where it stopped (FlavorFungibilityPreserveScanProgress)",
        "resources without quota can be ignored (QuotaCheckStrategy)",
    ),
}
"""The changes of decisions in each release, according to its feature gates."""


def _kueue(plural: str, kind: str, namespaced: bool = False) -> Resource:
    return Resource(GROUP, ("v1beta2", "v1beta1"), plural, kind, namespaced)


def _job(group: str, version: str, plural: str, kind: str) -> Resource:
    return Resource(group, (version,), plural, kind)


_STATE: Final = (
    _kueue("resourceflavors", "ResourceFlavor"),
    _kueue("cohorts", "Cohort"),
    _kueue("clusterqueues", "ClusterQueue"),
    _kueue("localqueues", "LocalQueue", namespaced=True),
    _kueue("workloads", "Workload", namespaced=True),
    _kueue("workloadpriorityclasses", "WorkloadPriorityClass"),
    _kueue("admissionchecks", "AdmissionCheck"),
    _kueue("topologies", "Topology"),
)
_JOBS: Final = (
    *(_job(each.group, each.version, each.plural, each.kind) for each in POD_MAKERS if each.framework),
    replace(PODS, labels=f"{GROUP}/managed"),
)
_RUNTIMES: Final = (
    _job("trainer.kubeflow.org", "v1alpha1", "trainingruntimes", "TrainingRuntime"),
    replace(
        _job("trainer.kubeflow.org", "v1alpha1", "clustertrainingruntimes", "ClusterTrainingRuntime"), namespaced=False
    ),
)
_EVENTS: Final = events_about("Workload")
_TRACES: Final = (
    replace(PODS, at_home=True),
    Resource("apps", ("v1",), "replicasets", "ReplicaSet", labels=f"{GROUP}/queue-name"),
    _EVENTS,
)
_TOPOLOGY: Final = (GROUP, "Topology")


def _room_of(pod: dict[str, Json]) -> dict[str, Json]:
    """What of a Pod says how much room it takes of which node: there are tens of thousands."""
    metadata, spec, status = (_mapping(pod.get(name)) for name in ("metadata", "spec", "status"))
    claims = {name: [_claim(c) for c in mappings(spec.get(name))] for name in _CONTAINERS if spec.get(name)}
    return {
        **{name: pod[name] for name in ("apiVersion", "kind")},
        "metadata": {name: metadata[name] for name in _NAMED if name in metadata},
        "spec": {name: spec[name] for name in _PLACED if name in spec} | claims,
        "status": {"phase": status["phase"]} if "phase" in status else {},
    }


_CONTAINERS: Final = ("initContainers", "containers")
_NAMED: Final = ("name", "namespace", "annotations", "resourceVersion")
_PLACED: Final = ("nodeName", "overhead", "resources", "runtimeClassName")


def _claim(container: dict[str, Json]) -> dict[str, Json]:
    return {name: container[name] for name in ("name", "resources", "restartPolicy") if name in container}


def _mapping(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}


_GROUND: Final = (
    replace(NODES, beside=_TOPOLOGY),
    replace(
        PODS,
        fields="spec.nodeName!=,status.phase!=Succeeded,status.phase!=Failed",
        beside=_TOPOLOGY,
        kept=_room_of,
    ),
)
"""Where topologies place pods: the nodes, and what all pods on them take."""
_DEVICES: Final = Resource("resource.k8s.io", ("v1", "v1beta2", "v1beta1"), "deviceclasses", "DeviceClass", False)
"""What provides extended resources: Kueue counts those of a DeviceClass in another way."""
_CLAIMS: Final = Resource("resource.k8s.io", ("v1", "v1beta2"), "resourceclaimtemplates", "ResourceClaimTemplate")
"""How many devices pods claim."""
_DECIDING: Final = (*_GROUND, _DEVICES, _CLAIMS)
_REMOTE: Final = (
    _kueue("multikueueclusters", "MultiKueueCluster"),
    _kueue("multikueueconfigs", "MultiKueueConfig"),
    _kueue("provisioningrequestconfigs", "ProvisioningRequestConfig"),
)
_UNKNOWN: Final = {
    "AdmissionCheck": "the admission checks, and whether they are active",
    "ClusterQueue": "the quotas, limits and policies of queues",
    "Cohort": "parents, quotas and weights of cohorts",
    KIND: "whether preemption is fair or classical, and other settings of Kueue: without it, the defaults apply",
    "DeviceClass": "which extended resources DeviceClasses provide",
    "Event": "events",
    "LocalQueue": "the LocalQueues, and their ClusterQueues",
    "ResourceFlavor": "labels and taints of flavors",
    "ResourceClaimTemplate": "how many devices pods claim",
    "Topology": "the levels of topologies",
    "Workload": "the workloads that hold quota or wait",
    "WorkloadPriorityClass": "the priorities of WorkloadPriorityClasses",
}


def _settings(connection: Connection, namespace: str, _: Objects) -> Settings:
    """The manager's ConfigMap with its usual name, otherwise one of the namespace with a Configuration; and a release.

    If there is none, or if it cannot be read, Kueue's defaults apply.
    """
    found: tuple[Manifest, ...] = ()
    unread: tuple[Unread, ...] = ()
    try:
        found = tuple(config_maps(connection, namespace, _CONFIG_MAP, holds_configuration))[:1]
    except Refused as refused:
        unread = (Unread(KIND),) if refused.status in (401, 403) else ()
    release = release_at(connection, namespace, _MANAGER, "kueue")
    missing = () if found or unread else (_without_configuration(namespace),)
    signs, unknown = ((), ()) if release else _line(connection, namespace)
    notes = (*mismatch(release, "Kueue", _modelled(release), _CHANGES), *missing, *unknown)
    return Settings((*found, *signs), unread, notes, release)


def _line(connection: Connection, namespace: str) -> tuple[tuple[Manifest, ...], tuple[Problem, ...]]:
    """The CRDs that say which line of releases runs; a note where they may not be read."""
    found = []
    for name in DEFINITIONS:
        try:
            found.append(sign_of(definition_at(connection, name)))
        except Refused as refused:
            if refused.status in (401, 403):
                return tuple(found), (_without_release(namespace),)
    return tuple(found), ()


def _without_release(namespace: str) -> Problem:
    message = (
        f"which release of Kueue runs is not known: no Deployment `{_MANAGER}` in namespace `{namespace}` names it, "
        "and you may not read Kueue's CRDs"
    )
    return Problem(message, None, "name it with `--release`, or the manager's namespace with `--kueue-namespace`")


def _modelled(release: str) -> Release:
    """The release that answers are for on a cluster that runs ``release``."""
    runs = Release.parse(release.partition("-")[0]) if release else _USUAL
    return max(_FIRST, min(runs, _LAST))


def _without_configuration(namespace: str) -> Problem:
    message = f"namespace `{namespace}` has no ConfigMap with Kueue's Configuration, so its defaults apply"
    return Problem(message, None, "name the manager's namespace with `--kueue-namespace`")


CLUSTER_READS: Final = ClusterReads(
    GROUP,
    _STATE,
    _settings,
    deployment=_MANAGER,
    config_maps=(_CONFIG_MAP,),
    definitions=DEFINITIONS,
    more={
        "cycle": _DECIDING,
        "diff": _DECIDING,
        "plan": (*_RUNTIMES, *_DECIDING),
        "why": (*_JOBS, *_RUNTIMES, *_TRACES, *_DECIDING, RESOURCE_QUOTAS),
        "forecast": (*_JOBS, *_RUNTIMES, _EVENTS, *_DECIDING),
        "lint": (*_JOBS, *_REMOTE, NODES),
        "trace": (*_JOBS, *_RUNTIMES, _EVENTS),
        "snapshot": (*_JOBS, *_RUNTIMES, *_TRACES, *_REMOTE, NODES, *_DECIDING),
    },
    unknown=_UNKNOWN,
)
