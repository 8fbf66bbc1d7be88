"""What a node has left: idle, used and releasing amounts, and the memory of each GPU that pods share.

A terminating pod's room is releasing: another pod may wait for it. A pod that waits takes from what is releasing, not
from what is idle. A shared GPU counts as one whole GPU that is used until its last pod has gone.
Why a shared GPU is not a fraction of a node: two pods of half a GPU on different devices leave no whole GPU of two,
though 1.0 is free; each device has its own memory, and one that is used counts whole.
Source: https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/api/node_info/node_info.go,
https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/api/node_info/gpu_sharing_node_info.go; "kai solver"
in ``docs/laws.md``.
"""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from kubectl_fairshare.schedulers.kai.model.objects import Charge, GpuKind, GpuRequest
from kubectl_fairshare.schedulers.kai.solver.machines import GPU, Machine, Vector
from kubectl_fairshare.schedulers.kai.solver.statuses import Status
from kubectl_fairshare.schedulers.kai.solver.tasks import Task


class SharedGpu(NamedTuple):
    """Memory of one GPU that pods share, in MiB. ``bound``: some pod was placed on it at some time, and not only
    waited.
    """

    used: int = 0
    releasing: int = 0
    allocated: int = 0
    bound: bool = False


class NodeLedger(NamedTuple):
    """The state of a node. ``free`` is what is idle or about to be.

    ``leaving`` are the shared GPUs of which all pods are on their way out. ``devices`` says how many pods use each GPU
    of a ResourceClaim: it counts once.
    """

    machine: Machine
    idle: Vector
    used: Vector
    releasing: Vector
    free: Vector
    shared: Mapping[str, SharedGpu]
    leaving: frozenset[str] = frozenset()
    devices: Mapping[str, int] = MappingProxyType({})


class Copy(NamedTuple):
    """A pod as its node knows it."""

    task: Task
    status: Status
    groups: tuple[str, ...]


def gpus_in_use(ledger: NodeLedger) -> int:
    """Whole and shared GPUs that hold pods."""
    return int(ledger.used[GPU]) + sum(gpu.used > 0 for gpu in ledger.shared.values())


def plus(a: Vector, b: Vector) -> Vector:
    """The sum of each."""
    return tuple([x + y for x, y in zip(a, b, strict=True)])


def minus(a: Vector, b: Vector) -> Vector:
    """The difference of each."""
    return tuple([x - y for x, y in zip(a, b, strict=True)])


def empty_ledger(machine: Machine) -> NodeLedger:
    """The node without pods."""
    none = tuple(0.0 for _ in machine.allocatable)
    return NodeLedger(machine, machine.allocatable, none, none, machine.allocatable, {})


def memory_on(gpu: GpuRequest, machine: Machine) -> int:
    """MiB of each GPU that a request takes on a node."""
    return gpu.memory if gpu.memory > 0 else int(gpu.portion * machine.memory)


def hundredths(memory: int, machine: Machine) -> float:
    """Memory as a part of the node's GPU, rounded up to hundredths."""
    return math.ceil(memory / machine.memory * 100) / 100 if machine.memory else 0.0


def portion_on(gpu: GpuRequest, machine: Machine) -> float:
    """The part of each GPU that a request takes on a node."""
    return hundredths(gpu.memory, machine) if gpu.memory > 0 else gpu.portion


def charge_on(task: Task, machine: Machine) -> Charge:
    """What a pod is charged with once it is on a node."""
    cpu, memory, gpu = task.request[0], task.request[1], task.gpu
    if not task.shares:
        return Charge(cpu, memory, float(math.trunc(task.request[GPU])))
    return Charge(cpu, memory, math.floor(abs(portion_on(gpu, machine)) * 100 + 0.5) * gpu.devices / 100)


def added(ledger: NodeLedger, copy: Copy) -> NodeLedger:
    """The node with one more pod."""
    amounts, status = _tracked(ledger.machine, copy.task), copy.status
    if copy.task.pod.devices and amounts[GPU] > 0:
        amounts = _once(amounts, sum(device in ledger.devices for device in copy.task.pod.devices))
        ledger = _with_devices(ledger, copy.task, 1)
    used, idle, releasing = plus(ledger.used, amounts), ledger.idle, ledger.releasing
    if status is Status.RELEASING:
        releasing, idle = plus(releasing, amounts), minus(idle, amounts)
    elif status is Status.PIPELINED:
        # A pod that waits takes from what is about to be free; what is idle is not touched.
        releasing = minus(releasing, amounts)
    else:
        idle = minus(idle, amounts)
    found = ledger._replace(idle=idle, used=used, releasing=releasing, free=plus(idle, releasing))
    for group in copy.groups if copy.task.gpu.kind in _SHARED else ():
        found = _group_added(found, copy, group)
    return found


def removed(ledger: NodeLedger, copy: Copy) -> NodeLedger:
    """The node with one pod less."""
    amounts, status = _tracked(ledger.machine, copy.task), copy.status
    if copy.task.pod.devices and amounts[GPU] > 0:
        ledger = _with_devices(ledger, copy.task, -1)
        amounts = _once(amounts, sum(device in ledger.devices for device in copy.task.pod.devices))
    used, idle, releasing = minus(ledger.used, amounts), ledger.idle, ledger.releasing
    if status is Status.RELEASING:
        releasing, idle = minus(releasing, amounts), plus(idle, amounts)
    elif status is Status.PIPELINED:
        releasing = plus(releasing, amounts)
    else:
        idle = plus(idle, amounts)
    found = ledger._replace(idle=idle, used=used, releasing=releasing, free=plus(idle, releasing))
    for group in copy.groups if copy.task.gpu.kind in _SHARED else ():
        found = _group_removed(found, copy, group)
    return found


_SHARED = (GpuKind.FRACTION, GpuKind.MEMORY)


def _tracked(machine: Machine, task: Task) -> Vector:
    """What counts on the node: nothing of a resource that it lacks, no GPU of a pod that shares or reserves one."""
    whole = 0.0 if task.shares or task.reserves else float(math.trunc(task.request[GPU]))
    amounts = (*task.request[:GPU], whole, *task.request[GPU + 1 :])
    return tuple([a if most else 0.0 for a, most in zip(amounts, machine.allocatable, strict=True)])


def _once(amounts: Vector, others: int) -> Vector:
    """The amounts without the GPUs that count for other pods of the node already."""
    return _gpu_changed(amounts, -min(others, int(amounts[GPU])))


def _with_devices(ledger: NodeLedger, task: Task, change: int) -> NodeLedger:
    """The node with one pod more or less that uses the devices of a pod; none where each pod counts its own."""
    if not ledger.machine.counts_once:
        return ledger
    devices = dict(ledger.devices)
    for device in task.pod.devices:
        devices[device] = devices.get(device, 0) + change
    return ledger._replace(devices={device: pods for device, pods in devices.items() if pods > 0})


def _group_added(ledger: NodeLedger, copy: Copy, group: str) -> NodeLedger:
    memory, was = memory_on(copy.task.gpu, ledger.machine), ledger.shared.get(group, SharedGpu())
    used = was.used + memory
    if copy.status is Status.RELEASING:
        now = SharedGpu(used, was.releasing + memory, was.allocated + memory, bound=True)
        found = _with(ledger, group, now)
        # All of its pods leave: from here on the whole device counts as releasing.
        return _taken(_marked(found, group)) if now.used == now.releasing else found
    if copy.status is Status.PIPELINED:
        now = SharedGpu(used, was.releasing - memory, was.allocated, was.bound)
        found = _with(ledger, group, now)
        return _released(found, -1) if was.used == was.releasing else found
    found = _with(ledger, group, SharedGpu(used, was.releasing, was.allocated + memory, bound=True))
    return _unmarked(_taken(found) if used <= memory else found, group)


def _group_removed(ledger: NodeLedger, copy: Copy, group: str) -> NodeLedger:
    memory, was = memory_on(copy.task.gpu, ledger.machine), ledger.shared.get(group, SharedGpu())
    used = was.used - memory
    if copy.status is Status.RELEASING:
        now = SharedGpu(used, was.releasing - memory, was.allocated - memory, bound=True)
        found = _with(ledger, group, now)
        return _unmarked(_returned(found), group) if used <= 0 else found
    if copy.status is Status.PIPELINED:
        now = SharedGpu(used, was.releasing + memory, was.allocated, was.bound)
        found = _with(ledger, group, now)
        waited = was.used == was.releasing or (now.used == 0 and now.releasing == 0)
        return _released(found, 1) if waited else found
    now = SharedGpu(used, was.releasing, was.allocated - memory, bound=True)
    found = _with(ledger, group, now)
    found = _returned(found) if used <= 0 else found
    return _marked(found, group) if used != 0 and now.releasing == used else found


def _with(ledger: NodeLedger, group: str, now: SharedGpu) -> NodeLedger:
    return ledger._replace(shared={**ledger.shared, group: now})


def _marked(ledger: NodeLedger, group: str) -> NodeLedger:
    """All pods of the shared GPU leave: it counts as releasing."""
    if group in ledger.leaving:
        return ledger
    return _released(ledger, 1)._replace(leaving=ledger.leaving | {group})


def _unmarked(ledger: NodeLedger, group: str) -> NodeLedger:
    if group not in ledger.leaving:
        return ledger
    return _released(ledger, -1)._replace(leaving=ledger.leaving - {group})


def _released(ledger: NodeLedger, count: int) -> NodeLedger:
    releasing = _gpu_changed(ledger.releasing, count)
    return ledger._replace(releasing=releasing, free=plus(ledger.idle, releasing))


def _taken(ledger: NodeLedger) -> NodeLedger:
    """A whole GPU becomes a shared one, where the node counts more GPUs than it has."""
    if ledger.machine.gpus < int(ledger.idle[GPU]) + gpus_in_use(ledger):
        return _idled(ledger, -1)
    return ledger


def _returned(ledger: NodeLedger) -> NodeLedger:
    """A shared GPU becomes a whole one, where the node counts no more GPUs than it has."""
    if ledger.machine.gpus >= int(ledger.idle[GPU]) + gpus_in_use(ledger):
        return _idled(ledger, 1)
    return ledger


def _idled(ledger: NodeLedger, count: int) -> NodeLedger:
    idle = _gpu_changed(ledger.idle, count)
    return ledger._replace(idle=idle, free=plus(idle, ledger.releasing))


def _gpu_changed(amounts: Vector, count: int) -> Vector:
    return (*amounts[:GPU], amounts[GPU] + count, *amounts[GPU + 1 :])


def idle_gpus(ledger: NodeLedger) -> tuple[float, int]:
    """Idle GPUs with the rest of shared ones, and their memory in MiB."""
    parts, memory = 0.0, 0
    for _, gpu in sorted(ledger.shared.items()):
        if gpu.allocated > 0:
            parts += 1 - hundredths(gpu.allocated, ledger.machine)
            memory += ledger.machine.memory - gpu.allocated
    whole = ledger.idle[GPU]
    return parts + whole, memory + int(whole) * ledger.machine.memory


def releasing_gpus(ledger: NodeLedger) -> tuple[float, int]:
    """GPUs about to be idle, with parts of shared ones, and their memory in MiB."""
    parts, memory = 0.0, 0
    for _, gpu in sorted(ledger.shared.items()):
        # One of which all pods leave counts as a whole GPU already.
        if gpu.releasing > 0 and not (gpu.used != 0 and gpu.releasing == gpu.used):
            parts += hundredths(gpu.releasing, ledger.machine)
            memory += gpu.releasing
    whole = ledger.releasing[GPU]
    return parts + whole, memory + int(whole) * ledger.machine.memory


def free_gpus(ledger: NodeLedger) -> float:
    """GPUs idle or about to be."""
    return idle_gpus(ledger)[0] + releasing_gpus(ledger)[0]
