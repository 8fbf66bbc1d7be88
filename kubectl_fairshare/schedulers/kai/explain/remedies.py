"""Changes that would let a job in, each simulated: of its queue, of the job itself, or of the moment."""

from collections.abc import Callable, Iterator
from itertools import combinations, islice
from math import ceil, copysign
from typing import Final

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.amount_search import smallest
from kubectl_fairshare.schedulers.kai.explain.alternatives import (
    Alternative,
    higher_priorities,
    is_as_good,
    later_moments,
    other_pools,
    with_group,
)
from kubectl_fairshare.schedulers.kai.explain.decision import NewValue, Plan, Remedy, RemedyKind
from kubectl_fairshare.schedulers.kai.explain.minimums import lower_minimums
from kubectl_fairshare.schedulers.kai.explain.smaller import smaller_requests
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, UNLIMITED, KaiState, Queue, Resources
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.session.session import Session, open_session

Decide = Callable[[Session, bool], Plan]
"""The decision on a session; with True also whether it is the same in other runs of KAI."""
_HELPS = (Outcome.ADMITTED, Outcome.PREEMPTS)
_IN_PARTS: Final = frozenset({RemedyKind.LIMIT, RemedyKind.QUOTA, RemedyKind.BOUNDS})
"""The kinds whose changes may help one by one."""
_UNITS: Final = {"cpu": 1.0, "memory": 1e6, "gpu": 1.0}
"""The step of a change of bounds: a thousandth of a core, a megabyte, a GPU."""
_ALL_PARTS: Final = 4
"""The number of changes up to which every set of them is tried."""
_ALL_PAIRS: Final = 8
_LONG_PARTS: Final = 2
"""The most bounds that are changed together where one decision takes seconds: making a set small takes many."""


def remedies(session: Session, found: Plan, decide: Decide, *, long: bool = False) -> Iterator[Remedy]:
    """The changes that help, of each kind the smallest that was tried; others are left out.

    ``long``: a decision takes so long that no set of many changes is made small.
    """
    if not session.shard.name:  # no shard serves the job: another pool is all that helps
        yield from islice(filter(None, (_helped(each, decide) for each in other_pools(session, found.job))), 1)
        return
    if not found.chain or not session.is_leaf(found.job.queue) or not found.job.ready:
        return
    kinds = set[RemedyKind]()
    for kind, trials in _by_kind(session, found, _LONG_PARTS if long else None):
        if kind is RemedyKind.BOUNDS and kinds & {RemedyKind.LIMIT, RemedyKind.QUOTA}:
            continue
        remedy = next(filter(None, (_smallest(session, found, trial, decide) for trial in trials)), None)
        if remedy is not None:
            kinds.add(kind)
            yield remedy

    def helped(trial: Alternative) -> Remedy | None:
        return _helped(trial, decide)

    yield from lower_minimums(session, found.job, helped)
    yield from smaller_requests(session, found, helped)


def _by_kind(session: Session, found: Plan, most: int | None) -> Iterator[tuple[RemedyKind, Iterator[Alternative]]]:
    """The trials of each kind, none of which changes more than ``most`` bounds."""
    limits, quotas = tuple(_higher_bounds(found, "limit")), tuple(_higher_bounds(found, "quota"))

    def of_bounds(kind: RemedyKind, changes: tuple[NewValue, ...]) -> tuple[RemedyKind, Iterator[Alternative]]:
        few = most is None or len(changes) <= most
        return kind, _of_bounds(session, found, kind, changes if few else ())

    yield of_bounds(RemedyKind.LIMIT, limits)
    yield RemedyKind.PREEMPTIBLE, _preemptible(session, found.job)
    yield of_bounds(RemedyKind.QUOTA, quotas)
    yield of_bounds(RemedyKind.BOUNDS, (*limits, *quotas, *_lower_quotas(session, found)))
    yield RemedyKind.PRIORITY, higher_priorities(session, found.job)
    yield RemedyKind.POOL, other_pools(session, found.job)
    yield RemedyKind.LATER, later_moments(session, found.job)


def _smallest(session: Session, found: Plan, trial: Alternative, decide: Decide) -> Remedy | None:
    """The change if it helps, without the parts that are not needed, and each as small as the others let it be."""
    whole = _helped(trial, decide)
    if whole is None or trial.kind not in _IN_PARTS:
        return whole
    fewest = _with_fewer(session, found, whole, decide) or _without_each(session, found, whole, decide)
    while True:
        least = fewest
        for number in range(len(fewest.changes)):
            least = _least(session, found, least, number, decide)
        if least.changes == fewest.changes:
            return least
        fewer = _with_fewer(session, found, least, decide)  # a quota of 8 may do alone what one of 9 does not
        fewest = fewer if fewer is not None and is_as_good(fewer, least) else least


def _with_fewer(session: Session, found: Plan, remedy: Remedy, decide: Decide) -> Remedy | None:
    """The first smaller set of its changes that helps, too."""
    parts = (_with(session, found.job, remedy.kind, part) for part in _parts(remedy.changes))
    return next(filter(None, (_helped(part, decide) for part in parts)), None)


def _least(session: Session, found: Plan, remedy: Remedy, number: int, decide: Decide) -> Remedy:
    """The remedy with the smallest change of one bound, in whole units, that does the same."""
    change = remedy.changes[number]
    before, after, unit = change.before or 0.0, change.after or 0.0, _UNITS[change.field]
    steps = (after - before) / unit

    def less(amount: int) -> Remedy | None:
        smaller = change._replace(after=before + copysign(amount * unit, steps))
        changes = (*remedy.changes[:number], smaller, *remedy.changes[number + 1 :])
        return _helped(_with(session, found.job, remedy.kind, changes), decide)

    most = ceil(abs(steps))
    amount = smallest(1, most, lambda size: size == most or is_as_good(less(size), remedy), guess=most)
    return remedy if amount in (most, None) else less(amount or 0) or remedy


def _parts(changes: tuple[NewValue, ...]) -> Iterator[tuple[NewValue, ...]]:
    """The smaller sets of changes, small ones first; only one or two where there are many."""
    most = len(changes) - 1 if len(changes) <= _ALL_PARTS else 2 if len(changes) <= _ALL_PAIRS else 1
    return (part for size in range(1, most + 1) for part in combinations(changes, size))


def _without_each(session: Session, found: Plan, remedy: Remedy, decide: Decide) -> Remedy:
    """The remedy without each change that it does not need; few changes were tried in all their sets.

    What is needed next to others may not be once those are gone: only a round that finds nothing is the last one.
    """
    if len(remedy.changes) <= _ALL_PARTS:
        return remedy
    while True:
        before = remedy
        for change in before.changes:
            rest = tuple(one for one in remedy.changes if one != change)
            remedy = (_helped(_with(session, found.job, remedy.kind, rest), decide) if rest else None) or remedy
        if remedy is before:
            return remedy


def _helped(trial: Alternative, decide: Decide) -> Remedy | None:
    """The change, if the job gets in with it in every run of KAI that is tried."""
    session = open_session(trial.state, trial.shard)
    if trial.job not in session.jobs or decide(session, False).outcome not in _HELPS:
        return None
    then = decide(session, True)
    if then.outcome not in _HELPS:
        return None
    victims = {eviction.job.name for eviction in then.victims}
    moved = {eviction.job.name for eviction in then.moved} - victims
    return Remedy(trial.kind, trial.changes, then.outcome, len(victims), trial.then, len(moved))


def _of_bounds(session: Session, found: Plan, kind: RemedyKind, changes: tuple[NewValue, ...]) -> Iterator[Alternative]:
    """The trial of these bounds, if there are any."""
    if changes:
        yield _with(session, found.job, kind, changes)


def _preemptible(session: Session, job: Job) -> Iterator[Alternative]:
    """The trial of the job as a preemptible one, if it is not."""
    if not job.preemptible:
        place = Place(job.group.key, ("spec", "preemptibility"))
        changes = (NewValue("", "preemptibility", 0.0, 1.0, place),)
        yield _with(session, job, RemedyKind.PREEMPTIBLE, changes)


def _with(session: Session, job: Job, kind: RemedyKind, changes: tuple[NewValue, ...]) -> Alternative:
    """The trial of some changes of a kind that is made of parts, or of preemptibility."""
    return Alternative(kind, changes, after(session.state, job, kind, changes), session.shard, job.name)


def after(state: KaiState, job: Job, kind: RemedyKind, changes: tuple[NewValue, ...]) -> KaiState:
    """The state with changes of bounds or of preemptibility applied."""
    if kind is RemedyKind.PREEMPTIBLE:
        return with_group(state, replace(job.group, preemptible=True))
    return _with_bounds(state, changes)


def _higher_bounds(found: Plan, bound: str) -> Iterator[NewValue]:
    """The bounds from the leaf up that are too low for the job, with the values that it needs.

    KAI compares fair shares in all resources, so a quota may be too low in one that the job does not request.
    """
    asked = found.job.asked if bound == "limit" else found.job.request.total
    for standing in found.chain:
        fixed = bound == "quota" and not found.job.preemptible
        held = standing.non_preemptible if fixed else standing.allocated
        bounds: Resources = getattr(standing.queue, bound)
        for r in range(len(RESOURCES)):
            counts = asked[r] > 0 or (bound == "quota" and held[r] > standing.fair_share[r])
            if counts and bounds[r] != UNLIMITED and bounds[r] < held[r] + asked[r]:
                yield _new_bound(standing.queue, bound, r, held[r] + asked[r])


def _lower_quotas(session: Session, found: Plan) -> Iterator[NewValue]:
    """Lower quotas of the queues that KAI compares with the job's: without what the job needs of what they hold."""
    asked = found.job.request.total
    ours = {standing.queue.name: standing.queue.parent for standing in found.chain}
    for name, standing in sorted(session.standings.items()):
        if name in ours or standing.queue.parent not in ours.values():
            continue
        for r in range(len(RESOURCES)):
            left = max(standing.allocated[r] - asked[r], 0.0)
            if asked[r] and standing.allocated[r] and standing.queue.quota[r] > left:
                yield _new_bound(standing.queue, "quota", r, left)


def _new_bound(queue: Queue, bound: str, r: int, after: float) -> NewValue:
    place = None if queue.key is None else Place(queue.key, ("spec", "resources", RESOURCES[r], bound))
    bounds: Resources = getattr(queue, bound)
    return NewValue(queue.name, RESOURCES[r], bounds[r], after, place, bound=bound)


def _with_bounds(state: KaiState, changes: tuple[NewValue, ...]) -> KaiState:
    queues: dict[str, Queue] = dict(state.queues)
    for change in changes:
        known = queues.get(change.queue)
        if known is not None:
            bounds: Resources = getattr(known, change.bound)
            changed = bounds._replace(**{change.field: change.after or 0.0})
            queues[change.queue] = replace(known, **{change.bound: changed})
    return replace(state, queues=queues)
