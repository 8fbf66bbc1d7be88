"""What a pod holds on its node, and the GPUs that a request for GPU memory amounts to.

Example: two pods ask for 0.333 of a GPU each. KAI charges 0.33 for each, hundredths of a device, and a third pod still
fits a quota of 1.
Source: ``setAcceptedResources`` in
https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/api/node_info/node_info.go; "kai requests" in
``docs/laws.md``.
Tested in ``tests/unit/schedulers/kai/solver/test_placing.py``.
"""

import math

from kubectl_fairshare.schedulers.kai.model.objects import Charge, GpuKind, GpuRequest, Node, Pod, Resources
from kubectl_fairshare.schedulers.kai.session.gangs import USED

_NOTHING = Charge(0.0, 0.0, 0.0)


def memory_share(gpu: GpuRequest, memory: int) -> float:
    """A request for GPU memory, as a number of GPUs with ``memory`` MiB."""
    if gpu.memory <= 0 or memory <= 0:
        return 0.0
    return float(gpu.devices) * (float(gpu.memory) / float(memory))


def accepted(pod: Pod, node: Node | None) -> Charge:
    """What the pod is charged with: nothing without a node of the shard, or after its end."""
    if node is None or pod.phase not in USED:
        return _NOTHING
    request, gpu = pod.request, pod.gpu
    if gpu.kind is GpuKind.WHOLE:
        # Whole devices alone are given.
        return Charge(request.cpu, request.memory, float(math.trunc(request.gpu)), request.mig)
    if gpu.kind is GpuKind.MIG:
        return Charge(request.cpu, request.memory, 0.0, request.mig)
    portion = gpu.portion
    if gpu.memory > 0:
        # Up to hundredths, so that the memory that is asked for is there.
        portion = math.ceil(gpu.memory / node.gpu_memory * 100) / 100 if node.gpu_memory > 0 else 0.0
    # Rounded half up, as Go's math.Round does for what is above 0.
    hundredths = math.floor(abs(portion) * 100 + 0.5)
    return Charge(request.cpu, request.memory, hundredths * gpu.devices / 100, request.mig)


def occupied(pod: Pod, node: Node | None) -> Resources:
    """What the node counts for the pod: its charge, without the GPU that it reserves for others, which they hold."""
    total = accepted(pod, node).total
    return total._replace(gpu=0.0) if pod.reserves else total
