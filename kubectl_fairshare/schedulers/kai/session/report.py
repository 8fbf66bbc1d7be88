"""Reports of KAI's engine: the queue tree with its figures, and what it does not count.

Decides nothing: it sums up a session for screens.
Tested in ``tests/unit/schedulers/kai/words/test_shares_answer.py``.
"""

from collections.abc import Iterator, Mapping

from kubectl_fairshare.answers.counts import NO_WORK, QueueCounts, QueueWork, own_counts, total_counts
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kai.division.fair_share import Undefined
from kubectl_fairshare.schedulers.kai.fairness import saturation
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, Resources, Shard
from kubectl_fairshare.schedulers.kai.model.usage import PastUsage
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.session.session import LostQueue, QueueAttributes, Session, Totals, open_session


class QueueReport(Value, frozen=True):
    """A queue with its figures. ``saturation`` is what it holds divided by its fair share, by resource.

    ``counts`` are of the jobs of a leaf, or of all descendants of an inner queue.
    """

    standing: QueueAttributes
    saturation: tuple[float, float, float]
    counts: QueueCounts
    children: tuple["QueueReport", ...] = ()

    @property
    def name(self) -> str:
        """The queue's name."""
        return self.standing.queue.name

    @property
    def preemptible(self) -> Resources:
        """What it holds that can be taken from it."""
        held, fixed = self.standing.allocated, self.standing.non_preemptible
        return Resources(*(held[r] - fixed[r] for r in range(3)))


class KaiShares(Value, frozen=True):
    """The queue tree. ``asked`` describes assumed requests.

    ``misplaced`` are jobs in queues that take none: by queue, with the reason and the number. ``others`` are the other
    shards with their number of queues; ``elsewhere`` counts jobs of other node pools. ``resources`` are those in
    question. ``outside`` counts jobs in no queue of the trees.
    """

    shard: Shard
    totals: Totals
    trees: tuple[QueueReport, ...]
    unassigned: Resources
    lost: tuple[LostQueue, ...]
    misplaced: tuple[tuple[str, str, int], ...]
    undefined: Undefined
    fidelity: Fidelity
    asked: str = ""
    past: PastUsage | None = None
    others: tuple[tuple[str, int], ...] = ()
    resources: tuple[str, ...] = RESOURCES
    outside: QueueCounts = NO_WORK
    elsewhere: QueueCounts = NO_WORK


def shares_of(session: Session, fidelity: Fidelity, asked: str = "") -> KaiShares:
    """The report of a session."""
    counts = _by_queue(session)
    trees = tuple(_report(session, name, counts) for name in session.children.get("", ()))
    given = [sum(tree.standing.fair_share[r] for tree in trees) for r in range(3)]
    rest = Resources(*(max(session.totals.total[r] - given[r], 0.0) for r in range(3)))
    return KaiShares(
        shard=session.shard,
        totals=session.totals,
        trees=trees,
        unassigned=rest,
        lost=session.lost,
        misplaced=tuple(_misplaced(session)),
        undefined=session.undefined,
        fidelity=fidelity,
        asked=asked,
        past=session.state.past,
        others=tuple(_others(session)),
        outside=_outside(session, counts),
        elsewhere=total_counts(NO_WORK, map(counted, other_sessions(session))),
    )


def _by_queue(session: Session) -> dict[str, QueueCounts]:
    return own_counts((job.queue, _work(job)) for job in session.jobs.values())


def counted(session: Session) -> QueueCounts:
    """All jobs of a session."""
    return total_counts(NO_WORK, _by_queue(session).values())


def other_sessions(session: Session) -> Iterator[Session]:
    """The sessions of other node pools that have jobs; one that no shard serves has one without a name."""
    state = session.state
    pools = {group.pool for group in state.pod_groups} - {session.shard.pool}
    for pool in sorted(pools, key=str):
        yield open_session(state, state.shard_of(pool) or Shard(name="", pool=pool))


def _outside(session: Session, counts: Mapping[str, QueueCounts]) -> QueueCounts:
    """The jobs of queues that are below no root."""
    walk = list(session.children.get("", ()))
    for name in walk:
        walk += session.children.get(name, ())
    inside = frozenset(walk)
    return total_counts(NO_WORK, (each for queue, each in counts.items() if queue not in inside))


def _others(session: Session) -> Iterator[tuple[str, int]]:
    pools = [queue.pool for queue in session.state.queues.values()]
    for shard in session.state.shards:
        if shard.name != session.shard.name:
            yield shard.name, pools.count(shard.pool)


def _report(session: Session, name: str, counts: Mapping[str, QueueCounts]) -> QueueReport:
    standing = session.standings[name]
    children = tuple(_report(session, child, counts) for child in session.children.get(name, ()))
    held, share = standing.allocated, standing.fair_share
    return QueueReport(
        standing,
        (saturation(held[0], share[0]), saturation(held[1], share[1]), saturation(held[2], share[2])),
        total_counts(counts.get(name, NO_WORK), (child.counts for child in children)),
        children,
    )


def _work(job: Job) -> QueueWork:
    """A job runs if it holds something; a job that runs and of which a further pod waits does not count as pending."""
    return QueueWork(bool(job.active), job.waits, job.group.created)


def _misplaced(session: Session) -> list[tuple[str, str, int]]:
    """Waiting jobs in a queue that takes none."""
    found: dict[tuple[str, str], int] = {}
    for job in session.jobs.values():
        if not job.known:
            found[job.queue, "unknown"] = found.get((job.queue, "unknown"), 0) + 1
        elif not session.is_leaf(job.queue) and job.waits:
            found[job.queue, "inner"] = found.get((job.queue, "inner"), 0) + 1
    return [(queue, why, count) for (queue, why), count in sorted(found.items())]
