"""Whether a pod fits on a node: schedulable, taints, selector and affinity, then amounts.

Preemption cannot make room beyond the node's allocatable amount.
Why not free amounts alone: nominated pods of the same priority or above count as if they ran there, so a node with 4
free cpu and a nominated pod of 3 cpu has room for 1 cpu only.
Source: https://github.com/kubernetes/kubernetes/blob/v1.35.0/pkg/scheduler/framework/plugins/noderesources/fit.go,
``fitsRequest``; ``RunFilterPluginsWithNominatedPods`` of the scheduler's framework.
"""

from collections.abc import Iterator, Sequence

from kubectl_fairshare.jobs.node_demand import NodeDemand, barrier
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.model.objects import Node, Pod
from kubectl_fairshare.schedulers.elasticquota.model.scaled import wrapped
from kubectl_fairshare.schedulers.elasticquota.model.vector import CPU, MEMORY, PODS, STORAGE, ZERO, Vector, minus, plus
from kubectl_fairshare.schedulers.kubescheduler.fit import FilterResult, Lack, barred_result, room_verdict


class Load(Value, frozen=True):
    """What a node holds: the number of pods, and their sum."""

    count: int = 0
    requested: Vector = ZERO

    def without(self, pod: Pod) -> "Load":
        """The load without the pod."""
        return Load(self.count - 1, minus(self.requested, pod.request))

    def including(self, pod: Pod) -> "Load":
        """The load with the pod."""
        return Load(self.count + 1, plus(self.requested, pod.request))


def filter_result(pod: Pod, demand: NodeDemand, node: Node, load: Load, peers: Sequence[Pod] = ()) -> FilterResult:
    """Whether the pod fits on the node, both with and without ``peers``, the pods that count as there already."""
    found = barrier(demand, node)
    return room_result(pod, node, load, peers) if found is None else barred_result(found, Law)


def room_result(pod: Pod, node: Node, load: Load, peers: Sequence[Pod] = ()) -> FilterResult:
    """The verdict by amounts alone."""
    return room_verdict(load, peers, lambda held: _lacks(pod.request, node.allocatable, held))


def _lacks(request: Vector, allocatable: Vector, load: Load) -> Iterator[Lack]:
    if load.count + 1 > allocatable.pods:
        yield Lack(Law.TOO_MANY_PODS, PODS, 1, load.count, allocatable.pods)
    for resource, asked, there, used in _amounts(request, allocatable, load.requested):
        # A request of 0 fits even where more than all is in use. The difference wraps as Go's integers do.
        if asked > 0 and asked > wrapped(there - used):
            # More than the node has at all: no eviction helps, and preemption is not tried there.
            law = Law.EXCEEDS_NODE if asked > there else Law.INSUFFICIENT
            yield Lack(law, resource, asked, used, there)


def _amounts(request: Vector, allocatable: Vector, used: Vector) -> Iterator[tuple[str, int, int, int]]:
    """Requested, allocatable and used amount of each resource that a node may lack; scalars by name."""
    yield CPU, request.cpu, allocatable.cpu, used.cpu
    yield MEMORY, request.memory, allocatable.memory, used.memory
    yield STORAGE, request.storage, allocatable.storage, used.storage
    for resource in sorted(request.scalars) if request.scalars else ():
        yield resource, request.scalars[resource], allocatable.scalars.get(resource, 0), used.scalars.get(resource, 0)
