"""The condition that Kueue writes: its reasons by release, and where the order of a Go map decides whom it names."""

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


@pytest.mark.parametrize(
    ("release", "reason", "token", "shown_"),
    [
        ("0.16", "Pending", "", "Pending"),
        ("0.18.4", "Pending", "", "Pending"),
        ("0.18.5", "Pending", "WaitingForQuota", "Pending (WaitingForQuota)"),
        ("0.19", "Pending", "WaitingForQuota", "Pending (WaitingForQuota)"),
        ("0.20", "WaitingForQuota", "WaitingForQuota", "WaitingForQuota"),
    ],
)
def test_finer_reasons_are_unknown_or_behind_a_gate_or_the_only_ones(
    run: Run, release: str, reason: str, token: str, shown_: str
) -> None:
    call = f"-f testdata/demo/org --release {release}"
    plan = f"kubectl-fairshare plan {call} -w testdata/demo/jobs/reindex.yaml"
    condition = json.loads(run(f"{plan} -o json").stdout)["condition"]
    assert (condition["reason"], condition["token"]) == (reason, token)
    assert f"  Kueue writes QuotaReserved=False {shown_}\n" in run(plan).stdout
    cycle = json.loads(run(f"kubectl-fairshare cycle {call} -o json").stdout)["entries"]
    assert [entry["reason"] for entry in cycle] == ["", token]
    line = "WaitingForQuota: Workload no longer fits" if token else "Workload no longer fits"
    assert f"   {line} after" in run(f"kubectl-fairshare cycle {call}").stdout
