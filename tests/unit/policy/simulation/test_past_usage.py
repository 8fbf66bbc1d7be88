"""Admission fair sharing over time: LocalQueues take turns by past usage, which fades with its half-life."""

from itertools import pairwise
from pathlib import Path

import pytest

from kubectl_fairshare.answers.simulation import Simulation
from kubectl_fairshare.model.job_trace import TracedJob, TracedPods
from kubectl_fairshare.policy.simulation.parameters import Parameters
from kubectl_fairshare.policy.simulation.run import simulate
from kubectl_fairshare.schedulers import scheduler_named
from tests.unit.policy.simulation.states import SECOND, snapshot_of

_MINUTE, _HOUR = 60, 3600
_POLICY = """
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: default}
---
apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
admissionFairSharing: {usageHalfLifeTime: 1h, usageSamplingInterval: 1m}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: shared}
spec:
  namespaceSelector: {}
  admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}
  resourceGroups:
    - coveredResources: [cpu]
      flavors: [{name: default, resources: [{name: cpu, nominalQuota: 4}]}]
"""
_LOCAL = """
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {{namespace: {name}, name: {name}}}
spec: {{clusterQueue: shared, fairSharing: {{weight: "{weight}"}}}}
"""
CPU = ("default", "cpu")


def jobs(user: str, number: int, seconds: float, at: float = 0.0, cpus: int = 4) -> list[TracedJob]:
    pods = (TracedPods("main", 1, {"cpu": cpus * 1000}),)
    moment, duration = int(at * SECOND), int(seconds * SECOND)
    return [TracedJob(f"j{i}", user, user, moment + i, pods, duration=duration) for i in range(number)]


def run(folder: Path, work: list[TracedJob], hours: float, heavy: int = 1) -> Simulation:
    snapshot = snapshot_of(folder, _POLICY + _LOCAL.format(name="a", weight=heavy) + _LOCAL.format(name="b", weight=1))
    parameters = Parameters(end=int(hours * _HOUR * SECOND), sample=_MINUTE * SECOND)
    return simulate(scheduler_named("kueue"), snapshot, work, parameters)


def held(simulation: Simulation, user: str, start: int = 0) -> int:
    """CPU minutes in the samples."""
    return sum(simulation.users[f"{user}/{user}"].used.get(CPU, ())[start:])


def test_past_usage_fades_by_half_in_each_half_life(tmp_path: Path) -> None:
    """Two hours of 4 cpu bring the figure to three quarters of 4; then it halves every hour."""
    found = run(tmp_path, jobs("a", 1, 2 * _HOUR), 6)
    standing = found.users["a/a"].standing
    assert standing[120] == pytest.approx(4 * 0.75, rel=0.02)
    for hour in (3, 4, 5):
        assert standing[60 * hour] == pytest.approx(4 * 0.75 * 0.5 ** (hour - 2), rel=0.03)


def test_the_figure_is_the_faded_mean_of_what_was_measured(tmp_path: Path) -> None:
    """Recomputed from the samples of usage alone, with the half-life of the Configuration."""
    work = jobs("a", 6, 25 * _MINUTE) + jobs("b", 6, 25 * _MINUTE, at=5)
    found = run(tmp_path, work, 5)
    for user in ("a", "b"):
        series, expected = found.users[f"{user}/{user}"], 0.0
        keep = 0.5 ** (1 / 60)
        for i, used in enumerate(series.used[CPU][:-1], 1):
            expected = expected * keep + used / 1000 * (1 - keep)
            assert series.standing[i] == pytest.approx(expected, abs=0.15)


def test_a_user_with_past_usage_waits_behind_one_without(tmp_path: Path) -> None:
    """The user a held everything for an hour; b's backlog, though younger, goes first until it has caught up."""
    work = jobs("a", 1, _HOUR) + [
        TracedJob(f"late-{each.name}", each.namespace, each.queue, each.created, each.pod_sets, duration=each.duration)
        for each in jobs("a", 20, 5 * _MINUTE, at=10) + jobs("b", 20, 5 * _MINUTE, at=20)
    ]
    found = run(tmp_path, work, 5)
    order = sorted((each.admitted[0], each.job.namespace) for each in found.jobs if each.job.name.startswith("late"))
    assert [user for _, user in order[:5]] == ["b"] * 5
    assert [user for _, user in order].index("a") < 20


def test_equal_backlogs_take_turns(tmp_path: Path) -> None:
    found = run(tmp_path, jobs("a", 40, 5 * _MINUTE) + jobs("b", 40, 5 * _MINUTE, at=1), 6)
    order = [user for _, user in sorted((each.admitted[0], each.job.namespace) for each in found.jobs if each.admitted)]
    changes = sum(one != other for one, other in pairwise(order))
    assert changes > len(order) * 0.8
    assert held(found, "a") == pytest.approx(held(found, "b"), rel=0.1)


def test_weights_divide_a_lasting_backlog(tmp_path: Path) -> None:
    """With weight 3, a may hold three times what b holds before the two count as equal."""
    work = jobs("a", 100, 5 * _MINUTE) + jobs("b", 100, 5 * _MINUTE, at=1)
    found = run(tmp_path, work, 8, heavy=3)
    assert held(found, "a", 120) / held(found, "b", 120) == pytest.approx(3.0, rel=0.15)
