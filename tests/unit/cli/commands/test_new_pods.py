"""A new pod that a ResourceQuota rejects gets to no scheduler, whichever decides: its plan is not exact."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.screens import Screen

Run = Callable[[str], Screen]
TIGHT = """\
apiVersion: v1
kind: ResourceQuota
metadata: {{name: tight, namespace: {namespace}}}
spec: {{hard: {{pods: "{pods}"}}}}
"""
KUEUE = """\
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: default}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: queue}
spec:
  namespaceSelector: {}
  resourceGroups:
    - coveredResources: [cpu]
      flavors: [{name: default, resources: [{name: cpu, nominalQuota: 4}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: queue, namespace: team}
spec: {clusterQueue: queue}
---
apiVersion: v1
kind: Namespace
metadata: {name: team}
"""
POD = """\
apiVersion: v1
kind: Pod
metadata: {{name: {name}, namespace: team, labels: {{kueue.x-k8s.io/queue-name: queue{more}}}{annotations}}}
spec: {{containers: [{{name: c, image: example.com/c, resources: {{requests: {{cpu: "1"}}}}}}]}}
---
"""
GROUP = ", kueue.x-k8s.io/pod-group-name: g"
COUNT = ', annotations: {kueue.x-k8s.io/pod-group-total-count: "2"}'


def features(run: Run, line: str, namespace: str, pods: int, folder: Path) -> list[str]:
    """The features that make the answer inexact, with a quota of so many pods in the namespace."""
    (folder / "tight.yaml").write_text(TIGHT.format(namespace=namespace, pods=pods), encoding="utf-8")
    screen = run(f"kubectl-fairshare {line} -f {folder / 'tight.yaml'} -o json --complete")
    gaps = json.loads(screen.stdout)["fidelity"]["notModelled"]
    return [gap["feature"] for gap in gaps if gap["touches"]]


@pytest.mark.parametrize(
    ("line", "namespace", "enough", "few"),
    [
        ("plan -f testdata/elasticquota/cluster.yaml -w testdata/elasticquota/web.yaml", "research", 4, 3),
        ("plan -f testdata/kai/org/queues.yaml -w testdata/kai/train.yaml", "ml", 9, 0),
        ("plan -f testdata/koordinator/tree.yaml -w testdata/koordinator/asked.yaml", "lab", 9, 1),
    ],
    ids=["elasticquota", "kai", "koordinator"],
)
def test_a_new_pod_that_a_resource_quota_rejects_has_no_exact_plan(
    run: Run, tmp_path: Path, line: str, namespace: str, enough: int, few: int
) -> None:
    assert "ResourceQuota" not in features(run, line, namespace, enough, tmp_path)
    assert "ResourceQuota" in features(run, line, namespace, few, tmp_path)


def test_pods_that_are_kueue_workloads_count_alone_or_as_a_group(run: Run, tmp_path: Path) -> None:
    (tmp_path / "kueue.yaml").write_text(KUEUE, encoding="utf-8")
    (tmp_path / "pod.yaml").write_text(POD.format(name="a", more="", annotations=""), encoding="utf-8")
    pair = "".join(POD.format(name=name, more=GROUP, annotations=COUNT) for name in "ab")
    (tmp_path / "pair.yaml").write_text(pair, encoding="utf-8")
    for file, enough in (("pod", 1), ("pair", 2)):
        line = f"plan -f {tmp_path / 'kueue.yaml'} -w {tmp_path / file}.yaml"
        assert features(run, line, "team", enough, tmp_path) == []
        assert features(run, line, "team", enough - 1, tmp_path) == ["ResourceQuota"]
