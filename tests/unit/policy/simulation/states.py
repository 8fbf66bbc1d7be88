"""Small policies and jobs for simulations."""

from textwrap import dedent

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.model.job_trace import TracedJob, TracedPods
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers import known_schedulers

SECOND = 10**9
GPU = "nvidia.com/gpu"
FLAVOR_GPU = ("a100", GPU)

_HEAD = """
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: a100}
---
apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
fairSharing: {preemptionStrategies: [LessThanOrEqualToFinalShare, LessThanInitialShare]}
"""
_QUEUE = """
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {{name: {name}}}
spec:
  cohortName: all
  namespaceSelector: {{}}
  queueingStrategy: {strategy}
  preemption: {{reclaimWithinCohort: {reclaim}, withinClusterQueue: {within}}}
  resourceGroups:
    - coveredResources: [nvidia.com/gpu]
      flavors: [{{name: a100, resources: [{{name: nvidia.com/gpu, nominalQuota: {quota}}}]}}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {{namespace: {name}, name: main}}
spec: {{clusterQueue: {name}}}
---
apiVersion: v1
kind: Namespace
metadata: {{name: {name}}}
"""


def queue(
    name: str, quota: int, *, strategy: str = "BestEffortFIFO", reclaim: str = "Any", within: str = "LowerPriority"
) -> str:
    """A ClusterQueue in the cohort ``all``, with its LocalQueue ``main`` in a namespace of its name."""
    return _QUEUE.format(name=name, quota=quota, strategy=strategy, reclaim=reclaim, within=within)


def policy(folder: object, *queues: str, fair: bool = True) -> Snapshot:
    """The snapshot of a policy with these queues, with fair sharing or with classical preemption."""
    head = _HEAD if fair else _HEAD.replace("fairSharing:", "integrations: {frameworks: [batch/job]}\n#")
    return snapshot_of(folder, head + "".join(queues))


def snapshot_of(folder: object, text: str) -> Snapshot:
    """The snapshot of a text."""
    path = f"{folder}/policy.yaml"
    with open(path, "w", encoding="utf-8") as file:
        file.write(dedent(text))
    return assemble(read((path,), known_schedulers()).manifests, known_schedulers()).snapshot


def job(name: str, queue: str, at: float, gpus: int, seconds: float | None, priority: int = 0) -> TracedJob:
    """A job of one pod set that arrives ``at`` seconds and runs for so many."""
    pods = (TracedPods("main", gpus, {GPU: 1}),)
    duration = None if seconds is None else int(seconds * SECOND)
    return TracedJob(name, queue, "main", int(at * SECOND), pods, priority=priority, duration=duration)
