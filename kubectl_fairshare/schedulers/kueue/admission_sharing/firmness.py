"""Whether an order by past usage is certain, although Kueue's manager knows more than the objects say.

Two LocalQueues are ordered for certain if every usage that one can have is below every one that the other can have, or
if both are known exactly.
Example: usage a is between 3 and 5, b between 6 and 7: a is first for certain. With b between 4 and 7 either may be,
and the answer is not exact.
Source: the manager's memory is ``AfsUsageLedger`` in
https://github.com/kubernetes-sigs/kueue/tree/v0.19.2/pkg/cache/queue/afs.
"""

from collections.abc import Iterable, Sequence

from kubectl_fairshare.schedulers.kueue.admission_sharing.past_usage import LocalQueueName, UsageLedger
from kubectl_fairshare.schedulers.kueue.model.workload import Pending


def is_firm(past: UsageLedger, one: LocalQueueName, other: LocalQueueName) -> bool:
    """Whether the order of two LocalQueues is certain."""
    if one == other:
        return True
    first, second = past.of(one), past.of(other)
    known = first.low == first.high and second.low == second.high
    # Equal bounds are no order: equal usages are decided by what comes after usage.
    return known or first.high < second.low or second.high < first.low


def has_firm_head(past: UsageLedger, cluster_queue: str, queue: Sequence[Pending]) -> bool:
    """Whether the first workload of a ClusterQueue's queue is first for certain."""
    if cluster_queue not in past.scoped or not queue:
        return True
    names = [(w.key.namespace, w.local_queue) for w in queue]
    return all(is_firm(past, names[0], name) for name in set(names))


def has_firm_order(past: UsageLedger, cluster_queue: str, names: Iterable[LocalQueueName]) -> bool:
    """Whether the LocalQueues of a ClusterQueue are in a certain order as victims; same names are not compared."""
    if cluster_queue not in past.scoped:
        return True
    known = sorted(set(names))
    return all(
        one[1] == other[1] or is_firm(past, one, other) for i, one in enumerate(known) for other in known[i + 1 :]
    )
