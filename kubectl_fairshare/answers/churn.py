"""Work that is evicted again and again: how often, for whom, by which rule, and what it lost. Data only.

Moments are nanoseconds since the epoch, spans nanoseconds.
Tested in ``tests/unit/policy/test_churn.py``.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from kubectl_fairshare.answers.documents import AnswerPart
from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.moments import exact_text
from kubectl_fairshare.model.values import field

_HOUR: Final = 3600 * 10**9
_SECOND: Final = 10**9


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


class EvictionCause(AnswerPart, frozen=True):
    """Evictions of one job with one cause. ``by`` is the name of a workload, empty where none is known."""

    evictions: int
    reason: str
    by: str = ""
    by_queue: str = ""
    rule: str = ""


class ChurningJob(AnswerPart, frozen=True):
    """A job that was evicted several times. ``counted`` evictions have a moment, the others are only counts.

    ``lostSeconds`` is how long it ran before ``spans`` of them, whose moments are known. ``last`` is the moment of the
    last eviction, null if none is known. ``finished``: it has ended since.
    """

    DOCUMENT = (
        *("namespace", "name", "queue", "evictions", "counted", "lost_seconds", "spans", "last", "finished", "causes"),
    )
    job: TracedJob
    queue: str
    evictions: int
    counted: int
    causes: tuple[EvictionCause, ...]
    lost: int
    spans: int
    last_at: int | None = None
    finished: bool = False

    @property
    def namespace(self) -> str:
        """The namespace of the job."""
        return self.job.namespace

    @property
    def name(self) -> str:
        """The name of the job."""
        return self.job.name

    @property
    def lost_seconds(self) -> float:
        """The lost time in seconds."""
        return self.lost / _SECOND

    @property
    def last(self) -> str | None:
        """The moment of the last eviction."""
        return None if self.last_at is None else exact_text(self.last_at)


class QueuePair(AnswerPart, frozen=True):
    """Evictions in one queue for workloads of another one, or of the same; ``rules`` count them by rule."""

    queue: str
    by_queue: str
    evictions: int
    rules: Mapping[str, int]


class Churn(AnswerPart, frozen=True):
    """The answer to `why --churn`: what was evicted at least ``least`` times, the most first; and all ``evictions``.

    ``pairs`` are of all evictions whose queues are known, the most first. ``cycles`` are rings of queues: a workload of
    each evicts one of the next, and so on to the first. ``lostHours`` is by resource: amounts times hours.
    """

    DOCUMENT = ("scheduler", "least", "every", "lost_hours", "jobs", "pairs", "cycles", "notes")
    scheduler: str
    least: int
    jobs: tuple[ChurningJob, ...]
    pairs: tuple[QueuePair, ...]
    cycles: tuple[tuple[str, ...], ...]
    every: int = field(name="evictions")
    lost: Mapping[str, int]  # by resource, amounts times nanoseconds
    notes: tuple[str, ...] = ()

    @property
    def lost_hours(self) -> dict[str, float]:
        """What was lost, by resource: amounts times hours."""
        return {resource: value / _HOUR / quantity.amount(resource, 1) for resource, value in self.lost.items()}
