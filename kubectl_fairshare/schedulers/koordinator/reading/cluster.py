"""What Koordinator's quotas read from a cluster, including the configuration and the gates of its scheduler.

Source: koordinator's Helm chart v1.8.0.
"""

from typing import Final

from kubectl_fairshare.input.cluster.connection import Connection, Refused
from kubectl_fairshare.input.cluster.installed import config_maps, deployment_at
from kubectl_fairshare.input.cluster.resources import NODES, PODS, ClusterReads, Objects, Resource, Settings
from kubectl_fairshare.input.kinds import plural
from kubectl_fairshare.input.text.scheduler_configuration import scheduler_configurations
from kubectl_fairshare.input.units.running import release_of
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.koordinator.model import names
from kubectl_fairshare.schedulers.koordinator.reading.gates import SCHEDULER
from kubectl_fairshare.schedulers.koordinator.reading.unmodelled import (
    COLOCATION,
    DEVICE,
    LOAD,
    NUMA,
    RESERVATION,
    summary_of_load,
)

_CONFIG: Final = "koord-scheduler-config"
"""The ConfigMap with the KubeSchedulerConfiguration."""


def _of(kind: tuple[str, str]) -> tuple[str, tuple[str, ...], str, str]:
    """Group, version, plural and kind of one of Koordinator's other kinds."""
    return kind[0], ("v1alpha1",), plural(kind[1].lower()), kind[1]


_STATE: Final = (
    Resource(names.GROUP, (names.VERSION,), "elasticquotas", names.KIND),
    Resource(names.PROFILE_GROUP, ("v1alpha1",), "elasticquotaprofiles", names.PROFILE_KIND),
    PODS,
    NODES,
    Resource("policy", ("v1",), "poddisruptionbudgets", "PodDisruptionBudget"),
    Resource(*_of(COLOCATION), namespaced=False),
    Resource(*_of(DEVICE), namespaced=False),
    Resource(*_of(RESERVATION), namespaced=False),
    Resource(*_of(NUMA), namespaced=False),
    Resource(*_of(LOAD), namespaced=False, kept=summary_of_load),
)
_SETTINGS_NEED: Final = ((names.GROUP, names.KIND),)
_UNKNOWN: Final = {
    names.KIND: "the quotas and their tree",
    names.PROFILE_KIND: "the node selectors of trees",
    "ClusterColocationProfile": "what the webhook changes in new pods",
    "Device": "the devices of nodes",
    "NodeMetric": "the load of nodes",
    "NodeResourceTopology": "the NUMA policies of nodes",
    "Reservation": "the resources that are reserved",
    "PodDisruptionBudget": "the pods that a budget protects",
}


def _settings(connection: Connection, namespace: str, objects: Objects) -> Settings:
    """The configuration and the gates of the scheduler in ``namespace``; nothing is read without a quota."""
    if not objects(*_SETTINGS_NEED[0]):
        return Settings(idle=True)
    found: tuple[Manifest, ...] = ()
    try:
        found = tuple(config_maps(connection, namespace, _CONFIG, _has_profiles))
        message = f"namespace `{namespace}` has no ConfigMap with a KubeSchedulerConfiguration"
    except Refused:
        message = f"ConfigMap `{_CONFIG}` of namespace `{namespace}` cannot be read: not allowed"
    deployment = deployment_at(connection, namespace, SCHEDULER)
    deployed = () if deployment is None else (deployment,)
    notes = () if found else (_assumption(message),)
    release = release_of(deployed[0].data, SCHEDULER) if deployed else ""
    return Settings((*found, *deployed), (), notes, release)


def _has_profiles(manifest: Manifest) -> bool:
    return any(True for _ in scheduler_configurations([manifest]))


def _assumption(message: str) -> Problem:
    remedy = "name its namespace with `--koordinator-namespace`, or add the file with `--overlay`"
    return Problem(f"{message}: the default arguments of the plugin ElasticQuota are assumed", None, remedy)


CLUSTER_READS: Final = ClusterReads(
    names.GROUP,
    _STATE,
    _settings,
    deployment=SCHEDULER,
    config_maps=(_CONFIG,),
    settings_need=_SETTINGS_NEED,
    unknown=_UNKNOWN,
)
