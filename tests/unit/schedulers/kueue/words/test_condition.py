"""The condition that Kueue writes, where the order of a Go map decides which pod set it names."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.screens import Screen

Run = Callable[[str], Screen]

RACK = "--nodes 2xcpu=8,memory=9Gi,pods=9,label=pool=gpu,label=example.com/rack="
OPTIONS = f"-f testdata/nodes/topology.yaml {RACK}a {RACK}b"
GROUPED = """\
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {{name: pair, namespace: ml, creationTimestamp: "2026-01-01T00:00:00Z"}}
spec:
  queueName: team
  podSets:
  - name: leader
    count: 1
    topologyRequest: {{required: example.com/rack, podSetGroupName: g}}
    template: {{spec: {{containers: [{{name: c, image: x, resources: {{requests: {{cpu: 1}}}}}}]}}}}
  - name: worker
    count: {workers}
    topologyRequest: {{required: example.com/rack, podSetGroupName: g}}
    template: {{spec: {{containers: [{{name: c, image: x, resources: {{requests: {{cpu: 4}}}}}}]}}}}
status: {status}
"""
TEXT = 'couldn\'t assign flavors to pod set {}: topology "hosts" allows to fit only 4 out of 4 pod(s)'


def pair(tmp_path: Path, workers: int, status: str = "{}") -> Path:
    path = tmp_path / "pair.yaml"
    path.write_text(GROUPED.format(workers=workers, status=status), encoding="utf-8")
    return path


def test_either_pod_set_of_a_group_may_be_named(run: Run, tmp_path: Path) -> None:
    command = f"kubectl-fairshare plan {OPTIONS} -w {pair(tmp_path, 4)}"
    found = json.loads(run(f"{command} -o json").stdout)["condition"]
    assert (found["message"], found["otherMessages"]) == (TEXT.format("worker"), [TEXT.format("leader")])
    shown = run(command).stdout
    assert f"  {TEXT.format('worker')}\n  or, by chance\n  {TEXT.format('leader')}\n" in shown


def test_a_group_that_is_placed_leaves_nothing_to_chance(run: Run, tmp_path: Path) -> None:
    found = json.loads(run(f"kubectl-fairshare plan {OPTIONS} -w {pair(tmp_path, 3)} -o json").stdout)
    assert (found["outcome"], found["condition"]["otherMessages"]) == ("Admitted", [])


@pytest.mark.parametrize("named", ["worker", "leader"])
def test_a_record_may_have_either_message(run: Run, tmp_path: Path, named: str) -> None:
    condition = {"type": "QuotaReserved", "status": "False", "reason": "Pending", "message": TEXT.format(named)}
    moment = {"lastTransitionTime": "2026-01-01T00:00:01Z"}
    path = pair(tmp_path, 4, json.dumps({"conditions": [condition | moment]}))
    found = json.loads(run(f"kubectl-fairshare why workload/pair -n ml {OPTIONS} -f {path} -o json").stdout)
    compared = found["comparison"]
    assert (compared["agreement"], compared["computed"]["otherMessages"]) == ("Same", [TEXT.format("leader")])
