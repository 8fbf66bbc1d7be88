"""waitForPodsReady.blockAdmission over time: one admission after the other, each once all pods are ready."""

from pathlib import Path

import pytest

from kubectl_fairshare.answers.simulation import SimulatedJob, Simulation
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.policy.simulation.parameters import NamedSpan, Parameters
from kubectl_fairshare.policy.simulation.run import simulate
from kubectl_fairshare.schedulers import scheduler_named
from tests.screens import shown
from tests.unit.policy.simulation.states import SECOND, job, queue, snapshot_of
from tests.unit.schedulers.kueue.cycle.motion.test_readiness import HEAD

KUEUE = scheduler_named("kueue")
BLOCKS = "waitForPodsReady: {timeout: 5m, blockAdmission: true, requeuingStrategy: {backoffLimitCount: 0}}"


def played(
    folder: Path, jobs: list[TracedJob], ready: int, waits: str = BLOCKS, *, queues: str = "", stopping: int = 0
) -> Simulation:
    """A simulation of jobs whose pods are ready after so many seconds; those called ``never`` are never ready."""
    spans = (NamedSpan("never*", 7200 * SECOND), NamedSpan("*", ready * SECOND))
    snapshot = snapshot_of(folder, HEAD.format(waits=waits) + (queues or queue("vision", 8)))
    return simulate(KUEUE, snapshot, jobs, Parameters(ready=spans, stopping=stopping * SECOND))


def starts(found: Simulation) -> dict[str, list[int]]:
    return {each.job.name: [at // SECOND for at in each.admitted] for each in found.jobs}


def of(found: Simulation, name: str) -> SimulatedJob:
    return next(each for each in found.jobs if each.job.name == name)


THREE = [job(f"j{number}", "vision", number, 1, 1000) for number in range(3)]


def test_jobs_that_would_fit_together_start_one_after_the_other(tmp_path: Path) -> None:
    """Each of them waits until the pods of the one before are ready; without the setting none does."""
    found = played(tmp_path, THREE, ready=40)
    assert starts(found) == {"j0": [0], "j1": [40], "j2": [80]}
    assert found.exact
    others = BLOCKS.replace("blockAdmission: true, ", "")
    assert starts(played(tmp_path, THREE, ready=40, waits=others)) == {"j0": [0], "j1": [1], "j2": [2]}


def test_pods_that_are_ready_at_once_keep_nobody(tmp_path: Path) -> None:
    found = played(tmp_path, THREE, ready=0)
    assert starts(found) == {"j0": [0], "j1": [1], "j2": [2]}
    assert found.exact


def test_a_job_that_ends_or_times_out_before_its_pods_are_ready_lets_others_in(tmp_path: Path) -> None:
    """``never`` is evicted after 5 minutes and deactivated: the next one starts at that moment."""
    late = [job("never", "vision", 0, 1, 9000), job("next", "vision", 1, 1, 100)]
    found = played(tmp_path, late, ready=0)
    assert starts(found) == {"never": [0], "next": [300]}
    assert [each.rule for each in of(found, "never").evictions] == ["waitForPodsReady.timeout"]
    ended = [job("never", "vision", 0, 1, 60), job("next", "vision", 1, 1, 100)]
    assert starts(played(tmp_path, ended, ready=0)) == {"never": [0], "next": [60]}


def test_while_the_scheduler_waits_nothing_is_preempted(tmp_path: Path) -> None:
    """``urgent`` comes while ``b`` waits for the pods of ``a``; its victim leaves only after ``b`` has started."""
    jobs = [job("a", "vision", 0, 4, 1000), job("b", "vision", 1, 2, 1000)]
    urgent = job("urgent", "vision", 10, 8, 100, priority=10)
    found = played(tmp_path, [*jobs, urgent], ready=60)
    assert starts(found)["b"] == [60, *starts(found)["b"][1:]]
    assert [each.at // SECOND for each in of(found, "a").evictions] == [60]


def test_what_a_cycle_decided_is_done_after_the_wait_though_room_came_free(tmp_path: Path) -> None:
    """``b`` was decided with ``a``; ``c`` came later and has a higher priority, and starts after it."""
    jobs = [job("a", "vision", 0, 1, 1000), job("b", "speech", 0, 1, 1000), job("c", "vision", 5, 1, 100, priority=10)]
    queues = queue("vision", 4) + queue("speech", 4)
    assert starts(played(tmp_path, jobs, ready=30, queues=queues)) == {"a": [0], "b": [30], "c": [60]}


@pytest.mark.parametrize(("stopping", "exact"), [(0, True), (20, False)])
def test_pods_that_leave_may_count_as_not_ready_which_is_not_known(tmp_path: Path, stopping: int, exact: bool) -> None:
    jobs = [job("low", "vision", 0, 8, 1000), job("high", "vision", 50, 8, 100, priority=10)]
    jobs.append(job("other", "speech", 55, 1, 100))
    queues = queue("vision", 8) + queue("speech", 4)
    assert played(tmp_path, jobs, ready=0, queues=queues, stopping=stopping).exact is exact


def test_the_order_of_trees_is_not_known_where_it_decides(tmp_path: Path) -> None:
    apart = queue("vision", 4) + queue("speech", 4).replace("cohortName: all", "cohortName: other")
    jobs = [job("a", "vision", 0, 1, 1000), job("b", "speech", 0, 1, 1000)]
    assert not played(tmp_path, jobs, ready=30, queues=apart).exact
    assert played(tmp_path, jobs, ready=0, queues=apart).exact


def test_a_forecast_waits_for_pods_that_are_not_ready_now(tmp_path: Path) -> None:
    state = """
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: slow, namespace: vision, uid: u1, creationTimestamp: "2026-03-02T08:00:00Z"}
spec:
  queueName: main
  podSets:
  - name: main
    template: {spec: {containers: [{name: c, image: i, resources: {requests: {nvidia.com/gpu: 1}}}]}}
status:
  admission:
    clusterQueue: vision
    podSetAssignments:
    - {name: main, count: 1, flavors: {nvidia.com/gpu: a100}, resourceUsage: {nvidia.com/gpu: "1"}}
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
    template: {spec: {containers: [{name: c, image: i, resources: {requests: {nvidia.com/gpu: 1}}}]}}
"""
    path = tmp_path / "state.yaml"
    path.write_text(HEAD.format(waits=BLOCKS) + queue("vision", 4) + state)
    call = f"kubectl-fairshare forecast -f {path} --duration '*=2h' --now 2026-03-02T08:12:00Z --no-changes -o csv"
    found = {more: shown(f"{call}{more}") for more in ("", " --ready slow=4m", " --ready slow=1h")}
    starts = [each.stdout.splitlines()[1].split(",")[6] for each in found.values()]
    assert starts == ["2026-03-02T08:12:00Z", "2026-03-02T08:14:00Z", "2026-03-02T08:15:00Z"]
    assert {each.code for each in found.values()} == {0}
