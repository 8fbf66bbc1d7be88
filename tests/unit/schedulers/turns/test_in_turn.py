"""The end of a planned pod in its turn is what ``why`` says of it."""

import json
from pathlib import Path

from tests.screens import shown

NODE = {"cpu": "4", "memory": "64Gi", "pods": "3"}


def node(name: str) -> dict[str, object]:
    """A ready node."""
    ready = [{"type": "Ready", "status": "True"}]
    status: dict[str, object] = {"allocatable": NODE, "capacity": NODE, "conditions": ready}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "status": status}


def pod(name: str, cpu: str, priority: int, *, on: str = "", nominated: str = "") -> dict[str, object]:
    """A pod of the team: on a node, or waiting and nominated to one."""
    container = {"name": "main", "image": "busybox", "resources": {"requests": {"cpu": cpu}}}
    spec: dict[str, object] = {"schedulerName": "capacityscheduler", "containers": [container], "priority": priority}
    status = {"phase": "Running"} if on else {"phase": "Pending", "nominatedNodeName": nominated}
    metadata = {"name": name, "namespace": "b", "uid": name}
    spec |= {"nodeName": on} if on else {}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": status}


def test_a_pod_gets_in_once_another_has_evicted_and_lost_its_nomination(tmp_path: Path) -> None:
    """Both nominated pods count in the quota. The larger one evicts, does not get in, and no longer counts then.

    Source: ``PreFilter`` of CapacityScheduling, which adds up nominated pods, and ``PostFilter``.
    """
    asked = pod("small", "250m", 50, nominated="n2")
    state = [
        *(node("n2"), node("n3"), pod("firm", "3", 100, on="n2"), pod("victim", "1", -5, on="n3")),
        *(pod("large", "3", 50, nominated="n3"), asked),
        {
            "apiVersion": "scheduling.x-k8s.io/v1alpha1",
            "kind": "ElasticQuota",
            "metadata": {"name": "quota", "namespace": "b"},
            "spec": {"min": {"cpu": "6"}, "max": {"cpu": "6"}},
        },
    ]
    for name, items in (("state", state), ("work", [asked])):
        (tmp_path / f"{name}.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    file = tmp_path / "state.json"
    words = f"-f {file} --scheduler elasticquota -o json"
    plan = json.loads(shown(f"kubectl-fairshare plan -w {tmp_path / 'work.json'} {words}").stdout)
    why = json.loads(shown(f"kubectl-fairshare why pod/small -n b {words}").stdout)
    assert (plan["outcome"], why["reason"]) == ("Waits", "NextAttempt")
    assert (plan["inTurn"]["first"], plan["inTurn"]["outcome"]) == (0, "Admitted")
