"""Figures that public reports (``testdata/reports``) had wrong; a comment names the function that they follow from."""

import json
from pathlib import Path

from tests.screens import shown

REPORTS = "testdata/reports"


# updateClusterQueue: the flavor stays, so that the queue is active, and no workload fits into a quota of 0.
def test_a_queue_without_quota_is_entitled_to_nothing(tmp_path: Path, root: Path) -> None:
    before = f"{REPORTS}/kueue-drain"
    text = (root / before / "state.yaml").read_text(encoding="utf-8")
    (tmp_path / "state.yaml").write_text(text.replace("nominalQuota: '300'", "nominalQuota: '0'"))
    assert "nominalQuota: '300'" in text
    found = json.loads(shown(f"kubectl-fairshare diff {before} {tmp_path} -o json").stdout)
    (right,) = found["rights"]
    assert (right["before"]["entitled"]["value"], right["after"]["entitled"]["value"]) == (300, 0)
    held = json.loads(shown(f"kubectl-fairshare shares -f {tmp_path} --saturated -o json").stdout)
    assert held["clusterQueues"][0]["amount"]["value"] == 0


# updateClusterQueue: a queue with a stopPolicy is not active, and Heads takes no workload of it.
def test_a_stopped_queue_is_entitled_to_nothing(tmp_path: Path, root: Path) -> None:
    before = f"{REPORTS}/kueue-drain"
    text = (root / before / "state.yaml").read_text(encoding="utf-8")
    stopped = text.replace("spec:\n  namespaceSelector", "spec:\n  stopPolicy: Hold\n  namespaceSelector")
    assert stopped != text
    (tmp_path / "state.yaml").write_text(stopped)
    found = json.loads(shown(f"kubectl-fairshare diff {before} {tmp_path} -o json").stdout)
    (right,) = found["rights"]
    assert {name: right["after"][name]["value"] for name in ("guaranteed", "entitled", "most")} == {
        "guaranteed": 0,
        "entitled": 0,
        "most": 0,
    }


def test_a_list_that_is_emptied_is_shown_as_one(tmp_path: Path) -> None:
    queue = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: q}\nspec: {resourceGroups: "
    group = "[{coveredResources: [cpu], flavors: [{name: f, resources: [{name: cpu, nominalQuota: 1}]}]}]"
    for name, groups in (("old", group), ("new", "[]")):
        (tmp_path / f"{name}.yaml").write_text(f"{queue}{groups}}}\n")
    found = json.loads(shown(f"kubectl-fairshare diff {tmp_path}/old.yaml {tmp_path}/new.yaml -o json").stdout)
    (change,) = found["changed"]
    assert (change["field"], change["now"]) == ("spec.resourceGroups", "[]")


# proportion's IsReclaimable compares all resources of the queue, those that the job does not request, too.
def test_a_bound_that_is_exceeded_already_says_by_how_much() -> None:
    path = f"{REPORTS}/kai-above-share-in-another-resource"
    screen = shown(f"kubectl-fairshare why -f {path} podgroup/a-want -n ns").stdout
    assert "needs 0, above the limit already: 4 too few" in screen


# RequeueIfNotPresent: a StrictFIFO head comes back at once, unless its queue does not select its namespace.
def test_a_strict_head_that_is_refused_blocks_for_good() -> None:
    folder = f"{REPORTS}/kueue-strictfifo-head-blocks-over-time"
    found = json.loads(
        shown(f"kubectl-fairshare simulate -f {folder}/state.yaml --scenario {folder}/jobs.yaml -o json").stdout
    )
    assert found["waiting"]["neverStarted"] == 1
    waiting = json.loads(shown(f"kubectl-fairshare why -A -f {folder}/state.yaml -o json").stdout)
    verdicts = {w["workload"]["name"]: group["verdict"] for group in waiting["groups"] for w in group["workloads"]}
    assert verdicts == {"old": "Never", "young": "NotNow", "else": "Waiting"}


STATUS = """
requeueState: {count: 2, requeueAt: "2026-08-01T12:00:00Z"}
conditions:
- {type: Evicted, status: "True", reason: PodsReadyTimeout, message: late, lastTransitionTime: "2026-08-01T10:00:00Z"}
- {type: Requeued, status: "False", reason: PodsReadyTimeout, message: "", lastTransitionTime: "2026-08-01T10:00:00Z"}
"""


# workload.SetRequeuedCondition writes a reason, and UpdateRequeueState a time: neither is the condition's value.
def test_a_condition_is_cited_by_the_field_that_is_printed(tmp_path: Path) -> None:
    state = (Path(REPORTS) / "kueue-backlog/state.yaml").read_text(encoding="utf-8")
    name = (
        "kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {name: late, namespace: ml, uid: late, resourceVersion: '1'}"
    )
    pod = "{spec: {containers: [{name: c, image: x, resources: {requests: {cpu: 1}}}]}}"
    spec = f"spec: {{queueName: lq, podSets: [{{name: main, count: 1, template: {pod}}}]}}"
    status = "status:" + STATUS.replace("\n", "\n  ")
    (tmp_path / "state.yaml").write_text(f"{state}\n---\napiVersion: {name}\n{spec}\n{status}\n")
    text = shown(f"kubectl-fairshare why workload/late -n ml -f {tmp_path}").stdout
    assert "status.requeueState.requeueAt: 2026-08-01T12:00:00Z\n" in text, text
    assert "status.conditions[1].reason: PodsReadyTimeout\n" in text
