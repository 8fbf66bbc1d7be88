"""What configures KAI and CapacityScheduling outside their own kinds, where charts put it: ConfigMaps, and releases.

Source: KAI-Scheduler v0.17, its chart and operator, which makes every setting of a scheduler from its shard and the
Config; scheduler-plugins v0.34, chart "as a second scheduler".
"""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_fairshare.input.cluster.connection import Connection, Refused
from kubectl_fairshare.input.cluster.installed import CONFIG_MAP, config_map, config_maps, mismatch, release_at
from kubectl_fairshare.input.cluster.lists import document_at, inside
from kubectl_fairshare.input.extent import Unread
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.releases import Release
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.elasticquota.reading.scheduler_configuration import scheduler_configurations
from kubectl_fairshare.schedulers.kai.model.objects import CONFIG_GROUP

PROFILES: Final = "scheduler-config"
"""The ConfigMap with the KubeSchedulerConfiguration."""
PLUGINS: Final = "scheduler-plugins-scheduler"
KAI_NAMESPACE: Final = "kai-scheduler"
OPERATOR: Final = "kai-operator"
MODELLED_KAI: Final = Release(0, 17)
_COLLECTS: Final = Release(0, 36)
"""The first release over Kubernetes 1.36, which takes pods together."""
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
"""By release of KAI, what it changed of decisions; as far as its changelog tells."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The ConfigMaps that were found, what may not be read, and what is worth telling."""

    manifests: tuple[Manifest, ...] = ()
    unread: tuple[Unread, ...] = ()
    notes: tuple[Problem, ...] = ()


def of_plugins(connection: Connection, namespace: str) -> Settings:
    """What configures the scheduler with CapacityScheduling in ``namespace``."""
    found: tuple[Manifest, ...] = ()
    try:
        found = tuple(config_maps(connection, namespace, PROFILES, _has_profiles))
        message = f"namespace `{namespace}` has no ConfigMap with a KubeSchedulerConfiguration"
    except Refused:
        message = f"ConfigMap `{PROFILES}` of namespace `{namespace}` may not be read"
    notes = () if found else (_presumed(message),)
    release = release_at(connection, namespace, PLUGINS, "kube-scheduler")
    return Settings(found, (), (*notes, *_other_plugins(release)))


def _has_profiles(manifest: Manifest) -> bool:
    return any(True for _ in scheduler_configurations([manifest]))


def _presumed(message: str) -> Problem:
    remedy = "say where it is with `--scheduler-namespace`, or lay the file over the cluster with `--overlay`"
    taken = "every scheduler that is named by pods of a quota is taken to run CapacityScheduling"
    return Problem(f"{message}: {taken}", None, remedy)


def _other_plugins(release: str) -> Iterator[Problem]:
    if release and Release.parse(release.partition("-")[0]) >= _COLLECTS:
        message = f"scheduler-plugins {release} runs in the cluster, over Kubernetes 1.36 or later"
        yield Problem(message, None, "ask `plan` with `--kubernetes 1.36`: pods are taken together there")


def of_kai(connection: Connection, configs: Sequence[Manifest] | None, shards: Sequence[Manifest] | None) -> Settings:
    """What configures KAI beside its Config and shards, which were read before; None are those that may not be."""
    spec = configs[0].data.get("spec") if configs else None
    namespace = _text(spec, "namespace") or KAI_NAMESPACE
    release = release_at(connection, namespace, OPERATOR, "operator")
    told = [*_defaults(configs, shards), *mismatch(release, "KAI", MODELLED_KAI, _CHANGES)]
    name = _text(spec, "podGrouper", "args", "defaultPrioritiesConfigMapName")
    if not name:
        return Settings(notes=tuple(told))
    place = _text(spec, "podGrouper", "args", "defaultPrioritiesConfigMapNamespace") or namespace
    try:
        found = config_map(document_at(connection, f"/api/v1/namespaces/{place}/configmaps/{name}"))
    except Refused as refused:
        if refused.status == 404:
            message = f"ConfigMap {place}/{name} is not there, which KAI's Config names for defaults of job kinds"
            return Settings(notes=(*told, Problem(message, None, "KAI then goes without such defaults")))
        message = f"{place}/{name} may not be read, so unknown is: which priority KAI gives to kinds of jobs"
        remedy = (
            f"ask for leave to get it: `kubectl create role … --verb get --resource configmaps --resource-name {name}`"
        )
        return Settings(unread=(Unread(CONFIG_MAP),), notes=(*told, Problem(message, CONFIG_MAP, remedy)))
    return Settings((found,), notes=tuple(told))


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
