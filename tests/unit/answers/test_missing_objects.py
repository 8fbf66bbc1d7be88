"""What an object names and a partial input lacks makes figures not exact, on every screen."""

from pathlib import Path

import pytest

from tests.screens import shown

NODE = (
    "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: 8, memory: 8Gi, pods: 110}}\n---\n"
)
POD = (
    "apiVersion: v1\nkind: Pod\nmetadata: {{name: {0}, namespace: ml{1}}}\nspec: {{{2}containers: "
    "[{{name: c, image: x, resources: {{requests: {{cpu: 1}}}}}}]}}\n---\n"
)
QUOTA = (
    "apiVersion: {0}/v1alpha1\nkind: ElasticQuota\nmetadata: {{name: ml, namespace: ml{1}}}\n"
    "spec: {{min: {{cpu: 4}}, max: {{cpu: 6}}}}\n---\n"
)
EQ, KOORDINATOR = QUOTA.format("scheduling.x-k8s.io", ""), QUOTA.format("scheduling.sigs.k8s.io", "")
BELOW = QUOTA.format("scheduling.sigs.k8s.io", ", labels: {quota.scheduling.koordinator.sh/parent: org}")
PROFILE = (
    "apiVersion: quota.koordinator.sh/v1alpha1\nkind: ElasticQuotaProfile\nmetadata: {name: pool, namespace: ml}\n"
    "spec: {quotaName: pool-root, nodeSelector: {matchLabels: {a: b}}}\n---\n"
)
NAMING = ", labels: {quota.scheduling.koordinator.sh/name: vision}"
ELSEWHERE = POD.format("old", "", "nodeName: n2, ")
SELECTED = "kubectl get elasticquota -A --field-selector metadata.name={} -o yaml"


# A node that is not there adds to Koordinator's total (GroupQuotaManager.UpdateClusterTotalResource), and to the room
# of both; a quota that is not there takes its pods to the default quota (getPodAssociateQuotaNameAndTreeID).
@pytest.mark.parametrize(
    ("state", "command"),
    [
        (NODE + EQ + ELSEWHERE, "kubectl get node n2 -o yaml"),
        (NODE + KOORDINATOR + ELSEWHERE, "kubectl get node n2 -o yaml"),
        (NODE + KOORDINATOR + POD.format("old", NAMING, "nodeName: n1, "), SELECTED.format("vision")),
        (NODE + BELOW, SELECTED.format("org")),
        (NODE + KOORDINATOR + PROFILE, "kubectl get elasticquota pool-root -n ml -o yaml"),
    ],
)
def test_a_reference_to_an_object_that_is_missing(state: str, command: str, tmp_path: Path) -> None:
    (tmp_path / "state.yaml").write_text(state + POD.format("waits", "", ""))
    (tmp_path / "new.yaml").write_text(POD.format("new", "", ""))
    source = f"-f {tmp_path / 'state.yaml'}"
    for call in (f"shares {source}", f"plan {source} -w {tmp_path / 'new.yaml'}", f"why pod/waits -n ml {source}"):
        screen = " ".join(shown(f"kubectl-fairshare {call}").stdout.split())
        assert "not exact" in screen, screen
        assert command in screen, screen
    for call in (f"why -A {source}", f"capacity {source} --request cpu=1"):
        assert "not exact" in shown(f"kubectl-fairshare {call}").stdout, call
    assert "not in the input" not in shown(f"kubectl-fairshare shares {source} --complete").stdout


def test_the_quota_that_only_the_new_pod_names(tmp_path: Path) -> None:
    (tmp_path / "state.yaml").write_text(NODE + KOORDINATOR)
    (tmp_path / "new.yaml").write_text(POD.format("new", NAMING, ""))
    call = f"kubectl-fairshare plan -f {tmp_path / 'state.yaml'} -w {tmp_path / 'new.yaml'}"
    assert SELECTED.format("vision") in " ".join(shown(call).stdout.split())
    assert shown(call).code == 5
    assert shown(f"{call} --complete").code == 0
