"""Small KAI states by hand: GPUs alone are counted unless more is said."""

from collections.abc import Iterable

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.kai.model.objects import (
    Charge,
    Deserved,
    GpuKind,
    GpuRequest,
    KaiState,
    MaxAllowed,
    Node,
    Phase,
    Pod,
    PodGroup,
    Queue,
    Rank,
    Resources,
    Shard,
    SubGroup,
)
from kubectl_fairshare.schedulers.kai.session.session import Session, open_session
from tests.screens import ROOT


def snapshot_of(*paths: str) -> Snapshot:
    """The snapshot of files; paths are those of the repository."""
    found = read(
        [str(ROOT / path) for path in paths], known_schedulers(), stdin=None, max_input=1 << 24, namespace="default"
    )
    return assemble(found.manifests, known_schedulers()).snapshot


FREE = Resources(-1.0, -1.0, -1.0)


def gpus(amount: float) -> Resources:
    return Resources(-1.0, -1.0, float(amount))


def queue(
    name: str,
    parent: str = "",
    *,
    quota: float = 0,
    limit: float = -1,
    weight: float = 1,
    priority: int = 100,
    created: int = 0,
    reclaim_min_runtime: int | None = None,
) -> Queue:
    """A queue without bounds on cpu and memory."""
    return Queue(
        name,
        parent,
        priority,
        created,
        Deserved(gpus(quota)),
        MaxAllowed(gpus(limit)),
        Resources(1.0, 1.0, float(weight)),
        reclaim_min_runtime=reclaim_min_runtime,
    )


def node(name: str = "n", amount: float = 8, memory: int = 100, unready: str | None = None) -> Node:
    return Node(name, Resources(1e6, 1e12, float(amount)), memory, unready, None, frozenset())


def pod(
    group: str,
    number: int,
    amount: float = 1,
    *,
    phase: Phase = Phase.RUNNING,
    sub_group: str = "",
    at: str = "n",
    gpu: GpuRequest | None = None,
    foreign: bool = False,
) -> Pod:
    name = f"{group}-{number}"
    request = Charge(0.0, 0.0, float(amount))
    asked = GpuRequest(GpuKind.WHOLE, int(amount), 1.0, 0) if gpu is None else gpu
    rank = Rank(True, True, 2, 0, 0, name)
    place = "" if phase in (Phase.PENDING, Phase.GATED) else at
    return Pod(ObjectKey("", "Pod", "ns", name), name, group, sub_group, place, phase, request, asked, rank, foreign)


def group(
    name: str,
    queue_name: str,
    *,
    minimum: int | None = None,
    preemptible: bool = True,
    created: int = 0,
    last_start: int | None = None,
    sub_groups: tuple[SubGroup, ...] = (),
    min_sub_group: int | None = None,
    delay: int = 0,
) -> PodGroup:
    return PodGroup(
        ObjectKey("scheduling.run.ai", "PodGroup", "ns", name),
        queue_name,
        created,
        minimum,
        min_sub_group,
        sub_groups,
        preemptible=preemptible,
        last_start=last_start,
        preemption_delay=delay,
    )


def state(
    queues: Iterable[Queue],
    groups: Iterable[PodGroup] = (),
    pods: Iterable[Pod] = (),
    nodes: Iterable[Node] | None = None,
    shard: Shard | None = None,
    now: int | None = None,
) -> KaiState:
    return KaiState(
        queues={q.name: q for q in sorted(queues, key=lambda q: q.name)},
        pod_groups=tuple(groups),
        pods=tuple(pods),
        nodes=(node(),) if nodes is None else tuple(nodes),
        shards=() if shard is None else (shard,),
        now=now,
    )


def session(
    queues: Iterable[Queue],
    groups: Iterable[PodGroup] = (),
    pods: Iterable[Pod] = (),
    nodes: Iterable[Node] | None = None,
    shard: Shard | None = None,
    now: int | None = None,
) -> Session:
    return open_session(state(queues, groups, pods, nodes, shard, now))
