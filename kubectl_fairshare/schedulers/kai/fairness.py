"""The rules of KAI's fairness, in the order of a cycle.

Every rule is a function of amounts. What a queue deserves, may hold, holds, and got as its fair share are different
types, so they cannot be mixed up. ``division``, ``session`` and ``reclaim`` apply the rules to every queue and job, and
keep the results.
Why quota and fair share are different limits: a queue with quota 2 and fair share 6 that holds 5 is above the one and
below the other. A sibling below its own quota takes from it all the same; one that only wants a larger part may not.
Source: documentation of fairness, reclaim and time-based fair share, and
https://github.com/NVIDIA/KAI-Scheduler/tree/v0.17.0/pkg/scheduler/plugins/proportion;
"kai …" in ``docs/laws.md``.
"""

import math
from collections.abc import Sequence
from typing import Final

from kubectl_fairshare.schedulers.kai.model.amounts import plus, within
from kubectl_fairshare.schedulers.kai.model.objects import (
    UNLIMITED,
    Allocatable,
    Allocated,
    Deserved,
    FairShare,
    Requested,
    Resources,
)

_SAME: Final = 1e-9
_NO_SHARE_FACTOR: Final = 1000

# --- division: what each sibling gets of one resource


def requestable(limit: float, request: float) -> float:
    """The part of a request that the limit allows."""
    return request if limit == UNLIMITED else min(limit, request)


def given_by_quota(total: float, quota: float, limit: float, request: float) -> float:
    """Quotas come first, for every priority: as much of its quota as the queue requests, never scaled down."""
    # An unlimited quota is the level's whole amount, not without bound: siblings may together get more than there is.
    return min(total if quota == UNLIMITED else quota, requestable(limit, request))


def satisfied(limit: float, request: float, share: float) -> bool:
    """A queue leaves the rounds once it has its request, or its limit."""
    # At its limit it is satisfied, though it wants more.
    return request <= share or (limit != UNLIMITED and limit <= share)


def weights_less_usage(weights: Sequence[float], usages: Sequence[float], k: float) -> list[float]:
    """KAI's formula: a weight ``n`` counts as n + k·(n − usage), or as 0 if that is negative."""
    # Cut at 0: what a queue used too much in the past cannot become a debt of others.
    return [max(0.0, weight + k * (weight - usage)) for weight, usage in zip(weights, usages, strict=True)]


def proposed_weights(weights: Sequence[float], usages: Sequence[float]) -> list[float]:
    """The proposal: max(W' − U', 0). If that is 0 for every queue, the weights of those with usage equal to weight.

    The proposal does not define 0 ÷ 0. KAI's formula keeps W' there, and the proposal is its limit for large k.
    """
    left = [max(weight - usage, 0.0) for weight, usage in zip(weights, usages, strict=True)]
    if any(left):
        return left
    return [
        weight if math.isclose(weight, usage, rel_tol=_SAME) else 0.0
        for weight, usage in zip(weights, usages, strict=True)
    ]


def whole_units(fair: float) -> float:
    """A round gives whole units: devices, millicores, bytes."""
    # Rounded down; what is cut off goes to the largest remainders at the end.
    return float(max(math.floor(fair), 0))


def remainder_order(record: float, created: int, name: str) -> tuple[float, int, str]:
    """Last units go to the largest remainders, then to the oldest queues; the smaller key comes first."""
    return (-record, created, name)


# --- what a queue may hold


def allocatable(quota: float, limit: float, fair_share: float) -> float:
    """What a queue may hold before it counts as above its share: the larger of quota and share, up to its limit."""
    if quota == UNLIMITED:
        return limit
    most = max(quota, fair_share)
    return most if limit == UNLIMITED else min(limit, most)


# --- allocation: limits, and quotas for non-preemptible jobs, from the leaf to the root


def over_bound(bound: float, held: float, asked: float) -> bool:
    """A resource without a request exceeds nothing; an amount equal to the bound is allowed."""
    return bound != UNLIMITED and asked != 0 and bound < held + asked


# --- order: which of two siblings comes first, in this order of tests


def over_utilised(held: Allocated, share: FairShare) -> bool:
    """First: a queue that holds more than its fair share of every resource comes later."""
    # Every resource: above its share in GPUs alone a queue is not over-utilised for the order.
    return share[0] < held[0] and share[1] < held[1] and share[2] < held[2]


def starved(held: Allocated, job: Resources, quota: Deserved) -> bool:
    """Second: a queue that stays within its quota with its next job comes first."""
    return within(plus(held, job), quota)


def takes_without_share(held: Allocated, job: Resources, bounds: Allocatable) -> bool:
    """After priority: whether the job needs a resource of which the queue may hold nothing; that queue is later."""
    return (
        (bounds[0] == 0 and held[0] + job[0] > 0)
        or (bounds[1] == 0 and held[1] + job[1] > 0)
        or (bounds[2] == 0 and held[2] + job[2] > 0)
    )


def dominant_share(held: Resources, bounds: Allocatable, total: Resources) -> float:
    """Last: the queue with the smaller dominant share, the largest part of what it may hold.

    An unlimited bound counts as the cluster's total; with a bound of 0, each held unit counts a thousand times.
    """
    largest = 0.0
    for r in range(3):
        # Otherwise a queue without a limit would always have the smallest share.
        bound = total[r] if bounds[r] == UNLIMITED else bounds[r]
        largest = max(largest, held[r] * _NO_SHARE_FACTOR if bound == 0 else held[r] / bound)
    return largest


# --- reclaim: who may reclaim, and which victims a strategy allows


def may_reclaim(held: Allocated, request: Requested, share: FairShare) -> bool:
    """A queue may reclaim while it stays within its fair share with the request, in every resource."""
    return within(plus(held, request), share)


def stays_within_quota(held: Allocated, request: Requested, quota: Deserved) -> bool:
    """Whether a side stays within its quota with the request, in every resource."""
    return within(plus(held, request), quota)


def maintains_fair_share(victim: Allocated, bounds: Allocatable) -> bool:
    """MaintainFairShare: a victim is allowed while its side holds more than it may, in some resource."""
    return not within(victim, bounds)


def guarantees_deserved_quota(victim: Allocated, quota: Deserved, *, starving: bool) -> bool:
    """GuaranteeDeservedQuota: a victim is allowed while its side is over quota, if the reclaimer is ``starving``."""
    # Over quota in any one resource is enough, also in one that is not asked for.
    return starving and not within(victim, quota)


def gives_for_quota(victim: Allocated, quota: Deserved, request: Requested) -> bool:
    """Whether a side counts for a starving reclaimer: over quota in a requested resource, or at quota in all."""
    under = False
    for asked, deserved, held in zip(request, quota, victim, strict=True):
        if asked <= 0 or deserved == UNLIMITED:
            continue
        if held > deserved:
            return True
        under = under or held < deserved
    # A side exactly at its quota in all that is asked passes the filter, and is refused by the strategies later.
    return not under


def saturation(held: float, share: float) -> float:
    """What is held, divided by the fair share: 0 for an unlimited share, infinite without a share."""
    if share == UNLIMITED:
        return 0.0
    # Infinite only if it holds something; two sides that hold nothing are equal.
    if share == 0:
        return math.inf if held > 0 else 0.0
    return held / share


def stays_behind(ours: float, theirs: float, share: float, multiplier: float) -> bool:
    """A side above its fair share must stay less saturated than a sibling with victims, unless that has no share."""
    # At or below its own fair share a side may always take; a sibling without a share protects none of what it holds.
    return not (ours > 1 and share > 0 and ours * multiplier >= theirs)


# --- minimum runtime


def is_safe(start: int | None, span: int, now: int | None) -> bool:
    """A job is protected for a duration after its start; without a start or a current moment it is not."""
    # At the very end of the span it is no longer protected.
    return start is not None and now is not None and now < start + span
