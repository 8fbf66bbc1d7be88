"""A scheduling session: the shard's nodes, queues and jobs, what each queue holds and requests, and its fair share.

Why the total is not the nodes' sum: a node that is not ready does not count, nor what pods of other schedulers hold;
with 8 GPUs of which 2 are theirs, KAI divides 6.
Source: ``setTotalResources``, ``updateQueuesCurrentResourceUsage``, ``setFairShare`` in
https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/plugins/proportion/proportion.go; "kai totals" and
"kai charging" in ``docs/laws.md``.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.kai.division.fair_share import Claimant, Undefined, fair_shares
from kubectl_fairshare.schedulers.kai.division.time_aware import formula_of
from kubectl_fairshare.schedulers.kai.fairness import allocatable
from kubectl_fairshare.schedulers.kai.model.objects import (
    NOTHING,
    Allocatable,
    Allocated,
    Deserved,
    FairShare,
    GpuKind,
    KaiState,
    MaxAllowed,
    Node,
    Phase,
    Pod,
    Queue,
    Requested,
    Resources,
    Shard,
)
from kubectl_fairshare.schedulers.kai.session.gangs import ALLOCATED, USED
from kubectl_fairshare.schedulers.kai.session.held import memory_share
from kubectl_fairshare.schedulers.kai.session.jobs import Job, Memories, jobs_of, memories

_FLAT_PARENT = "default"


class QueueAttributes(Value, frozen=True):
    """A queue with what it and its descendants hold and request, and what it may have."""

    queue: Queue
    request: Requested
    allocated: Allocated
    non_preemptible: Allocated
    usage: Resources
    fair_share: FairShare = FairShare(NOTHING)
    allocatable: Allocatable = Allocatable(NOTHING)

    def sharing(self, share: FairShare) -> "QueueAttributes":
        """The queue with a fair share, and with what it may hold before it counts as above its share."""
        return replace(self, fair_share=share, allocatable=self.may_hold(share))

    def may_hold(self, share: FairShare) -> Allocatable:
        """What the queue may hold with a fair share before it counts as above it."""
        quota, limit = self.queue.quota, self.queue.limit
        return Allocatable(Resources(*map(allocatable, quota, limit, share)))

    def claimant(self) -> Claimant:
        """The queue's input to the division."""
        q = self.queue
        return Claimant(q.name, q.parent, q.priority, q.created, q.quota, q.limit, q.weight, self.request, self.usage)


class LostQueue(Value, frozen=True):
    """A queue that KAI ignores with its descendants, because ``parent`` is missing or part of a cycle."""

    queue: Queue
    parent: str
    cycle: bool = False


class Totals(Value, frozen=True):
    """The input of the division: ``total`` of the ready nodes, minus what pods of ``foreign`` schedulers hold.

    ``left_out`` are nodes that do not count, with the reason; ``elsewhere`` the nodes of other shards.
    """

    total: Resources
    left_out: tuple[tuple[str, str], ...]
    elsewhere: tuple[str, ...]
    foreign: Resources
    foreign_pods: int
    without_gpus: tuple[str, ...] = ()


class Session(Value, frozen=True):
    """The input of all decisions. ``standings`` are the queues that KAI knows, by name.

    ``undefined`` are fair shares that depend on the order of a map in KAI, with the values found.
    """

    state: KaiState
    shard: Shard
    nodes: Mapping[str, Node]
    totals: Totals
    standings: Mapping[str, QueueAttributes]
    children: Mapping[str, tuple[str, ...]]
    lost: tuple[LostQueue, ...]
    jobs: Mapping[str, Job]
    memories: Memories
    undefined: Undefined

    @property
    def now(self) -> int | None:
        """The moment of the session in nanoseconds, None if unknown."""
        return self.state.now

    def is_leaf(self, queue: str) -> bool:
        """Whether it has no child queue."""
        return not self.children.get(queue)

    def chain(self, queue: str) -> list[QueueAttributes]:
        """The queue and its ancestors, up to the root; empty for an unknown queue."""
        found = []
        standing = self.standings.get(queue)
        while standing is not None:
            found.append(standing)
            standing = self.standings.get(standing.queue.parent)
        return found


def open_session(state: KaiState, shard: Shard | None = None, before: Session | None = None) -> Session:
    """The session that KAI would open on the snapshot for a shard.

    Jobs that are as in a session ``before``, of which the state was made, are taken from there.
    """
    shard = state.shard if shard is None else shard
    # Nodes that are not ready stay: they do not count for shares, but pods on them do.
    nodes = {n.name: n for n in state.nodes if n.pool == shard.pool and _is_used(n, shard, state)}
    kept, lost = kept_queues(state, shard)
    known = before.jobs if before is not None and before.shard == shard and _alike(before.state, state) else None
    jobs = jobs_of(state, kept, nodes, shard.pool, known)
    range_ = memories(nodes.values())
    standings = charge(kept, jobs.values(), range_, state.usage)
    totals = totals_of(state, shard, nodes)
    shares, undefined = fair_shares(totals.total, formula_of(shard), (s.claimant() for s in standings.values()))
    return Session(
        state=state,
        shard=shard,
        nodes=nodes,
        totals=totals,
        standings={name: s.sharing(shares[name]) for name, s in standings.items()},
        children=children_of(kept.values()),
        lost=lost,
        jobs=jobs,
        memories=range_,
        undefined=undefined,
    )


def _alike(one: KaiState, other: KaiState) -> bool:
    """Whether the same pods are the same jobs in both, as nodes and priorities are the same."""
    labels = one.gpu_worker_label == other.gpu_worker_label and one.cpu_worker_label == other.cpu_worker_label
    return labels and one.nodes is other.nodes and one.priorities is other.priorities


Order = Callable[[Sequence[Any]], list[Any]]
"""Puts the items of a map into the order of one walk over it."""


def added_up_again(session: Session, order: Order) -> Session:
    """The session with the amounts of jobs and pods added up in another order, as KAI adds them in map order.

    Only parts of GPUs can make a difference; whole amounts give the same session.
    """
    if not holds_parts(session):
        return session
    jobs = [replace(job, tasks=tuple(order(job.tasks))) for job in order(list(session.jobs.values()))]
    kept = {name: standing.queue for name, standing in session.standings.items()}
    standings = charge(kept, jobs, session.memories, session.state.usage)
    if all(_gpus(standing) == _gpus(session.standings[name]) for name, standing in standings.items()):
        return session
    shares, _ = fair_shares(session.totals.total, formula_of(session.shard), (s.claimant() for s in standings.values()))
    return replace(session, standings={name: s.sharing(shares[name]) for name, s in standings.items()})


def holds_parts(session: Session) -> bool:
    """Whether some queue holds, or requests, parts of GPUs, which add up to other amounts in another order."""
    return any(amount % 1 for standing in session.standings.values() for amount in _gpus(standing))


def _gpus(standing: QueueAttributes) -> tuple[float, float, float]:
    return standing.request.gpu, standing.allocated.gpu, standing.non_preemptible.gpu


def _is_used(node: Node, shard: Shard, state: KaiState) -> bool:
    """Whether the shard uses the node; a restricted one uses only nodes marked as workers."""
    return not shard.restricted or bool(node.labels & {state.gpu_worker_label, state.cpu_worker_label})


def kept_queues(state: KaiState, shard: Shard) -> tuple[dict[str, Queue], tuple[LostQueue, ...]]:
    """The queues that KAI knows, by name, and those that it ignores because they do not lead to a root."""
    queues = {name: queue for name, queue in sorted(state.queues.items()) if queue.pool == shard.pool}
    if not shard.full_hierarchy:
        queues = _one_level(queues)
    kept: dict[str, Queue] = {}
    lost = []
    verdicts = _Ways(queues)
    for name, queue in queues.items():
        missing = verdicts.missing(name)
        if missing is None:
            kept[name] = queue
        else:
            lost.append(LostQueue(queue, missing, missing in queues))
    return kept, tuple(lost)


def _one_level(queues: Mapping[str, Queue]) -> dict[str, Queue]:
    """Only queues with a parent, all of them below one queue without bounds."""
    free, one = Resources(-1.0, -1.0, -1.0), Resources(1.0, 1.0, 1.0)
    found = {_FLAT_PARENT: Queue(_FLAT_PARENT, "", 100, 0, Deserved(free), MaxAllowed(free), one)}
    for name, queue in queues.items():
        if queue.parent:
            # Without the full hierarchy only queues below another one are leaves, and all of them are siblings.
            found[name] = replace(queue, parent=_FLAT_PARENT)
    return dict(sorted(found.items()))


class _Ways:
    """Finds the missing parent between each queue and the root."""

    def __init__(self, queues: Mapping[str, Queue]) -> None:
        self._queues = queues
        self._found: dict[str, str | None] = {"": None}

    def missing(self, name: str) -> str | None:
        """The name that no queue has, or that repeats in a cycle; None if the queue leads to a root."""
        path: list[str] = []
        on_path: set[str] = set()
        while name not in self._found and name in self._queues and name not in on_path:
            path.append(name)
            on_path.add(name)
            name = self._queues[name].parent
        verdict = self._found.get(name, name)
        self._found.update(dict.fromkeys(path, verdict))
        return verdict


def children_of(queues: Iterable[Queue]) -> dict[str, tuple[str, ...]]:
    """The children of each queue by name; the root queues are under ""."""
    found: dict[str, list[str]] = {}
    for queue in queues:
        found.setdefault(queue.parent, []).append(queue.name)
    return {parent: tuple(sorted(names)) for parent, names in sorted(found.items())}


class _Sums:
    """The amounts of one queue while they are summed."""

    __slots__ = ("allocated", "non_preemptible", "request")

    def __init__(self) -> None:
        self.request, self.allocated, self.non_preemptible = [0.0] * 3, [0.0] * 3, [0.0] * 3


def charge(
    queues: Mapping[str, Queue], jobs: Iterable[Job], range_: Memories, usage: Mapping[str, Resources]
) -> dict[str, QueueAttributes]:
    """What each queue holds and requests; each pod counts in its queue and all its ancestors."""
    sums = {name: _Sums() for name in queues}

    @cache
    def way(name: str) -> tuple[_Sums, ...]:
        found = []
        while name in sums:
            found.append(sums[name])
            name = queues[name].parent
        return tuple(found)

    for job in jobs:
        chain = way(job.queue)
        if chain:
            _charge_job(job, chain, range_)
    return {
        name: QueueAttributes(
            queue,
            Requested(Resources(*sums[name].request)),
            Allocated(Resources(*sums[name].allocated)),
            Allocated(Resources(*sums[name].non_preemptible)),
            usage.get(name, NOTHING),
        )
        for name, queue in queues.items()
    }


def _charge_job(job: Job, chain: Iterable[_Sums], range_: Memories) -> None:
    for task in job.tasks:
        if task.phase in ALLOCATED:
            amounts = task.accepted.total
            for sums in chain:
                _add(sums.allocated, amounts)
                _add(sums.request, amounts)
                if not job.preemptible:
                    _add(sums.non_preemptible, amounts)
        elif task.phase is Phase.PENDING:
            amounts = wanted(task.pod, range_)
            for sums in chain:
                _add(sums.request, amounts)


def _add(sums: list[float], amounts: Resources) -> None:
    sums[0] += amounts.cpu
    sums[1] += amounts.memory
    sums[2] += amounts.gpu


def wanted(pod: Pod, range_: Memories) -> Resources:
    """The request of a pending pod, with GPU memory as a part of the smallest GPU."""
    total = pod.request.total
    if pod.gpu.kind is GpuKind.MEMORY and range_.smallest is not None:
        return total._replace(gpu=total.gpu + memory_share(pod.gpu, range_.smallest))
    return total


def totals_of(state: KaiState, shard: Shard, nodes: Mapping[str, Node]) -> Totals:
    """The cluster's amounts to divide, and what they do not count."""
    foreign: dict[str, list[Pod]] = {}
    for pod in state.pods:
        if pod.foreign and pod.phase in USED and pod.node in nodes:
            foreign.setdefault(pod.node, []).append(pod)
    total, held, count = [0.0] * 3, [0.0] * 3, 0
    bare = []
    for name, node in nodes.items():
        if node.unready is not None:
            continue
        gpus = node.allocatable
        if shard.restricted and state.gpu_worker_label not in node.labels:
            bare.append(name)
            gpus = gpus._replace(gpu=0.0)
        one = list(gpus)
        for pod in foreign.get(name, ()):
            count += 1
            for r, amount in enumerate(pod.request.total):
                one[r] -= amount
                held[r] += amount
        for r in range(3):
            total[r] += one[r]
    return Totals(
        Resources(*total),
        tuple((name, node.unready) for name, node in nodes.items() if node.unready is not None),
        tuple(node.name for node in state.nodes if node.name not in nodes),
        Resources(*held),
        count,
        tuple(bare),
    )


def place_of(session: Session, queue: str) -> ObjectKey | None:
    """The object of a queue."""
    standing = session.standings.get(queue)
    return None if standing is None else standing.queue.key
