"""What bounds a search, or a "never", claims no more than it knows: shares of GPUs, other resources, many nodes."""

import json
from pathlib import Path
from typing import Any

from tests.screens import shown

Manifest = dict[str, Any]
_KAI = "scheduling.run.ai/v2"


def _object(version: str, kind: str, name: str, spec: Manifest, namespace: str = "", **metadata: Any) -> Manifest:
    whole = {"name": name, "uid": name, **({"namespace": namespace} if namespace else {}), **metadata}
    return {"apiVersion": version, "kind": kind, "metadata": whole, "spec": spec}


def _node(name: str, cpu: str, *, cordoned: bool = False, gpus: str = "0") -> Manifest:
    labels = {"nvidia.com/gpu.count": "1", "nvidia.com/gpu.memory": "40000"}
    allocatable = {"cpu": cpu, "memory": "64Gi", "pods": "110", "nvidia.com/gpu": gpus}
    status = {"allocatable": allocatable, "conditions": [{"type": "Ready", "status": "True"}]}
    return _object("v1", "Node", name, {"unschedulable": True} if cordoned else {}, labels=labels) | {"status": status}


def _pod(name: str, namespace: str, scheduler: str, requests: Manifest, node: str = "", **metadata: Any) -> Manifest:
    containers = [{"name": "c", "image": "x", "resources": {"requests": requests}}]
    spec = {"schedulerName": scheduler, "containers": containers, **({"nodeName": node} if node else {})}
    status = {"phase": "Running" if node else "Pending"}
    return _object("v1", "Pod", name, spec, namespace, **metadata) | {"status": status}


def _file(folder: Path, objects: list[Manifest]) -> Path:
    path = folder / "state.json"
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}), encoding="utf-8")
    return path


def _queues() -> list[Manifest]:
    free = {"quota": -1, "limit": -1, "overQuotaWeight": 1}
    resources = {"resources": dict.fromkeys(("cpu", "memory", "gpu"), free)}
    return [_object(_KAI, "Queue", "d", resources), _object(_KAI, "Queue", "q", {"parentQueue": "d", **resources})]


def _gang(name: str, count: int, requests: Manifest, node: str = "", **annotations: str) -> list[Manifest]:
    group = _object("scheduling.run.ai/v2alpha2", "PodGroup", name, {"queue": "q", "minMember": count}, "team")
    marks = {"pod-group-name": name, **annotations}
    pods = (_pod(f"{name}-{n}", "team", "kai-scheduler", requests, node, annotations=marks) for n in range(count))
    return [group, *pods]


def test_a_device_holds_as_many_shares_as_kai_counts(tmp_path: Path) -> None:
    """1.0 // 0.2 is 4 in floats, and KAI counts in hundredths."""
    for count, share in ((5, "0.2"), (10, "0.1")):
        gang = _gang("g", count, {"cpu": "100m"}, **{"gpu-fraction": share})
        holds = _gang("run", 1, {"cpu": "100m", "nvidia.com/gpu": "1"}, "n0")
        state = _file(tmp_path, [*_queues(), _node("n0", "8", gpus="1"), *holds, *gang])
        assert shown(f"kubectl-fairshare why podgroup/g -n team -f {state} -o json").stdout.count('"Never"') == 0, share


def test_a_newcomer_with_more_pods_than_can_be_tried_is_not_tried(tmp_path: Path) -> None:
    """A pod of 1m on a node of 64 cores: a gang of as many as fit beside it has 64,000."""
    holds = [*_gang("run", 1, {"cpu": "1m"}, "n0"), *_gang("hold", 1, {"nvidia.com/gpu": "1"}, "n0")]
    nodes = [_node(name, "64", gpus="1") for name in ("n0", "n1")]
    state = _file(tmp_path, [*_queues(), *nodes, *holds])
    assert "too many newcomers" in " ".join(
        shown(f"kubectl-fairshare why podgroup/run -n team -f {state}").stdout.split()
    )


def test_a_resource_that_the_max_of_a_parent_does_not_list_is_not_bounded_by_it(tmp_path: Path) -> None:
    marks = "quota.scheduling.koordinator.sh/"
    weight = {f"{marks}shared-weight": '{"cpu": 1, "memory": "8Gi"}'}
    quota, spec = "scheduling.sigs.k8s.io/v1alpha1", {"min": {"cpu": "2", "memory": "2Gi"}, "max": {"cpu": "10"}}
    parent = _object(
        quota, "ElasticQuota", "x", spec, "default", labels={f"{marks}is-parent": "true"}, annotations=weight
    )
    least = {"min": {"cpu": "0"}, "max": {"cpu": "6", "memory": "16Gi"}}
    child = _object(quota, "ElasticQuota", "x0", least, "default", labels={f"{marks}parent": "x"})
    checked = {
        "schedulerName": "koord-scheduler",
        "plugins": {"multiPoint": {"enabled": [{"name": "ElasticQuota"}]}},
        "pluginConfig": [{"name": "ElasticQuota", "args": {"enableCheckParentQuota": True}}],
    }
    config: Manifest = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
    config["profiles"] = [checked]
    labels = {f"{marks}name": "x0"}
    busy = _pod("busy", "default", "koord-scheduler", {"cpu": "6", "memory": "1Gi"}, "n0", labels=labels)
    state = _file(tmp_path, [_node("n0", "16"), parent, child, busy])
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    work = tmp_path / "work.json"
    pod = _pod("p", "default", "koord-scheduler", {"cpu": "1", "memory": "2Gi"}, labels=labels)
    work.write_text(json.dumps(pod), encoding="utf-8")
    screen = shown(f"kubectl-fairshare plan -f {state} -f {tmp_path}/config.json -w {work} -o json")
    assert json.loads(screen.stdout)["outcome"] == "Waits"


def test_nodes_to_uncordon_are_those_that_are_large_enough(tmp_path: Path) -> None:
    spec = {"min": {"cpu": "80"}, "max": {"cpu": "120"}}
    quota = _object("scheduling.x-k8s.io/v1alpha1", "ElasticQuota", "q", spec, "a")
    work = tmp_path / "work.json"
    work.write_text(json.dumps(_pod("w", "a", "capacityscheduler", {"cpu": "3"})), encoding="utf-8")
    for sizes, said in ((["4"] * 20, "uncordon c00:"), (["1"] * 16 + ["4"] * 4, "uncordon c16 (or one of 3 others):")):
        nodes = [_node(f"c{n:02}", cpu, cordoned=True) for n, cpu in enumerate(sizes)]
        state = _file(tmp_path, [_node("n1", "2"), quota, *nodes])
        shows = shown(f"kubectl-fairshare plan -f {state} -w {work} --scheduler elasticquota").stdout
        assert said in " ".join(shows.split()), shows
