"""Whether a pod fits on a node: schedulable, taints, selector and affinity, then amounts.

Why not sum up exactly and round at the end, as quotas do: two pods of 500u cpu take 1m of a node each, 2m together,
and 1m of their quota.
Source: https://github.com/kubernetes/kubernetes/blob/v1.35.0/pkg/scheduler/framework/plugins/noderesources/fit.go,
``fitsRequest``; ``RunFilterPluginsWithNominatedPods`` of the scheduler's framework.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from kubectl_fairshare.jobs.node_demand import NodeDemand, barrier
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.model.amounts import whole, wrapped
from kubectl_fairshare.schedulers.koordinator.model.objects import Node, Pod
from kubectl_fairshare.schedulers.kubescheduler.fit import FilterResult, Lack, barred_result, room_verdict

_PODS: Final = "pods"
Asked = Sequence[tuple[str, int]]
"""What a pod asks a node for, in inner units, sorted by resource; what it asks 0 of is left out."""


class Load(Value, frozen=True):
    """What a node holds, in inner units: the number of pods, and their sum; each pod is rounded by itself."""

    count: int = 0
    requested: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, pods: Iterable[Pod]) -> "Load":
        """The load of these pods."""
        count = 0
        requested: dict[str, int] = {}
        for pod in pods:
            count += 1
            for resource, value in pod.request.items():
                requested[resource] = wrapped(requested.get(resource, 0) + whole(resource, value))
        return cls(count, requested)

    def without(self, pod: Pod) -> "Load":
        """The load without the pod."""
        return self._with(pod, -1)

    def including(self, pod: Pod) -> "Load":
        """The load with the pod."""
        return self._with(pod, 1)

    def _with(self, pod: Pod, sign: int) -> "Load":
        changed = {r: wrapped(self.requested.get(r, 0) + sign * whole(r, v)) for r, v in pod.request.items()}
        return Load(self.count + sign, {**self.requested, **changed})


def asked_of_nodes(pod: Pod) -> Asked:
    """What a pod asks every node for."""
    whole_ones = ((resource, whole(resource, pod.request[resource])) for resource in sorted(pod.request))
    return [(resource, asked) for resource, asked in whole_ones if resource != _PODS and asked > 0]


def filter_result(
    pod: Pod, demand: NodeDemand, node: Node, load: Load, peers: Iterable[Pod] = (), asked: Asked | None = None
) -> FilterResult:
    """Whether the pod fits on the node, both with and without ``peers``, the pods that count as there already.

    ``asked`` is what it asks of nodes, for a caller that tries many.
    """
    found = barrier(demand, node)
    return room_result(pod, node, load, peers, asked) if found is None else barred_result(found, Law)


def room_result(
    pod: Pod, node: Node, load: Load, peers: Iterable[Pod] = (), asked: Asked | None = None
) -> FilterResult:
    """The verdict by amounts alone."""
    known = asked_of_nodes(pod) if asked is None else asked
    return room_verdict(load, peers, lambda held: _lacks(known, node, held))


def _lacks(asked: Asked, node: Node, load: Load) -> Iterator[Lack]:
    slots = whole(_PODS, node.allocatable.get(_PODS, 0))
    if load.count + 1 > slots:
        yield Lack(Law.TOO_MANY_PODS, _PODS, 1, load.count, slots)
    for resource, amount in asked:
        there, used = whole(resource, node.allocatable.get(resource, 0)), load.requested.get(resource, 0)
        # The sums and the difference wrap as Go's integers do.
        if amount > wrapped(there - used):
            # More than the node has at all: no eviction helps, and preemption is not tried there.
            law = Law.EXCEEDS_NODE if amount > there else Law.INSUFFICIENT
            yield Lack(law, resource, amount, used, there)
