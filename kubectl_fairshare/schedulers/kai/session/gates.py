"""Gates of allocation: the limits from the leaf up, then the quotas from the leaf up for non-preemptible jobs.

A resource without a request exceeds nothing; an amount equal to the bound is allowed.
Why quota is a bound too: a queue with quota 4 and limit 8 holds 4 in jobs that cannot be preempted. A preemptible job
of 2 may start, one that cannot be preempted may not: nothing could take its room back.
Source: https://github.com/NVIDIA/KAI-Scheduler/tree/v0.17.0/pkg/scheduler/plugins/proportion/capacity_policy; "kai
gates" in ``docs/laws.md``.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum

from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kai.fairness import over_bound
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, Resources
from kubectl_fairshare.schedulers.kai.session.session import QueueAttributes


class GateRefusal(StrEnum):
    """Why a job cannot be allocated, in KAI's words."""

    OVER_LIMIT = "OverLimit"
    OVER_QUOTA = "NonPreemptibleOverQuota"


class Exceeded(Value, frozen=True):
    """A bound of ``queue`` that ``held`` plus ``asked`` exceed."""

    reason: GateRefusal
    queue: str
    resource: str
    bound: float
    held: float
    asked: float


def gate(chain: Sequence[QueueAttributes], asked: Resources, *, preemptible: bool) -> Exceeded | None:
    """The first bound that keeps a job out, or None. ``chain`` leads from its queue to the root."""
    # All limits up to the root before any quota.
    return over_limit(chain, asked) or (None if preemptible else over_quota(chain, asked))


def over_limit(chain: Iterable[QueueAttributes], asked: Resources) -> Exceeded | None:
    """The first exceeded limit, from the leaf up."""
    for standing in chain:
        queue = standing.queue
        found = _exceeded(GateRefusal.OVER_LIMIT, queue.name, queue.limit, standing.allocated, asked)
        if found is not None:
            return found
    return None


def over_quota(chain: Iterable[QueueAttributes], asked: Resources) -> Exceeded | None:
    """The first quota, from the leaf up, that non-preemptible jobs would exceed."""
    for standing in chain:
        queue = standing.queue
        found = _exceeded(GateRefusal.OVER_QUOTA, queue.name, queue.quota, standing.non_preemptible, asked)
        if found is not None:
            return found
    return None


def _exceeded(reason: GateRefusal, queue: str, bounds: Resources, held: Resources, asked: Resources) -> Exceeded | None:
    for r, resource in enumerate(RESOURCES):
        if over_bound(bounds[r], held[r], asked[r]):
            return Exceeded(reason, queue, resource, bounds[r], held[r], asked[r])
    return None
