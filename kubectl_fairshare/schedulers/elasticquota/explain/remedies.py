"""Changes that would place a pod; each one is simulated, and listed only if it helps.

The tests of quotas are strict inequalities, so a raise is tried exactly where a test changes its result. If one
resource alone is raised, one unit less is not enough.
"""

from collections.abc import Iterable, Iterator
from heapq import heappop, heappush
from typing import Final, NamedTuple

from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.explain.deletion import deletion
from kubectl_fairshare.schedulers.elasticquota.explain.smaller import smaller_requests
from kubectl_fairshare.schedulers.elasticquota.explain.trying import helps, remedy_of
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuota, Node, Pod
from kubectl_fairshare.schedulers.elasticquota.model.vector import Excess, is_sound, vector_from
from kubectl_fairshare.schedulers.elasticquota.nodes.fit import Load, has_room
from kubectl_fairshare.schedulers.elasticquota.preemption.gate import QuotaVerdict
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import Attempt, places, schedule
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State, with_node, with_quota
from kubectl_fairshare.schedulers.kubescheduler.decision import ChangeKind, Remedy, RemedyChange
from kubectl_fairshare.schedulers.kubescheduler.remedies import HIGHEST_OF_USERS, class_of, uncordoned

_MOST_TRIES: Final = 16
_MOST_PRIORITIES: Final = 8


def remedies(state: State, attempt: Attempt, written: Place) -> tuple[Remedy, ...]:
    """The changes that would place the pod written at ``written``; empty if it is placed.

    Without nodes, the changes that let the quotas admit it.
    """
    if places(state, attempt):
        return ()
    found = (
        *_of_cordons(state, attempt),
        *_of_policy(state, attempt, written),
        *_of_quota(state, attempt),
        *_of_priority(state, attempt, written),
        *smaller_requests(state, attempt),
        *deletion(state, attempt),
    )
    return tuple(found)


def _of_cordons(state: State, attempt: Attempt) -> Iterator[Remedy]:
    asker = attempt.asker

    def tried(node: Node) -> Remedy | None:
        changed = with_node(state, node.uncordoned)
        found = schedule(changed, asker.pod, asker.demand)
        change = RemedyChange(ChangeKind.UNCORDON, Place(node.key, ("spec", "unschedulable")))
        return remedy_of(changed, [change], found) if helps(changed, found) else None

    return uncordoned(state.nodes.values(), asker.demand, lambda node: has_room(asker, node, Load()), tried)


def _of_policy(state: State, attempt: Attempt, written: Place) -> Iterator[Remedy]:
    pod = attempt.asker.pod
    if pod.preempts:
        return
    found = schedule(state, replace(pod, preempts=True), attempt.asker.demand)
    if helps(state, found):
        yield remedy_of(state, [RemedyChange(ChangeKind.POLICY, _in(written, "preemptionPolicy"))], found)


def _in(written: Place, name: str) -> Place:
    """A field in the spec of a pod or template."""
    return Place(written.object, (*written.path, "spec", name))


def _of_quota(state: State, attempt: Attempt) -> Iterator[Remedy]:
    """A higher maximum or minimum: few amounts before many, and the smallest raise of each."""
    if not attempt.gate.quoted:
        return
    quota = state.source.quotas[attempt.asker.pod.namespace]
    seen: set[_Raise] = set()
    to_try: list[_Raise] = []
    base, before, raised = state, attempt, _Raise()
    for _ in range(_MOST_TRIES):
        for further in (_within_max(quota, more) for more in _raises(base, before, raised)):
            if further not in seen:
                seen.add(further)
                heappush(to_try, further)
        if not to_try:
            return
        raised = heappop(to_try)
        base = with_quota(state, _wider(quota, raised))
        before = schedule(base, attempt.asker.pod, attempt.asker.demand)
        if helps(base, before):
            yield remedy_of(base, _changes(quota, raised), before)
            return


class _Raise(NamedTuple):
    """Amounts to raise, with their new values; ordered by their number, then by their size."""

    size: int = 0
    amounts: tuple[tuple[int, ChangeKind, str], ...] = ()

    def with_(self, kind: ChangeKind, excesses: Iterable[Excess]) -> "_Raise":
        """This raise, plus what is missing in amounts of ``kind``."""
        held = {(k, r): after for after, k, r in self.amounts}
        held |= {(kind, e.resource): e.bound + e.more for e in excesses}
        return _Raise(len(held), tuple(sorted((after, k, r) for (k, r), after in held.items())))


def _raises(state: State, attempt: Attempt, so_far: _Raise) -> Iterator[_Raise]:
    """The raises at which a test changes its result, on top of ``so_far``.

    They let the pod pass now, bring it within its minimum, or let it pass once the pods of one node are evicted.
    """
    gate, ledger = attempt.gate, state.ledger
    own = ledger.quotas[attempt.asker.pod.namespace].least
    found = {(t.exceeded, t.excesses) for t in attempt.trials.values() if t.exceeded is not None}
    if gate.verdict is not QuotaVerdict.SUCCESS:
        found.add((gate.law, gate.excesses))
    for law, excesses in sorted(found):
        if law is Law.OVER_MAX:
            yield so_far.with_(ChangeKind.MAX, excesses)
        else:
            short = (Excess(e.resource, e.more, own.of(e.resource), own.of(e.resource)) for e in excesses)
            yield so_far.with_(ChangeKind.MIN, short)
    if excesses := ledger.beyond_min_with(attempt.asker.pod.namespace, gate.in_quota):
        yield so_far.with_(ChangeKind.MIN, excesses)


def _within_max(quota: ElasticQuota, raised: _Raise) -> _Raise:
    """The raise with every maximum that would be below its minimum and was not, which E001 and E002 report.

    A written amount beyond 64 bits was not, whatever it counts as.
    """
    wider = _wider(quota, raised)
    sound = {r for r, written in quota.written_max.items() if is_sound(r, written)}
    new = (r for _, kind, r in raised.amounts if kind is ChangeKind.MIN or r not in sound)
    least = {r: (wider.least.of(r), wider.bound(r)) for r in new}
    lifted = (Excess(r, 0, v, v) for r, (v, most) in least.items() if most is not None and v > most)
    return raised.with_(ChangeKind.MAX, lifted)


def _wider(quota: ElasticQuota, raised: _Raise) -> ElasticQuota:
    """The quota with the raised amounts."""
    for kind in (ChangeKind.MIN, ChangeKind.MAX):
        held = quota.least if kind is ChangeKind.MIN else quota.most
        more = {r: after for after, k, r in raised.amounts if k is kind}
        if more:
            amounts = vector_from({**{r: held.of(r) for r in held.listed()}, **more})
            quota = replace(quota, min=amounts) if kind is ChangeKind.MIN else replace(quota, max=amounts)
    return quota


def _changes(quota: ElasticQuota, raised: _Raise) -> Iterator[RemedyChange]:
    """The changes to fields as the user writes them, by field and resource."""
    for after, kind, resource in sorted(raised.amounts, key=lambda amount: amount[1:]):
        is_min = kind is ChangeKind.MIN
        held, written = (quota.least, quota.written_min) if is_min else (quota.most, quota.written_max)
        before = held.of(resource) if resource in written else None
        yield RemedyChange(kind, quota.place(kind.value, resource), resource, before, after, quota=quota.namespace)


def _of_priority(state: State, attempt: Attempt, written: Place) -> Iterator[Remedy]:
    """The lowest priority at which the pod finds victims it can preempt, or outranks pods that are nominated."""
    pod = attempt.asker.pod
    for priority in _higher(state, attempt):
        found = schedule(state, replace(pod, priority=priority), attempt.asker.demand)
        if helps(state, found):
            place = _in(written, "priority")
            change = RemedyChange(ChangeKind.PRIORITY, place, before=pod.priority, after=priority)
            yield remedy_of(state, [change], found, class_of(state.source.priorities, priority))
            return


def _higher(state: State, attempt: Attempt) -> list[int]:
    """Priorities just above those of the pods that it could preempt, and of the nominated pods."""
    pod, ledger = attempt.asker.pod, state.ledger
    there: Iterable[Pod] = (p for pods in state.pods.values() for p in pods) if pod.preempts else ()
    rivals = {p.priority for p in there if _is_rival(pod, p, quoted=ledger.has(p.namespace), own=attempt.gate.quoted)}
    rivals |= {p.priority for pods in attempt.asker.kept.values() for p in pods}
    return sorted(p + 1 for p in rivals if pod.priority <= p < HIGHEST_OF_USERS)[:_MOST_PRIORITIES]


def _is_rival(pod: Pod, other: Pod, *, quoted: bool, own: bool) -> bool:
    return other.namespace == pod.namespace if own else not quoted
