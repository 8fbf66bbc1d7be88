"""Who may reclaim, and from whom: the rules of ``fairness``, applied to the two compared queues.

Why the two queues just below the common ancestor are compared, and not the leaves: a leaf above its own share in a
department below its quota is the department's own affair; no other department may take from it.
Source: https://github.com/NVIDIA/KAI-Scheduler/tree/v0.17.0/pkg/scheduler/plugins/proportion/reclaimable/strategies,
"kai reclaim" in ``docs/laws.md``.
Tested in ``tests/unit/schedulers/kai/reclaim/test_reclaim.py``.
"""

from collections.abc import Sequence

from kubectl_fairshare.schedulers.kai import fairness
from kubectl_fairshare.schedulers.kai.model.objects import Allocated, Requested
from kubectl_fairshare.schedulers.kai.session.session import QueueAttributes


def may_reclaim(leaf: QueueAttributes, request: Requested, *, preemptible: bool) -> bool:
    """Whether the queue stays within its fair share, and within its quota with non-preemptible jobs."""
    # Of the leaf, while victims are judged just below the common ancestor.
    if not fairness.may_reclaim(leaf.allocated, request, leaf.fair_share):
        return False
    # What cannot be preempted later may not be built on another queue's share.
    return preemptible or fairness.stays_within_quota(leaf.non_preemptible, request, leaf.queue.quota)


def compared_queues(
    asker: Sequence[QueueAttributes], victim: Sequence[QueueAttributes]
) -> tuple[QueueAttributes, QueueAttributes] | None:
    """The two compared queues: those below the lowest common ancestor, on each side.

    Both chains lead from a leaf to the root. None if one of the queues does not exist.
    """
    pair = None
    for ours, theirs in zip(reversed(asker), reversed(victim), strict=False):
        pair = ours, theirs
        if ours.queue.name != theirs.queue.name:
            break
    return pair


def is_starving(asker: QueueAttributes, request: Requested) -> bool:
    """Whether the reclaimer's side stays within its quota with the request, in all resources."""
    return fairness.stays_within_quota(asker.allocated, request, asker.queue.quota)


def allowing_strategies(
    pair: tuple[QueueAttributes, QueueAttributes], request: Requested, held: Allocated
) -> tuple[bool, bool]:
    """Whether MaintainFairShare, and whether GuaranteeDeservedQuota allows a victim while its side holds ``held``."""
    ours, theirs = pair
    by_quota = fairness.guarantees_deserved_quota(held, theirs.queue.quota, starving=is_starving(ours, request))
    return fairness.maintains_fair_share(held, theirs.allocatable), by_quota


def is_candidate(pair: tuple[QueueAttributes, QueueAttributes] | None, request: Requested) -> bool:
    """Whether jobs of the victim's queue are considered, by the figures of both sides."""
    if pair is None:
        return True
    ours, theirs = pair
    if not is_starving(ours, request):
        # One that is not starving can only use MaintainFairShare; KAI asks before it simulates.
        return fairness.maintains_fair_share(theirs.allocated, theirs.allocatable)
    return fairness.gives_for_quota(theirs.allocated, theirs.queue.quota, request)
