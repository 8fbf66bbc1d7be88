"""The state of a simulation at one moment, as the manifests that a cluster would hold."""

import json
from collections.abc import Sequence
from typing import Any

from kubectl_fairshare.answers.simulation import SimulatedJob, Simulation
from kubectl_fairshare.model.moments import exact_text

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
