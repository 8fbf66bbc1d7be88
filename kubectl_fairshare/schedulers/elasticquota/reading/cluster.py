"""What CapacityScheduling reads from a cluster, including the configuration of its scheduler.

Source: scheduler-plugins v0.34, chart "as a second scheduler".
Tested in ``tests/unit/input/cluster/test_roles.py``.
"""

from typing import Final

from kubectl_fairshare.input.cluster.connection import Connection, Refused
from kubectl_fairshare.input.cluster.installed import config_maps, deployment_at
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
from kubectl_fairshare.input.text.scheduler_configuration import scheduler_configurations
from kubectl_fairshare.input.units.running import release_of
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.elasticquota.model.kinds import GROUP, KIND
from kubectl_fairshare.schedulers.elasticquota.release import DEPLOYED, IMAGE

_PROFILES: Final = "scheduler-config"
"""The ConfigMap with the KubeSchedulerConfiguration."""
_STATE: Final = (
    Resource(GROUP, ("v1alpha1",), "elasticquotas", KIND),
    PODS,
    NODES,
    RESOURCE_QUOTAS,
    Resource("policy", ("v1",), "poddisruptionbudgets", "PodDisruptionBudget"),
)
_EVENTS: Final = (events_about("Pod", ",reason=Preempted"),)
_SETTINGS_NEED: Final = ((GROUP, KIND),)
_UNKNOWN: Final = {
    KIND: "the guarantees and bounds of namespaces",
    "Event": "which pods were preempted and are deleted",
    "PodDisruptionBudget": "the pods that a budget protects",
    "ResourceQuota": "further limits of namespaces",
}


def _settings(connection: Connection, namespace: str, objects: Objects) -> Settings:
    """The configuration of the scheduler in ``namespace``; nothing is read without an ElasticQuota."""
    if not objects(*_SETTINGS_NEED[0]):
        return Settings(idle=True)
    found: tuple[Manifest, ...] = ()
    try:
        found = tuple(config_maps(connection, namespace, _PROFILES, _has_profiles))
        message = f"namespace `{namespace}` has no ConfigMap with a KubeSchedulerConfiguration"
    except Refused:
        message = f"ConfigMap `{_PROFILES}` of namespace `{namespace}` cannot be read: not allowed"
    notes = () if found else (_assumption(message),)
    deployment = deployment_at(connection, namespace, DEPLOYED)
    deployed = () if deployment is None else (deployment,)
    release = release_of(deployment.data, IMAGE) if deployment else ""
    return Settings((*found, *deployed), (), notes, release)


def _has_profiles(manifest: Manifest) -> bool:
    return any(True for _ in scheduler_configurations([manifest]))


def _assumption(message: str) -> Problem:
    remedy = "name its namespace with `--scheduler-namespace`, or add the file with `--overlay`"
    taken = "every scheduler of pods in a quota is assumed to run CapacityScheduling"
    return Problem(f"{message}: {taken}", None, remedy)


CLUSTER_READS: Final = ClusterReads(
    GROUP,
    _STATE,
    _settings,
    deployment=DEPLOYED,
    config_maps=(_PROFILES,),
    settings_need=_SETTINGS_NEED,
    more={"trace": _EVENTS, "snapshot": _EVENTS},
    unknown=_UNKNOWN,
)
