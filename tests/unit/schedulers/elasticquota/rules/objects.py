"""Objects that ElasticQuotas and their pods are told with, as texts."""

import json
from collections.abc import Mapping
from typing import Any

Amounts = Mapping[str, Any]
GROUP = "scheduling.x-k8s.io"


def quota(
    namespace: str,
    min: Amounts | None = None,
    max: Amounts | None = None,
    name: str = "",
    version: str = f"{GROUP}/v1alpha1",
    status: Amounts | None = None,
    **metadata: Any,
) -> str:
    """An ElasticQuota called as its namespace unless told otherwise."""
    spec = {key: value for key, value in (("min", min), ("max", max)) if value is not None}
    written = {"name": name or namespace, "namespace": namespace, **metadata}
    data = {"apiVersion": version, "kind": "ElasticQuota", "metadata": written, "spec": spec}
    return _text(data if status is None else {**data, "status": status})


def pod(namespace: str, name: str = "train", requests: Amounts | None = None, node: str = "", **spec: Any) -> str:
    """A pod of one container; with ``node`` it runs there."""
    return _text(
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": name, "namespace": namespace},
            "spec": pod_spec(requests, **({"nodeName": node} if node else {}), **spec),
        }
    )


def pod_spec(requests: Amounts | None = None, **spec: Any) -> dict[str, Any]:
    """The spec of such a pod."""
    container: dict[str, Any] = {"name": "main", "image": "registry.example.com/main"}
    if requests is not None:
        container["resources"] = {"requests": requests}
    return {"containers": [container], **spec}


def deployment(namespace: str, requests: Amounts, **spec: Any) -> str:
    """A Deployment of such pods."""
    template = {"spec": pod_spec(requests, **spec)}
    metadata = {"name": "serve", "namespace": namespace}
    return _text({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": {"template": template}})


def node(name: str = "n1", gpus: int = 0) -> str:
    """A node of 8 cpu and 32Gi, with GPUs where told."""
    amounts = {"cpu": 8, "memory": "32Gi", "pods": 110, **({"nvidia.com/gpu": gpus} if gpus else {})}
    return _text({"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "status": {"allocatable": amounts}})


def resource_quota(namespace: str, hard: Amounts, **spec: Any) -> str:
    """A ResourceQuota."""
    metadata = {"name": "bound", "namespace": namespace}
    return _text({"apiVersion": "v1", "kind": "ResourceQuota", "metadata": metadata, "spec": {"hard": hard, **spec}})


def scheduler(*profiles: Mapping[str, Any]) -> str:
    """A KubeSchedulerConfiguration."""
    version = "kubescheduler.config.k8s.io/v1"
    return _text({"apiVersion": version, "kind": "KubeSchedulerConfiguration", "profiles": list(profiles)})


def _text(data: Mapping[str, Any]) -> str:
    return json.dumps(data) + "\n"


def running(text: str, **metadata: Any) -> str:
    """The pod as one that runs since noon, with more metadata."""
    data = json.loads(text)
    data["metadata"].update(metadata)
    return json.dumps({**data, "status": {"phase": "Running", "startTime": "2026-03-01T12:00:00Z"}}) + "\n"
