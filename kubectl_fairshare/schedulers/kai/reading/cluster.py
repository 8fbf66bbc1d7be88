"""What KAI reads of a cluster, and what configures it beside its own kinds: ConfigMaps, releases.

Source: KAI-Scheduler v0.17, its chart and operator, which makes every setting of a scheduler from its shard and the
Config.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_fairshare.input.cluster.connection import Connection, Refused
from kubectl_fairshare.input.cluster.installed import CONFIG_MAP, config_map, mismatch, release_at
from kubectl_fairshare.input.cluster.lists import document_at, inside
from kubectl_fairshare.input.cluster.resources import NODES, PODS, ClusterReads, Objects, Resource, Settings
from kubectl_fairshare.input.extent import Unread
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.releases import Release
from kubectl_fairshare.schedulers.kai.model.objects import CONFIG_GROUP, QUEUE_GROUP, SLICE_GROUP

_OPERATOR: Final = "kai-operator"
_MODELLED: Final = Release(0, 17)
_CHANGES: Final = {
    Release(0, 13): ("queues may stand more than two levels deep", "shares of pods that ask for GPU memory"),
    Release(0, 15): ("non-preemptible jobs of several GPU portions are held to the quota",),
    Release(0, 16): ("the search for victims is bounded in time",),
    Release(0, 17): (
        "preemption delay",
        "the largest GPU of the cluster, not the smallest, measures requests of GPU memory against bounds",
        "reclaim no longer gives up on victims of a queue above its share for one that is below",
    ),
}
"""By release what it changed of decisions; as far as its changelog tells."""
_STATE: Final = (
    Resource(QUEUE_GROUP, ("v2",), "queues", "Queue", namespaced=False),
    Resource(QUEUE_GROUP, ("v2alpha2",), "podgroups", "PodGroup"),
    Resource(QUEUE_GROUP, ("v1alpha2",), "bindrequests", "BindRequest"),
    Resource(CONFIG_GROUP, ("v1",), "schedulingshards", "SchedulingShard", namespaced=False),
    Resource(CONFIG_GROUP, ("v1",), "configs", "Config", namespaced=False),
    PODS,
    NODES,
    Resource(SLICE_GROUP, ("v1", "v1beta2", "v1beta1"), "resourceslices", "ResourceSlice", namespaced=False),
)
_SETTINGS_NEED: Final = ((QUEUE_GROUP, "Queue"), (CONFIG_GROUP, "Config"), (CONFIG_GROUP, "SchedulingShard"))
_UNKNOWN: Final = {
    "BindRequest": "which pods KAI is about to place",
    "Config": "KAI's label of node pools, and the name of its scheduler: its defaults are taken",
    "PodGroup": "which jobs of KAI there are, and in which queues",
    "Queue": "quotas, limits and weights of KAI's queues",
    "ResourceSlice": "the GPUs of nodes that are devices (DRA)",
    "SchedulingShard": "how KAI divides, with which k and minimal runtimes: its defaults are taken",
}


def _settings(connection: Connection, namespace: str, objects: Objects) -> Settings:
    """What configures KAI beside its Config and shards; nothing is read for it without a queue."""
    queues, configs, shards = (objects(*kind) for kind in _SETTINGS_NEED)
    if not queues:
        return Settings(idle=True)
    spec = configs[0].data.get("spec") if configs else None
    namespace = _text(spec, "namespace") or namespace
    release = release_at(connection, namespace, _OPERATOR, "operator")
    notes = (*_defaults(configs, shards), *mismatch(release, "KAI", _MODELLED, _CHANGES))
    name = _text(spec, "podGrouper", "args", "defaultPrioritiesConfigMapName")
    if not name:
        return Settings(notes=notes, release=release)
    place = _text(spec, "podGrouper", "args", "defaultPrioritiesConfigMapNamespace") or namespace
    try:
        found = config_map(document_at(connection, f"/api/v1/namespaces/{place}/configmaps/{name}"))
    except Refused as refused:
        if refused.status == 404:
            message = f"ConfigMap {place}/{name} is not there, which KAI's Config names for defaults of job kinds"
            missing = Problem(message, None, "KAI then goes without such defaults")
            return Settings(notes=(*notes, missing), release=release)
        message = f"{place}/{name} may not be read, so unknown is: which priority KAI gives to kinds of jobs"
        remedy = (
            f"ask for leave to get it: `kubectl create role … --verb get --resource configmaps --resource-name {name}`"
        )
        return Settings((), (Unread(CONFIG_MAP),), (*notes, Problem(message, CONFIG_MAP, remedy)), release)
    return Settings((found,), (), notes, release)


def _defaults(configs: Sequence[Manifest] | None, shards: Sequence[Manifest] | None) -> Iterator[Problem]:
    """Notes where KAI's defaults stand for what nobody wrote."""
    remedy = f"see `kubectl get schedulingshards,configs.{CONFIG_GROUP}`, or lay them over the cluster with `--overlay`"
    if shards == ():
        yield Problem("the cluster holds no SchedulingShard: one with KAI's defaults is taken", None, remedy)
    if configs == ():
        yield Problem("the cluster holds no Config of KAI: its defaults are taken", None, remedy)


def _text(data: Json, *path: str) -> str:
    """The text at a path of names; empty where there is none."""
    found = inside(data, *path)
    return found if isinstance(found, str) else ""


CLUSTER_READS: Final = ClusterReads(
    QUEUE_GROUP,
    _STATE,
    _settings,
    deployment=_OPERATOR,
    settings_need=_SETTINGS_NEED,
    unknown=_UNKNOWN,
)
