"""KAI's snapshot: the zip from its scheduler, with all its objects in one JSON text.

The objects are lists by kind, without ``apiVersion`` and ``kind``. The settings are those of the running scheduler;
they become the equivalent SchedulingShard. Source: KAI-Scheduler v0.17, documentation of the snapshot plugin.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import FieldPath, Json
from kubectl_fairshare.schedulers.kai.reading.shard_checks import ACTIONS
from kubectl_fairshare.schedulers.kai.reading.shards import PLUGINS

FILE: Final = "snapshot.json"
_KINDS: Final = {
    "pods": ("v1", "Pod"),
    "nodes": ("v1", "Node"),
    "queues": ("scheduling.run.ai/v2", "Queue"),
    "podGroups": ("scheduling.run.ai/v2alpha2", "PodGroup"),
    "bindRequests": ("scheduling.run.ai/v1alpha2", "BindRequest"),
    "priorityClasses": ("scheduling.k8s.io/v1", "PriorityClass"),
    "configMaps": ("v1", "ConfigMap"),
    "resourceClaims": ("resource.k8s.io/v1", "ResourceClaim"),
    "resourceSlices": ("resource.k8s.io/v1", "ResourceSlice"),
    "topologies": ("kai.scheduler/v1alpha1", "Topology"),
}
_FLAGS: Final = {
    "fullHierarchyFairness": "full-hierarchy-fairness",
    "allowConsolidatingReclaim": "allow-consolidating-reclaim",
    "restrictSchedulingNodes": "restrict-node-scheduling",
    "useSchedulingSignatures": "use-scheduling-signatures",
    "detailedFitErrors": "detailed-fit-errors",
}
_STUCK_AFTER: Final = 120 * 10**9


def unzipped(name: str, data: bytes, most: int) -> bytes:
    """The text of a snapshot in a zip. Raises ``FairshareError`` for another zip, and beyond ``most`` bytes."""
    import io
    import struct
    import zipfile
    import zlib
    from lzma import LZMAError

    # The error of a damaged zip depends on the place of the damage; a ValueError is a name that is not text.
    damaged = (zipfile.BadZipFile, zlib.error, LZMAError, struct.error, EOFError, OSError, RuntimeError, ValueError)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive, archive.open(FILE) as text:
            found = text.read(most + 1)
    except KeyError:
        message, remedy = f"this zip does not contain `{FILE}`", "unpack it, and name the files to read"
        raise FairshareError(Problem(message, name, remedy)) from None
    except damaged:
        raise FairshareError(Problem("the zip is damaged", name, "fetch it again")) from None
    if len(found) > most:
        message = f"has more than {most:,} bytes unpacked"
        raise FairshareError(Problem(message, name, "read less, or raise the limit with `--max-input`"))
    return found


def objects_of(document: Json) -> Iterator[tuple[FieldPath, Json]]:
    """The objects of a snapshot, each with its place; the last is the shard with its settings."""
    for name, items in sorted(document["rawObjects"].items()):
        api_version, kind = _KINDS.get(name, ("kai.scheduler/v1", name[:1].upper() + name[1:]))
        for number, item in enumerate(items if isinstance(items, list) else ()):
            path = ("rawObjects", name, number)
            yield path, {"apiVersion": api_version, "kind": kind, **item} if isinstance(item, dict) else item
    params = _mapping(document, "schedulerParams")
    yield ("schedulerParams",), _shard(_mapping(document, "config"), params)
    yield ("schedulerParams", "partitionParams"), _config(params)


def _mapping(data: Json, name: str) -> dict[str, Json]:
    found = data.get(name)
    return found if isinstance(found, dict) else {}


def _config(params: dict[str, Json]) -> dict[str, Json]:
    """The Config that names the scheduler and the label of node pools."""
    names = {"schedulerName": params.get("schedulerName")}
    names["nodePoolLabelKey"] = _mapping(params, "partitionParams").get("NodePoolLabelKey")
    metadata = {"name": "snapshot", "resourceVersion": "1"}
    spec = {"global": {name: value for name, value in names.items() if value}}
    return {"apiVersion": "kai.scheduler/v1", "kind": "Config", "metadata": metadata, "spec": spec}


def _shard(config: dict[str, Json], params: dict[str, Json]) -> dict[str, Json]:
    """The SchedulingShard of a running scheduler; a missing flag is false there."""
    args = {flag: str(bool(params.get(field))).lower() for field, flag in _FLAGS.items()} if params else {}
    if isinstance(moves := params.get("maxNumberConsolidationPreemptees"), int):
        args["max-consolidation-preemptees"] = str(moves)
    if params.get("stuckInReleasingThreshold") not in (None, _STUCK_AFTER):
        args["stuck-in-releasing-threshold"] = str(params["stuckInReleasingThreshold"])
    plugins = _plugins(config)
    strategy = plugins.get("nodeplacement", {}).pop("arguments", {})
    pool = _mapping(params, "partitionParams").get("NodePoolLabelValue")
    spec = {
        "args": args,
        "plugins": plugins,
        "actions": _actions(str(config.get("actions") or "")),
        **({"placementStrategy": strategy} if strategy else {}),
        "queueDepthPerAction": config.get("queueDepthPerAction") or {},
        **({"partitionLabelValue": pool} if isinstance(pool, str) and pool else {}),
        **({"usageDBConfig": config["usageDBConfig"]} if config.get("usageDBConfig") else {}),
    }
    metadata = {"name": "snapshot", "resourceVersion": "1"}
    return {"apiVersion": "kai.scheduler/v1", "kind": "SchedulingShard", "metadata": metadata, "spec": spec}


def _plugins(config: dict[str, Json]) -> dict[str, dict[str, Json]]:
    """The plugins of a configuration; default ones that it does not list are off."""
    found: dict[str, dict[str, Json]] = {}
    for tier in config.get("tiers") or ():
        for plugin in tier.get("plugins") or ():
            found[str(plugin.get("name"))] = {"enabled": True, "arguments": plugin.get("arguments") or {}}
    missing = sorted(set(PLUGINS) - set(found)) if found else []
    return {**found, **{name: {"enabled": False} for name in missing}}


def _actions(text: str) -> dict[str, Json]:
    """The actions of a configuration in its order; those that it does not list are off."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    ranked: dict[str, Json] = {name: {"enabled": True, "priority": len(names) - i} for i, name in enumerate(names)}
    return {**ranked, **{name: {"enabled": False} for name in sorted(set(ACTIONS) - set(names))}} if names else {}
