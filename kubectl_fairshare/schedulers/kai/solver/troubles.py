"""Why nodes do not take a pod: what KAI notes of a pod while it looks for a place.

Why a shortage is of what is used and not of what is idle: a pod that waits for a node's room takes none of what is
idle, but the next pod is refused for both.
Source: ``FittingError`` in
https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/api/node_info/node_info.go; "kai solver" in
``docs/laws.md``.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from kubectl_fairshare.schedulers.kai.session.gates import Exceeded
from kubectl_fairshare.schedulers.kai.solver.ledgers import NodeLedger, minus, portion_on
from kubectl_fairshare.schedulers.kai.solver.machines import CPU, GPU, MEMORY, PODS
from kubectl_fairshare.schedulers.kai.solver.sharing import room
from kubectl_fairshare.schedulers.kai.solver.tasks import Task

_NAMES = {CPU: "CPU cores", MEMORY: "memory", GPU: "GPUs", PODS: "pods"}


class Shortage(NamedTuple):
    """A resource of which a node has too little, by the name that KAI's messages give it."""

    resource: str


Reason = str | Exceeded | Shortage
Troubles = dict[str, Counter[Reason]]
"""How many nodes refused a pod for each reason, by the pod's identity."""


class Oversized(NamedTuple):
    """A resource of which a pod asks for more than any node has; ``most`` is what one has."""

    resource: int
    most: float


def shortages(task: Task, ledger: NodeLedger, names: tuple[str, ...]) -> Iterator[Shortage]:
    """What a node lacks for the pod at this moment; nothing where what is idle suffices."""
    if room(task, ledger, ledger.idle) or _covers(task, ledger):
        return
    shared = sum(gpu.used > 0 for gpu in ledger.shared.values())
    left = minus(ledger.machine.allocatable, ledger.used)
    gpus = round(portion_on(task.gpu, ledger.machine) * 100) * task.gpu.devices / 100
    if gpus > left[GPU] - shared:
        yield Shortage(_NAMES[GPU])
    if task.gpu.memory > ledger.machine.memory:
        yield Shortage("GPU memory")
    for r, asked in enumerate(task.request):
        if r != GPU and asked > left[r] and (asked > 0 or r in _NAMES):
            yield Shortage(_NAMES.get(r, names[r]))


def _covers(task: Task, ledger: NodeLedger) -> bool:
    """Whether what is idle covers the request, a part of a GPU counted as of whole ones."""
    return all(asked <= idle for asked, idle in zip(task.request, ledger.idle, strict=True))
