"""A pod that is never placed: the headline is the filter that refuses it, with the numbers that prove it."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.screens import shown

HOUSES = {
    "elasticquota": ("scheduling.x-k8s.io", "capacityscheduler"),
    "koordinator": ("scheduling.sigs.k8s.io", "koord-scheduler"),
}
Spec = dict[str, Any]
CORDON: Spec = {"spec": {"unschedulable": True}}
TAINT: Spec = {"spec": {"taints": [{"key": "a", "value": "b", "effect": "NoSchedule"}]}}
SELECTOR: Spec = {"nodeSelector": {"x": "y"}}


def answers(house: str, folder: Path, quota: int, node: Spec, cpu: int, pod: Spec) -> tuple[Spec, Spec, Spec]:
    """The plan of a waiting pod, why it waits, and its group in the list; a running pod of 1 cpu is on the node."""
    group, scheduler = HOUSES[house]
    room = {"status": {"allocatable": {"cpu": "8", "pods": "10"}}}
    pods = []
    for name, size, spec in (("runs", 1, {"nodeName": "n1"}), ("waits", cpu, pod)):
        containers = [{"name": "c", "image": "x", "resources": {"requests": {"cpu": size}}}]
        metadata = {"name": name, "namespace": "t", "uid": name}
        whole = {"schedulerName": scheduler, "containers": containers, **spec}
        pods.append({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": whole})
    bounds = {"min": {"cpu": quota}, "max": {"cpu": quota}}
    kind = {"apiVersion": f"{group}/v1alpha1", "kind": "ElasticQuota"}
    items = [
        {**kind, "metadata": {"name": "t", "namespace": "t"}, "spec": bounds},
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}, **room, **node},
        *pods,
    ]
    for name, content in (("state", items), ("asked", items[-1:])):
        text = json.dumps({"apiVersion": "v1", "kind": "List", "items": content})
        (folder / f"{name}.json").write_text(text, encoding="utf-8")
    state = f"-f {folder}/state.json --complete -o json"
    lines = (f"plan -w {folder}/asked.json {state}", f"why pod/waits -n t {state}", f"why -A {state}")
    plan, why, listed = (json.loads(shown(f"kubectl-fairshare {line}").stdout) for line in lines)
    return plan, why, listed["groups"][0]


# The filters of kube-scheduler; a node that is large enough only once it is uncordoned is worth waiting for.
@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize(
    ("node", "cpu", "pod", "outcome", "filter_named"),
    [
        (CORDON, 2, {}, "Waits", "n1 has room, but is cordoned"),
        (TAINT, 2, {}, "Never", "n1 has room, but has a taint that the pod does not tolerate: a=b:NoSchedule"),
        ({}, 2, SELECTOR, "Never", "n1 has room, but does not match the pod's node selector or affinity"),
        ({}, 8, SELECTOR, "Never", "n1 is large enough, but does not match the pod's node selector or affinity"),
    ],
)
def test_the_headline_is_the_filter_that_refuses(
    tmp_path: Path, house: str, node: Spec, cpu: int, pod: Spec, outcome: str, filter_named: str
) -> None:
    plan, why, group = answers(house, tmp_path, 40, node, cpu, pod)
    opening = "waits" if outcome == "Waits" else "can never be placed"
    assert (plan["outcome"], plan["verdict"]) == (outcome, f"{opening}: {filter_named}")
    assert (why["reason"], why["sentence"], group["reason"]) == ("NoNode", filter_named, "NoNode")


@pytest.mark.parametrize(
    ("node", "pod", "barrier"),
    [
        (CORDON, {}, "n1 is cordoned"),
        (TAINT, {}, "n1 has a taint that the pod does not tolerate: a=b:NoSchedule"),
        ({}, SELECTOR, "n1 does not match the pod's node selector or affinity"),
    ],
)
def test_nodes_that_are_closed_and_too_small_are_both_in_the_headline(
    tmp_path: Path, node: Spec, pod: Spec, barrier: str
) -> None:
    plan, why, _ = answers("elasticquota", tmp_path, 40, node, 20, pod)
    assert plan["verdict"] == f"can never be placed: {barrier}, and no node is large enough"
    assert why["sentence"] == f"{barrier}, and no node is large enough"


# The pod alone is above what its quota can ever have: what others use proves nothing.
@pytest.mark.parametrize(
    ("house", "quota", "cpu", "pod", "proof"),
    [
        ("elasticquota", 4, 5, {}, "cpu: 5 requested > 4 (max of t)"),
        ("koordinator", 4, 5, {}, "cpu: 5 requested > 4 (the most that t can ever use)"),
        ("koordinator", 40, 20, {}, "cpu: 20 requested > 8 (the most that t can ever use)"),
    ],
)
def test_what_is_never_admitted_is_proved_by_the_pod_alone(
    tmp_path: Path, house: str, quota: int, cpu: int, pod: Spec, proof: str
) -> None:
    plan, why, group = answers(house, tmp_path, quota, {}, cpu, pod)
    assert (plan["outcome"], plan["verdict"]) == ("Never", f"can never be placed: {proof}")
    assert (why["verdict"], why["sentence"], group["verdict"]) == ("Never", proof, "Never")
    assert all(limit["always"] for limit in plan["bindings"])
