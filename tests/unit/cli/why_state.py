"""Small clusters in few words, and what ``why`` says of them."""

import json
from pathlib import Path
from typing import Any

from tests.schemas import problems
from tests.screens import ROOT, Screen, shown

KUEUE = "kueue.x-k8s.io"
NOON = "2026-03-02T12:00:00Z"
GPU = "example.com/gpu"
Object = dict[str, Any]
SCHEMAS = ROOT / "schemas" / "fairshare" / "v1alpha2"


def kueue(kind: str, name: str, spec: Object, *, namespace: str = "", **more: Any) -> Object:
    """An object of Kueue's, as a server would give it."""
    metadata = {"name": name, "resourceVersion": "1"} | ({"namespace": namespace} if namespace else {})
    return {"apiVersion": f"{KUEUE}/v1beta2", "kind": kind, "metadata": metadata, "spec": spec, **more}


def queue(name: str, gpus: int = 4, **spec: Any) -> list[Object]:
    """A ClusterQueue with GPUs of the flavor ``any``, and the LocalQueue of that name in namespace ``team``."""
    quota = {"name": "any", "resources": [{"name": GPU, "nominalQuota": str(gpus)}]}
    groups = [{"coveredResources": [GPU], "flavors": [quota]}]
    whole = {"namespaceSelector": {}, "resourceGroups": groups, "stopPolicy": "None"} | spec
    whole.setdefault("queueingStrategy", "BestEffortFIFO")
    defaults = {"preemption": {}, "flavorFungibility": {}, "fairSharing": {"weight": "1"}}
    local = kueue("LocalQueue", name, {"clusterQueue": name, "stopPolicy": "None"}, namespace="team")
    return [kueue("ClusterQueue", name, defaults | whole), local]


def surroundings() -> list[Object]:
    """A namespace and a flavor."""
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team", "resourceVersion": "1"}}
    return [namespace, kueue("ResourceFlavor", "any", {})]


def condition(kind: str, status: str = "True", reason: str = "Told", message: str = "", at: str = NOON) -> Object:
    """A condition."""
    return {"type": kind, "status": status, "reason": reason, "message": message, "lastTransitionTime": at}


def workload(name: str, gpus: int = 1, *conditions: Object, queue: str = "q", **more: Any) -> Object:
    """A Workload of one pod; with a true QuotaReserved it holds what it asks for.

    ``more`` are ``spec``, ``status``, ``metadata`` (laid over) and ``created`` (a minute of the hour before noon).
    """
    container = {"name": "c", "resources": {"requests": {GPU: str(gpus)}}}
    pod_set = {"name": "main", "count": 1, "template": {"spec": {"containers": [container]}}}
    spec = {"queueName": queue, "priority": 0, "podSets": [pod_set], "active": True} | more.get("spec", {})
    status: Object = {"conditions": list(conditions)} | more.get("status", {})
    if any(c["type"] == "QuotaReserved" and c["status"] == "True" for c in conditions):
        assigned = {"name": "main", "count": 1, "flavors": {GPU: "any"}, "resourceUsage": {GPU: str(gpus)}}
        status = {"admission": {"clusterQueue": queue, "podSetAssignments": [assigned]}} | status
    made = kueue("Workload", name, spec, namespace="team", status=status)
    created = f"2026-03-02T11:{more.get('created', 0):02d}:00Z"
    made["metadata"] |= {"uid": f"uid-{name}", "creationTimestamp": created} | more.get("metadata", {})
    return made


RESERVED = condition("QuotaReserved", reason="QuotaReserved", message="Quota reserved in ClusterQueue q")
ADMITTED = condition("Admitted", reason="Admitted")


def running(name: str, gpus: int = 1, *conditions: Object, **more: Any) -> Object:
    """A Workload that is admitted."""
    return workload(name, gpus, RESERVED, ADMITTED, *conditions, **more)


def owned(by: str, name: str, *, uid: str = "", api: str = "batch/v1", controller: bool = True) -> Object:
    """Metadata that names an owner."""
    reference = {"apiVersion": api, "kind": by, "name": name, "controller": controller}
    return {"ownerReferences": [reference | ({"uid": uid} if uid else {})]}


def job(name: str, gpus: int = 1, *, kind: str = "Job", api: str = "batch/v1", **more: Any) -> Object:
    """A stored Job of one pod in LocalQueue ``q``; ``more`` are ``labels``, ``metadata``, ``status``."""
    container = {"name": "c", "resources": {"requests": {GPU: str(gpus)}}}
    labels = more.get("labels", {f"{KUEUE}/queue-name": "q"})
    metadata = {"name": name, "namespace": "team", "uid": f"job-{name}", "resourceVersion": "1", "labels": labels}
    spec = more.get("spec", {"suspend": True, "template": {"spec": {"containers": [container]}}})
    found = {"apiVersion": api, "kind": kind, "metadata": metadata | more.get("metadata", {}), "spec": spec}
    return found | ({"status": more["status"]} if "status" in more else {})


def configuration(**settings: Any) -> Object:
    """The manager's Configuration."""
    return {"apiVersion": "config.kueue.x-k8s.io/v1beta2", "kind": "Configuration", **settings}


def screen(objects: list[Object], args: str, output: str = "text") -> Screen:
    """What ``why`` shows of a cluster; run in a folder of its own."""
    Path("state.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}))
    return shown(f"kubectl-fairshare why -f state.json {args} -o {output}")


def asked(objects: list[Object], args: str, *, code: int = 0) -> Any:
    """The document that ``why`` prints; it has its schema, and the screen has no line that is too long."""
    found = screen(objects, args, "json")
    assert found.code == code, str(found)
    document = json.loads(found.stdout)
    assert problems(document) == []
    text = screen(objects, args)
    assert text.code == code
    assert text.stdout.strip()
    return document


def evidence(document: Any) -> list[str]:
    """The cited fields, as ``object field``."""
    return [f"{e['object']} {e['field']}".strip() for e in document["evidence"]]
