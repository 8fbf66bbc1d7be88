"""Where an input uses each feature that patch releases of Kueue change.

Tested in ``tests/unit/schedulers/kueue/test_later_releases.py`` and ``test_earlier_releases.py`` there.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from kubectl_fairshare.model.amounts import WrappingAmount
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.model.workload import Pending, PodSet
from kubectl_fairshare.schedulers.kueue.release import patch

if TYPE_CHECKING:
    from kubectl_fairshare.schedulers.kueue.model.state import KueueState

_NOT_STOPPED: Final = "None"
_NEAR: Final = 1 << 62
_RAY: Final = frozenset({"RayCluster", "RayJob", "RayService"})


def uses(state: "KueueState") -> Mapping[str, Sequence[Place]]:
    """The places by feature; none where the input does not use it."""
    queues, settings, pending = state.cluster_queues.values(), state.configuration, state.pending
    shared = queues if settings.admission_sharing is not None else ()
    flavors = state.flavors.values() if settings.topology else ()
    refused = [p for w in pending if w.refusal is not None for p in w.refusal.places]
    mapped = queues if settings.device_resources or settings.sourced_classes else ()
    stopped = [q.key for q in queues if q.stop_policy != _NOT_STOPPED]
    stopped += [q.key for q in state.local_queues.values() if q.stop_policy != _NOT_STOPPED]
    keys = {key for flavor in state.flavors.values() for key in flavor.node_labels}
    return {
        patch.SHARING: [Place(q.key, ("spec", "admissionScope")) for q in shared if q.admission_scope],
        patch.SLICES: [_place(w) for w in pending if w.replaces is not None],
        patch.TOPOLOGY: [Place(f.key, ("spec", "topologyName")) for f in flavors if f.topology],
        patch.CHECKS: [Place(q.key, ("spec", "admissionChecksStrategy")) for q in queues if q.checks],
        patch.DEVICES: [*(p for p in refused if "resourceClaims" in p.path), *(Place(q.key) for q in mapped)],
        patch.STOPPING: [Place(key, ("spec", "stopPolicy")) for key in stopped],
        patch.FAIR: [Place(q.key) for q in queues] if settings.strategies is not None else [],
        patch.LABELS: [_place(w) for w in pending if any(_named(p) & keys for p in w.pod_sets)],
        patch.AMOUNTS: [_place(w) for w in pending if _is_odd(w)],
        patch.PREFERENCES: [Place(q.key, ("spec", "flavorFungibility")) for q in queues if q.fungibility.preference],
        patch.RAY: [_place(w) for w in pending if w.source is not None and w.source.kind in _RAY],
        patch.RECLAIMS: [
            *(Place(key, ("status", "reclaimablePods")) for key in state.reclaimed),
            *(_place(w) for w in pending if any(p.reclaimable for p in w.pod_sets)),
        ],
        patch.POD_LEVEL: [_place(w) for w in pending if any(p.pod_level for p in w.pod_sets)],
        patch.TRANSFORMED: [rule.place for rule in settings.transformations if rule.place is not None],
        patch.EQUAL_HEADS: list(_of_one_moment(state)),
        patch.NO_REQUESTS: [_place(w) for w in pending if not any(p.requests for p in w.pod_sets)],
    }


def _place(workload: Pending) -> Place:
    return Place(workload.source or workload.key)


def _named(pod_set: PodSet) -> set[str]:
    """The label keys that pods name where they choose nodes."""
    terms = [each for term in pod_set.affinity or () for each in term.expressions]
    return {each.key for each in (*pod_set.node_selector, *terms)}


def _is_odd(workload: Pending) -> bool:
    """Whether some amount is below 0, or the pods of all pod sets together request one near the bound of 64 bits.

    What pods occupy is looked at, too: it is not wrapped, and what they are charged has the outputs of transformations.
    """
    return _is_near((p.count, p.requests) for p in workload.pod_sets) or _is_near(
        (p.count, p.occupies) for p in workload.pod_sets
    )


def _is_near(requests: Iterable[tuple[int, Mapping[str, int]]]) -> bool:
    sums: Counter[str] = Counter()
    for count, each in requests:
        for resource, amount in each.items():
            if amount < 0 or amount.__class__ is WrappingAmount:
                return True
            sums[resource] += amount * max(1, count)
    return any(amount >= _NEAR for amount in sums.values())


def _of_one_moment(state: "KueueState") -> Iterator[Place]:
    """Workloads of one ClusterQueue, one priority and one moment."""
    heads = [(_queue_of(state, w), w.priority, w.queued) for w in state.pending]
    counts = Counter(heads)
    yield from (_place(w) for w, head in zip(state.pending, heads, strict=True) if counts[head] > 1)


def _queue_of(state: "KueueState", workload: Pending) -> str | None:
    local = state.local_queues.get((workload.key.namespace, workload.local_queue))
    return None if local is None else local.cluster_queue
