"""Jobs of a trace as Workloads, and which of these look the same to the scheduler.

Example: ten thousand jobs of a trace are of twelve kinds. Twelve Workloads are read as Kueue would read them, and the
others differ in name and moment alone.
Source: ``UpdateSchedulingHash`` in https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/workload/workload.go,
SchedulingEquivalenceHashing; "simulation" in ``docs/laws.md``.
Tested in ``tests/unit/schedulers/kueue/cycle/motion/test_replay.py``.
"""

from itertools import count
from typing import TypeAlias

from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.job_trace import TracedJob, TracedPods
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.selectors import Toleration
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.cycle.equivalence import pods_shape
from kubectl_fairshare.schedulers.kueue.jobs.context import Context
from kubectl_fairshare.schedulers.kueue.jobs.pending import pending_of
from kubectl_fairshare.schedulers.kueue.jobs.priority import submitted_priority
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import Pending

_SECOND = 10**9
_Key: TypeAlias = tuple[str, str, int, str, tuple[object, ...]]


class Shapes:
    """Makes Workloads of jobs. Equal jobs share their pod sets, which are read once with all that shapes pods.

    ``number`` of a workload is that of its shape: priority and pod sets, as in Kueue's equivalence hash; without that
    hash each workload has a number of its own. Kueue's objects have moments in whole seconds, and so have the Workloads
    made here.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._context = snapshot.part(Context)
        self._together = snapshot.part(KueueState).configuration.equal_together
        self._alone = count(1)
        self._made: dict[_Key, Pending] = {}
        self._patterns: dict[tuple[object, ...], Pending] = {}
        self._numbers: dict[tuple[object, ...], int] = {}
        self._number_of: dict[_Key, int] = {}

    def read_again(self, snapshot: Snapshot) -> "Shapes":
        """The same numbers of shapes, for jobs that come when the input has changed."""
        found = Shapes(snapshot)
        found._numbers = self._numbers
        found._alone = self._alone
        return found

    @property
    def examples(self) -> tuple[Pending, ...]:
        """One Workload for each kind of job so far."""
        return tuple(self._made.values())

    def workload(self, job: TracedJob, uid: str) -> tuple[Pending, int]:
        """The Workload of a job that is submitted when the trace says so, and the number of its shape."""
        key = (job.namespace, job.queue, job.priority, job.priority_class, tuple(map(_pods_key, job.pod_sets)))
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = self._first(job, key)
            shape = (made.priority, *map(pods_shape, made.pod_sets))
            self._number_of[key] = self._numbers.setdefault(shape, len(self._numbers))
        created = job.created // _SECOND * _SECOND
        name = _name_of(job)
        number = self._number_of[key] if self._together else -next(self._alone)
        return replace(made, key=name, source=name, uid=uid, created=created, queued=created), number

    def _first(self, job: TracedJob, key: _Key) -> Pending:
        """The Workload of the first job of its kind: that of another queue's jobs, unless LimitRanges change pods."""
        # A LimitRange is of one namespace, so that only there pods of one kind may request something else.
        limited = bool(self._context.limit_ranges.get(job.namespace))
        pattern = None if limited else self._patterns.get(key[2:])
        if pattern is not None:
            name = _name_of(job)
            return replace(pattern, key=name, source=name, local_queue=job.queue)
        priority = submitted_priority(self._context, job.priority_class, job.priority)
        found = pending_of(_manifest(job, priority), self._context)
        if not limited and found.refusal is None and not found.unmodelled:
            self._patterns[key[2:]] = found
        return found


def _name_of(job: TracedJob) -> ObjectKey:
    return ObjectKey(GROUP, "Workload", job.namespace, job.name)


def _pods_key(pods: TracedPods) -> tuple[object, ...]:
    selector, requests = tuple(sorted(pods.node_selector.items())), tuple(sorted(pods.requests.items()))
    return pods.name, pods.count, requests, pods.min_count, selector, pods.tolerations


def _manifest(job: TracedJob, priority: int) -> Manifest:
    """The job as a Workload object."""
    pod_sets: list[Json] = [_pod_set(pods) for pods in job.pod_sets]
    spec: dict[str, Json] = {"queueName": job.queue, "priority": priority, "podSets": pod_sets}
    metadata: dict[str, Json] = {"namespace": job.namespace, "name": job.name}
    data: dict[str, Json] = {"apiVersion": f"{GROUP}/v1beta2", "kind": "Workload", "metadata": metadata, "spec": spec}
    return Manifest(_name_of(job), "v1beta2", data, Origin("", 0))


def _pod_set(pods: TracedPods) -> dict[str, Json]:
    requests: dict[str, Json] = {r: quantity.text(r, amount) for r, amount in sorted(pods.requests.items())}
    spec: dict[str, Json] = {"containers": [{"name": "main", "resources": {"requests": requests}}]}
    if pods.node_selector:
        spec["nodeSelector"] = dict(sorted(pods.node_selector.items()))
    if pods.tolerations:
        spec["tolerations"] = [_toleration(each) for each in pods.tolerations]
    found: dict[str, Json] = {"name": pods.name, "count": pods.count, "template": {"spec": spec}}
    if pods.min_count is not None:
        found["minCount"] = pods.min_count
    return found


def _toleration(each: Toleration) -> Json:
    fields = {"key": each.key, "operator": each.operator, "value": each.value, "effect": each.effect}
    return {name: value for name, value in fields.items() if value}
