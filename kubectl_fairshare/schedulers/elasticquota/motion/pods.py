"""Jobs of a trace as pods. A job has as many units as pods: ElasticQuotas admit pods one by one.

Tested in ``tests/unit/policy/simulation/test_quotas.py``.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from kubectl_fairshare.jobs.node_demand import NodeDemand
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.selectors import Requirement
from kubectl_fairshare.schedulers.elasticquota.model.objects import DEFAULT_SCHEDULER, ElasticQuotaState, Pod
from kubectl_fairshare.schedulers.elasticquota.model.vector import vector_from


class NewPod(NamedTuple):
    """A pod that is created, the nodes that it may use, and what pods like it have in common."""

    pod: Pod
    demand: NodeDemand
    shape: tuple[object, ...]


def pods_of(job: TracedJob, source: ElasticQuotaState) -> Iterator[NewPod]:
    """The pods of a job, in order."""
    total = sum(pods.count for pods in job.pod_sets)
    priority = _priority(job, source.priorities)
    scheduler = source.profiles[0] if source.profiles else DEFAULT_SCHEDULER
    number = 0
    for pods in job.pod_sets:
        requests = tuple(sorted(pods.requests.items()))
        amounts = vector_from(dict(requests))
        with_pod = vector_from({**dict(requests), "pods": 1})
        selector = tuple(Requirement(key, "In", (value,)) for key, value in sorted(pods.node_selector.items()))
        demand = NodeDemand(selector, None, pods.tolerations)
        shape = (job.namespace, priority, requests, selector, pods.tolerations)
        for _ in range(pods.count):
            name = job.name if total == 1 else f"{job.name}-{number}"
            key = ObjectKey("", "Pod", job.namespace, name)
            pod = Pod(key, f"{job.namespace}/{name}", {}, priority, amounts, with_pod, amounts, scheduler=scheduler)
            yield NewPod(pod, demand, shape)
            number += 1


def _priority(job: TracedJob, known: Mapping[str, int]) -> int:
    """The value that its PriorityClass has here; where that class does not exist, the job's own."""
    return known.get(job.priority_class, job.priority)
