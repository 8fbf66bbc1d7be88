"""Inputs of KAI as text: two nodes of four GPUs, two queues, and the answers to questions about them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from tests.screens import Screen

Run = Callable[[str], Screen]
_AMOUNTS: Final = '{cpu: "1", memory: 1Gi}'
NODES: Final = "".join(
    f"""
---
apiVersion: v1
kind: Node
metadata: {{name: {name}, labels: {{nvidia.com/gpu.memory: "40000"}}}}
status:
  allocatable: {{cpu: "32", memory: 128Gi, nvidia.com/gpu: "4", pods: "110"}}
  conditions: [{{type: Ready, status: "True"}}]
"""
    for name in ("n1", "n2")
)


def queue(name: str, quota: int, second: int = 0) -> str:
    """A Queue without limits."""
    free = "{quota: -1, limit: -1, overQuotaWeight: 1}"
    gpu = f"{{quota: {quota}, limit: -1, overQuotaWeight: 1}}"
    return f"""
---
apiVersion: scheduling.run.ai/v2
kind: Queue
metadata: {{name: {name}, creationTimestamp: "2026-01-01T00:00:0{second}Z"}}
spec: {{resources: {{cpu: {free}, memory: {free}, gpu: {gpu}}}}}
"""


def queues(quota: int) -> str:
    """The queues a and b of this quota."""
    return queue("a", quota) + queue("b", quota, 1)


def group(name: str, queue_name: str, spec: str = "", second: int = 0) -> str:
    """A PodGroup that needs one pod; ``spec`` are more fields."""
    return f"""
---
apiVersion: scheduling.run.ai/v2alpha2
kind: PodGroup
metadata: {{name: {name}, namespace: ml, uid: {name}-group, creationTimestamp: "2026-02-01T00:00:0{second}Z"}}
spec: {{queue: {queue_name}, minMember: 1, preemptibility: preemptible{spec}}}
"""


def stored_pod(name: str, gpus: int, node: str = "") -> str:
    """A pod of the PodGroup of its name, running on a node, or waiting without one."""
    return f"""
---
apiVersion: v1
kind: Pod
metadata: {{name: {name}, namespace: ml, uid: {name}-pod, annotations: {{pod-group-name: {name}}}}}
spec:
  schedulerName: kai-scheduler
  {f"nodeName: {node}" if node else ""}
  containers:
  - {{name: c, image: i, resources: {{requests: {{cpu: "1", nvidia.com/gpu: "{gpus}"}}}}}}
status: {{phase: {"Running" if node else "Pending"}}}
"""


def running(count: int, queue_name: str = "b") -> str:
    """Jobs of one pod with one GPU each, on the nodes in turn."""
    names = [f"r{i}" for i in range(count)]
    return "".join(group(n, queue_name, "", i) + stored_pod(n, 1, f"n{i % 2 + 1}") for i, n in enumerate(names))


def waiting(gpus: int, queue_name: str = "a", spec: str = "", name: str = "w") -> str:
    """A stored job of one pod that waits."""
    return group(name, queue_name, spec) + stored_pod(name, gpus)


def shard(spec: str) -> str:
    """A SchedulingShard."""
    return f"""
---
apiVersion: kai.scheduler/v1
kind: SchedulingShard
metadata: {{name: default}}
spec: {spec}
"""


def config(spec: str) -> str:
    """KAI's Config."""
    return f"""
---
apiVersion: kai.scheduler/v1
kind: Config
metadata: {{name: kai-config}}
spec: {spec}
"""


def pod(annotations: str = "", *, gpus: int = 1, labels: str = "", spec: str = "", container: str = "") -> str:
    """A new Pod in queue a; ``spec`` and ``container`` are more fields of them."""
    limits = f', limits: {{nvidia.com/gpu: "{gpus}"}}' if gpus else ""
    return f"""
apiVersion: v1
kind: Pod
metadata: {{name: new, namespace: ml, labels: {{kai.scheduler/queue: a{labels}}}, annotations: {{{annotations}}}}}
spec:
  schedulerName: kai-scheduler
  containers: [{{name: c, image: i, resources: {{requests: {_AMOUNTS}{limits}}}{container}}}]
{"".join(f"  {line}" for line in spec.splitlines(keepends=True))}
"""


def job(annotations: str = "", *, gpus: int = 2, labels: str = "", pod_annotations: str = "", spec: str = "") -> str:
    """A new Job of one pod in queue a; ``spec`` are more fields of its pod."""
    return f"""
apiVersion: batch/v1
kind: Job
metadata: {{name: new, namespace: ml, labels: {{kai.scheduler/queue: a{labels}}}, annotations: {{{annotations}}}}}
spec:
  template:
    metadata: {{annotations: {{{pod_annotations}}}}}
    spec:
      schedulerName: kai-scheduler
      restartPolicy: Never
      containers:
      - {{name: c, image: i, resources: {{requests: {_AMOUNTS}, limits: {{nvidia.com/gpu: "{gpus}"}}}}}}
{"".join(f"      {line}" for line in spec.splitlines(keepends=True))}
"""


class Asked:
    """Questions about inputs, in a folder of their own."""

    def __init__(self, run: Run, folder: Path) -> None:
        self._run, self._folder = run, folder

    def __call__(self, command: str, state: str, asked: str = "", options: str = "") -> Any:
        """The document that answers the command about the ``asked`` job, and the state."""
        there, new = self._folder / "state.yaml", self._folder / "new.yaml"
        there.write_text(state, encoding="utf-8")
        new.write_text(asked, encoding="utf-8")
        given = f"-w {new}" if asked else ""
        screen = self._run(f"kubectl-fairshare {command} -f {there} {given} {options} -o json")
        assert screen.stdout, screen.stderr
        return json.loads(screen.stdout)

    def plan(self, state: str, asked: str, options: str = "") -> tuple[str, bool, tuple[str, ...]]:
        """The outcome of the job, whether it is exact, and the features that keep it from that."""
        found = self("plan", state, asked, options)
        return found["outcome"], found["fidelity"]["exact"], doubts(found)


def doubts(document: Any) -> tuple[str, ...]:
    """The features that can change an answer."""
    return tuple(gap["feature"] for gap in document["fidelity"]["notModelled"] if gap["touches"])


def subjects(document: Any) -> tuple[str, ...]:
    """What the features that can change an answer are about."""
    return tuple(gap["subject"] for gap in document["fidelity"]["notModelled"] if gap["touches"])
