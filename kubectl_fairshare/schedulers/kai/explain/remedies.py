"""Changes that would let a job in, each simulated: a higher limit or quota, or a preemptible job."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kai.explain.decision import Plan, Remedy, RemedyKind
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, UNLIMITED, KaiState, Queue, Resources
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.session.session import Session, open_session

Decide = Callable[[Session], Plan]
Change = tuple[str, str, float, float, Place | None]
_HELPS = (Outcome.ADMITTED, Outcome.PREEMPTS)


def remedies(session: Session, found: Plan, decide: Decide) -> Iterator[Remedy]:
    """The changes that help; others are left out."""
    if not found.chain or not session.is_leaf(found.job.queue) or not found.job.ready:
        return
    for kind, changes in _candidate_changes(found):
        tried = Remedy(kind, changes, found.outcome, 0)
        then = decide(open_session(after(session.state, found.job, tried), session.shard))
        if then.outcome in _HELPS:
            victims = len({eviction.job.name for eviction in then.victims})
            yield replace(tried, outcome=then.outcome, victims=victims)


def after(state: KaiState, job: Job, remedy: Remedy) -> KaiState:
    """The state with the changes applied."""
    if remedy.kind is RemedyKind.PREEMPTIBLE:
        name = job.group.key
        groups = tuple(replace(g, preemptible=True) if g.key == name else g for g in state.pod_groups)
        return replace(state, pod_groups=groups)
    return _with_changes(state, remedy.changes, remedy.kind.value)


def _candidate_changes(found: Plan) -> Iterator[tuple[RemedyKind, tuple[Change, ...]]]:
    """Each change that may help."""
    limits, quotas = tuple(_higher_bounds(found, "limit")), tuple(_higher_bounds(found, "quota"))
    if limits:
        yield RemedyKind.LIMIT, limits
    if not found.job.preemptible:
        place = Place(found.job.group.key, ("spec", "preemptibility"))
        yield RemedyKind.PREEMPTIBLE, (("", "preemptibility", 0.0, 1.0, place),)
    if quotas:
        yield RemedyKind.QUOTA, quotas


def _higher_bounds(found: Plan, field: str) -> Iterator[Change]:
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
            yield standing.queue.name, resource, bounds[r], held[r] + asked[r], place


def _with_changes(state: KaiState, changes: tuple[Change, ...], field: str) -> KaiState:
    queues: dict[str, Queue] = dict(state.queues)
    for name, resource, _, after, _ in changes:
        known = queues.get(name)
        if known is not None:
            bounds: Resources = getattr(known, field)
            queues[name] = replace(known, **{field: bounds._replace(**{resource: after})})  # type: ignore[arg-type]
    return replace(state, queues=queues)
