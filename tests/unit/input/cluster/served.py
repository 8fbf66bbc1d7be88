"""An API server in small: it speaks lists and pages over HTTP on loopback, and fails as told."""

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from ssl import SSLContext
from threading import Thread
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import yaml

Object = dict[str, Any]
KUEUE: Final = "/apis/kueue.x-k8s.io/v1beta2"


@dataclass
class Fault:
    """What happens, so many times, to requests whose path and query hold ``at``: a status, a cut, or silence."""

    at: str
    status: int = 0
    times: int = 1
    headers: Mapping[str, str] = field(default_factory=dict)
    message: str = ""
    silent: float = 0.0


@dataclass
class Served:
    """What is served: objects by path of their list. ``asked`` are the requests so far: verb, path, query, headers."""

    lists: dict[str, list[Object]]
    groups: dict[str, list[str]]
    faults: list[Fault] = field(default_factory=list)
    single: dict[str, Object] = field(default_factory=dict)
    asked: list[tuple[str, str, dict[str, str], dict[str, str]]] = field(default_factory=list)
    address: str = ""
    revision: int = 1000

    @property
    def paths(self) -> list[str]:
        return [path for _, path, _, _ in self.asked]

    def kubeconfig(self, folder: Path, **user: Any) -> str:
        """Writes a kubeconfig for this server."""
        config = {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "here", "cluster": {"server": self.address}}],
            "users": [{"name": "me", "user": user}],
            "contexts": [{"name": "here", "context": {"cluster": "here", "user": "me", "namespace": "team"}}],
            "current-context": "here",
        }
        path = folder / "kubeconfig"
        path.write_text(yaml.safe_dump(config), encoding="utf-8")
        return str(path)

    def fault(self, target: str) -> Fault | None:
        for each in self.faults:
            if each.at in target and each.times > 0:
                each.times -= 1
                return each
        return None

    def answer(self, path: str, query: dict[str, str]) -> tuple[int, Object]:
        if path == "/apis":
            groups = [
                {"name": g, "versions": [{"version": v} for v in versions]} for g, versions in self.groups.items()
            ]
            return 200, {"kind": "APIGroupList", "groups": groups}
        if path == "/version":
            return 200, {"gitVersion": "v1.35.4"}
        if path in self.single:
            return 200, self.single[path]
        if path not in self.lists:
            return 404, {"kind": "Status", "code": 404, "message": "not found"}
        return 200, self._page(self.lists[path], query)

    def _page(self, items: list[Object], query: dict[str, str]) -> Object:
        start = int(query.get("continue", "0"))
        end = start + int(query["limit"]) if "limit" in query else len(items)
        metadata: Object = {"resourceVersion": str(self.revision)}
        if end < len(items):
            metadata["continue"] = str(end)
        return {"kind": "List", "metadata": metadata, "items": items[start:end]}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # a body behind its headers would wait 40 ms for the acknowledgement of them
    served: Served

    def log_message(self, *_: Any) -> None:  # quiet
        return

    def handle_any(self) -> None:
        url = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        self.served.asked.append((self.command, url.path, query, dict(self.headers)))
        fault = self.served.fault(self.path)
        if fault is not None and fault.silent:
            time.sleep(fault.silent)
        if fault is not None and not fault.status:
            self.close_connection = True
            return
        status, body = self.served.answer(url.path, query)
        if fault is not None:
            status, body = fault.status, {"kind": "Status", "code": fault.status, "message": fault.message}
        data = json.dumps(body).encode()
        self.send_response(status)
        for name, value in (fault.headers if fault is not None else {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any  # noqa: N815 -- as http.server looks for them


@contextmanager
def serving(served: Served, secure: SSLContext | None = None) -> Iterator[Served]:
    """Serves while the block runs, ``secure`` as an HTTPS server."""
    handler = type("Handler", (_Handler,), {"served": served})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as http:
        http.daemon_threads = True
        if secure is not None:
            http.socket = secure.wrap_socket(http.socket, server_side=True)
        served.address = f"{'https' if secure else 'http'}://127.0.0.1:{http.server_port}"
        Thread(target=http.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield served
        finally:
            http.shutdown()


def organisation() -> Served:
    """Two queues in a cohort, one of them lent to, and a workload that waits."""
    lists: dict[str, list[Object]] = {
        "/api/v1/namespaces": [_named("team"), _named("other")],
        "/api/v1/limitranges": [],
        "/apis/scheduling.k8s.io/v1/priorityclasses": [],
        "/apis/node.k8s.io/v1/runtimeclasses": [],
        f"{KUEUE}/resourceflavors": [_named("any", spec={})],
        f"{KUEUE}/cohorts": [_named("all", spec={})],
        f"{KUEUE}/clusterqueues": [_queue("ours", "4"), _queue("theirs", "2")],
        f"{KUEUE}/localqueues": [_local("team", "inbox", "ours"), _local("other", "inbox", "theirs")],
        f"{KUEUE}/workloads": [_workload("team", f"job-{n}", "inbox") for n in range(7)],
        f"{KUEUE}/workloadpriorityclasses": [],
        f"{KUEUE}/admissionchecks": [],
        f"{KUEUE}/topologies": [],
    }
    groups = {
        "kueue.x-k8s.io": ["v1beta2", "v1beta1"],
        "scheduling.k8s.io": ["v1"],
        "node.k8s.io": ["v1"],
        "batch": ["v1"],
        "apps": ["v1"],
    }
    for path in ("/api/v1/pods", "/api/v1/events", "/api/v1/nodes", "/api/v1/namespaces/team/pods"):
        lists[path] = []
    for plural in ("jobs", "cronjobs"):
        lists[f"/apis/batch/v1/{plural}"] = []
    for plural in ("deployments", "statefulsets", "replicasets"):
        lists[f"/apis/apps/v1/{plural}"] = []
    for plural in ("multikueueclusters", "multikueueconfigs", "provisioningrequestconfigs"):
        lists[f"{KUEUE}/{plural}"] = []
    single = {"/api/v1/namespaces/kueue-system/configmaps/kueue-manager-config": _configuration()}
    return Served(lists, groups, single=single)


def in_namespace(served: Served, namespace: str) -> None:
    """Serves the lists of one namespace, too."""
    for path, items in list(served.lists.items()):
        root, _, plural = path.rpartition("/")
        own = [i for i in items if i["metadata"].get("namespace") == namespace]
        served.lists.setdefault(f"{root}/namespaces/{namespace}/{plural}", own)
    served.single[f"/api/v1/namespaces/{namespace}"] = _named(namespace)


def _named(name: str, namespace: str = "", **more: Any) -> Object:
    metadata = {"name": name, "uid": sha256(f"{namespace}/{name}".encode()).hexdigest()[:12], "resourceVersion": "10"}
    metadata["creationTimestamp"] = "2026-01-01T00:00:00Z"
    if namespace:
        metadata["namespace"] = namespace
    return {"metadata": metadata, **more}


def _queue(name: str, cpu: str) -> Object:
    quota = [{"name": "any", "resources": [{"name": "cpu", "nominalQuota": cpu}]}]
    groups = [{"coveredResources": ["cpu"], "flavors": quota}]
    return _named(name, spec={"cohortName": "all", "namespaceSelector": {}, "resourceGroups": groups})


def _local(namespace: str, name: str, queue: str) -> Object:
    return _named(name, namespace, spec={"clusterQueue": queue})


def _workload(namespace: str, name: str, queue: str) -> Object:
    container: Object = {"name": "c", "image": "secret.example/image", "resources": {"requests": {"cpu": "1"}}}
    container["env"] = [{"name": "PASSWORD", "value": "hunter2"}]
    template = {"spec": {"containers": [container], "restartPolicy": "Never"}}
    found = _named(name, namespace, spec={"queueName": queue, "podSets": [{"name": "main", "count": 1}], "priority": 0})
    found["spec"]["podSets"][0]["template"] = template
    found["metadata"]["annotations"] = {"kubectl.kubernetes.io/last-applied-configuration": "hunter3"}
    return found


def _configuration() -> Object:
    fair = "fairSharing: {preemptionStrategies: [LessThanOrEqualToFinalShare, LessThanInitialShare]}"
    text = f"apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n{fair}\n"
    return _named("kueue-manager-config", "kueue-system", data={"controller_manager_config.yaml": text})


def schedulers_settings() -> dict[str, Object]:
    """What configures KAI and CapacityScheduling, and the Deployments of all schedulers, by path."""
    deployments = "/apis/apps/v1/namespaces/{}/deployments/{}"
    found = {
        deployments.format("kueue-system", "kueue-controller-manager"): _deployment("kueue:v0.19.2"),
        deployments.format("kai-scheduler", "kai-operator"): _deployment("operator:v0.17.0"),
        deployments.format("scheduler-plugins", "scheduler-plugins-scheduler"): _deployment("kube-scheduler:v0.34.7"),
    }
    profile = '{"schedulerName": "batch", "plugins": {"multiPoint": {"enabled": [{"name": "CapacityScheduling"}]}}}'
    text = f"apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles: [{profile}]\n"
    found["/api/v1/namespaces/scheduler-plugins/configmaps/scheduler-config"] = _named(
        "scheduler-config", "scheduler-plugins", data={"scheduler-config.yaml": text}
    )
    return found


def _deployment(image: str) -> Object:
    return {"spec": {"template": {"spec": {"containers": [{"image": f"registry.example/{image}"}]}}}}
