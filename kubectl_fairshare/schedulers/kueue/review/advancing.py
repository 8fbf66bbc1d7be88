"""What may bring a waiting workload forward: the work of the snapshot once for each change, to be played on.

Its owner can ask for less, in another queue of the namespace, or with a higher priority class; an admin can raise the
quota that `why` names. Whether a change helps is for the plays to say.
Tested in ``tests/unit/policy/forecast/test_changes.py``.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from kubectl_fairshare.answers.answer import Maker
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.adoption import Adoption, WorkChange
from kubectl_fairshare.schedulers.kueue.explain.decision import Remedy, RemedyKind
from kubectl_fairshare.schedulers.kueue.explain.planning import plan
from kubectl_fairshare.schedulers.kueue.model.objects import Quota
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Pending, PodSet
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.schedulers.kueue.words.screens.plan_limits import change_clause

_QUEUES: Final = 2
_QUOTAS: Final = 2
_RAISED: Final = frozenset({RemedyKind.NOMINAL, RemedyKind.BORROWING_LIMIT, RemedyKind.LENDING_LIMIT})


def work_changes(state: State, job: str, taken: Callable[[Snapshot], Adoption]) -> Iterator[WorkChange]:
    """The changes for the Workload ``job``, if it waits; ``taken`` takes over the work of a snapshot."""
    kueue = state.snapshot.part(KueueState)
    asked = next((each for each in kueue.pending if each.name == job and each.refusal is None), None)
    if asked is None:
        return

    def changed(text: str, maker: Maker, later: KueueState) -> WorkChange:
        return WorkChange(text, maker, lambda: taken(state.snapshot.with_part(later)))

    def with_workload(text: str, other: Pending) -> WorkChange:
        pending = tuple(other if each is asked else each for each in kueue.pending)
        return changed(text, Maker.OWNER, replace(kueue, pending=pending))

    remedies = plan(state, asked, listed=True).remedies
    smaller = [_halved(asked), *(_resized(asked, each) for each in remedies if each.kind is RemedyKind.COUNT)]
    yield from (with_workload(*each) for each in dict(filter(None, smaller)).items())
    for name in _other_queues(state, asked)[:_QUEUES]:
        yield with_workload(f"LocalQueue {asked.local_queue or 'none'} → {name}", replace(asked, local_queue=name))
    for value, name in _higher_classes(kueue, asked)[:1]:
        text = change_clause(_remedy(RemedyKind.PRIORITY, asked.priority, value, named=name))
        yield with_workload(text, replace(asked, priority=value))
    for remedy in [each for each in remedies if each.kind in _RAISED and _is_of_objects(each)][:_QUOTAS]:
        yield changed(change_clause(remedy), Maker.ADMIN, _raised(kueue, remedy))


def _remedy(kind: RemedyKind, before: int, after: int, **more: str | None) -> Remedy:
    """A change as `why` says it; what it comes to is not known yet."""
    return replace(Remedy(kind, before, after, Outcome.UNKNOWN, 0), **more)


def _halved(asked: Pending) -> tuple[str, Pending] | None:
    """Half of the pods of the largest pod set, or half of what a single pod requests; None where nothing is halved."""
    place = max(range(len(asked.pod_sets)), key=lambda i: asked.pod_sets[i].count, default=None)
    if place is None:
        return None
    most = asked.pod_sets[place]
    named = most.name if len(asked.pod_sets) > 1 else None
    if most.count > 1:
        less = _fewer(most, -(-most.count // 2))
        remedies = [_remedy(RemedyKind.COUNT, most.count, -(-most.count // 2), pod_set=named)]
    else:
        less = _lighter(most)
        halves = ((r, amount, -(-amount // 2)) for r, amount in sorted(most.requests.items()))
        remedies = [
            replace(_remedy(RemedyKind.REQUEST, before, after, pod_set=named), pair=FlavorResource("", resource))
            for resource, before, after in halves
            if before > after
        ]
    if less is None or not remedies:
        return None
    first, *others = remedies
    return change_clause(replace(first, also=tuple(others))), _with(asked, place, less)


def _resized(asked: Pending, remedy: Remedy) -> tuple[str, Pending] | None:
    """So many pods as `why` found to fit now."""
    names = [pod_set.name for pod_set in asked.pod_sets]
    place = names.index(remedy.pod_set) if remedy.pod_set in names else 0
    less = _fewer(asked.pod_sets[place], int(remedy.after))
    shown = remedy if len(names) > 1 else replace(remedy, pod_set=None)
    return None if less is None else (change_clause(shown), _with(asked, place, less))


def _with(asked: Pending, place: int, less: PodSet) -> Pending:
    return replace(asked, pod_sets=(*asked.pod_sets[:place], less, *asked.pod_sets[place + 1 :]))


def _fewer(of: PodSet, count: int) -> PodSet | None:
    """So many pods; None below the minimum of partial admission, which a webhook refuses."""
    return None if count < (of.min_count or 0) else replace(of, count=count)


def _lighter(of: PodSet) -> PodSet:
    """Half of what a pod requests."""
    halves = {resource: -(-amount // 2) for resource, amount in of.requests.items()}
    return replace(of, requests=halves, occupies={r: -(-amount // 2) for r, amount in of.occupies.items()})


def _other_queues(state: State, asked: Pending) -> list[str]:
    """LocalQueues of the namespace that lead to another ClusterQueue."""
    own, there = state.cluster_queue_of(asked), state.kueue.local_queues.items()
    here = [(name, each.cluster_queue) for (namespace, name), each in there if namespace == asked.key.namespace]
    return sorted(name for name, queue in here if queue in state.kueue.cluster_queues and queue != own)


def _higher_classes(kueue: KueueState, asked: Pending) -> list[tuple[int, str]]:
    """The priority classes above the workload's priority, the lowest first."""
    return sorted((value, name) for name, value in kueue.workload_priorities.items() if value > asked.priority)


def _is_of_objects(remedy: Remedy) -> bool:
    """Whether all that it changes are quotas that objects state."""
    return all(each.object is not None and each.pair is not None for each in (remedy, *remedy.also))


def _raised(kueue: KueueState, remedy: Remedy) -> KueueState:
    """The objects with the quotas that a remedy raises."""
    for each in (remedy, *remedy.also):
        assert each.object is not None
        name = each.object.name
        if each.object.kind == "Cohort":
            cohort = kueue.cohorts[name]
            later = replace(cohort, quotas=_with_quota(cohort.quotas, each))
            kueue = replace(kueue, cohorts={**kueue.cohorts, name: later})
        else:
            queue = kueue.cluster_queues[name]
            kept = replace(queue, quotas=_with_quota(queue.quotas, each))
            kueue = replace(kueue, cluster_queues={**kueue.cluster_queues, name: kept})
    return kueue


def _with_quota(quotas: Mapping[FlavorResource, Quota], remedy: Remedy) -> Mapping[FlavorResource, Quota]:
    pair = remedy.pair
    assert pair is not None
    before, value = quotas.get(pair, Quota(0)), int(remedy.after)
    if remedy.kind is RemedyKind.NOMINAL:
        return {**quotas, pair: replace(before, nominal=value)}
    if remedy.kind is RemedyKind.BORROWING_LIMIT:
        return {**quotas, pair: replace(before, borrowing_limit=value)}
    return {**quotas, pair: replace(before, lending_limit=value)}
