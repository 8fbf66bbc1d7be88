"""The orders that past usage decides: for the heads in a queue, and for its workloads as preemption candidates.

Why not usage for all candidates: two LocalQueues of different ClusterQueues may have the same name, and Kueue compares
usages only within one ClusterQueue; between queues priority and time count as always.
Source: ``CandidatesOrdering``, ``resourceUsagePreemptionEnabled`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/preemption/common/ordering.go, KEP-4136; "admission
fair sharing" in ``docs/laws.md``.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cmp_to_key
from typing import Any

from kubectl_fairshare.schedulers.kueue.admission_sharing.past_usage import UsageLedger
from kubectl_fairshare.schedulers.kueue.laws import candidate_order
from kubectl_fairshare.schedulers.kueue.model.workload import Holder


def usage_order(past: UsageLedger, cluster_queue: str) -> Callable[[Holder], Any]:
    """The candidate order in a queue that orders by past usage: evicted first, then the higher usage, then as usual.

    LocalQueues of the same name in different namespaces are not compared by usage.
    """

    def compare(a: Holder, b: Holder) -> int:
        # Kueue compares names without namespaces here, so namesakes count as one LocalQueue.
        if a.evicted is b.evicted and a.local_queue != b.local_queue:
            mine, other = (past.usage(cluster_queue, (h.key.namespace, h.local_queue)) for h in (a, b))
            if mine != other:
                return -1 if mine > other else 1
        first, second = candidate_order(a), candidate_order(b)
        return (first > second) - (first < second)

    return cmp_to_key(compare)


def is_ambiguous(ordered: Sequence[Holder], others: Iterable[Holder]) -> bool:
    """Whether the order of candidates is ambiguous: ``ordered`` by usage are of one queue, ``others`` of other queues.

    True where one workload goes before another by usage and after it by all else, and one of another queue, which is
    compared by all else alone, comes between the two: Kueue's sort then depends on chance.
    """
    keys = sorted(candidate_order(holder) for holder in others)
    for evicted in (True, False):
        highest: Any = None
        for holder in (h for h in ordered if h.evicted is evicted):
            key = candidate_order(holder)
            # a before b by usage, b before c and c before a by all else: no order fits, and a sort ends at any.
            if highest is not None and key < highest and any(key < other < highest for other in keys):
                return True
            highest = key if highest is None or key > highest else highest
    return False


def has_same_names(names: Iterable[tuple[str, str]]) -> bool:
    """Whether LocalQueues of several namespaces have one name."""
    plain = [name for _, name in set(names)]
    return len(plain) != len(set(plain))
