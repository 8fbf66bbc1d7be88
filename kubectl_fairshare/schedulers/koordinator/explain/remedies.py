"""Changes that would get a pod in; each one is simulated, and listed only if it helps."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.amount_search import smallest
from kubectl_fairshare.schedulers.koordinator.explain.raises import (
    RaisedAmount,
    Raises,
    accepted_raise,
    one_less,
    raised_amounts,
    wider,
    with_amount,
)
from kubectl_fairshare.schedulers.koordinator.explain.trying import helps, remedy_of
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.model.amounts import Amounts, exact, whole
from kubectl_fairshare.schedulers.koordinator.model.names import PREEMPTIBLE, SPECIAL
from kubectl_fairshare.schedulers.koordinator.model.objects import Node, Pod, QuotaGroup
from kubectl_fairshare.schedulers.koordinator.preemption.scheduling import PodAttempt, schedule
from kubectl_fairshare.schedulers.koordinator.quotas.state import State, state_of, with_node, with_pods
from kubectl_fairshare.schedulers.kubescheduler.cycle import is_placed
from kubectl_fairshare.schedulers.kubescheduler.decision import ChangeKind, CycleEnd, Remedy, RemedyChange
from kubectl_fairshare.schedulers.kubescheduler.remedies import (
    PodRetrial,
    of_higher_class,
    preempting,
    smaller_request,
    uncordoned,
    within,
)

_MOST_DELETIONS: Final = 12
_FEW: Final = 4
_LARGE: Final = 2_000


def remedies(state: State, attempt: PodAttempt, written: Place, *, in_vain: bool) -> tuple[Remedy, ...]:
    """The changes that get the pod written at ``written`` in; empty if it gets in."""
    if is_placed(state.nodes, attempt) and not in_vain:
        return ()
    retrial = _retrial(state, attempt)
    return (
        *uncordoned(retrial),
        *preempting(retrial, written),
        *_of_preemptible(retrial, written),
        *_of_quota(state, attempt),
        *of_higher_class(retrial, written, _rivals(state, attempt), state.source.priorities),
        *_smaller_requests(retrial),
        *_deletion(state, attempt),
    )


def _retrial(state: State, attempt: PodAttempt) -> PodRetrial:
    def with_other(pod: Pod) -> tuple[State, PodAttempt]:
        # A waiting pod requests, too, which moves the runtime of its quota.
        changed = with_pods(state, [pod if other.key == pod.key else other for other in state.source.pods])
        return changed, schedule(changed, pod, attempt.demand)

    def with_changed(node: Node) -> tuple[State, PodAttempt]:
        changed = with_node(state, node)
        return changed, schedule(changed, attempt.pod, attempt.demand)

    return PodRetrial(state, attempt, with_other, with_changed, helps, remedy_of)


def _of_preemptible(of: PodRetrial, written: Place) -> Iterator[Remedy]:
    """Without the label, only the runtime limits the pod, and others may preempt it."""
    pod, refusal = of.attempt.pod, of.attempt.gate.refusal
    if refusal is not None and refusal.law is Law.OVER_MIN:
        labels = {name: value for name, value in pod.labels.items() if name != PREEMPTIBLE}
        change = RemedyChange(ChangeKind.PREEMPTIBLE, within(written, "metadata", "labels", PREEMPTIBLE))
        found = of.of(change, of.with_pod(replace(pod, labels=labels)))
        yield from () if found is None else (found,)


def _of_quota(state: State, attempt: PodAttempt) -> Iterator[Remedy]:
    """A higher max, a higher min, or a higher min of all quotas on the way: the first that helps."""
    refusal = attempt.gate.refusal
    quota = attempt.gate.quota
    if refusal is None or quota in SPECIAL or refusal.law is Law.PARENT_UNKNOWN:
        return
    needed = {r: refusal.used.get(r, 0) + refusal.request.get(r, 0) for r in refusal.exceeded}
    for wished in _raises(state, refusal.quota, refusal.law, needed):
        raised = accepted_raise(state, refusal.quota, wished)
        if raised is None or not helps(*_raised(state, attempt, raised)):
            continue
        yield _of_raises(state, attempt, _settled(state, attempt, refusal.quota, raised))
        return


def _settled(state: State, attempt: PodAttempt, quota: str, raised: Raises) -> Raises:
    """The raises without what is not needed, each as small as it can be once the others are."""
    fewer = _needed(state, attempt, quota, raised)
    while True:
        least = _needed(state, attempt, quota, _least(state, attempt, quota, fewer))
        if least == fewer:
            return least
        fewer = least


def _of_raises(state: State, attempt: PodAttempt, raised: Raises) -> Remedy:
    changes = (c for group in raised.values() for c in _changes(state.quotas[group.name], group))
    changed, found = _raised(state, attempt, raised)
    return remedy_of(changed, changes, found)


def _raised(state: State, attempt: PodAttempt, raised: Raises) -> tuple[State, PodAttempt]:
    """The state with the raised quotas, and the pod's attempt there."""
    changed = state_of(replace(state.source, quotas={**state.source.quotas, **raised}), (), state.texts)
    return changed, schedule(changed, attempt.pod, attempt.demand)


def _needed(state: State, attempt: PodAttempt, quota: str, raised: Raises) -> Raises:
    """The raises without the amounts that they also help without."""
    for fewer in one_less(state, raised):
        if accepted_raise(state, quota, fewer) == fewer and helps(*_raised(state, attempt, fewer)):
            return _needed(state, attempt, quota, fewer)
    return raised


def _least(state: State, attempt: PodAttempt, quota: str, raised: Raises) -> Raises:
    """The raises, each as small as the others let it be, with no more victims; those of lower quotas first."""
    victims = _of_raises(state, attempt, raised).victims

    def is_enough(fewer: Raises) -> bool:
        if accepted_raise(state, quota, fewer) != fewer or not helps(*_raised(state, attempt, fewer)):
            return False
        return _of_raises(state, attempt, fewer).victims <= victims

    for amount in raised_amounts(state, raised):
        raised = _least_of(raised, amount, is_enough)
    return raised


def _least_of(raised: Raises, amount: RaisedAmount, is_enough: Callable[[Raises], bool]) -> Raises:
    """The raises with the smallest value of one amount, perhaps what it was."""

    def holds(value: int) -> bool:
        return value == amount.after or is_enough(with_amount(raised, amount, value))

    value = smallest(amount.least, amount.after, holds, guess=amount.after)
    return raised if value is None else with_amount(raised, amount, value)


def _raises(state: State, quota: str, law: Law, needed: Amounts) -> Iterator[Raises]:
    """Quotas with higher amounts to try, by name; few changes first."""
    group = state.quotas[quota]
    if law is Law.OVER_MIN:
        yield {quota: wider(group, needed, needed)}
        return
    higher = wider(group, {}, needed)
    if higher != group:
        yield {quota: higher}
    if not state.source.arguments.uses_runtime:
        return
    least = wider(group, needed, needed)
    yield {quota: least}
    path = {quota: least}
    for above in state.figures(quota).tree.ancestors(quota):
        parent = state.quotas[above]
        if above not in state.source.quotas or not parent.max:
            break
        child, before = path[next(reversed(path))], state.quotas[next(reversed(path))]
        more = {r: child.min.get(r, 0) - before.min.get(r, 0) for r in needed}
        lifted = {r: parent.min.get(r, 0) + value for r, value in more.items()}
        path = {**path, above: wider(parent, lifted, lifted)}
        yield path


def _changes(before: QuotaGroup, after: QuotaGroup) -> Iterator[RemedyChange]:
    for kind, old, new in ((ChangeKind.MIN, before.min, after.min), (ChangeKind.MAX, before.max, after.max)):
        for resource in sorted(new):
            if new[resource] != old.get(resource):
                was = whole(resource, old[resource]) if resource in old else None
                place = before.place(kind.value, resource if resource in old else "")
                yield RemedyChange(kind, place, resource, was, whole(resource, new[resource]), quota=before.name)


def _rivals(state: State, attempt: PodAttempt) -> Iterator[int]:
    """The priorities of the pods that it could preempt."""
    for other in state.source.pods if attempt.pod.preempts else ():
        if other.node and state.quota_of[other.key].quota == attempt.gate.quota and other.preemptible:
            yield other.priority


def _smaller_requests(of: PodRetrial) -> Iterator[Remedy]:
    """Smaller requests of one resource each."""
    pod: Pod = of.attempt.pod
    for resource in sorted(pod.bare):
        asked, own = whole(resource, pod.charge.get(resource, 0)), whole(resource, pod.bare[resource])
        if own > 1 and asked >= own:
            yield from smaller_request(of, resource, asked, own, partial(_less, pod, resource), _room(of, resource))


def _room(of: PodRetrial, resource: str) -> set[int]:
    """What nodes and quotas have left of a resource."""
    state: State = of.state
    left = {
        whole(resource, node.allocatable.get(resource, 0)) - state.loads[name].requested.get(resource, 0)
        for name, node in state.nodes.items()
    }
    tests = [test for test in (of.attempt.gate.refusal,) if test is not None and resource in test.limit]
    return left | {whole(resource, test.limit[resource] - test.used.get(resource, 0)) for test in tests}


def _less(pod: Pod, resource: str, by: int) -> Pod:
    less = exact(resource, by)
    request, charged, bare = ({**each, resource: each[resource] - less} for each in (pod.request, pod.charge, pod.bare))
    return replace(pod, request=request, charge=charged, bare=bare)


def _deletion(state: State, attempt: PodAttempt) -> Iterator[Remedy]:
    """The least important pod whose deletion alone gets the pod in, those of its own quota first."""
    quota = attempt.gate.quota
    placed = [pod for pod in state.source.pods if pod.node and pod.key != attempt.pod.key]
    ordered = sorted(placed, key=lambda p: (state.quota_of[p.key].quota != quota, p.priority, -p.start, p.key))
    kinds: dict[tuple[str, str, int], list[Pod]] = {}
    for pod in ordered:
        kinds.setdefault((state.quota_of[pod.key].quota, pod.node, id(pod.request)), []).append(pod)
    tries = _MOST_DELETIONS if len(placed) <= _LARGE else _FEW
    working: list[tuple[Pod, PodAttempt, int]] = []
    for alike in list(kinds.values())[:tries]:
        changed = with_pods(state, [p for p in state.source.pods if p.key != alike[0].key])
        found = schedule(changed, attempt.pod, attempt.demand)
        if found.course is CycleEnd.SCHEDULABLE or (not state.nodes and found.gate.admits):
            working.append((alike[0], found, len(alike)))
    if working:
        pod, found, _ = working[0]
        others = sum(number for _, _, number in working) - 1
        change = RemedyChange(ChangeKind.DELETION, Place(pod.key), pod=pod)
        yield replace(remedy_of(state, [change], found), alternatives=others)
