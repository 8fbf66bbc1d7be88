"""Which node a pod prefers: the sum of KAI's scores, ties by name.

Why bin packing is a matter of the least left and not of the fullest in percent: nodes with 1 of 8 and 1 of 4 GPUs left
are equal.
Source: the plugins ``nodeplacement``, ``gpusharingorder``, ``nodeavailability``, ``resourcetype``, ``podaffinity`` and
``nominatednode`` in https://github.com/NVIDIA/KAI-Scheduler/tree/v0.17.0/pkg/scheduler/plugins; "kai solver" in
``docs/laws.md``.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from kubectl_fairshare.schedulers.kai.solver.layers import Layer
from kubectl_fairshare.schedulers.kai.solver.ledgers import NodeLedger
from kubectl_fairshare.schedulers.kai.solver.machines import CPU, GPU
from kubectl_fairshare.schedulers.kai.solver.pod_affinity import PodNeighbours
from kubectl_fairshare.schedulers.kai.solver.sharing import fits_group, room
from kubectl_fairshare.schedulers.kai.solver.tasks import Task

_NOMINATED: Final = 10_000_000.0
_AFFINITY: Final = 1_000_000.0
_SHARED: Final = 10_000.0
_AVAILABLE: Final = 1_000.0
_KIND: Final = 10.0
_DENSE: Final = 9.0


class Range(NamedTuple):
    """The least and the most that nodes have left of what a pod asks for."""

    least: float
    most: float


def by_preference(
    layer: Layer, task: Task, nodes: Sequence[str], around: PodNeighbours | None, *, full: bool = False
) -> list[str]:
    """The nodes with room for the pod, at least once others have left: best first. ``full`` ones too where asked."""
    ledgers = [layer.ledgers[name] for name in nodes]
    shard = layer.ground.session.shard
    spread = shard.scatter_gpu if task.wants_gpu else shard.scatter_cpu
    resource = GPU if task.wants_gpu else CPU
    span = None if spread else left_range(ledgers, resource)
    scored = []
    for ledger in ledgers:
        if not full and not room(task, ledger, ledger.free):
            continue
        score = _settled_score(task, ledger, around)
        score += spread_score(ledger, resource) if span is None else pack_score(ledger, resource, span)
        if ledger.shared and not shard.spread_gpu:
            score += _SHARED if any(fits_group(task, ledger, group) for group in ledger.shared) else 0.0
        scored.append((-score, ledger.machine.name))
    # Of equal scores the first by name.
    return [name for _, name in sorted(scored)]


def _settled_score(task: Task, ledger: NodeLedger, around: PodNeighbours | None) -> float:
    """What does not depend on the other nodes: idle room, the kind of node, affinity, nomination."""
    score = _AVAILABLE if room(task, ledger, ledger.idle) else 0.0
    # Pods without GPUs stay off nodes with GPUs if they can.
    if not task.wants_gpu and ledger.machine.allocatable[GPU] <= 0:
        score += _KIND
    if around is not None and not around.unscored:
        score += _AFFINITY * around.score(ledger.machine.labels)
    return score + (_NOMINATED if task.needs.nominated == ledger.machine.name else 0.0)


def left_range(ledgers: Iterable[NodeLedger], resource: int) -> Range:
    """The range over the nodes that have the resource at all."""
    left = [ledger.free[resource] for ledger in ledgers if ledger.machine.allocatable[resource] != 0]
    return Range(min(left, default=float("inf")), max([*left, 0.0]))


def pack_score(ledger: NodeLedger, resource: int, span: Range) -> float:
    """Up to nine for the node with least left."""
    if ledger.machine.allocatable[resource] == 0 or span.most == 0:
        return 0.0
    if span.least == span.most:
        return _DENSE
    return _DENSE * (1 - (ledger.free[resource] - span.least) / (span.most - span.least))


def spread_score(ledger: NodeLedger, resource: int) -> float:
    """Up to one for the node with most left."""
    machine = ledger.machine
    whole = float(machine.gpus) if resource == GPU else machine.allocatable[resource]
    return ledger.free[resource] / whole if whole else 0.0
