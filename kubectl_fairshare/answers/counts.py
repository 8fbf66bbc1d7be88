"""How many workloads a queue has: what a workload counts as, how queues add up, and how that is shown.

Tested in ``tests/unit/answers/test_shares.py``.
"""

from collections.abc import Hashable, Iterable
from typing import Final, NamedTuple, TypeVar

from kubectl_fairshare.answers.figures import Figure
from kubectl_fairshare.model.moments import moment_text
from kubectl_fairshare.model.values import Value

K = TypeVar("K", bound=Hashable)


class QueueWork(NamedTuple):
    """A workload: whether it runs, whether it or a part of it waits, and when it was created.

    ``created`` is in nanoseconds since the epoch, None or 0 if it is not known.
    """

    runs: bool
    waits: bool
    created: int | None = None


class QueueCounts(Value, frozen=True, rename="camel"):
    """The workloads of a queue, with those of its descendants; ``oldestPending`` is when the oldest was created."""

    running: int = 0
    pending: int = 0
    oldest_pending: str | None = None

    @classmethod
    def of(cls, work: QueueWork) -> "QueueCounts":
        """What one workload counts as."""
        since = moment_text(work.created) if work.waits and work.created else None
        return cls(int(work.runs), int(work.waits), since)

    def plus(self, other: "QueueCounts") -> "QueueCounts":
        """Both together."""
        known = [since for since in (self.oldest_pending, other.oldest_pending) if since is not None]
        oldest = min(known, default=None)  # texts of moments in UTC are in the order of time
        return QueueCounts(self.running + other.running, self.pending + other.pending, oldest)


NO_WORK: Final = QueueCounts()
COUNTED: Final[tuple[Figure, ...]] = (Figure("oldestPending", "OLDEST PENDING", right=False, kept=False, wide=True),)
"""Figures of ``QueueCounts`` that no house puts in a place of its own: all tables of queues end with them."""


def counts_text(counts: QueueCounts, outside: QueueCounts = NO_WORK, elsewhere: QueueCounts = NO_WORK) -> str:
    """``15 running, 24 pending``, and how many of them are in no queue of the input, or in other node pools."""
    text = f"{counts.running:,} running, {counts.pending:,} pending"
    places = ((outside, "in no queue of the input"), (elsewhere, "in other node pools"))
    apart = "; ".join(f"{_parts_text(part)} {where}" for part, where in places if part.running or part.pending)
    return f"{text} ({apart})" if apart else text


def _parts_text(part: QueueCounts) -> str:
    words = ((part.running, "running"), (part.pending, "pending"))
    return " and ".join(f"{number:,} {word}" for number, word in words if number)


def own_counts(work: Iterable[tuple[K, QueueWork]]) -> dict[K, QueueCounts]:
    """The counts of each queue that has a workload, without those of its descendants."""
    found: dict[K, QueueCounts] = {}
    for queue, each in work:
        found[queue] = found.get(queue, NO_WORK).plus(QueueCounts.of(each))
    return found


def total_counts(own: QueueCounts, below: Iterable[QueueCounts]) -> QueueCounts:
    """The counts of a queue with those of its children."""
    for each in below:
        own = own.plus(each)
    return own
