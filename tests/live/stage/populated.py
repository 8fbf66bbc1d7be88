"""What live tests put into a real API server: Kueue's kinds, an organisation, workloads, jobs, leave to read."""

import time
from collections.abc import Sequence
from typing import Final

import yaml

from tests.live.stage.kueue import KUEUE
from tests.live.stage.organisation import API, Organisation
from tests.live.stage.server import ASSETS, Api, Object, Server

RBAC: Final = "/apis/rbac.authorization.k8s.io/v1"


def crds(without: Sequence[str] = ()) -> list[Object]:
    found = [yaml.safe_load(path.read_text()) for path in sorted((ASSETS / "kueue-config").glob("kueue*.yaml"))]
    return [crd for crd in found if crd["spec"]["names"]["plural"] not in without]


def populate(api: Api, made: Organisation) -> None:
    api.create("/api/v1/namespaces", {"metadata": {"name": made.namespace}})
    for plural, body in made.objects():
        place = f"namespaces/{made.namespace}/" if plural == "localqueues" else ""
        api.create(f"{KUEUE}/{place}{plural}", body)


def load(api: Api, made: Organisation, name: str) -> None:
    container: Object = {"name": "c", "image": "i", "resources": {"requests": {"cpu": "1", "memory": "1Gi"}}}
    container["env"] = [{"name": "PASSWORD", "value": "hunter2"}]
    template = {"spec": {"containers": [container], "restartPolicy": "Never"}}
    spec = {"queueName": made.queues[0], "podSets": [{"name": "main", "count": 1, "template": template}]}
    body = {"apiVersion": API, "kind": "Workload", "metadata": {"name": name}, "spec": {**spec, "active": True}}
    api.create(f"{KUEUE}/namespaces/{made.namespace}/workloads", body)


def permit(api: Api, role: Object, user: str) -> None:
    """Creates a role and binds it to a user."""
    namespace = role["metadata"].get("namespace")
    place = f"{RBAC}/namespaces/{namespace}/" if namespace else f"{RBAC}/"
    prefix = "" if namespace else "cluster"
    name = f"{role['metadata']['name']}-{user}"
    api.create(f"{place}{prefix}roles", {**role, "metadata": {"name": name}})
    reference = {"apiGroup": "rbac.authorization.k8s.io", "kind": role["kind"], "name": name}
    subjects = [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": user}]
    api.create(f"{place}{prefix}rolebindings", {"metadata": {"name": name}, "roleRef": reference, "subjects": subjects})


def submit(api: Api, made: Organisation) -> None:
    for number in range(8):
        container = {"name": "c", "image": "i", "resources": {"requests": {"cpu": "1", "memory": "1Gi"}}}
        template = {"spec": {"containers": [container], "restartPolicy": "Never"}}
        labels = {"kueue.x-k8s.io/queue-name": made.queues[number % len(made.queues)]}
        job = {"metadata": {"name": f"j{number}", "labels": labels}, "spec": {"suspend": True, "template": template}}
        api.create(f"/apis/batch/v1/namespaces/{made.namespace}/jobs", job)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        found = api.get(f"{KUEUE}/namespaces/{made.namespace}/workloads")["items"]
        if len(found) == 8 and all(w.get("status", {}).get("conditions") for w in found):
            time.sleep(1)
            return
        time.sleep(0.1)
    raise TimeoutError("Kueue has not looked at every job")


def serve_v1beta1_alone(started: Server) -> None:
    """Leaves the queues in the older version, which Kueue's manager converts."""
    path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/clusterqueues.kueue.x-k8s.io"
    crd = started.api.get(path)
    for version in crd["spec"]["versions"]:
        version["served"] = version["name"] == "v1beta1"
    started.api.request("PUT", path, crd)
    time.sleep(2)
