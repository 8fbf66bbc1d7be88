"""Jobs: PodGroups with their pods, as the scheduler sees them in one session.

Why the smallest GPU counts for what a job asks, and the largest for limits: 10 GiB are half of a GPU of 20 GiB and a
quarter of one of 40. Queues are compared by the half, and a limit is passed by the quarter, as the job may get either.
Source: ``GetTasksToAllocateInitResourceVector`` in
https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/api/podgroup_info/allocation_info.go,
https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/api/podgroup_info/job_info.go.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kai.model.amounts import charged
from kubectl_fairshare.schedulers.kai.model.objects import (
    Charge,
    GpuKind,
    KaiState,
    Node,
    Phase,
    Pod,
    PodGroup,
    Resources,
)
from kubectl_fairshare.schedulers.kai.session.gangs import (
    ALLOCATED,
    GangPod,
    Group,
    PodSet,
    gang_of,
    pod_sets_with,
    state,
)
from kubectl_fairshare.schedulers.kai.session.held import accepted, memory_share

NO_BACKOFF = -1
NON_PREEMPTIBLE_FROM: Final = 100
ENDED: Final = frozenset({Phase.SUCCEEDED, Phase.FAILED})
_PLACED: Final = frozenset({Phase.BINDING, Phase.BOUND, Phase.RUNNING})
JobOrder = tuple[int, int, int, str]


class Job(Value, frozen=True):
    """A PodGroup with its pods. ``known``: its queue exists; otherwise it has no priority.

    ``tasks`` are its pods in order, ``next`` the ones to place next, ``request`` their request (GPU memory as a part of
    the smallest GPU), ``asked`` the same as limits count it (of the largest). ``holds`` is the request of its placed
    pods, with GPU memory counted as 0. ``order`` is its position in its queue, smaller first. ``ready``: it has enough
    pods to be placed. ``elastic``: a pod set has more than its minimum. ``pending``: a pod waits. ``active`` are the
    pods that are placed and not being evicted.
    """

    group: PodGroup
    known: bool
    priority: int
    preemptible: bool
    root: Group
    pod_sets: Mapping[str, PodSet]
    tasks: tuple[GangPod, ...]
    next: tuple[GangPod, ...]
    request: Charge
    asked: Resources
    holds: Resources
    order: JobOrder
    ready: bool
    elastic: bool
    pending: bool
    active: tuple[GangPod, ...]

    @property
    def name(self) -> str:
        """The PodGroup's name, its identity."""
        return self.group.name

    @property
    def queue(self) -> str:
        """The queue it names."""
        return self.group.queue

    @property
    def placed(self) -> bool:
        """Whether a pod is on its node, not on its way out."""
        return any(task.phase in _PLACED for task in self.tasks)

    @property
    def leaves(self) -> bool:
        """Whether all of its pods that have not ended are on their way out."""
        phases = {task.phase for task in self.tasks}
        return Phase.RELEASING in phases and phases <= {Phase.RELEASING, *ENDED}

    @property
    def runs(self) -> bool:
        """Whether it is at its minimum, or none of its pods waits and some are placed."""
        if not self.pending and (self.ready or self.placed):
            return self.placed
        return bool(self.active) and all(pods.active >= pods.minimum for pods in self.pod_sets.values())

    @property
    def waits(self) -> bool:
        """Whether it does not run, and has not ended or all of its pods are on their way out."""
        ended = bool(self.tasks) and all(task.phase in ENDED for task in self.tasks)
        return not (self.runs or ended or self.leaves)

    def delayed(self, now: int | None) -> bool:
        """Whether its preemptionDelay still keeps it from evicting others.

        Without a current moment, it does so for new jobs alone.
        """
        if self.group.preemption_delay <= 0:
            return False
        if now is None:
            return self.group.new
        return now < max(self.group.created, self.group.last_eviction or 0) + self.group.preemption_delay


class Memories(Value, frozen=True):
    """The GPU memory of the smallest and the largest GPU of the shard, None if no node states it."""

    smallest: int | None
    largest: int | None


def memories(nodes: Iterable[Node]) -> Memories:
    """The range of GPU memory of the nodes that state it."""
    # 100 MiB is what KAI takes for a node that does not state the memory of its GPUs.
    stated = [node.gpu_memory for node in nodes if node.gpu_memory > 100]
    return Memories(min(stated, default=None), max(stated, default=None))


def jobs_of(
    state_: KaiState,
    queues: Iterable[str],
    nodes: Mapping[str, Node],
    pool: str | None,
    before: Mapping[str, Job] | None = None,
) -> dict[str, Job]:
    """The jobs of a shard by name, sorted; those that are the same ``before``, with the same nodes, are taken."""
    known, range_ = frozenset(queues), memories(nodes.values())
    by_group: dict[str, list[Pod]] = {}
    before = before or {}
    for pod in state_.pods:
        if pod.group:
            by_group.setdefault(pod.group, []).append(pod)
    found = {}
    for group in state_.pod_groups:
        if group.pool == pool and up_for_scheduling(group):
            pods, old = by_group.get(group.name, ()), before.get(group.name)
            if old is not None and _is_same(old, group, pods, group.queue in known):
                found[group.name] = old
            else:
                found[group.name] = job_of(group, pods, group.queue in known, state_, nodes, range_)
    return dict(sorted(found.items()))


def _is_same(job: Job, group: PodGroup, pods: Sequence[Pod], known: bool) -> bool:
    """Whether it was made of these very objects."""
    same = job.group is group and job.known is known and len(job.tasks) == len(pods)
    return same and {id(task.pod) for task in job.tasks} == {id(pod) for pod in pods}


def up_for_scheduling(group: PodGroup) -> bool:
    """Whether KAI tries it again: a job with one attempt is not tried after its first condition."""
    if group.backoff is None or group.backoff == NO_BACKOFF:
        return True
    # A condition of another node pool does not count.
    return group.condition_pool is None or group.condition_pool != (group.pool or "default")


def job_of(
    group: PodGroup, pods: Iterable[Pod], known: bool, state_: KaiState, nodes: Mapping[str, Node], range_: Memories
) -> Job:
    """A PodGroup with its pods as a job; ``known``: its queue exists."""
    distinct = {pod.uid: pod for pod in pods}
    ordered = sorted(distinct.values(), key=lambda pod: pod.rank)
    root = gang_of(group)
    sets = pod_sets_with(root, [task_of(pod, nodes) for pod in ordered])
    tasks = tuple(sorted((t for s in sets.values() for t in s.tasks), key=lambda t: t.pod.rank))
    priority = state_.priorities.values.get(group.priority_class, state_.priorities.default) if known else 0
    stated = priority < NON_PREEMPTIBLE_FROM if group.preemptible is None else group.preemptible
    following = tuple(root.next_tasks())
    active = tuple(task for task in tasks if task.phase in ALLOCATED)
    return Job(
        group=group,
        known=known,
        priority=priority,
        preemptible=known and stated,
        root=root,
        pod_sets=sets,
        tasks=tasks,
        next=following,
        request=request_of(following, range_.smallest),
        asked=_gate_request(following, range_.largest),
        holds=charged([t.pod.request for t in active]).total,
        order=(-priority, state(sets), group.created, group.name),
        ready=root.ready,
        elastic=any(pod_set.elastic for pod_set in sets.values()),
        pending=any(task.phase is Phase.PENDING for task in tasks),
        active=active,
    )


def task_of(pod: Pod, nodes: Mapping[str, Node]) -> GangPod:
    """The pod as a task; a BindRequest to a node outside the shard leaves it pending."""
    node = nodes.get(pod.node)
    # Its BindRequest is another shard's, so for this one the pod still waits.
    phase = Phase.PENDING if pod.phase is Phase.BINDING and node is None else pod.phase
    return GangPod(pod, phase, accepted(pod, node), node is not None)


def request_of(tasks: Iterable[GangPod], smallest: int | None) -> Charge:
    """The sum of the requests of pending pods."""
    return request_sum((task.pod for task in tasks), smallest)


def request_sum(pods: Iterable[Pod], smallest: int | None) -> Charge:
    """The sum of the requests of pods, with GPU memory as a part of the smallest GPU."""
    cpu, memory, gpu, mig = 0.0, 0.0, 0.0, 0.0
    for pod in pods:
        cpu += pod.request.cpu
        memory += pod.request.memory
        gpu += pod.request.gpu
        mig += pod.request.mig
        if pod.gpu.kind is GpuKind.MEMORY and smallest is not None:
            gpu += memory_share(pod.gpu, smallest)
    return Charge(cpu, memory, gpu, mig)


def _gate_request(tasks: Iterable[GangPod], largest: int | None) -> Resources:
    """The request of pending pods as gates count it: GPU memory as a part of the largest GPU."""
    cpu, memory, gpu = 0.0, 0.0, 0.0
    for task in tasks:
        pod, total = task.pod, task.pod.request.total
        cpu += total.cpu
        memory += total.memory
        if pod.gpu.kind is not GpuKind.MEMORY:
            gpu += total.gpu
        elif largest is not None:
            gpu += memory_share(pod.gpu, largest)
    return Resources(cpu, memory, gpu)
