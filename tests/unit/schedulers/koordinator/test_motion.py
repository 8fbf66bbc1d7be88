"""Simulations of Koordinator's quotas, by the times at which pods start, stop and end."""

from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.answers.simulation import SimulatedJob, Simulation
from kubectl_fairshare.model.errors import UsageError
from kubectl_fairshare.model.job_trace import TracedJob, TracedPods
from kubectl_fairshare.policy.simulation.parameters import Parameters, PolicyChange
from kubectl_fairshare.policy.simulation.run import simulate
from kubectl_fairshare.schedulers import scheduler_named
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.motion import RuntimeMotion
from kubectl_fairshare.schedulers.pod_queue import NewPod
from kubectl_fairshare.schedulers.pod_replay import PodCourse, PodReplay
from kubectl_fairshare.schedulers.replay import ReplayTerms
from tests.unit.policy.simulation.states import SECOND, snapshot_of

_QUOTA = """
---
apiVersion: scheduling.sigs.k8s.io/v1alpha1
kind: ElasticQuota
metadata: {{namespace: quotas, name: {name}, labels: {{quota.scheduling.koordinator.sh/is-parent: "false"}}}}
spec: {{min: {{cpu: {least}}}, max: {{cpu: {most}}}}}
"""
_NODE = """
---
apiVersion: v1
kind: Node
metadata: {{name: {name}}}
status: {{allocatable: {{cpu: {cpu}, memory: 64Gi, pods: 110}}}}
"""
TWO = _QUOTA.format(name="a", least=4, most=8) + _QUOTA.format(name="b", least=4, most=8)
NODE = _NODE.format(name="n1", cpu=8)


def job(name: str, queue: str, at: float, cpu: int, seconds: float, count: int = 1, priority: int = 0) -> TracedJob:
    pods = (TracedPods("main", count, {"cpu": cpu * 1000}),)
    return TracedJob(name, "ml", queue, int(at * SECOND), pods, priority=priority, duration=int(seconds * SECOND))


def run(folder: Path, *jobs: TracedJob, objects: str = TWO + NODE, **parameters: Any) -> Simulation:
    return simulate(scheduler_named("koordinator"), snapshot_of(folder, objects), jobs, Parameters(**parameters))


def of(simulation: Simulation, name: str) -> SimulatedJob:
    return next(each for each in simulation.jobs if each.job.name == name)


def test_a_pod_within_the_runtime_of_its_quota_starts_when_it_arrives(tmp_path: Path) -> None:
    found = run(tmp_path, job("one", "a", 5, 4, 60))
    assert of(found, "one").admitted == [5 * SECOND]
    assert of(found, "one").queue == "a"
    assert found.exact


def test_an_idle_quota_lends_its_min_and_gets_it_back_only_once_work_has_ended(tmp_path: Path) -> None:
    """Nothing of b waits, so a may use 8; b's pod is within its min, and waits: other quotas are never preempted."""
    found = run(tmp_path, job("guest", "a", 0, 8, 100), job("owner", "b", 40, 4, 100))
    assert of(found, "guest").admitted == [0]
    assert of(found, "guest").evictions == []
    assert of(found, "owner").admitted == [100 * SECOND]


def test_what_waits_in_one_quota_lowers_the_runtime_of_another(tmp_path: Path) -> None:
    """The pod of b waits for a node with 8; meanwhile a may use 6 of the 12, and its second pod waits, too."""
    objects = TWO + _NODE.format(name="n1", cpu=7) + _NODE.format(name="n2", cpu=5)
    jobs = [job("first", "a", 0, 4, 100), job("waits", "b", 1, 8, 50), job("second", "a", 2, 4, 10)]
    alone = run(tmp_path, jobs[0], jobs[2], objects=objects)
    assert of(alone, "second").admitted == [2 * SECOND]
    assert of(run(tmp_path, *jobs, objects=objects), "second").admitted == [100 * SECOND]


def test_a_pod_that_its_quota_refused_is_tried_again_a_second_after_a_change_of_requests(tmp_path: Path) -> None:
    replay = PodReplay(Refusing(), snapshot_of(tmp_path, TWO), ReplayTerms())
    replay.submit(job("x", "a", 0, 1, 60), 0)
    assert [replay.run(0).cycles, replay.wakes()] == [1, SECOND]
    assert replay.run(SECOND).cycles == 0, "nothing has changed since"
    assert replay.wakes() is None
    replay.submit(job("y", "a", 5, 2, 60), 5 * SECOND)
    assert [replay.run(5 * SECOND).cycles, replay.wakes()] == [1, 6 * SECOND]
    assert replay.run(6 * SECOND).cycles == 1


class Refusing(RuntimeMotion):
    """Quotas that refuse every pod."""

    def __init__(self) -> None:
        super().__init__("none")

    def tried(self, new: NewPod[Pod], pod: Pod) -> PodCourse:  # noqa: ARG002
        return PodCourse(by_quota=True)


def test_a_higher_priority_of_the_same_quota_preempts(tmp_path: Path) -> None:
    found = run(tmp_path, job("low", "a", 0, 8, 100), job("high", "a", 40, 8, 10, priority=10))
    low, high = of(found, "low"), of(found, "high")
    assert [(e.at, e.by, e.rule) for e in low.evictions] == [
        (40 * SECOND, "ml/high", "lower priority in the same quota")
    ]
    assert low.lost == 40 * SECOND
    assert high.admitted == [41 * SECOND]
    assert low.admitted[1] >= 51 * SECOND


def test_a_victim_holds_its_node_until_it_has_stopped(tmp_path: Path) -> None:
    jobs = job("low", "a", 0, 8, 100), job("high", "a", 40, 8, 10, priority=10)
    found = run(tmp_path, *jobs, stopping=30 * SECOND)
    assert of(found, "high").admitted == [70 * SECOND]


def test_a_job_whose_label_names_no_quota_goes_to_the_default_quota(tmp_path: Path) -> None:
    found = run(tmp_path, job("typo", "vison", 0, 8, 60))
    assert of(found, "typo").queue == "koordinator-default-quota"
    assert of(found, "typo").admitted == [0]


def test_a_change_of_quotas_counts_from_its_moment_on(tmp_path: Path) -> None:
    small = snapshot_of(tmp_path, _QUOTA.format(name="a", least=1, most=2) + NODE)
    large = snapshot_of(tmp_path, TWO + NODE)
    found = simulate(
        scheduler_named("koordinator"), small, [job("one", "a", 0, 4, 60)], None, [PolicyChange(30 * SECOND, large)]
    )
    assert of(found, "one").admitted == [30 * SECOND]
    assert found.exact


@pytest.mark.parametrize(
    ("objects", "doubt"),
    [
        (TWO, "no nodes"),
        (TWO + NODE + _NODE.format(name="n2", cpu=8), "which of several nodes"),
        (
            TWO + NODE + "\n---\n" + _QUOTA.format(name="a", least=1, most=2).split("---")[1].replace("quotas", "x"),
            "called a",
        ),
    ],
)
def test_what_is_not_modelled_makes_the_result_inexact(tmp_path: Path, objects: str, doubt: str) -> None:
    found = run(tmp_path, job("one", "a", 0, 1, 10), objects=objects)
    assert not found.exact
    assert any(doubt in each for each in found.fidelity.doubts)


def test_full_nodes_with_lower_priorities_of_other_quotas_make_the_result_inexact(tmp_path: Path) -> None:
    """DefaultPreemption, which runs after the plugin, may evict across quotas."""
    objects = TWO + _NODE.format(name="n1", cpu=6) + _NODE.format(name="n2", cpu=2)
    found = run(tmp_path, job("low", "a", 0, 6, 100), job("high", "b", 40, 4, 10, priority=10), objects=objects)
    assert any("DefaultPreemption" in each for each in found.fidelity.doubts)


def test_revocation_of_over_use_makes_the_result_inexact(tmp_path: Path) -> None:
    arguments = """
---
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- schedulerName: koord-scheduler
  plugins: {preFilter: {enabled: [{name: ElasticQuota}]}}
  pluginConfig:
  - name: ElasticQuota
    args: {apiVersion: kubescheduler.config.k8s.io/v1, kind: ElasticQuotaArgs, monitorAllQuotas: true}
"""
    found = run(tmp_path, job("one", "a", 0, 1, 10), objects=TWO + NODE + arguments)
    assert any("monitorAllQuotas" in each for each in found.fidelity.doubts)


def test_an_input_without_quotas_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no ElasticQuota"):
        run(tmp_path, job("one", "a", 0, 1, 10), objects=NODE)
