"""PodGroups that are cut out of a simulation and played on do what the simulation did from there."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.answers.simulation import SimulatedJob
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.model.moments import exact_text
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.simulation.parameters import Parameters
from kubectl_fairshare.policy.simulation.run import play_on, simulate
from kubectl_fairshare.schedulers import scheduler_named
from tests.sampling import sampled
from tests.screens import Screen
from tests.unit.policy.forecast.cutting import assert_played_alike
from tests.unit.policy.forecast.test_plays import events_after
from tests.unit.policy.simulation.states import SECOND, snapshot_of
from tests.unit.policy.simulation.test_sessions import _NODE, TWO, job

Run = Callable[[str], Screen]
KAI = scheduler_named("kai")
POLICY = TWO + _NODE


def random_jobs(chance: random.Random) -> list[TracedJob]:
    """Gangs that come at different moments."""
    moments = chance.sample(range(1, 300), chance.randint(5, 10))
    return [
        job(
            f"j{number}",
            chance.choice(["vision", "speech"]),
            moment,
            chance.choice([1, 1, 2, 3]),
            chance.choice([23, 61, 97, 180]),
            chance.choice([1, 2]),
        )
        for number, moment in enumerate(moments)
    ]


def manifests(of: SimulatedJob) -> list[dict[str, Any]]:
    """A job as its PodGroup, which runs or waits, with its pods."""
    (pods,) = of.job.pod_sets
    runs = len(of.admitted) > len(of.evictions)
    notes = {"kai.scheduler/last-start-timestamp": exact_text(of.admitted[-1])} if of.admitted else {}
    notes |= {"kai.scheduler/last-eviction-timestamp": exact_text(of.evictions[-1].at)} if of.evictions else {}
    created = exact_text(of.job.created)
    meta = {"namespace": "team", "name": of.job.name, "uid": f"u-{of.job.name}", "creationTimestamp": created}
    spec = {"queue": of.job.queue, "minMember": pods.count}
    group = {
        "apiVersion": "scheduling.run.ai/v2alpha2",
        "kind": "PodGroup",
        "metadata": {**meta, "annotations": notes},
        "spec": spec,
    }
    requests = {"cpu": "1", "nvidia.com/gpu": str(pods.requests["nvidia.com/gpu"])}
    return [group, *(_pod(of, number, requests, runs=runs) for number in range(pods.count))]


def _pod(of: SimulatedJob, number: int, requests: dict[str, str], *, runs: bool) -> dict[str, Any]:
    started = {"startTime": exact_text(of.admitted[-1])} if runs else {}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "namespace": "team",
            "name": f"{of.job.name}-{number}",
            "uid": f"u-{of.job.name}-{number}",
            "creationTimestamp": exact_text(of.job.created),
            "annotations": {"pod-group-name": of.job.name},
            "labels": {"kai.scheduler/queue": of.job.queue},
        },
        "spec": {
            "schedulerName": "kai-scheduler",
            **({"nodeName": "n1"} if runs else {}),
            "containers": [{"name": "main", "image": "i", "resources": {"requests": requests, "limits": requests}}],
        },
        "status": {"phase": "Running" if runs else "Pending", **started},
    }


def compared(seed: int, folder: Path) -> int:
    """Cuts a random simulation at several moments; returns how many of these were compared."""
    chance = random.Random(seed)
    jobs, snapshot = random_jobs(chance), snapshot_of(folder, POLICY)
    whole = simulate(KAI, snapshot, jobs, Parameters())
    if whole.ties or whole.endless:
        return 0
    busy = {at for each in whole.jobs for at in (*each.admitted, *(e.at for e in each.evictions), each.finished)}
    busy |= {each.created for each in jobs}
    done = 0
    for at in (moment * SECOND for moment in sorted(chance.sample(range(20, 400), 3))):
        if any(None is each or 0 <= at - each <= SECOND for each in busy):
            continue
        before = simulate(KAI, snapshot, jobs, Parameters(end=at))
        left = [each for each in before.jobs if each.finished is None]
        text = "".join(f"\n---\n{json.dumps(one)}\n" for each in left for one in manifests(each))
        cut = snapshot_of(folder, POLICY + text)
        work = KAI.adoption(cut, at)
        durations = {each.key: each.duration for each in jobs}
        standing = tuple(replace(each, job=replace(each.job, duration=durations[each.job.key])) for each in work.jobs)
        coming = [each for each in jobs if each.created > at]
        assert_played_alike(KAI, cut, replace(work, jobs=standing), at)
        played = play_on(KAI, cut, replace(work, jobs=standing), coming, Parameters(), at)
        assert events_after(played, at) == events_after(whole, at), (seed, at // SECOND)
        done += 1
    return done


@pytest.mark.parametrize("seeds", sampled([range(2), range(2, 12)], 2), ids=str)
def test_pod_groups_that_are_cut_out_are_played_on_as_in_the_simulation(seeds: range, tmp_path: Path) -> None:
    assert sum(compared(seed, tmp_path) for seed in seeds) >= len(seeds)


def test_the_forecast_names_what_a_gang_waits_for(run: Run) -> None:
    words = "kubectl-fairshare forecast -f testdata/demo/kai --now 2026-11-30T01:00:00Z --default-duration 1h -o json"
    document = json.loads(run(words).stdout)
    assert [each["title"] for each in document["waiting"]] == ["ml/tts"]
    assert {each["title"] for each in document["running"]} == {"ml/chat", "ml/ads", "ml/rank", "ml/asr"}
    assert document["waiting"][0]["verdict"] == "starts"


def test_pods_of_no_group_run_on_and_a_lost_queue_is_said(run: Run, tmp_path: Path) -> None:
    other = {"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": "x", "name": "web"}}
    spec = {"nodeName": "n1", "containers": [{"name": "m", "image": "i", "resources": {}}]}
    waits = SimulatedJob(job("one", "gone", 0, 1, 60))
    texts = [{**other, "spec": spec, "status": {"phase": "Running"}}, *manifests(waits)]
    state = tmp_path / "state.yaml"
    state.write_text(POLICY + "".join(f"\n---\n{json.dumps(each)}\n" for each in texts), "utf-8")
    screen = run(f"kubectl-fairshare forecast -f {state} --now 1970-01-01T01:00:00Z --scheduler kai").stdout
    said = " ".join(screen.split())
    assert "assumed: pods that belong to no PodGroup run on" in said
    assert "not considered: team/one: queue gone does not exist" in said


def test_a_pod_group_without_pods_is_listed_as_not_considered(run: Run, tmp_path: Path) -> None:
    kind = "apiVersion: scheduling.run.ai/v2alpha2\nkind: PodGroup\n"
    group = f"{kind}metadata: {{name: bare, namespace: ml}}\nspec: {{queue: speech}}\n"
    extra = tmp_path / "bare.yaml"
    extra.write_text(group, "utf-8")
    command = f"kubectl-fairshare forecast -f testdata/demo/kai -f {extra} --now 2026-11-30T00:00:00Z --duration *=1h"
    screen = " ".join(run(command).stdout.split())
    assert "no start ml/bare speech" in screen
    assert "ml/bare: it has no pods" in screen
