"""Whether a pod fits on a node: schedulable, taints, selector and affinity, then amounts.

Preemption cannot make room beyond the node's allocatable amount.
Why not free amounts alone: nominated pods of the same priority or above count as if they ran there, so a node with 4
free cpu and a nominated pod of 3 cpu has room for 1 cpu only.
Source: https://github.com/kubernetes/kubernetes/blob/v1.35.0/pkg/scheduler/framework/plugins/noderesources/fit.go,
``fitsRequest``; ``RunFilterPluginsWithNominatedPods`` of the scheduler's framework.
"""

from collections.abc import Iterator, Mapping, Sequence

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


class Incoming(Value, frozen=True):
    """The pod to place, the nodes that it may use, and the nominated pods by node."""

    pod: Pod
    demand: NodeDemand
    kept: Mapping[str, Sequence[Pod]]

    def peers(self, node: str) -> tuple[Pod, ...]:
        """Pods nominated to the node that are at least as important: the scheduler counts them as present."""
        pod = self.pod
        # Equal priorities count: the pod that was nominated first keeps its place.
        return tuple(p for p in self.kept.get(node, ()) if p.priority >= pod.priority and p.uid != pod.uid)


def filter_verdict(asker: Incoming, node: Node, load: Load) -> FilterResult:
    """Whether the pod fits on the node, both with and without the pods nominated to it."""
    found = barrier(asker.demand, node)
    if found is None:
        return _of_room(asker, node, load)
    return barred_result(found, Law)


def _of_room(asker: Incoming, node: Node, load: Load) -> FilterResult:
    """The verdict by amounts alone."""
    peers = asker.peers(node.name)
    if peers:
        crowded = load
        for peer in peers:
            crowded = crowded.including(peer)
        verdict = _of_amounts(asker.pod, node, crowded, peers)
        if not verdict.passed:
            return verdict
    # Once more without the nominated pods, as the scheduler does: they may never come.
    return _of_amounts(asker.pod, node, load)


def has_room(asker: Incoming, node: Node, load: Load) -> bool:
    """Whether a node that does not exclude the pod has room for it."""
    return _of_room(asker, node, load).passed


def room_alone(pod: Pod, node: Node) -> FilterResult:
    """The verdict by amounts alone on a node without other pods."""
    return _of_amounts(pod, node, Load())


def fits(asker: Incoming, node: Node, load: Load) -> bool:
    """Whether the pod fits on the node."""
    return filter_verdict(asker, node, load).passed


def _of_amounts(pod: Pod, node: Node, load: Load, beside: tuple[Pod, ...] = ()) -> FilterResult:
    return room_verdict(_lacks(pod.request, node.allocatable, load), beside)


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
