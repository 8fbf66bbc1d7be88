"""Work that is evicted again and again: how often, for whom, by which rule, and what it lost. Data only.

Moments are nanoseconds since the epoch, spans nanoseconds.
Tested in ``tests/unit/policy/test_churn.py``.
"""

from collections.abc import Mapping
from typing import NamedTuple

from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value


class NotedEviction(NamedTuple):
    """What a cluster recorded of one eviction: for whom, and the queues of both; empty where nothing says it.

    ``reason`` is the scheduler's, ``rule`` what allows it: a field of the policy, or a short name.
    """

    at: int
    reason: str
    by: ObjectKey | None = None
    queue: str = ""
    by_queue: str = ""
    rule: str = ""


class EvictionCause(NamedTuple):
    """Evictions of one job with one cause. ``by`` is the name of a workload, empty where none is known."""

    evictions: int
    reason: str
    by: str = ""
    by_queue: str = ""
    rule: str = ""


class ChurningJob(Value, frozen=True):
    """A job that was evicted several times. ``counted`` evictions have a moment, the others are only counts.

    ``lost`` is the time that it ran before evictions, as far as both moments are known for ``spans`` of them. ``last``
    is the moment of the last eviction, None if none is known. ``finished``: it has ended since.
    """

    job: TracedJob
    queue: str
    evictions: int
    counted: int
    causes: tuple[EvictionCause, ...]
    lost: int
    spans: int
    last: int | None = None
    finished: bool = False


class QueuePair(NamedTuple):
    """Evictions in one queue for workloads of another one, or of the same; ``rules`` count them by rule."""

    queue: str
    by_queue: str
    evictions: int
    rules: Mapping[str, int]


class Churn(Value, frozen=True):
    """The ``jobs`` that were evicted at least ``least`` times, the most first; ``every`` counts all evictions.

    ``pairs`` are of all evictions whose queues are known, the most first. ``cycles`` are queues each of which evicts
    for the next one, and the last for the first. ``lost`` sums what was lost, by resource: amounts times nanoseconds.
    """

    scheduler: str
    least: int
    jobs: tuple[ChurningJob, ...]
    pairs: tuple[QueuePair, ...]
    cycles: tuple[tuple[str, ...], ...]
    every: int
    lost: Mapping[str, int]
    notes: tuple[str, ...] = ()
