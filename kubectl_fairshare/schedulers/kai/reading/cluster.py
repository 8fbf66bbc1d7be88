"""What KAI reads from a cluster, and its configuration outside its own kinds: ConfigMaps, releases.

Source: KAI-Scheduler v0.17, its chart and operator, which derives every setting of a scheduler from its shard and the
Config.

Tested in ``tests/unit/input/cluster/test_roles.py``.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_fairshare.input.cluster.connection import Connection, Refused
from kubectl_fairshare.input.cluster.installed import CONFIG_MAP, config_map, mismatch, release_at
from kubectl_fairshare.input.cluster.lists import document_at
from kubectl_fairshare.input.cluster.resources import (
    NODES,
    PODS,
    ClusterReads,
    Objects,
    Resource,
    Settings,
    events_about,
)
from kubectl_fairshare.input.extent import Unread
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.json import Json, inside
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.releases import Release
from kubectl_fairshare.schedulers.kai.model.kinds import CONFIG_GROUP, QUEUE_GROUP, SLICE_GROUP
from kubectl_fairshare.schedulers.kai.release import MODELLED

_NAMING: Final = ("Name", "Namespace")
"""KAI names a ConfigMap by both, or none."""
_OPERATOR: Final = "kai-operator"
_CHANGES: Final = {
    Release(0, 13): ("queues may have more than two levels", "shares of pods that request GPU memory"),
    Release(0, 15): ("non-preemptible jobs with several GPU portions must stay within the quota",),
    Release(0, 16): ("the search for victims is bounded in time",),
    Release(0, 17): (
        "preemption delay",
        "the largest GPU of the cluster, not the smallest, measures requests of GPU memory against bounds",
        "reclaim can now evict from a queue above its share for one below its share",
    ),
    Release(0, 18): ("queuePriorityInQuotaReclaim: queues of higher priority reclaim within the quota of others",),
}
"""The changed decisions of each release, according to its changelog."""
_STATE: Final = (
    Resource(QUEUE_GROUP, ("v2",), "queues", "Queue", namespaced=False),
    Resource(QUEUE_GROUP, ("v2alpha2",), "podgroups", "PodGroup"),
    Resource(QUEUE_GROUP, ("v1alpha2",), "bindrequests", "BindRequest"),
    Resource(CONFIG_GROUP, ("v1",), "schedulingshards", "SchedulingShard", namespaced=False),
    Resource(CONFIG_GROUP, ("v1",), "configs", "Config", namespaced=False),
    PODS,
    NODES,
    Resource(SLICE_GROUP, ("v1", "v1beta2", "v1beta1"), "resourceclaims", "ResourceClaim"),
    Resource(SLICE_GROUP, ("v1", "v1beta2", "v1beta1"), "resourceslices", "ResourceSlice", namespaced=False),
    Resource(SLICE_GROUP, ("v1", "v1beta2", "v1beta1"), "deviceclasses", "DeviceClass", namespaced=False),
)
_EVENTS: Final = (events_about("PodGroup"),)
_SETTINGS_NEED: Final = ((QUEUE_GROUP, "Queue"), (CONFIG_GROUP, "Config"), (CONFIG_GROUP, "SchedulingShard"))
_UNKNOWN: Final = {
    "BindRequest": "the pods that KAI is about to place, and which GPUs pods share",
    "Config": "KAI's node pool label, and the name of its scheduler; the defaults are used",
    "DeviceClass": "resources that are devices (DRA)",
    "Event": "earlier evictions of jobs",
    "PodGroup": "the jobs of KAI, and their queues",
    "Queue": "quotas, limits and weights of KAI's queues",
    "ResourceClaim": "GPUs that pods use as devices (DRA)",
    "ResourceSlice": "GPUs of nodes that are devices (DRA)",
    "SchedulingShard": "KAI's division, its k and its minimum runtimes; the defaults are used",
}


def _settings(connection: Connection, namespace: str, objects: Objects) -> Settings:
    """KAI's configuration outside its Config and shards; nothing is read without a Queue."""
    queues, configs, shards = (objects(*kind) for kind in _SETTINGS_NEED)
    if not queues:
        return Settings(idle=True)
    spec = configs[0].data.get("spec") if configs else None
    namespace = _text(spec, "namespace") or namespace
    release = release_at(connection, namespace, _OPERATOR, "operator")
    notes = (*_defaults(configs, shards), *mismatch(release, "KAI", MODELLED, _CHANGES))
    name, place = (_text(spec, "podGrouper", "args", f"defaultPrioritiesConfigMap{key}") for key in _NAMING)
    if not name or not place:
        return Settings(notes=notes, release=release)
    try:
        found = config_map(document_at(connection, f"/api/v1/namespaces/{place}/configmaps/{name}"))
    except Refused as refused:
        if refused.status == 404:
            message = f"ConfigMap {place}/{name}, which KAI's Config names for defaults of job kinds, does not exist"
            missing = Problem(message, None, "KAI then uses no such defaults")
            return Settings(notes=(*notes, missing), release=release)
        message = f"{place}/{name} cannot be read: not allowed, so the priorities of job kinds are unknown"
        remedy = f"ask for permission: `kubectl create role … --verb get --resource configmaps --resource-name {name}`"
        return Settings((), (Unread(CONFIG_MAP),), (*notes, Problem(message, CONFIG_MAP, remedy)), release)
    return Settings((found,), (), notes, release)


def _defaults(configs: Sequence[Manifest] | None, shards: Sequence[Manifest] | None) -> Iterator[Problem]:
    """Notes for objects that are missing, so KAI's defaults are used."""
    remedy = f"see `kubectl get schedulingshards,configs.{CONFIG_GROUP}`, or add them with `--overlay`"
    if shards == ():
        yield Problem("the cluster has no SchedulingShard: one with KAI's defaults is assumed", None, remedy)
    if configs == ():
        yield Problem("the cluster has no Config of KAI: its defaults are assumed", None, remedy)


def _text(data: Json, *path: str) -> str:
    """The text at a path of names; empty without one."""
    found = inside(data, *path)
    return found if isinstance(found, str) else ""


CLUSTER_READS: Final = ClusterReads(
    QUEUE_GROUP,
    _STATE,
    _settings,
    deployment=_OPERATOR,
    settings_need=_SETTINGS_NEED,
    more={"trace": _EVENTS, "snapshot": _EVENTS},
    unknown=_UNKNOWN,
)
