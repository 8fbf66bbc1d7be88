"""Other forms of the same job, to be tried: a higher priority, another node pool, later.

Tested in ``tests/unit/schedulers/kai/explain/test_remedies.py``.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache
from typing import Final, NamedTuple

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.moments import moment_text
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.amount_search import largest
from kubectl_fairshare.schedulers.kai.explain.decision import NewValue, Remedy, RemedyKind
from kubectl_fairshare.schedulers.kai.model.objects import KaiState, Phase, PodGroup, Shard
from kubectl_fairshare.schedulers.kai.reclaim.min_runtime import preempt_min_runtime, reclaim_min_runtime
from kubectl_fairshare.schedulers.kai.session.jobs import NON_PREEMPTIBLE_FROM, Job
from kubectl_fairshare.schedulers.kai.session.session import Session

_CHART_CLASSES: Final = frozenset({"train", "build-preemptible", "build", "inference"})
_MOST_MOMENTS: Final = 8


class Alternative(NamedTuple):
    """A change to try: the state with it, the shard that decides, and the job's name. ``then``: what else it means."""

    kind: RemedyKind
    changes: tuple[NewValue, ...]
    state: KaiState
    shard: Shard
    job: str
    then: str = ""


Helped = Callable[[Alternative], Remedy | None]
"""What a change comes to; None if it does not help."""
_Tried = Callable[[int], Remedy | None]
_EACH: Final = 8
"""So many amounts are tried one by one: among others the search expects that a smaller one helps, too."""


def with_group(state: KaiState, group: PodGroup) -> KaiState:
    """The state with another form of a PodGroup."""
    return replace(state, pod_groups=tuple(group if each.key == group.key else each for each in state.pod_groups))


def higher_priorities(session: Session, job: Job) -> Iterator[Alternative]:
    """The priority classes above the job's that its namespace uses or that KAI's chart makes, lowest first."""
    state, group = session.state, job.group
    known = state.priorities.values
    here = {each.priority_class for each in state.pod_groups if each.key.namespace == group.key.namespace}
    for name, value in sorted(known.items(), key=lambda item: (item[1], item[0])):
        if value <= job.priority or name not in here | _CHART_CLASSES:
            continue
        place = Place(group.key, ("spec", "priorityClassName"))
        change = NewValue("", "priorityClassName", float(job.priority), float(value), place, name)
        fixed = job.preemptible and group.preemptible is None and value >= NON_PREEMPTIBLE_FROM
        then = "the job is then not preemptible" if fixed else ""
        changed = with_group(state, replace(group, priority_class=name))
        yield Alternative(RemedyKind.PRIORITY, (change,), changed, session.shard, job.name, then)


def other_pools(session: Session, job: Job) -> Iterator[Alternative]:
    """The job in another node pool, in a queue there that its namespace uses or that is the same team's."""
    state, group = session.state, job.group
    for shard in state.shards:
        if shard.pool == session.shard.pool:
            continue
        for queue in sorted(_queues_there(state, shard, group)):
            label = Place(group.key, ("metadata", "labels", state.pool_label))
            changes: tuple[NewValue, ...] = (NewValue("", "nodePool", None, None, label, shard.pool or ""),)
            if queue != group.queue:
                changes = (*changes, NewValue("", "queue", None, None, Place(group.key, ("spec", "queue")), queue))
            changed = with_group(state, replace(group, pool=shard.pool, queue=queue))
            yield Alternative(RemedyKind.POOL, changes, changed, shard, job.name)


def _queues_there(state: KaiState, shard: Shard, group: PodGroup) -> Iterator[str]:
    """The leaf queues of a pool that the job's namespace uses, or that have the name of the job's queue."""
    parents = {queue.parent for queue in state.queues.values()}
    mine = state.queues.get(group.queue)
    used = _used_queues(state, group)
    for name, queue in state.queues.items():
        if queue.pool != shard.pool or name in parents:
            continue
        same = mine is not None and bool(mine.display_name) and mine.display_name == queue.display_name
        if name in used or same or name == f"{group.queue}-{shard.pool}":
            yield name


def _used_queues(state: KaiState, group: PodGroup) -> Collection[str]:
    return {each.queue for each in state.pod_groups if each.key.namespace == group.key.namespace}


def later_moments(session: Session, job: Job) -> Iterator[Alternative]:
    """The same state once minimum runtimes are over, the earliest end first, with terminating pods gone."""
    state, now = session.state, session.now
    if now is None:
        return
    ends: dict[int, list[str]] = {}
    for name, moment in _ends(session, job, now):
        ends.setdefault(moment, []).append(name)
    pods = tuple(pod for pod in state.pods if pod.phase is not Phase.RELEASING)
    for moment in sorted(ends)[:_MOST_MOMENTS]:
        change = NewValue("", "now", None, None, None, moment_text(moment))
        names = sorted(ends[moment])
        then = f"the minimum runtime of {some_of(names, 1)} ends" if names[0] else "its own preemption delay ends"
        yield Alternative(
            RemedyKind.LATER, (change,), replace(state, now=moment, pods=pods), session.shard, job.name, then
        )


def _ends(session: Session, job: Job, now: int) -> Iterator[tuple[str, int]]:
    """The jobs whose minimum runtime is not over, each with its end; the job's own delay under no name."""
    group = job.group
    delay = max(group.created, group.last_eviction or 0) + group.preemption_delay
    if group.preemption_delay and delay > now:
        yield "", delay
    if not session.shard.protects:
        return
    for other in session.jobs.values():
        if not other.active or not other.preemptible or other.group.last_start is None or not other.known:
            continue
        if other.queue == job.queue:
            span = preempt_min_runtime(session, other.queue) if other.priority < job.priority else 0
        else:
            span, _ = reclaim_min_runtime(session, job.queue, other.queue)
        end = other.group.last_start + span
        if span and end > now:
            yield f"{other.group.key.namespace}/{other.name}", end


def largest_sizes(high: int, tried: _Tried, guesses: Iterable[int] = (), *, low: int = 1) -> Iterator[Remedy]:
    """The remedies of the largest size from ``low`` to ``high`` without evictions, and of a larger one with some."""
    known = cache(tried)
    now = _largest(low, high, lambda size: is_admitted(known(size)), guesses)
    after = _largest(max(low, now + 1), high, lambda size: known(size) is not None, guesses)
    for size in (now, after):
        remedy = known(size) if size else None
        if remedy is not None:
            yield remedy


def _largest(low: int, high: int, holds: Callable[[int], bool], guesses: Iterable[int]) -> int:
    if high - low < _EACH:
        return next((size for size in range(high, low - 1, -1) if holds(size)), 0)
    return largest(low, high, holds, guesses) or 0


def is_admitted(remedy: Remedy | None) -> bool:
    """Whether the change admits the job without evictions."""
    return remedy is not None and remedy.outcome is Outcome.ADMITTED


def is_as_good(remedy: Remedy | None, other: Remedy) -> bool:
    """Whether a change helps, and takes the pods of no more jobs than another one."""
    return remedy is not None and remedy.victims + remedy.moved <= other.victims + other.moved
