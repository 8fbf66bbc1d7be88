"""The rules of KAI's fairness, in the order in which a cycle meets them.

Every rule is a function of amounts alone. What a queue deserves, may hold at most, holds, and was given as its fair
share are types of their own, so that none can stand for another. ``division``, ``session`` and ``reclaim`` ask these
questions, for every queue and job, and keep what they found out.
Source: KAI-Scheduler v0.17, documentation of fairness, reclaim and time-based fair share;
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

# --- division: what each of several siblings gets of one resource


def requestable(limit: float, request: float) -> float:
    """What of a request the limit leaves."""
    return request if limit == UNLIMITED else min(limit, request)


def given_by_quota(total: float, quota: float, limit: float, request: float) -> float:
    """Quotas come first, whatever the priority: as much of its quota as the queue asks for. Nothing is cut to fit."""
    return min(total if quota == UNLIMITED else quota, requestable(limit, request))


def satisfied(limit: float, request: float, share: float) -> bool:
    """A queue takes no part in rounds once it has what it asks for, or its limit."""
    return request <= share or (limit != UNLIMITED and limit <= share)


def weights_less_usage(weights: Sequence[float], usages: Sequence[float], k: float) -> list[float]:
    """KAI's formula: a weight ``n`` counts as n + k·(n − usage), and as nothing where that is negative."""
    return [max(0.0, weight + k * (weight - usage)) for weight, usage in zip(weights, usages, strict=True)]


def proposed_weights(weights: Sequence[float], usages: Sequence[float]) -> list[float]:
    """The proposal: max(W' − U', 0); where that leaves nothing to any, the weights of those that used exactly theirs.

    For 0 ÷ 0 the proposal says nothing. KAI's formula, of which this is the limit for large k, keeps W' there.
    """
    left = [max(weight - usage, 0.0) for weight, usage in zip(weights, usages, strict=True)]
    if any(left):
        return left
    return [
        weight if math.isclose(weight, usage, rel_tol=_SAME) else 0.0
        for weight, usage in zip(weights, usages, strict=True)
    ]


def whole_units(fair: float) -> float:
    """A round gives whole units: devices, thousandths of a core, bytes."""
    return float(max(math.floor(fair), 0))


def remainder_order(record: float, created: int, name: str) -> tuple[float, int, str]:
    """Last units go to those of which most was cut off, then to the oldest; the smaller comes first."""
    return (-record, created, name)


# --- what a queue may hold


def allocatable(quota: float, limit: float, fair_share: float) -> float:
    """What a queue may hold before it counts as above its share: the larger of quota and share, up to its limit."""
    if quota == UNLIMITED:
        return limit
    most = max(quota, fair_share)
    return most if limit == UNLIMITED else min(limit, most)


# --- allocation: limits, and quotas for what cannot be preempted, on the whole way up


def over_bound(bound: float, held: float, asked: float) -> bool:
    """What is not asked for violates nothing; to be exactly at a bound is allowed."""
    return bound != UNLIMITED and asked != 0 and bound < held + asked


# --- order: which of two siblings comes first, in this order of tests


def over_utilised(held: Allocated, share: FairShare) -> bool:
    """First comes a queue that does not hold more than its fair share in every resource."""
    return share[0] < held[0] and share[1] < held[1] and share[2] < held[2]


def starved(held: Allocated, job: Resources, quota: Deserved) -> bool:
    """Then one that stays within its quota with its next job."""
    return within(plus(held, job), quota)


def takes_without_share(held: Allocated, job: Resources, bounds: Allocatable) -> bool:
    """After priority: one that would hold nothing of what it may hold nothing of."""
    return (
        (bounds[0] == 0 and held[0] + job[0] > 0)
        or (bounds[1] == 0 and held[1] + job[1] > 0)
        or (bounds[2] == 0 and held[2] + job[2] > 0)
    )


def dominant_share(held: Resources, bounds: Allocatable, total: Resources) -> float:
    """Then the one with the smaller dominant share: the largest part that it holds of what it may.

    Where that is unlimited the cluster counts; of nothing, a held unit counts a thousand times.
    """
    largest = 0.0
    for r in range(3):
        bound = total[r] if bounds[r] == UNLIMITED else bounds[r]
        largest = max(largest, held[r] * _NO_SHARE_FACTOR if bound == 0 else held[r] / bound)
    return largest


# --- reclaim: who may, and whom a strategy lets go


def may_reclaim(held: Allocated, request: Requested, share: FairShare) -> bool:
    """A queue may reclaim while it stays within its fair share with the request, in every resource."""
    return within(plus(held, request), share)


def stays_within_quota(held: Allocated, request: Requested, quota: Deserved) -> bool:
    """Whether a side stays within its quota with the request, in every resource."""
    return within(plus(held, request), quota)


def maintains_fair_share(victim: Allocated, bounds: Allocatable) -> bool:
    """MaintainFairShare: a job may go while its side holds more than it may, in some resource."""
    return not within(victim, bounds)


def guarantees_deserved_quota(victim: Allocated, quota: Deserved, *, starving: bool) -> bool:
    """GuaranteeDeservedQuota: a job may go while its side is over its quota, for a ``starving`` asker."""
    return starving and not within(victim, quota)


def gives_for_quota(victim: Allocated, quota: Deserved, request: Requested) -> bool:
    """A side is looked at for a starving one where it is over its quota in a resource asked for, or at it in all."""
    under = False
    for asked, deserved, held in zip(request, quota, victim, strict=True):
        if asked <= 0 or deserved == UNLIMITED:
            continue
        if held > deserved:
            return True
        under = under or held < deserved
    return not under


def saturation(held: float, share: float) -> float:
    """What is held as a part of the fair share: 0 of an unlimited one, infinite where there is no share."""
    if share == UNLIMITED:
        return 0.0
    if share == 0:
        return math.inf if held > 0 else 0.0
    return held / share


def stays_behind(ours: float, theirs: float, share: float, multiplier: float) -> bool:
    """A side above its fair share must stay less saturated than a sibling that gives way, unless that has no share."""
    return not (ours > 1 and share > 0 and ours * multiplier >= theirs)


# --- min-runtime


def is_safe(start: int | None, span: int, now: int | None) -> bool:
    """A job is safe for a span after its start; one without a start, or with no moment to judge by, is not."""
    return start is not None and now is not None and now < start + span
