"""Who may reclaim, and from whom: the test of the leaf, the level of comparison, and the two strategies.

Source: KAI-Scheduler v0.17, "kai reclaim" in ``docs/laws.md``.
"""

from collections.abc import Sequence

from kubectl_fairshare.schedulers.kai.division.amounts import plus, within
from kubectl_fairshare.schedulers.kai.model.objects import UNLIMITED, Resources
from kubectl_fairshare.schedulers.kai.session.session import Standing


def may_reclaim(leaf: Standing, request: Resources, *, preemptible: bool) -> bool:
    """Whether the queue stays within its fair share with the request, in all resources.

    What cannot be preempted must also stay within the quota.
    """
    if not within(plus(leaf.allocated, request), leaf.fair_share):
        return False
    return preemptible or within(plus(leaf.non_preemptible, request), leaf.queue.quota)


def leveled(asker: Sequence[Standing], victim: Sequence[Standing]) -> tuple[Standing, Standing] | None:
    """The two queues that are compared: those below the lowest common ancestor, on either side.

    Both chains lead from a leaf to the root. None when one of the queues does not exist.
    """
    pair = None
    for ours, theirs in zip(reversed(asker), reversed(victim), strict=False):
        pair = ours, theirs
        if ours.queue.name != theirs.queue.name:
            break
    return pair


def fits_quota(asker: Standing, request: Resources) -> bool:
    """Whether the asker's side stays within its quota with the request, in all resources."""
    return within(plus(asker.allocated, request), asker.queue.quota)


def over_share(victim: Standing, held: Resources) -> bool:
    """MaintainFairShare: the victim's side holds more than it may, in some resource."""
    return not within(held, victim.allocatable)


def over_quota(victim: Standing, held: Resources) -> bool:
    """GuaranteeDeservedQuota, the victim's half: its side holds more than its quota in some resource."""
    return not within(held, victim.queue.quota)


def is_candidate(pair: tuple[Standing, Standing] | None, request: Resources) -> bool:
    """Whether jobs of the victim's queue are looked at, by the standing of both sides alone."""
    if pair is None:
        return True
    ours, theirs = pair
    if not fits_quota(ours, request):
        return over_share(theirs, theirs.allocated)
    return gives_for_quota(theirs, request)


def gives_for_quota(victim: Standing, request: Resources) -> bool:
    """Whether a side may give way to one within its quota: over its own in a resource asked for, or at it in all."""
    under = False
    for r, asked in enumerate(request):
        quota, held = victim.queue.quota[r], victim.allocated[r]
        if asked <= 0 or quota == UNLIMITED:
            continue
        if held > quota:
            return True
        under = under or held < quota
    return not under
