"""The real scheduler with CapacityScheduling, next to a live API server, and a cluster of made-up nodes."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import yaml

from tests.live.stage.server import ASSETS, Api, ApiError, Object, Server, process, wait_until

PODS: Final = "/api/v1/pods"
QUOTAS: Final = "/apis/scheduling.x-k8s.io/v1alpha1"
BUDGETS: Final = "/apis/policy/v1"


def configuration(kubeconfig: Path) -> Object:
    """A KubeSchedulerConfiguration with CapacityScheduling in place of the default preemption."""
    plugins = {
        "multiPoint": {"enabled": [{"name": "CapacityScheduling"}]},
        "postFilter": {"disabled": [{"name": "DefaultPreemption"}]},
    }
    return {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "leaderElection": {"leaderElect": False},
        "clientConnection": {"kubeconfig": str(kubeconfig)},
        "podInitialBackoffSeconds": 1,
        "podMaxBackoffSeconds": 1,
        "profiles": [{"schedulerName": "default-scheduler", "plugins": plugins}],
    }


@contextmanager
def scheduler(server: Server) -> Iterator[None]:
    """Runs the scheduler while the block does. The CRD has to be there before."""
    path = server.folder / "scheduler.yaml"
    path.write_text(yaml.safe_dump(configuration(server.kubeconfig)), encoding="utf-8")
    program = str(ASSETS / "capacity-scheduler")
    with process(
        server.folder,
        "scheduler",
        program,
        f"--config={path}",
        "--authentication-skip-lookup",
        "--authentication-kubeconfig=",
        "--authorization-kubeconfig=",
        "--secure-port=0",
        "-v=2",
    ):
        yield


def crds() -> list[Object]:
    """The CustomResourceDefinitions of the scheduler's own objects."""
    files = sorted((ASSETS / "scheduler-config").glob("*.yaml"))
    return [yaml.load(file.read_text(encoding="utf-8"), yaml.CSafeLoader) for file in files]


def add_namespace(api: Api, name: str) -> None:
    """A namespace with the service account that pods need."""
    api.create("/api/v1/namespaces", {"metadata": {"name": name}})


def add_node(api: Api, name: str, allocatable: Mapping[str, str]) -> None:
    """A node that is ready and has room; no kubelet stands behind it."""
    api.create("/api/v1/nodes", {"metadata": {"name": name, "labels": {"kubernetes.io/hostname": name}}})
    amounts = {"pods": "110", **allocatable}
    ready = {"type": "Ready", "status": "True", "reason": "Live", "message": ""}
    api.merge(
        f"/api/v1/nodes/{name}/status", {"status": {"allocatable": amounts, "capacity": amounts, "conditions": [ready]}}
    )
    wait_until(lambda: _untainted(api, name), f"node {name} has no taints")


def _untainted(api: Api, name: str) -> bool:
    api.merge(f"/api/v1/nodes/{name}", {"spec": {"taints": None}})
    return not api.get(f"/api/v1/nodes/{name}")["spec"].get("taints")


def add_quota(api: Api, namespace: str, low: Mapping[str, str], high: Mapping[str, str] | None) -> None:
    """An ElasticQuota of the namespace."""
    spec: Object = {"min": dict(low)} if high is None else {"min": dict(low), "max": dict(high)}
    api.create(
        f"{QUOTAS}/namespaces/{namespace}/elasticquotas", {**_kind(), "metadata": {"name": "quota"}, "spec": spec}
    )


def _kind() -> Object:
    return {"apiVersion": "scheduling.x-k8s.io/v1alpha1", "kind": "ElasticQuota"}


def add_budget(api: Api, namespace: str, app: str, allowed: int) -> None:
    """A PodDisruptionBudget over the pods of an app; no controller ever changes what it allows."""
    budgets = f"{BUDGETS}/namespaces/{namespace}/poddisruptionbudgets"
    spec: Object = {"minAvailable": 0, "selector": {"matchLabels": {"app": app}}}
    api.create(budgets, {"metadata": {"name": app}, "spec": spec})
    counts = {"currentHealthy": 0, "desiredHealthy": 0, "expectedPods": 0, "disruptionsAllowed": allowed}
    api.merge(f"{budgets}/{app}/status", {"status": counts})


def state(api: Api) -> bytes:
    """All that the scheduler knows, as ``kubectl get -o json`` would give it: one List."""
    items = [
        *api.items("/api/v1/nodes", "v1", "Node"),
        *api.items("/api/v1/namespaces", "v1", "Namespace"),
        *api.items(PODS, "v1", "Pod"),
        *api.items(f"{QUOTAS}/elasticquotas", "scheduling.x-k8s.io/v1alpha1", "ElasticQuota"),
        *api.items("/apis/scheduling.k8s.io/v1/priorityclasses", "scheduling.k8s.io/v1", "PriorityClass"),
        *api.items("/apis/node.k8s.io/v1/runtimeclasses", "node.k8s.io/v1", "RuntimeClass"),
        *api.items(f"{BUDGETS}/poddisruptionbudgets", "policy/v1", "PodDisruptionBudget"),
    ]
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": items}).encode()


def found(api: Api, namespace: str, name: str) -> Object | None:
    """The pod as it is now; None when it is gone."""
    try:
        return api.get(f"/api/v1/namespaces/{namespace}/pods/{name}")
    except ApiError as error:
        if error.status == 404:
            return None
        raise


def verdict(pod: Object) -> str:
    """Why the scheduler left the pod alone, in its words; empty while it has said nothing."""
    for condition in pod.get("status", {}).get("conditions") or ():
        if condition["type"] == "PodScheduled" and condition["status"] == "False":
            return str(condition.get("message") or "")
    return ""
