"""Pods that wait in a backlog, in turn: what ``why -A`` and ``plan`` say of each.

Tests ``cli/commands/why.py`` and ``plan.py`` on a state of a public report.
"""

import json
from pathlib import Path
from typing import Any

from tests.screens import shown
from tests.unit.schedulers.koordinator.build import node, pod, quota

STATE = "testdata/reports/eq-backlog/state.yaml"


# CapacityScheduling's PreFilter: p1 gets the last of the sum of all min, p2 takes what blue borrows.
def test_pods_that_would_each_fit_alone_are_answered_in_turn() -> None:
    screen = shown(f"kubectl-fairshare why -A -f {STATE} -o json")
    document = json.loads(screen.stdout)
    found = {
        each["pod"]["name"]: (group["verdict"], group["reason"], each["getInFirst"], each["exact"])
        for group in document["groups"]
        for each in group["workloads"]
    }
    assert found == {
        "p1": ("Waiting", "NextAttempt", 0, True),
        "p2": ("Waiting", "NextPreemption", 1, True),
        "p3": ("NotNow", "OverSumMin", 2, True),
    }


# The same filter for a pod that is created now: p1 and p2 were queued before it.
def test_a_plan_says_what_is_left_of_it_behind_waiting_pods(tmp_path: Path) -> None:
    ask = tmp_path / "ask.yaml"
    ask.write_text(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: ask, namespace: red}\nspec: {schedulerName: capacityscheduler, "
        "priority: 0, containers: [{name: c, image: x, resources: {requests: {cpu: 1}}}]}\n"
    )
    call = f"kubectl-fairshare plan -f {STATE} -w {ask}"
    document = json.loads(shown(f"{call} -o json").stdout)
    turn = document["inTurn"]
    assert (document["outcome"], turn["first"], turn["outcome"], turn["doubts"]) == ("Admitted", 2, "Waits", [])
    assert "in turn: 2 that wait get in first; then: waits: cpu: 1 requested" in shown(call).stdout


# koordinator v1.8.0 lists DefaultPreemption after ElasticQuota. It would evict `low` for `asked`, so what comes of that
# is not known; but `high` evicts `low` before, by its own quota, and then the node has no lower priority.
def test_what_is_not_known_of_a_pod_alone_may_be_known_in_its_turn(tmp_path: Path) -> None:
    objects = [
        *(node(cpu="1"), quota("a", {"cpu": 0}, {"cpu": 0}), quota("b", {"cpu": 1}, {"cpu": 1})),
        pod("low", "b", {"cpu": 1}, node="n1", priority=-5, schedulerName="koord-scheduler"),
        pod("high", "b", {"cpu": 1}, priority=10, schedulerName="koord-scheduler"),
        pod("asked", "a", {"cpu": 1}, schedulerName="koord-scheduler"),
    ]
    for name, items in (("state", objects), ("asked", objects[-1:])):
        (tmp_path / f"{name}.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    call = f"kubectl-fairshare plan -f {tmp_path}/state.json -w {tmp_path}/asked.json -o json"
    document = json.loads(shown(call).stdout)
    turn = document["inTurn"]
    assert (document["outcome"], turn["first"], turn["outcome"], turn["doubts"]) == ("Unknown", 1, "Never", [])


# CapacityScheduling: `first` waits for `leaving`, its victim. `later` has a lower priority, but takes over that victim,
# as its namespace is above its max; once the victim is gone, both get in.
def test_plan_and_why_of_a_pod_that_gets_in_after_one_of_lower_priority_agree(tmp_path: Path) -> None:
    def written(name: str, namespace: str, cpu: str, spec: dict[str, Any], **more: Any) -> dict[str, Any]:
        containers = [{"name": "c", "image": "x", "resources": {"requests": {"cpu": cpu}}}]
        metadata = {"name": name, "namespace": namespace, "uid": name, **more}
        spec = {"schedulerName": "capacityscheduler", "containers": containers, **spec}
        phase = "Running" if "nodeName" in spec else "Pending"
        return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": {"phase": phase}}

    quotas = [
        {
            "apiVersion": "scheduling.x-k8s.io/v1alpha1",
            "kind": "ElasticQuota",
            "metadata": {"name": "quota", "namespace": namespace},
            "spec": spec,
        }
        for namespace, spec in (
            ("a", {"min": {"cpu": 3}, "max": {"cpu": 4}}),
            ("b", {"max": {"cpu": 10}}),
            ("c", {"max": {"cpu": 1}}),
        )
    ]
    leaving = written("leaving", "c", "1", {"nodeName": "n1"}, deletionTimestamp="2026-08-01T12:00:10Z")
    first = written("first", "a", "500m", {"priority": 1000})
    first["status"]["nominatedNodeName"] = "n1"
    later = written("later", "c", "250m", {"priority": 500})
    held = written("held", "b", "1500m", {"nodeName": "n1"})
    small = written("small", "c", "250m", {"nodeName": "n1", "priority": 100})
    for name, items in (
        ("state", [node(cpu="6"), *quotas, leaving, first, later, held, small]),
        ("first", [first]),
    ):
        (tmp_path / f"{name}.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    call = f"-f {tmp_path}/state.json"
    turn = json.loads(shown(f"kubectl-fairshare plan {call} -w {tmp_path}/first.json -o json").stdout)["inTurn"]
    why = json.loads(shown(f"kubectl-fairshare why pod/first -n a {call} -o json").stdout)
    assert (turn["first"], turn["outcome"], turn["doubts"]) == (1, "Admitted", [])
    assert (why["verdict"], why["reason"], why["fidelity"]["exact"]) == ("Waiting", "NextAttempt", True)
