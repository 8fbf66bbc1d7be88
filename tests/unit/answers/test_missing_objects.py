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


CLASSES = {"priorityClassName: high, ": "priorityclass high", "runtimeClassName: kata, ": "runtimeclass kata"}


# Admission plugins Priority and RuntimeClass: a pod gets its priority and overhead from classes when it is created.
@pytest.mark.parametrize("quota", [EQ, KOORDINATOR])
@pytest.mark.parametrize("naming", CLASSES)
def test_a_class_of_a_pod_that_is_missing(quota: str, naming: str, tmp_path: Path) -> None:
    (tmp_path / "state.yaml").write_text(NODE + quota + POD.format("waits", "", naming))
    (tmp_path / "new.yaml").write_text(POD.format("new", "", ""))
    (tmp_path / "naming.yaml").write_text(POD.format("new", "", naming))
    source, command = f"-f {tmp_path / 'state.yaml'}", f"`kubectl get {CLASSES[naming]} -o yaml`"
    for call in (
        f"plan {source} -w {tmp_path / 'new.yaml'}",
        f"plan {source} -w {tmp_path / 'naming.yaml'}",
        f"why pod/waits -n ml {source}",
        f"why -A {source}",
        f"capacity {source} --request cpu=1",
    ):
        screen = " ".join(shown(f"kubectl-fairshare {call}").stdout.split())
        assert "not exact" in screen, call
        assert command in screen, call


@pytest.mark.parametrize("quota", [EQ, KOORDINATOR])
def test_figures_depend_on_the_overhead_of_pods_and_not_on_their_priority(quota: str, tmp_path: Path) -> None:
    path = tmp_path / "state.yaml"
    for naming, exact in (("priorityClassName: high, ", True), ("runtimeClassName: kata, ", False)):
        path.write_text(NODE + quota + POD.format("waits", "", naming))
        assert ("not exact" in shown(f"kubectl-fairshare shares -f {path}").stdout) is not exact
    stored = POD.format("waits", ", resourceVersion: '1'", "priority: 5, runtimeClassName: kata, ")
    path.write_text(NODE + quota + stored)
    assert "not in the input" not in shown(f"kubectl-fairshare shares -f {path}").stdout


KAI = (
    "apiVersion: scheduling.run.ai/v2\nkind: Queue\nmetadata: {name: q}\n"
    "spec: {resources: {cpu: {quota: -1, limit: -1}, memory: {quota: -1, limit: -1}, gpu: {limit: -1}}}\n---\n"
)


def test_the_overhead_of_a_pod_of_kai_whose_runtime_class_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "state.yaml"
    path.write_text(NODE + KAI + POD.format("waits", "", "runtimeClassName: kata, schedulerName: kai-scheduler, "))
    for call in (f"shares -f {path}", f"capacity -f {path} --request nvidia.com/gpu=1"):
        screen = " ".join(shown(f"kubectl-fairshare {call}").stdout.split())
        assert "not exact" in screen
        assert "`kubectl get runtimeclass kata -o yaml`" in screen


KUEUE = "apiVersion: kueue.x-k8s.io/v1beta2\n"
FLAVORED = "{coveredResources: [cpu], flavors: [{name: f, resources: [{name: cpu, nominalQuota: 4}]}]}"
CLUSTER_QUEUE = (
    f"{KUEUE}kind: ResourceFlavor\nmetadata: {{name: f}}\n---\n{KUEUE}kind: ClusterQueue\nmetadata: {{name: cq}}\n"
    f"spec: {{cohortName: co, namespaceSelector: {{}}, resourceGroups: [{FLAVORED}]}}\n---\n"
)
LOCAL_QUEUE = f"{KUEUE}kind: LocalQueue\nmetadata: {{name: lq, namespace: ml}}\nspec: {{clusterQueue: NAME}}\n---\n"
PODS = "{restartPolicy: Never, containers: [{name: c, image: x, resources: {requests: {cpu: 1}}}]}"
WORKLOAD = (
    f"{KUEUE}kind: Workload\nmetadata: {{name: w, namespace: ml}}\n"
    f"spec: {{queueName: lq, podSets: [{{name: main, count: 1, template: {{spec: {PODS}}}}}]}}\n"
)


# ClusterQueues of a cohort lend to each other (Available); a workload waits in the ClusterQueue of its LocalQueue.
@pytest.mark.parametrize(
    ("state", "command"),
    [
        (CLUSTER_QUEUE + LOCAL_QUEUE.replace("NAME", "other"), "kubectl get clusterqueue other -o yaml"),
        (CLUSTER_QUEUE + WORKLOAD, "kubectl get localqueue lq -n ml -o yaml"),
    ],
)
def test_a_queue_of_kueue_that_is_missing(state: str, command: str, tmp_path: Path) -> None:
    (tmp_path / "state.yaml").write_text(state)
    source = f"-f {tmp_path / 'state.yaml'}"
    # A cycle without a head that could use its quota does not need the ClusterQueue.
    for call in (f"shares {source}", *([f"cycle {source}"] if "kind: Workload" in state else [])):
        screen = " ".join(shown(f"kubectl-fairshare {call}").stdout.split())
        assert "not exact" in screen, call
        assert command in screen, call
    assert "not in the input" not in shown(f"kubectl-fairshare shares {source} --complete").stdout
