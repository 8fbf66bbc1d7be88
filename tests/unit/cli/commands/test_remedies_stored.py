"""Remedies that an API server would store: a min below its max, a nominalQuota that is not below its lendingLimit."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.screens import shown


def _plan(folder: Path, state: list[dict[str, Any]], work: dict[str, Any], scheduler: str) -> dict[str, Any]:
    around, asked = folder / "state.json", folder / "work.json"
    around.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": state}), encoding="utf-8")
    asked.write_text(json.dumps(work), encoding="utf-8")
    screen = shown(f"kubectl-fairshare plan -f {around} -w {asked} --scheduler {scheduler} -o json")
    found: dict[str, Any] = json.loads(screen.stdout)
    return found


def _quota(namespace: str, least: dict[str, Any], most: dict[str, Any]) -> dict[str, Any]:
    quota = {"apiVersion": "scheduling.x-k8s.io/v1alpha1", "kind": "ElasticQuota"}
    return {**quota, "metadata": {"name": "quota", "namespace": namespace}, "spec": {"min": least, "max": most}}


def _node(name: str, cpu: str) -> dict[str, Any]:
    allocatable = {"cpu": cpu, "memory": "16Gi", "pods": "20"}
    status = {"allocatable": allocatable, "conditions": [{"type": "Ready", "status": "True"}]}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "status": status}


def _pod(namespace: str, requests: dict[str, str], **spec: Any) -> dict[str, Any]:
    containers = [{"name": "main", "image": "x", "resources": {"requests": requests}}]
    metadata = {"name": "p", "namespace": namespace, "uid": f"{namespace}-p"}
    whole = {"schedulerName": "capacityscheduler", "containers": containers, **spec}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": whole}


# CapacityScheduling: aggregatedUsedOverMinWith adds up all min; usedOverMaxWith takes cpu and memory without max as 0.
def test_a_min_is_raised_with_a_max_that_another_raise_has_set(tmp_path: Path) -> None:
    """The sum of all min needs more memory than the pod: min would be 5Gi, and max 4Gi."""
    running = {**_pod("c", {"cpu": "1", "memory": "3Gi"}, nodeName="n0"), "status": {"phase": "Running"}}
    state = [
        *(_node("n0", "4"), running),
        _quota("b", {"cpu": "0"}, {"cpu": "0"}),
        _quota("c", {"cpu": "0", "memory": "2Gi"}, {"cpu": "4", "memory": "6Gi"}),
    ]
    plan = _plan(tmp_path, state, _pod("b", {"cpu": "1", "memory": "4Gi"}), "elasticquota")
    changes = [change for remedy in plan["remedies"] for change in remedy["changes"] if change["resource"] == "memory"]
    most = [change["after"] for change in changes if change["kind"] == "max"]
    least = [change["after"] for change in changes if change["kind"] == "min"]
    assert most
    assert least
    assert min(most) >= max(least)


# Kueue's webhook of ClusterQueues: lendingLimit must be less than or equal to the nominalQuota.
def test_quota_is_not_moved_from_a_queue_that_lends_it(tmp_path: Path) -> None:
    def queue(name: str, nominal: int, lending: int | None) -> dict[str, Any]:
        amount = {"name": "cpu", "nominalQuota": nominal, "borrowingLimit": 0}
        amount |= {} if lending is None else {"lendingLimit": lending}
        groups = [{"coveredResources": ["cpu"], "flavors": [{"name": "f", "resources": [amount]}]}]
        spec = {"cohortName": "org", "namespaceSelector": {}, "resourceGroups": groups}
        return {"apiVersion": API, "kind": "ClusterQueue", "metadata": {"name": name}, "spec": spec}

    local = {"apiVersion": API, "kind": "LocalQueue", "metadata": {"name": "lq", "namespace": "t"}}
    around = [
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "t"}},
        {"apiVersion": API, "kind": "ResourceFlavor", "metadata": {"name": "f"}},
        {**local, "spec": {"clusterQueue": "needy"}},
    ]
    labels = {"kueue.x-k8s.io/queue-name": "lq"}
    containers = [{"name": "main", "image": "x", "resources": {"requests": {"cpu": "3"}}}]
    template = {"spec": {"restartPolicy": "Never", "containers": containers}}
    job = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "j", "namespace": "t", "labels": labels}}
    work = {**job, "spec": {"suspend": True, "template": template}}
    for lending, gives in ((None, True), (3, False), (1, True)):
        state = [*around, queue("needy", 1, None), queue("giver", 3, lending)]
        remedies = _plan(tmp_path, state, work, "kueue")["remedies"]
        assert any(each["object"] == "ClusterQueue giver" for r in remedies for each in r["also"]) is gives, lending


API = "kueue.x-k8s.io/v1beta2"


# Webhooks: a min is at most its max (our E001), and in Koordinator at most what the parent's min leaves.
@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("eq-remedy-above-max", [[("max", 3000), ("min", 3000)], [("request", 1000)]]),
        (
            "koordinator-remedy-refused",
            [[("min", 300), ("min", 301)], [("request", 250)], [("deletion", None)]],
        ),
    ],
)
def test_remedies_of_public_reports_are_stored(name: str, changes: list[list[tuple[str, int | None]]]) -> None:
    folder = f"testdata/reports/{name}"
    plan = json.loads(shown(f"kubectl-fairshare plan -f {folder}/state.yaml -w {folder}/ask.yaml -o json").stdout)
    assert (plan["outcome"], plan["fidelity"]["exact"]) == ("Waits", True)
    found = [[(c["kind"], c["after"]) for c in remedy["changes"]] for remedy in plan["remedies"]]
    assert found == changes
