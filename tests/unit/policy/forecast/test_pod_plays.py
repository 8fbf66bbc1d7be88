"""Pods that are cut out of a simulation and played on do what the simulation did from there.

How often a pod has been tried is in no object, so they are compared where no backoff decides.
"""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.answers.simulation import SimulatedJob, Simulation
from kubectl_fairshare.model.job_trace import TracedJob, TracedPods
from kubectl_fairshare.model.moments import exact_text
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.simulation.parameters import Parameters
from kubectl_fairshare.policy.simulation.run import play_on, simulate
from kubectl_fairshare.schedulers import scheduler_named
from tests.sampling import sampled
from tests.screens import Screen
from tests.unit.policy.forecast.cutting import assert_played_alike
from tests.unit.policy.simulation import test_quotas as quota_states
from tests.unit.policy.simulation.states import GPU, SECOND, snapshot_of
from tests.unit.schedulers.koordinator import test_motion as runtime_states

Run = Callable[[str], Screen]
ELASTIC = "".join(quota_states.TWO) + quota_states.NODE
RUNTIME = runtime_states.TWO + runtime_states.NODE
WAITING = "kubectl-fairshare forecast -f testdata/elasticquota/waiting.yaml --now 2026-11-30T01:00:00Z"


def random_jobs(chance: random.Random, house: str) -> list[TracedJob]:
    """Jobs of one pod that come, and end but for backoffs, at whole hundreds of seconds."""
    found = []
    for number, moment in enumerate(chance.sample(range(1, 25), chance.randint(6, 12))):
        amount, team = chance.choice([1, 2, 3, 4, 6]), chance.choice("ab")
        requests = {"cpu": 1000, GPU: amount} if house == "elasticquota" else {"cpu": 1000 * amount}
        space, queue = (team, "") if house == "elasticquota" else ("ml", team)
        pods = (TracedPods("main", 1, requests),)
        length = chance.choice([200, 400, 700, 1100]) * SECOND
        priority = chance.choice([0, 0, 5])
        found.append(
            TracedJob(f"j{number}", space, queue, moment * 100 * SECOND, pods, priority=priority, duration=length)
        )
    return found


def pod(of: SimulatedJob, house: str) -> dict[str, Any]:
    """A job as its one pod, which runs or waits."""
    job = of.job
    runs = len(of.admitted) > len(of.evictions)
    created = max([job.created, *(each.at for each in of.evictions)])
    (pods,) = job.pod_sets
    texts = {name: f"{amount}m" if name == "cpu" else str(amount) for name, amount in pods.requests.items()}
    labels = {"quota.scheduling.koordinator.sh/name": job.queue} if job.queue else {}
    status: dict[str, Any] = (
        {"phase": "Running", "startTime": exact_text(of.admitted[-1])}
        if runs
        else {
            "phase": "Pending",
            "conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "no"}],
        }
    )
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "namespace": job.namespace,
            "name": job.name,
            "uid": f"uid-{job.name}",
            "labels": labels,
            "creationTimestamp": exact_text(created),
        },
        "spec": {
            "schedulerName": "koord-scheduler" if house == "koordinator" else "default-scheduler",
            "priority": job.priority,
            **({"nodeName": "n1"} if runs else {}),
            "containers": [{"name": "main", "image": "i", "resources": {"requests": texts}}],
        },
        "status": status,
    }


def course(simulation: Simulation, at: int) -> dict[str, tuple[list[int], list[str], int | None]]:
    """What becomes of each job after a moment: starts, for whom it is evicted, its end."""
    return {
        each.job.key: (
            [moment for moment in each.admitted if moment > at],
            [eviction.by for eviction in each.evictions if eviction.at > at],
            each.finished,
        )
        for each in simulation.jobs
        if each.finished is None or each.finished > at
    }


def rests_on_backoff(found: Simulation) -> bool:
    """Whether a pod started when its backoff was over, and not when something came or ended."""
    return any(moment % (100 * SECOND) for each in found.jobs for moment in each.admitted)


def compared(house: str, policy: str, seed: int, folder: Path) -> int:
    """Cuts a random simulation at several moments; returns how many of these were compared."""
    chance, scheduler = random.Random(seed), scheduler_named(house)
    jobs, snapshot = random_jobs(chance, house), snapshot_of(folder, policy)
    whole = simulate(scheduler, snapshot, jobs, Parameters())
    if whole.ties or whole.endless or rests_on_backoff(whole):
        return 0
    done = 0
    for at in ((100 * moment + 50) * SECOND for moment in sorted(chance.sample(range(1, 30), 4))):
        before = simulate(scheduler, snapshot, jobs, Parameters(end=at))
        left = [each for each in before.jobs if each.finished is None]
        text = "".join(f"\n---\n{json.dumps(pod(each, house))}\n" for each in left)
        cut = snapshot_of(folder, policy + text)
        coming = [each for each in jobs if each.created > at]
        durations = {each.key: each.duration for each in jobs}
        work = scheduler.adoption(cut, at)
        standing = tuple(replace(each, job=replace(each.job, duration=durations[each.job.key])) for each in work.jobs)
        assert_played_alike(scheduler, cut, replace(work, jobs=standing), at)
        played = play_on(scheduler, cut, replace(work, jobs=standing), coming, Parameters(), at)
        if rests_on_backoff(played):
            continue
        assert course(played, at) == course(whole, at), (seed, at // SECOND)
        done += 1
    return done


@pytest.mark.parametrize(("house", "policy"), [("elasticquota", ELASTIC), ("koordinator", RUNTIME)])
@pytest.mark.parametrize("seeds", sampled([range(6), range(6, 30)], 2), ids=str)
def test_pods_that_are_cut_out_are_played_on_as_in_the_simulation(
    seeds: range, house: str, policy: str, tmp_path: Path
) -> None:
    assert sum(compared(house, policy, seed, tmp_path) for seed in seeds) > len(seeds) // 3


def test_a_job_waits_until_all_its_pods_run_and_holds_what_all_of_them_hold(run: Run) -> None:
    document = json.loads(run(f"{WAITING} --default-duration 1h -o json").stdout)
    waiting = {each["title"]: each for each in document["waiting"]}
    assert waiting["research/gated"]["refused"] == "it has scheduling gates"
    assert waiting["research/sweep"]["verdict"] == "starts"
    assert waiting["research/sweep"]["title"] not in {each["title"] for each in document["running"]}
    assert {"production/serve-next", "research/small"} <= {each["title"] for each in document["waiting"]}
    screen = " ".join(run(f"{WAITING} --default-duration 1h").stdout.split())
    assert "the pods that Job research/sweep makes once others of its pods have ended" in screen


def test_what_is_made_again_whenever_it_ends_runs_on(tmp_path: Path, run: Run) -> None:
    owner = "[{apiVersion: apps/v1, kind: DaemonSet, name: agent, uid: u, controller: true}]"
    state = tmp_path / "state.yaml"

    def written(owners: str) -> str:
        running = f"""
---
apiVersion: v1
kind: Pod
metadata: {{namespace: a, name: agent, ownerReferences: {owners}, creationTimestamp: "2026-01-01T00:00:00Z"}}
spec: {{nodeName: n1, containers: [{{name: m, image: i, resources: {{requests: {{cpu: 1, nvidia.com/gpu: 8}}}}}}]}}
status: {{phase: Running, startTime: "2026-01-01T00:00:00Z"}}
---
apiVersion: v1
kind: Pod
metadata: {{namespace: a, name: one, creationTimestamp: "2026-01-01T01:00:00Z"}}
spec: {{containers: [{{name: m, image: i, resources: {{requests: {{cpu: 1, nvidia.com/gpu: 1}}}}}}]}}
status: {{phase: Pending}}
"""
        state.write_text(ELASTIC + running, "utf-8")
        return run(f"kubectl-fairshare forecast -f {state} a/one --now 2026-01-01T02:00:00Z").stdout

    assert "does not start, whatever ends" in written(owner)
    assert "starts, but when is not known, after a/agent ends" in " ".join(written("[]").split())


def test_a_pod_of_the_input_is_preempted_for_one_that_waits(tmp_path: Path, run: Run) -> None:
    """The guest borrows; the owner takes its min back, and the guest starts again after it."""
    guest = SimulatedJob(quota_states.job("guest", "a", 0, 8, 100), admitted=[0])
    owner = SimulatedJob(quota_states.job("owner", "b", 40, 4, 100))
    state = tmp_path / "state.yaml"
    pods = (f"\n---\n{json.dumps(pod(each, 'elasticquota'))}\n" for each in (guest, owner))
    state.write_text(ELASTIC + "".join(pods), "utf-8")

    words = f"kubectl-fairshare forecast -f {state} --now 1970-01-01T00:01:00Z --duration '*=1h' -o json"
    document = json.loads(run(words).stdout)

    assert document["fidelity"]["exact"]
    (waiting,), (running,) = document["waiting"], document["running"]
    assert waiting["starts"]["p50"] == "1970-01-01T00:01:10Z", "it has been tried, so its backoff is the longest"
    assert [(each["job"], each["how"]) for each in waiting["waitsFor"]] == [("a/guest", "preempted")]
    assert (running["preempted"]["by"], running["preempted"]["rule"]) == ("b/owner", "borrower")
    assert running["ends"]["p50"] == "1970-01-01T02:01:10Z", "it begins again"
