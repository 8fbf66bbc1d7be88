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
