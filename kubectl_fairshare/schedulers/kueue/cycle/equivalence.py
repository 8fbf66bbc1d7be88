"""Which workloads look the same to Kueue's scheduler: those it sets aside together.

Why not by what they request alone: two workloads of 1 GPU, one tolerates a taint and the other does not. If the second
is refused, the first may still fit, so it is not set aside with it.
Source: ``UpdateSchedulingHash`` in https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/workload/workload.go,
SchedulingEquivalenceHashing.
Tested in ``tests/unit/schedulers/kueue/cycle/test_equivalence.py``.
"""

from collections.abc import Hashable, Iterator
from itertools import count
from typing import Final

from kubectl_fairshare.model.json import Json, inside, listed, mapping
from kubectl_fairshare.model.quantity_text import canonical
from kubectl_fairshare.schedulers.kueue.model.workload import Pending, PodSet
from kubectl_fairshare.schedulers.kueue.tree.state import State

_TAKEN_WHOLE: Final = ("priority", "resourceClaims", "runtimeClassName", "topologySpreadConstraints")


class Equivalence:
    """Numbers the workloads of a state: equal ones have one number. Without the hash each has a number of its own."""

    def __init__(self, state: State) -> None:
        self._manifests = state.snapshot.manifests
        self._together = state.configuration.equal_together
        self._alone = count(1)
        self._numbers: dict[Hashable, int] = {}

    def number(self, workload: Pending) -> int:
        """The number of the workload's shape."""
        if not self._together:
            # Below 0, so that it never meets the number of a shape.
            return -next(self._alone)
        shape = (workload.priority, *map(pods_shape, workload.pod_sets), *self._written(workload))
        return self._numbers.setdefault(shape, len(self._numbers))

    def _written(self, workload: Pending) -> Iterator[Hashable]:
        """What the hash has of the pods as they are written, apart from what the engine reads of them."""
        manifest = self._manifests.get(workload.source or workload.key)
        if manifest is not None:
            written = manifest.passing_data
            yield from (_written_shape(inside(written, *p.path)) for p in workload.pod_sets if p.path)


def pods_shape(pods: PodSet) -> tuple[Hashable, ...]:
    """What the engine reads of a pod set, as far as it is in the hash."""
    requests = tuple(sorted(pods.requests.items()))
    placing = pods.node_selector, pods.affinity, pods.tolerations, pods.topology
    return pods.name, max(0, pods.count - pods.reclaimable), requests, pods.min_count, pods.group, *placing


def _written_shape(spec: Json) -> Hashable:
    containers = (tuple(map(_container, listed(spec, name))) for name in ("initContainers", "containers"))
    return *containers, *(repr(inside(spec, name)) for name in _TAKEN_WHOLE)


def _container(container: Json) -> Hashable:
    requests = mapping(container, "resources", "requests").items()
    return tuple(sorted((name, canonical(value)) for name, value in requests)), repr(inside(container, "ports"))
