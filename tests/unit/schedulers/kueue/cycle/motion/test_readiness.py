"""waitForPodsReady over time: timeouts, backoffs that double, deactivation, and who takes the place."""

from pathlib import Path

import pytest

from kubectl_fairshare.answers.simulation import SimulatedJob
from kubectl_fairshare.policy.simulation.parameters import NamedSpan, Parameters
from kubectl_fairshare.policy.simulation.run import simulate
from kubectl_fairshare.schedulers import scheduler_named
from kubectl_fairshare.schedulers.kueue.model.objects import PodsReadyPolicy
from tests.screens import shown
from tests.unit.policy.simulation.states import SECOND, job, queue, snapshot_of

KUEUE = scheduler_named("kueue")
MINUTE = 60 * SECOND
HEAD = """
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {{name: a100}}
---
apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
{waits}
"""


def played(folder: Path, waits: str, ready: int, stopping: int = 0) -> dict[str, SimulatedJob]:
    """What becomes of a job whose pods take ``ready`` seconds, and of a short one that comes after it."""
    snapshot = snapshot_of(folder, HEAD.format(waits=waits) + queue("vision", 4))
    jobs = [job("slow", "vision", 0, 4, 7200), job("short", "vision", 1, 4, 60)]
    parameters = Parameters(ready=(NamedSpan("slow", ready * SECOND),), stopping=stopping * SECOND, end=6 * 60 * MINUTE)
    simulation = simulate(KUEUE, snapshot, jobs, parameters)
    assert simulation.fidelity.exact
    return {each.job.name: each for each in simulation.jobs}


LIMITED = "waitForPodsReady: {timeout: 5m, requeuingStrategy: {backoffBaseSeconds: 60, backoffLimitCount: 2}}"


def test_backoffs_double_and_the_last_eviction_deactivates(tmp_path: Path) -> None:
    """After the first the short job runs, and quota that it gives back is offered a second later."""
    found = played(tmp_path, LIMITED, 3600)
    slow, short = found["slow"], found["short"]
    assert [(e.at // SECOND, e.by, e.rule) for e in slow.evictions] == [
        (300, "", "waitForPodsReady.timeout"),
        (662, "", "waitForPodsReady.timeout"),
        (1082, "", "waitForPodsReady.timeout"),
    ]
    assert [at // SECOND for at in slow.admitted] == [0, 362, 782]
    assert [at // SECOND for at in short.admitted] == [301]
    assert (slow.finished, slow.lost // SECOND) == (None, 900)


@pytest.mark.parametrize(
    ("waits", "ready", "evictions"),
    [
        (LIMITED, 0, 0),
        (LIMITED, 300, 0),
        ("waitForPodsReady: {timeout: 5m}", 3600, 11),
        ("waitForPodsReady: {timeout: 90m}", 3600, 0),
        ("# the default is 30 minutes", 3600, 7),
        ("featureGates: {DisableWaitForPodsReady: true}", 3600, 0),
    ],
)
def test_only_pods_that_are_later_than_the_timeout_are_evicted(
    tmp_path: Path, waits: str, ready: int, evictions: int
) -> None:
    slow = played(tmp_path, waits, ready)["slow"]
    assert len(slow.evictions) == evictions
    assert (slow.finished is None) == bool(evictions)


def test_pods_that_take_long_to_stop_hold_their_quota_meanwhile(tmp_path: Path) -> None:
    found = played(tmp_path, LIMITED, 3600, stopping=30)
    assert [at // SECOND for at in found["short"].admitted] == [331]
    assert found["slow"].evictions[0].at == 300 * SECOND


@pytest.mark.parametrize(
    ("count", "limit", "backoff"),
    [(1, None, 60), (2, None, 120), (7, None, 3600), (900, None, 3600), (2, 2, 120), (3, 2, None), (1, 0, None)],
)
def test_a_backoff_is_doubled_up_to_its_most(count: int, limit: int | None, backoff: int | None) -> None:
    found = PodsReadyPolicy(limit=limit).backoff(count)
    assert found == (None if backoff is None else backoff * SECOND)


def test_a_forecast_counts_what_the_status_counts(tmp_path: Path) -> None:
    """Two evictions of two are counted: the next one deactivates. Without `--ready`, pods are ready at once."""
    state = """
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: slow, namespace: vision, uid: u1, creationTimestamp: "2026-03-02T08:00:00Z"}
spec:
  queueName: main
  podSets:
  - name: main
    template: {spec: {containers: [{name: c, image: i, resources: {requests: {nvidia.com/gpu: 4}}}]}}
status:
  requeueState: {count: 2}
  admission:
    clusterQueue: vision
    podSetAssignments:
    - {name: main, count: 1, flavors: {nvidia.com/gpu: a100}, resourceUsage: {nvidia.com/gpu: "4"}}
  conditions:
  - {type: QuotaReserved, status: "True", reason: R, message: "", lastTransitionTime: "2026-03-02T08:10:00Z"}
  - {type: Admitted, status: "True", reason: Admitted, message: "", lastTransitionTime: "2026-03-02T08:10:00Z"}
  - {type: PodsReady, status: "False", reason: WaitForStart, message: "", lastTransitionTime: "2026-03-02T08:10:00Z"}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: next, namespace: vision, uid: u2, creationTimestamp: "2026-03-02T08:05:00Z"}
spec:
  queueName: main
  podSets:
  - name: main
    template: {spec: {containers: [{name: c, image: i, resources: {requests: {nvidia.com/gpu: 4}}}]}}
"""
    path = tmp_path / "state.yaml"
    path.write_text(HEAD.format(waits=LIMITED) + queue("vision", 4) + state)
    call = f"kubectl-fairshare forecast -f {path} --duration '*=2h' --now 2026-03-02T08:12:00Z -o csv"
    starts = [shown(f"{call}{more}").stdout.splitlines()[1].split(",")[6] for more in ("", " --ready slow=1h")]
    assert starts == ["2026-03-02T10:10:01Z", "2026-03-02T08:15:01Z"]
    assert shown(f"{call}").code == 0
