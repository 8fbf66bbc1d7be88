"""Who is evicted again and again, from what a cluster or a trace recorded.

Tested in ``tests/unit/policy/test_churn.py``.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from kubectl_fairshare.answers.churn import Churn, ChurningJob, EvictionCause, NotedEviction, QueuePair
from kubectl_fairshare.jobs.history import PastWork
from kubectl_fairshare.model.job_trace import TracedJob

LEAST: Final = 2
_NEAR: Final = 2 * 10**9
"""How far apart two records of one eviction may be: conditions have whole seconds."""
_NO_SPANS: Final = "how long jobs ran before an eviction is known where their admissions are, too"


def churn(past: PastWork, recorded: Mapping[str, Sequence[NotedEviction]], scheduler: str, least: int = LEAST) -> Churn:
    """The jobs that were evicted at least ``least`` times, and the queues for which that happened.

    ``recorded`` are evictions of jobs by ``namespace/name``, of which the source knows more.
    """
    every = [_job(job, recorded.get(job.key, ())) for job in past.jobs if job.evictions or job.uncounted]
    pairs = _pairs(each for several in recorded.values() for each in several)
    again = [each for each in every if each.evictions >= least]
    lost: Counter[str] = Counter()
    for each in again:
        lost.update({resource: amount * each.lost for resource, amount in each.job.total.items() if each.lost})
    notes = (_NO_SPANS,) if any(each.spans < each.evictions for each in again) else ()
    return Churn(
        scheduler=scheduler,
        least=least,
        jobs=tuple(sorted(again, key=lambda each: (-each.evictions, each.job.key))),
        pairs=tuple(pairs),
        cycles=tuple(cycles_of(pairs)),
        every=sum(each.evictions for each in every),
        lost=dict(sorted(lost.items())),
        notes=notes,
    )


def _job(job: TracedJob, recorded: Sequence[NotedEviction]) -> ChurningJob:
    counted = max(len(job.evictions), len(recorded))
    known = [_recorded(each.at, each.reason, recorded) for each in job.evictions] or list(recorded)
    causes = Counter((e.reason, "" if e.by is None else e.by.name, e.by_queue, e.rule) for e in known)
    queues = [each.queue for each in known if each.queue]
    spans = list(_lost(job))
    return ChurningJob(
        job=job,
        queue=queues[-1] if queues else job.queue,
        evictions=counted + job.uncounted,
        counted=counted,
        causes=tuple(EvictionCause(number, *cause) for cause, number in causes.most_common()),
        lost=sum(spans),
        spans=len(spans),
        last_at=max((each.at for each in known), default=None),
        finished=job.finished is not None,
    )


def _recorded(at: int, reason: str, recorded: Sequence[NotedEviction]) -> NotedEviction:
    """What else is known of the eviction at a moment."""
    near = (each for each in recorded if abs(each.at - at) <= _NEAR)
    return next(near, NotedEviction(at, reason))


def _lost(job: TracedJob) -> Iterator[int]:
    """How long the job ran before each eviction, where the record says when it was admitted."""
    starts, before = (*(() if job.admitted is None else (job.admitted,)), *job.readmitted), 0
    for stop in sorted(each.at for each in job.evictions):
        last = max((start for start in starts if before <= start <= stop), default=None)
        if last is not None:
            yield stop - last
        before = stop


def _pairs(evictions: Iterable[NotedEviction]) -> list[QueuePair]:
    found: dict[tuple[str, str], Counter[str]] = {}
    for each in evictions:
        if each.queue and each.by_queue:
            found.setdefault((each.queue, each.by_queue), Counter())[each.rule or each.reason] += 1
    pairs = (QueuePair(*queues, rules.total(), dict(rules.most_common())) for queues, rules in found.items())
    return sorted(pairs, key=lambda pair: (-pair.evictions, pair.queue, pair.by_queue))


def cycles_of(pairs: Iterable[QueuePair]) -> Iterator[tuple[str, ...]]:
    """The shortest ring of queues through each pair: a workload of each evicts one of the next, and so on to the first.

    Each ring is found once, and begins with its first queue by name. A queue that evicts in itself makes no ring.
    """
    victims: dict[str, list[str]] = {}
    for pair in pairs:
        if pair.queue != pair.by_queue:
            victims.setdefault(pair.by_queue, []).append(pair.queue)
    seen: set[tuple[str, ...]] = set()
    for start in sorted(victims):
        ring = _ring(start, victims)
        if ring:
            first = ring.index(min(ring))
            turned = (*ring[first:], *ring[:first])
            if turned not in seen:
                seen.add(turned)
                yield turned


def _ring(start: str, victims: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The shortest way from a queue back to it; empty without one."""
    ways: list[tuple[str, ...]] = [(start,)]
    reached = set[str]()
    for way in ways:  # grows while it is gone through: shorter ways come first
        for queue in sorted(victims.get(way[-1], ())):
            if queue == start:
                return way
            if queue not in reached:
                reached.add(queue)
                ways.append((*way, queue))
    return ()
