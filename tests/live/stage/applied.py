"""Manifests put into a real API server, status and all, and taken out again as ``kubectl get -o json`` gives them."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import yaml

from tests.live.stage.server import ASSETS, Api, ApiError, Object, wait_until

_CLUSTER_SCOPED: Final = frozenset({"Config", "Namespace", "Node", "PriorityClass", "Queue", "SchedulingShard"})
_PLURALS: Final = {"PriorityClass": "priorityclasses"}
_LISTED: Final = (
    ("v1", "ConfigMap"),
    ("v1", "Namespace"),
    ("v1", "Node"),
    ("v1", "Pod"),
    ("v1", "ResourceQuota"),
    ("scheduling.k8s.io/v1", "PriorityClass"),
    ("policy/v1", "PodDisruptionBudget"),
    ("scheduling.x-k8s.io/v1alpha1", "ElasticQuota"),
    ("scheduling.run.ai/v2", "Queue"),
    ("scheduling.run.ai/v2alpha2", "PodGroup"),
    ("scheduling.run.ai/v1alpha2", "BindRequest"),
    ("kai.scheduler/v1", "SchedulingShard"),
    ("kai.scheduler/v1", "Config"),
    ("resource.k8s.io/v1", "ResourceSlice"),
)


def crds(folder: str) -> list[Object]:
    """The CustomResourceDefinitions that were put into a folder of the assets."""
    return [yaml.load(path.read_bytes(), yaml.CSafeLoader) for path in sorted((ASSETS / folder).glob("*.yaml"))]


def documents(*paths: Path) -> list[Object]:
    """All objects of the files; our own files of tests hold none."""
    every = (each for path in paths for each in yaml.load_all(path.read_bytes(), yaml.CSafeLoader) if each)
    return [each for each in every if "kind" in each]


def apply(api: Api, objects: Iterable[Object]) -> None:
    """Creates objects, with their namespaces and status; what is there already stays."""
    for body in objects:
        metadata = body["metadata"]
        if namespace := metadata.get("namespace"):
            _create(api, "/api/v1/namespaces", {"metadata": {"name": namespace}})
        path = _path(body["apiVersion"], body["kind"], namespace)
        _create(api, path, _as_taken(api, body))
        if body["kind"] == "Node":
            api.merge(f"{path}/{metadata['name']}", {"spec": {"taints": (body.get("spec") or {}).get("taints")}})
        if status := body.get("status"):
            api.merge(f"{path}/{metadata['name']}/status", {"status": status})


def _as_taken(api: Api, body: Object) -> Object:
    """A pod with a PriorityClass for the number of its priority, and limits of devices: so a server takes it."""
    if body["kind"] != "Pod":
        return body
    spec = {**body["spec"], "containers": [_limited(each) for each in body["spec"]["containers"]]}
    if (value := spec.pop("priority", None)) is not None:
        spec["priorityClassName"] = f"priority-{value}".replace("--", "-minus-")
        classes = _path("scheduling.k8s.io/v1", "PriorityClass")
        _create(api, classes, {"metadata": {"name": spec["priorityClassName"]}, "value": value})
    return {**body, "spec": spec}


def _limited(container: Object) -> Object:
    resources = container.get("resources", {})
    devices = {name: amount for name, amount in resources.get("requests", {}).items() if "/" in name}
    return {**container, "resources": {**resources, "limits": {**devices, **resources.get("limits", {})}}}


def dumped(api: Api, path: Path) -> Path:
    """Writes one List of everything that schedulers look at."""
    items = [item for version, kind in _LISTED for item in _items(api, version, kind)]
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}), encoding="utf-8")
    return path


def _items(api: Api, version: str, kind: str) -> list[Object]:
    """The objects of a kind; none where it is not served."""
    try:
        return api.items(_path(version, kind), version, kind)
    except ApiError as error:
        if error.status != 404:
            raise
        return []


def _create(api: Api, path: str, body: Object) -> None:
    """Creates an object that is not there; a server knows a new PriorityClass after a moment only."""
    wait_until(lambda: _is_there(api, path, body), f"{body['metadata']['name']} is taken by {path}", 10)


def _is_there(api: Api, path: str, body: Object) -> bool:
    try:
        api.create(path, body)
    except ApiError as error:
        if error.status not in (403, 409):
            raise AssertionError(f"{path}: {error}") from None
        return error.status == 409
    return True


def _path(api_version: str, kind: str, namespace: str | None = None) -> str:
    root = f"/apis/{api_version}" if "/" in api_version else f"/api/{api_version}"
    plural = _PLURALS.get(kind, f"{kind.lower()}s")
    if namespace and kind not in _CLUSTER_SCOPED:
        return f"{root}/namespaces/{namespace}/{plural}"
    return f"{root}/{plural}"
