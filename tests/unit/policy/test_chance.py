"""``test`` where chance decides: what rests on the order of equal pods is not decided."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.screens import Screen
from tests.unit.policy.test_suite import statuses, tested

__all__ = ["tested"]


def objects_of(kind: str, *objects: dict[str, Any]) -> str:
    text: str = yaml.safe_dump_all([{"apiVersion": "v1", "kind": kind, **each} for each in objects])
    return text


def on_node(name: str, cpu: int, started: str) -> dict[str, Any]:
    spec = {"nodeName": "n1", "containers": [{"name": "c", "image": "c", "resources": {"requests": {"cpu": cpu}}}]}
    status = {"phase": "Running", "startTime": f"2026-01-01T{started}Z"}
    return {"metadata": {"name": name, "namespace": "b"}, "spec": spec, "status": status}


@pytest.fixture
def borrower(tmp_path: Path) -> Callable[[str], str]:
    """Two quotas of 4 cpu. Namespace b runs 4 and 1 cpu on a node of 7; either pod may go for 3 cpu of a."""

    def given(started: str) -> str:
        quota = {"apiVersion": "scheduling.x-k8s.io/v1alpha1", "spec": {"min": {"cpu": 4}}}
        quotas = ({**quota, "metadata": {"name": "quota", "namespace": namespace}} for namespace in "ab")
        node = {"metadata": {"name": "n1"}, "status": {"allocatable": {"cpu": 7, "pods": 9}}}
        pods = on_node("large", 4, "10:00:00"), on_node("small", 1, started)
        texts = objects_of("ElasticQuota", *quotas), objects_of("Node", node), objects_of("Pod", *pods)
        (tmp_path / "state.yaml").write_text("---\n".join(texts))
        return f"paths: [{tmp_path}/state.yaml], complete: true"

    return given


ARRIVING = "[{queue: a, request: {cpu: 3}}]"
ARRIVES = f"when: {{arrive: {ARRIVING}}}"
WAITS = "{outcome: Waits}"


@pytest.mark.parametrize(
    "test",
    [
        f"- {{name: holds, {ARRIVES}, then: {{holds: {{b: {{cpu: 4}}}}}}}}\n",
        f"- {{name: bounded, {ARRIVES}, then: {{keeps: {{bounded: {{b: {{cpu: 4}}}}}}}}}}\n",
        "- {name: all, then: {keeps: {safe: {workloads-of: [b], by: [a]}}}, search: {resource: cpu, sizes: [3]}}\n",
        f"- {{name: next, when: {{pending: {ARRIVING}, submit: {{queue: b, request: {{cpu: 1}}}}}}, then: {WAITS}}}\n",
        "- {name: victims, when: {submit: {queue: a, request: {cpu: 3}}}, then: {victims: {at-most: 1}}}\n",
    ],
)
def test_what_rests_on_the_order_of_equal_pods_is_not_decided(
    tested: Callable[..., Any], borrower: Callable[[str], str], test: str
) -> None:
    assert statuses(tested(test, given=borrower("10:00:00"))) == ["Unknown"]
    assert statuses(tested(test, given=borrower("10:00:01"))) != ["Unknown"]


WAITING = """\
---
apiVersion: v1
kind: Pod
metadata: {name: w, namespace: a}
spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 3}}}]}
status: {phase: Pending}
"""


def test_a_change_that_is_compared_with_one_of_several_outcomes_is_not_decided(
    run: Callable[[str], Screen], borrower: Callable[[str], str], tmp_path: Path
) -> None:
    for name, started in (("equal", "10:00:00"), ("younger", "10:00:01")):
        borrower(started)
        (tmp_path / f"{name}.yaml").write_text((tmp_path / "state.yaml").read_text() + WAITING)

    def found(before: str, after: str) -> Any:
        words = f"{tmp_path}/{before}.yaml {tmp_path}/{after}.yaml --complete -o json"
        document = json.loads(run(f"kubectl-fairshare diff {words}").stdout)
        return document["verdict"], [each["about"] for each in document["undecided"]]

    assert found("equal", "equal") == ("no change", [])
    verdict = "1 running workload safer · 1 waiting workload decided otherwise · 1 not decided"
    assert found("equal", "younger") == (verdict, ["a/w"]), "the younger pod leaves first, and then b borrows no more"


KAI_QUEUE = """
---
apiVersion: scheduling.run.ai/v2
kind: Queue
metadata: {{name: {name}, creationTimestamp: "2026-01-01T00:00:0{second}Z"}}
spec: {{parentQueue: {above}, resources: {{gpu: {{quota: {quota}, limit: -1, overQuotaWeight: 1}}}}}}
"""
KAI_JOB = """
---
apiVersion: scheduling.run.ai/v2alpha2
kind: PodGroup
metadata: {{name: {name}, namespace: ml, creationTimestamp: "2026-02-01T00:00:00Z"}}
spec: {{queue: {queue}, minMember: 1, priorityClassName: train}}
---
apiVersion: v1
kind: Pod
metadata: {{name: {name}, namespace: ml, uid: {name}, annotations: {{pod-group-name: {name}}}}}
spec:
  schedulerName: kai-scheduler
  nodeName: n0
  containers: [{{name: c, image: i, resources: {{limits: {{nvidia.com/gpu: 1}}}}}}]
status: {{phase: Running}}
"""
KAI_NODE = """
---
apiVersion: v1
kind: Node
metadata: {name: n0}
status:
  allocatable: {cpu: 99, memory: 99Gi, pods: 99, nvidia.com/gpu: 4}
  conditions: [{type: Ready, status: "True"}]
"""


@pytest.mark.parametrize(("second", "room", "exact"), [(1, 2, False), (2, 3, True)])
def test_room_that_rests_on_the_order_of_go_maps_is_not_exact(
    run: Callable[[str], Screen], tmp_path: Path, second: int, room: int, exact: bool
) -> None:
    """Queues a and b are alike but for their age, which says whose fair share is a GPU more."""
    given = (("top", 1, "''", -1), ("a", 1, "top", 0), ("b", second, "top", 0), ("c", 1, "top", 2))
    queues = [KAI_QUEUE.format(name=n, second=at, above=above, quota=quota) for n, at, above, quota in given]
    jobs = [KAI_JOB.format(name=f"{queue}-{number}", queue=queue) for queue in "ab" for number in range(2)]
    (tmp_path / "in.yaml").write_text("".join((*queues, *jobs, KAI_NODE)))
    words = f"-f {tmp_path}/in.yaml --queue c --resource nvidia.com/gpu --complete -o json"
    found = json.loads(run(f"kubectl-fairshare capacity {words}").stdout)
    assert [row["preempting"]["size"]["value"] for row in found["queues"]] == [room]
    assert [gap["feature"] for gap in found["fidelity"]["notModelled"]] == ([] if exact else ["MapOrder"])
    assert found["fidelity"]["exact"] is exact
