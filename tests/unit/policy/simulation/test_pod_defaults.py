"""Made-up pods have the requests that a LimitRange of their namespace adds, in simulations of every scheduler."""

import re
from pathlib import Path

import pytest

from kubectl_fairshare.answers.simulation import Simulation
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.job_trace import TracedJob, TracedPods
from kubectl_fairshare.policy.simulation.parameters import Parameters
from kubectl_fairshare.policy.simulation.run import simulate
from kubectl_fairshare.schedulers import scheduler_named
from tests.unit.policy.simulation.states import SECOND, snapshot_of

_NODE = """
apiVersion: v1
kind: Node
metadata: {name: n1}
status:
  allocatable: {cpu: "80", memory: 16Gi, pods: "20"}
  conditions: [{type: Ready, status: "True"}]
---
apiVersion: v1
kind: Namespace
metadata: {name: team}
---
apiVersion: v1
kind: LimitRange
metadata: {name: defaults, namespace: team}
spec: {limits: [{type: Container, defaultRequest: {cpu: "6"}}]}
---
"""
_CLASSES = """
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: usual}
value: 90
globalDefault: true
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: low}
value: 10
"""
_GATE = """
---
apiVersion: v1
kind: ConfigMap
metadata: {name: kueue-manager-config, namespace: kueue-system}
data:
  controller_manager_config.yaml: |
    apiVersion: config.kueue.x-k8s.io/v1beta2
    kind: Configuration
    featureGates: {WorkloadPriorityClassDefaulting: true}
"""
_QUOTAS = {
    "kueue": """
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: f}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: cq}
spec:
  namespaceSelector: {}
  resourceGroups:
    - coveredResources: [cpu, memory]
      flavors: [{name: f, resources: [{name: cpu, nominalQuota: 8}, {name: memory, nominalQuota: 8Gi}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: main, namespace: team}
spec: {clusterQueue: cq}
""",
    "kai": """
apiVersion: scheduling.run.ai/v2
kind: Queue
metadata: {name: main}
spec: {resources: {cpu: {quota: 8000, limit: 8000}, memory: {quota: -1, limit: -1}, gpu: {quota: -1, limit: -1}}}
""",
    "elasticquota": """
apiVersion: scheduling.x-k8s.io/v1alpha1
kind: ElasticQuota
metadata: {name: main, namespace: team}
spec: {min: {cpu: "8", memory: 8Gi}, max: {cpu: "8", memory: 8Gi}}
""",
    "koordinator": """
apiVersion: scheduling.sigs.k8s.io/v1alpha1
kind: ElasticQuota
metadata: {name: main, namespace: quotas}
spec: {min: {cpu: "8", memory: 8Gi}, max: {cpu: "8", memory: 8Gi}}
""",
}


@pytest.mark.parametrize("house", _QUOTAS)
def test_two_jobs_of_which_a_default_lets_one_run_run_in_turn(house: str, tmp_path: Path) -> None:
    """8 cpu, and each of them requests memory alone and gets 6."""
    pods = (TracedPods("main", 1, {"memory": 1 << 30}),)
    jobs = [TracedJob(name, "team", "main", 0, pods, duration=30 * SECOND) for name in ("one", "two")]
    found = simulate(scheduler_named(house), snapshot_of(tmp_path, _NODE + _QUOTAS[house]), jobs, Parameters())
    first, second = sorted(each.admitted[0] // SECOND for each in found.jobs)
    assert first == 0
    assert second >= 30
    assert found.jobs[0].held["" if house != "kueue" else "f", "cpu"] == 6000


def _rejected(house: str, bound: str, tmp_path: Path) -> Simulation:
    limits = f"spec: {{limits: [{{type: Container, {bound}}}]}}\n---\n"
    node = re.sub(r"spec: \{limits: .*\n---\n", limits, _NODE)
    assert node != _NODE
    pods = (TracedPods("main", 1, {"cpu": 6000, "memory": 1 << 30}),)
    jobs = [TracedJob("one", "team", "main", 0, pods, duration=30 * SECOND)]
    return simulate(scheduler_named(house), snapshot_of(tmp_path, node + _QUOTAS[house]), jobs, Parameters())


@pytest.mark.parametrize("bound", ["max: {cpu: 4}", "min: {memory: 4Gi}"])
@pytest.mark.parametrize("house", ["elasticquota", "koordinator"])
def test_a_pod_that_limit_ranges_reject_leaves_no_simulation_exact(house: str, bound: str, tmp_path: Path) -> None:
    found = _rejected(house, bound, tmp_path)
    assert [gap.subject for gap in found.fidelity.gaps] == ["the LimitRanges of namespace team reject it"]


@pytest.mark.parametrize("bound", ["max: {cpu: 4}", "min: {memory: 4Gi}"])
def test_a_job_whose_pods_limit_ranges_reject_stays_out_of_kueue_or_is_not_played_by_kai(
    bound: str, tmp_path: Path
) -> None:
    found = _rejected("kueue", bound, tmp_path)
    assert found.fidelity.exact
    assert not found.jobs[0].admitted
    with pytest.raises(FairshareError, match="LimitRanges, which reject its pods"):
        _rejected("kai", bound, tmp_path)


@pytest.mark.parametrize("house", _QUOTAS)
def test_a_job_without_a_class_has_the_priority_of_the_global_default(house: str, tmp_path: Path) -> None:
    assert _order(house, _CLASSES, tmp_path) == ["first", "usual", "low"]


def test_a_job_of_kueue_has_the_class_that_its_webhook_writes(tmp_path: Path) -> None:
    """It counts before a class of pods, so that all jobs without one of Workloads are equal."""
    usual, low = _CLASSES.split("---")[1:]
    default = _of_workloads(usual).replace("usual", "default").replace("globalDefault: true", "")
    assert _order("kueue", f"{_GATE}---{default}---{_of_workloads(low)}", tmp_path) == ["first", "usual", "low"]
    assert _order("kueue", f"{_GATE}---{default}---{low}", tmp_path) == ["first", "low", "usual"]


def _of_workloads(text: str) -> str:
    return text.replace("scheduling.k8s.io/v1", "kueue.x-k8s.io/v1beta2").replace("Priority", "WorkloadPriority")


def _order(house: str, classes: str, tmp_path: Path) -> list[str]:
    """In which order three jobs start, of which one runs at a time and the second is of a low class."""
    pods = (TracedPods("main", 1, {"memory": 1 << 30}),)
    jobs = [
        TracedJob(name, "team", "main", at * SECOND, pods, priority_class=of_class, duration=30 * SECOND)
        for at, (name, of_class) in enumerate([("first", ""), ("low", "low"), ("usual", "")])
    ]
    snapshot = snapshot_of(tmp_path, _NODE + _QUOTAS[house] + classes)
    found = {
        each.job.name: each.admitted for each in simulate(scheduler_named(house), snapshot, jobs, Parameters()).jobs
    }
    assert [len(each) for each in found.values()] == [1, 1, 1]
    return sorted(found, key=lambda name: found[name])
