"""The state of a simulation at one moment, as the manifests that a cluster would hold."""

import json
from collections.abc import Sequence
from typing import Any

from kubectl_fairshare.answers.simulation import SimulatedJob, Simulation
from kubectl_fairshare.model.moments import exact_text
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.forecast.plays import Player, PlayTask
from kubectl_fairshare.policy.simulation.parameters import Parameters
from kubectl_fairshare.policy.simulation.run import play_on
from kubectl_fairshare.schedulers.adoption import Adoption
from kubectl_fairshare.schedulers.scheduler import Scheduler

Manifest = dict[str, Any]


def manifests_at(simulation: Simulation) -> list[Manifest]:
    """The Workloads at the end of a simulation of Kueue, which was stopped there; none of those that have finished."""
    return [workload(each, number) for number, each in enumerate(simulation.jobs) if each.finished is None]


def as_text(manifests: Sequence[Manifest]) -> str:
    """Manifests as documents of one file."""
    return "".join(f"\n---\n{json.dumps(manifest)}\n" for manifest in manifests)


def workload(of: SimulatedJob, number: int) -> Manifest:
    """A job as a Workload that runs or waits."""
    job = of.job
    runs = len(of.admitted) > len(of.evictions)
    (pods,) = job.pod_sets
    requests = {resource: str(amount) for resource, amount in pods.requests.items()}
    spec = {"containers": [{"name": "main", "resources": {"requests": requests}}]}
    return {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "Workload",
        "metadata": {
            "namespace": job.namespace,
            "name": job.name,
            "uid": f"{number:04d}",
            "creationTimestamp": exact_text(job.created),
        },
        "spec": {
            "queueName": job.queue,
            "priority": job.priority,
            "podSets": [{"name": pods.name, "count": pods.count, "template": {"spec": spec}}],
        },
        "status": _status(of) if runs else {},
    }


def _status(of: SimulatedJob) -> Manifest:
    (pods,) = of.job.pod_sets
    at = exact_text(of.admitted[-1] // 10**9 * 10**9)
    conditions = [
        {"type": kind, "status": "True", "reason": kind, "message": "", "lastTransitionTime": at}
        for kind in ("QuotaReserved", "Admitted")
    ]
    assignment = {
        "name": pods.name,
        "count": pods.count,
        "flavors": {resource: flavor for flavor, resource in of.held},
        "resourceUsage": {resource: str(amount) for (_, resource), amount in of.held.items()},
    }
    return {"conditions": conditions, "admission": {"clusterQueue": of.queue, "podSetAssignments": [assignment]}}


def assert_played_alike(scheduler: Scheduler, snapshot: Snapshot, work: Adoption, now: int, stopping: int = 0) -> None:
    """Plays that share their beginning come to what each comes to by itself; the jobs of the work have durations."""
    ends = [
        min(each.since.values(), default=now) + each.job.duration for each in work.jobs if each.job.duration is not None
    ]
    alike = min(ends, default=now)
    player = Player(scheduler, snapshot, work, now)
    for seed, longer in ((0, 0), (1, 7)):
        spans = {
            each.job.key: each.job.duration + longer * number * 10**9
            for number, each in enumerate(work.jobs)
            if each.job.duration is not None
        }
        task = PlayTask(spans, Parameters(seed=seed, stopping=stopping), alike)
        own = play_on(scheduler, snapshot, replace(work, jobs=task.timed(work.jobs)), (), task.parameters, now)
        assert player.play(task) == own
