"""KAI's objects as texts: what is not said is healthy."""

import json
from collections.abc import Mapping
from typing import Any

Amounts = Mapping[str, Any]
OPEN: Amounts = {"quota": 0, "limit": -1, "overQuotaWeight": 1}


def bounds(quota: float = 0, limit: float | None = -1, weight: float | None = 1) -> Amounts:
    """What a queue says of one resource; None is not written."""
    said = {"quota": quota, "limit": limit, "overQuotaWeight": weight}
    return {key: value for key, value in said.items() if value is not None}


def queue(
    name: str, parent: str = "", resources: Amounts | None = None, meta: Amounts | None = None, **spec: Any
) -> str:
    """A queue that may use everything but for what ``resources`` say."""
    held = {"cpu": OPEN, "memory": OPEN, "gpu": OPEN, **(resources or {})}
    said = {**({"parentQueue": parent} if parent else {}), "resources": held, **spec}
    written = {key: value for key, value in said.items() if value is not None}
    return kai("scheduling.run.ai/v2", "Queue", {"name": name, **(meta or {})}, written)


def gpus(name: str, parent: str = "", quota: float = 0, limit: float | None = -1, weight: float | None = 1) -> str:
    """A queue with such an amount of GPUs."""
    return queue(name, parent, {"gpu": bounds(quota, limit, weight)})


def pod_group(queue: str, name: str = "train", **spec: Any) -> str:
    """A PodGroup in a queue."""
    said = {"queue": queue, **(spec or {"minMember": 1})}
    return kai("scheduling.run.ai/v2alpha2", "PodGroup", {"name": name, "namespace": "a"}, said)


def shard(**spec: Any) -> str:
    """The default shard."""
    return kai("kai.scheduler/v1", "SchedulingShard", {"name": "default"}, spec)


def usage(**params: Any) -> str:
    """A shard that asks Prometheus for usage."""
    config = {"clientType": "prometheus", "connectionString": "http://prometheus:9090", "usageParams": params}
    return shard(usageDBConfig=config)


def node(name: str = "n1", gpu: int = 8, pool: str = "", **spec: Any) -> str:
    """A node that is ready."""
    labels = {"kai.scheduler/node-pool": pool} if pool else {}
    allocatable = {"cpu": 8, "memory": "32Gi", "nvidia.com/gpu": gpu}
    status = {"allocatable": allocatable, "conditions": [{"type": "Ready", "status": "True"}]}
    data = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}, "spec": spec}
    return json.dumps({**data, "status": status}) + "\n"


def job(queue: str, kind: str = "batch/v1 Job", inside: bool = False) -> str:
    """A Job, or something else with a template, with the label of a queue on itself or ``inside`` its template."""
    version, _, name = kind.partition(" ")
    labels = {"labels": {"kai.scheduler/queue": queue}}
    metadata = {"name": "train", "namespace": "a", **({} if inside else labels)}
    template = {"metadata": labels if inside else {}, "spec": {"containers": [{"name": "main"}]}}
    return (
        json.dumps({"apiVersion": version, "kind": name, "metadata": metadata, "spec": {"template": template}}) + "\n"
    )


def kai(version: str, kind: str, metadata: Amounts, spec: Amounts) -> str:
    """Any object."""
    return json.dumps({"apiVersion": version, "kind": kind, "metadata": metadata, "spec": spec}) + "\n"
