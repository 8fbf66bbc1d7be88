"""A reason that says "never" has its numbers, and every "no" says whom to ask, whatever the scheduler."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.screens import Screen

TESTDATA = Path(__file__).resolve().parents[4] / "testdata"
POD = """
apiVersion: v1
kind: Pod
metadata: {{name: big, namespace: {namespace}, labels: {labels}, creationTimestamp: "2026-08-01T10:00:00Z"}}
spec:
  schedulerName: {scheduler}
  priority: 0
  containers: [{{name: main, image: busybox, resources: {{requests: {{cpu: "{cpu}"}}}}}}]
status: {{phase: Pending}}
"""
GROUP = """
apiVersion: scheduling.run.ai/v2alpha2
kind: PodGroup
metadata: {{name: big, namespace: ml, creationTimestamp: "2026-02-01T12:00:00Z"}}
spec: {{queue: speech, minMember: 1, priorityClassName: train}}
---
apiVersion: v1
kind: Pod
metadata: {{name: big-0, namespace: ml, annotations: {{pod-group-name: big}}}}
spec:
  schedulerName: kai-scheduler
  containers: [{{name: main, image: busybox, resources: {{requests: {{cpu: "{cpu}"}}}}}}]
status: {{phase: Pending}}
"""
VISION = "{quota.scheduling.koordinator.sh/name: vision}"
QUOTA = """
apiVersion: scheduling.x-k8s.io/v1alpha1
kind: ElasticQuota
metadata: {name: quota, namespace: a}
spec: {min: {cpu: "40"}, max: {cpu: "60"}}
---
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: "32", pods: "110"}}
---
apiVersion: v1
kind: Pod
metadata: {name: run, namespace: a}
spec:
  schedulerName: scheduler-plugins-scheduler
  nodeName: n1
  containers: [{name: main, image: busybox, resources: {requests: {cpu: "30"}}}]
status: {phase: Running}
---
"""
NEVER = {
    "koordinator, larger than each node": (
        POD.format(namespace="lab", labels=VISION, scheduler="koord-scheduler", cpu=36),
        "koordinator",
        "it needs 36 cpu, the largest has 32",
    ),
    "koordinator, larger than each node, admitted by its quota": (
        POD.format(namespace="other", labels="{}", scheduler="koord-scheduler", cpu=36),
        "koordinator",
        "it needs 36 cpu, the largest has 32",
    ),
    "koordinator, above its quota": (
        POD.format(namespace="lab", labels=VISION, scheduler="koord-scheduler", cpu=500),
        "koordinator",
        "500 requested > 64",
    ),
    "elasticquota, larger than each node": (
        QUOTA + POD.format(namespace="a", labels="{}", scheduler="scheduler-plugins-scheduler", cpu=36),
        "",
        "it needs 36 cpu, the largest has 32",
    ),
    "elasticquota, above its quota": (
        QUOTA + POD.format(namespace="a", labels="{}", scheduler="scheduler-plugins-scheduler", cpu=100),
        "",
        "100 requested > 60",
    ),
}
LARGER = pytest.param(GROUP.format(cpu=500), "kai", "it needs 500 cores, the largest has", marks=pytest.mark.slow)


@pytest.mark.parametrize(
    ("objects", "demo", "numbers"), [*NEVER.values(), LARGER], ids=[*NEVER, "kai, larger than each node"]
)
def test_never_has_its_numbers_and_says_whom_to_ask(
    run: Callable[[str], Screen], tmp_path: Path, objects: str, demo: str, numbers: str
) -> None:
    path = tmp_path / "asked.yaml"
    path.write_text(objects, encoding="utf-8")
    more = f"-f {TESTDATA / 'demo' / demo}" if demo else ""
    text = re.sub(r"\s+", " ", run(f"kubectl-fairshare why -q --complete big -f {path} {more}").stdout)
    verdict = text.partition(" · never: ")[2]
    assert numbers in verdict
    assert " ask the owner of " in text or " ask an admin of " in text
