"""Changes that would let a job in, each simulated: of its queue, of the job itself, or of the moment."""

from collections.abc import Callable, Iterator

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.explain.alternatives import (
    Alternative,
    higher_priorities,
    later_moments,
    lower_minimums,
    other_pools,
)
from kubectl_fairshare.schedulers.kai.explain.decision import NewValue, Plan, Remedy, RemedyKind
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, UNLIMITED, KaiState, Queue, Resources
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.session.session import Session, open_session

Decide = Callable[[Session, bool], Plan]
"""The decision on a session; with True also whether it is the same in other runs of KAI."""
_HELPS = (Outcome.ADMITTED, Outcome.PREEMPTS)


def remedies(session: Session, found: Plan, decide: Decide) -> Iterator[Remedy]:
    """The changes that help, of each kind the smallest that was tried; others are left out."""
    if not found.chain or not session.is_leaf(found.job.queue) or not found.job.ready:
        return
    for trials in _by_kind(session, found):
        helped = (_helped(trial, decide) for trial in trials)
        remedy = next((one for one in helped if one is not None), None)
        if remedy is not None:
            yield remedy


def _by_kind(session: Session, found: Plan) -> Iterator[Iterator[Alternative]]:
    yield _bounds_and_preemptibility(session, found, RemedyKind.LIMIT)
    yield _bounds_and_preemptibility(session, found, RemedyKind.PREEMPTIBLE)
    yield _bounds_and_preemptibility(session, found, RemedyKind.QUOTA)
    yield higher_priorities(session, found.job)
    yield lower_minimums(session, found.job)
    yield other_pools(session, found.job)
    yield later_moments(session, found.job)


def _helped(trial: Alternative, decide: Decide) -> Remedy | None:
    """The change, if the job gets in with it in every run of KAI that is tried."""
    session = open_session(trial.state, trial.shard)
    if trial.job not in session.jobs or decide(session, False).outcome not in _HELPS:
        return None
    then = decide(session, True)
    if then.outcome not in _HELPS:
        return None
    victims = len({eviction.job.name for eviction in then.victims})
    return Remedy(trial.kind, trial.changes, then.outcome, victims, trial.then)


def _bounds_and_preemptibility(session: Session, found: Plan, kind: RemedyKind) -> Iterator[Alternative]:
    """The trial of one kind, if there is one."""
    for known, changes in _candidate_changes(found):
        if known is kind:
            tried = Remedy(kind, changes, found.outcome, 0)
            yield Alternative(kind, changes, after(session.state, found.job, tried), session.shard, found.job.name)


def after(state: KaiState, job: Job, remedy: Remedy) -> KaiState:
    """The state with the changes of bounds, or of preemptibility, applied."""
    if remedy.kind is RemedyKind.PREEMPTIBLE:
        name = job.group.key
        groups = tuple(replace(g, preemptible=True) if g.key == name else g for g in state.pod_groups)
        return replace(state, pod_groups=groups)
    return _with_changes(state, remedy.changes, remedy.kind.value)


def _candidate_changes(found: Plan) -> Iterator[tuple[RemedyKind, tuple[NewValue, ...]]]:
    """Each change that may help."""
    limits, quotas = tuple(_higher_bounds(found, "limit")), tuple(_higher_bounds(found, "quota"))
    if limits:
        yield RemedyKind.LIMIT, limits
    if not found.job.preemptible:
        place = Place(found.job.group.key, ("spec", "preemptibility"))
        yield RemedyKind.PREEMPTIBLE, (NewValue("", "preemptibility", 0.0, 1.0, place),)
    if quotas:
        yield RemedyKind.QUOTA, quotas


def _higher_bounds(found: Plan, field: str) -> Iterator[NewValue]:
    """The bounds from the leaf up that are too low for the job, with the values that it needs."""
    asked = found.job.asked if field == "limit" else found.job.request.total
    for standing in found.chain:
        fixed = field == "quota" and not found.job.preemptible
        held = standing.non_preemptible if fixed else standing.allocated
        bounds: Resources = getattr(standing.queue, field)
        for r, resource in enumerate(RESOURCES):
            if asked[r] == 0 or bounds[r] == UNLIMITED or bounds[r] >= held[r] + asked[r]:
                continue
            place = None
            if standing.queue.key is not None:
                place = Place(standing.queue.key, ("spec", "resources", resource, field))
            yield NewValue(standing.queue.name, resource, bounds[r], held[r] + asked[r], place)


def _with_changes(state: KaiState, changes: tuple[NewValue, ...], field: str) -> KaiState:
    queues: dict[str, Queue] = dict(state.queues)
    for change in changes:
        known = queues.get(change.queue)
        if known is not None:
            bounds: Resources = getattr(known, field)
            raised = bounds._replace(**{change.field: change.after or 0.0})
            queues[change.queue] = replace(known, **{field: raised})
    return replace(state, queues=queues)
