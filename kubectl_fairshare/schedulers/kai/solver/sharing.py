"""Which shared GPUs of a node a pod may have, and which it gets.

Why the fullest shared GPU first: a pod of a quarter goes to the device with half left rather than to an empty one, so
that whole GPUs stay whole; where pods are spread it is the other way round.
Source: ``GetNodePreferableGpuForSharing`` in
https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/gpu_sharing/gpuSharing.go; "kai solver" in
``docs/laws.md``.
"""

import math
from collections.abc import Sequence
from operator import le
from typing import Final, NamedTuple

from kubectl_fairshare.schedulers.kai.map_orders import Walk
from kubectl_fairshare.schedulers.kai.solver.ledgers import NodeLedger, memory_on, portion_on
from kubectl_fairshare.schedulers.kai.solver.machines import GPU, Vector
from kubectl_fairshare.schedulers.kai.solver.tasks import Task

_AS_FILLED: Final = Walk()
WHOLE: Final = ""
"""The placeholder for a whole GPU that becomes a shared one."""


class ChosenGpus(NamedTuple):
    """The GPUs for a pod, ``WHOLE`` for each new one; ``waits``: some of it is not idle yet."""

    groups: tuple[str, ...]
    waits: bool


def fits_group(task: Task, ledger: NodeLedger, group: str) -> bool:
    """Whether a shared GPU in use has memory for the pod, and does not leave altogether."""
    gpu = ledger.shared[group]
    memory = memory_on(task.gpu, ledger.machine)
    enough = ledger.machine.memory - gpu.allocated + gpu.releasing - memory >= 0
    # One of which all pods leave is about to be whole again.
    return gpu.used != 0 and enough and gpu.allocated != gpu.releasing


def room(task: Task, ledger: NodeLedger, amounts: Vector) -> bool:
    """Whether ``amounts`` of the node suffice for the pod, its part of GPUs counted on shared ones too."""
    if not task.shares:
        return all(map(le, task.request, amounts))
    portion = portion_on(task.gpu, ledger.machine)
    if portion > 1 and portion != int(portion):
        return False
    if any(a > b for i, (a, b) in enumerate(zip(task.request, amounts, strict=True)) if i != GPU):
        return False
    matching = sum(fits_group(task, ledger, group) for group in ledger.shared)
    return math.floor(amounts[GPU]) + min(matching, task.gpu.devices) >= task.gpu.devices


def fitting_gpus(task: Task, ledger: NodeLedger, *, spread: bool, walk: Walk = _AS_FILLED) -> list[str]:
    """The GPUs that would do, best first: the fullest, or the emptiest where pods are spread.

    Equal ones come in the order of a map.
    """
    groups = [group for group in walk.order(sorted(ledger.shared)) if fits_group(task, ledger, group)]
    idle, releasing = ledger.idle[GPU], ledger.releasing[GPU]
    whole = max(int(idle) + int(releasing), 0) if idle > 0 or releasing > 0 else 0

    def score(group: str) -> float:
        if group == WHOLE:
            return 1.0 if spread else 0.0
        part = ledger.shared[group].used / ledger.machine.memory if ledger.machine.memory else 0.0
        return 1 - part if spread else part

    return sorted([*groups, *[WHOLE] * whole], key=lambda group: -score(group))


def chosen(task: Task, ledger: NodeLedger, fitting: Sequence[str], *, waiting: bool) -> ChosenGpus | None:
    """The first GPUs that together are as many as the pod wants; None where there are too few.

    ``waiting``: the pod would wait in any case.
    """
    idle = room(task, ledger, ledger.idle)
    groups: list[str] = []
    waits = False
    for group in fitting:
        if group == WHOLE:
            waits = waits or waiting or not idle
        else:
            waits = waits or not _idle_on(task, ledger, group) or not idle
        groups.append(group)
        if len(groups) == task.gpu.devices:
            return ChosenGpus(tuple(groups), waits)
    return None


def _idle_on(task: Task, ledger: NodeLedger, group: str) -> bool:
    """Whether the shared GPU has memory for the pod now; one that pods only wait for has none."""
    gpu = ledger.shared[group]
    return gpu.bound and ledger.machine.memory - gpu.allocated - memory_on(task.gpu, ledger.machine) >= 0
