"""Which namespaces may preempt a running pod: those of which some new pod takes it, whatever it asks for.

First what is necessary: a pod may go for a pod of its own namespace of a lower priority, or for one of a namespace that
borrows at its turn, if the most that a newcomer can get makes it leave. Then newcomers are tried on the node, by the
scheduler's own cycle. A namespace that passes the first and of which no newcomer is found stays, and is in doubt.
Source: scheduler-plugins, ``SelectVictimsOnNode``; the chapters of ElasticQuota in ``docs/laws.md``.
Tested in ``tests/unit/schedulers/elasticquota/preemption/test_exposures.py`` and
``tests/property/exact/test_pod_preemptors.py``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import Final, NamedTuple

from kubectl_fairshare.answers.preemptors import PreemptorNumbers
from kubectl_fairshare.answers.review import PossiblePreemptor, fall
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.explain.creation import refusals
from kubectl_fairshare.schedulers.elasticquota.gaps import plan_gaps, state_gaps
from kubectl_fairshare.schedulers.elasticquota.jobs.described import usual_scheduler
from kubectl_fairshare.schedulers.elasticquota.laws import Law, VictimSide
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.model.vector import PODS, vector_from
from kubectl_fairshare.schedulers.elasticquota.preemption.gate import gate
from kubectl_fairshare.schedulers.elasticquota.preemption.possible import possible_evictions
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import schedule
from kubectl_fairshare.schedulers.elasticquota.preemption.victims import QuotaPreemption, Scene, excesses_of, take
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.kubescheduler.importance import equals
from kubectl_fairshare.schedulers.turns.newcomers import (
    Newcomer,
    NewcomerRoom,
    PodTakers,
    Request,
    Trials,
    demand_of,
    higher_priority,
)

OUTSIDE: Final = "any namespace without a quota"
RULES: Final = {
    Law.OWN_LOWER: "higher priority in the namespace",
    Law.BORROWER: "reclaim, within its min",
    Law.UNQUOTED_LOWER: "higher priority, outside of quotas",
}
_MOST_ORDERS: Final = 64
_HIGHEST: Final = 2_000_001_000


def takers(state: State, numbers: PreemptorNumbers, pods: Iterable[Pod]) -> PodTakers:
    """Who may preempt each of the pods, which are on nodes."""
    found: dict[ObjectKey, set[PossiblePreemptor]] = {}
    places: dict[str, list[Pod]] = {}
    for pod in pods:
        found[pod.key] = set()
        places.setdefault(pod.node, []).append(pod)
    scheduler = usual_scheduler(state.source)
    trials, doubts = Trials(), {*_doubts(state, scheduler)} if places else set()
    newcomers: dict[tuple[ObjectKey, str], list[Newcomer]] = {}
    for node, there in sorted(places.items()):
        for namespace, law in _sides(state, there):
            stage = _QuotaStage(state, namespace, node, law, scheduler)
            able = {pod.key for pod in there if stage.may_take(pod)}
            taken = stage.taken(able, trials)
            doubts |= {stage.doubt} if able - taken.keys() else set()
            name = OUTSIDE if law is Law.UNQUOTED_LOWER else namespace
            for key in able if stage.doubt else taken:
                found[key].add(PossiblePreemptor(name, str(law), RULES[law]))
            for key, newcomer in taken.items():
                newcomers.setdefault((key, str(law)), []).append(newcomer)
    of = {key: numbers.set_of(each) for key, each in found.items()}
    return PodTakers(of, "; ".join(sorted(doubts)), newcomers)


def left_below(state: State, pod: Pod) -> Iterator[tuple[str, int]]:
    """How far the namespace is below its min once the pod has left, where it borrows now."""
    quota, used = state.source.quotas.get(pod.namespace), state.ledger.used(pod.namespace)
    if quota is None:
        return
    for resource in pod.charge.listed():
        less = fall(used.of(resource), quota.least.of(resource), pod.charge.of(resource))
        if less:
            yield resource, less


def _doubts(state: State, scheduler: str) -> Iterator[str]:
    """What is not modelled of a cycle of any newcomer, in clauses."""
    known = {*state_gaps(state).gaps}
    fidelity = plan_gaps(state, _newcomer("", 0, {}, scheduler), admitted=True, settled=bool(state.nodes) is False)
    yield from (fidelity.clause(gap) for gap in fidelity.gaps if gap.touches and gap not in known)


def _newcomer(namespace: str, priority: int, request: Request, scheduler: str) -> Pod:
    charge, whole = vector_from(request), vector_from({**request, PODS: 1})
    key = ObjectKey("", "Pod", namespace, "newcomer")
    return Pod(key, "newcomer", {}, priority, charge, whole, charge, scheduler=scheduler)


def _sides(state: State, pods: Sequence[Pod]) -> Iterator[tuple[str, Law]]:
    """The namespaces of which newcomers may come for pods of one node, each with the law."""
    spaces = sorted({pod.namespace for pod in pods})
    for space in spaces:
        yield space, Law.OWN_LOWER if state.ledger.has(space) else Law.UNQUOTED_LOWER
    if any(state.ledger.has(space) for space in spaces):
        yield from ((namespace, Law.BORROWER) for namespace in sorted(state.source.quotas))


class _QuotaCandidates(NamedTuple):
    """The candidates of a newcomer of one priority, the scene without them, and the most that it may ask for."""

    pods: Sequence[Pod]
    bare: Scene
    rooms: Sequence[NewcomerRoom]

    @property
    def most(self) -> Request:
        """The most of each resource."""
        return {room.resource: room.most for room in self.rooms}


class _QuotaStage:
    """The newcomers of one namespace on one node that take pods by one law.

    ``doubt`` is why a pod that none of those tried takes may be taken by another, in a clause.
    """

    doubt = ""

    def __init__(self, state: State, namespace: str, node: str, law: Law, scheduler: str) -> None:
        self._namespace, self._node, self._law, self._scheduler = namespace, node, law, scheduler
        here = {node: state.nodes[node]} if node in state.nodes else {}
        self._state = replace(state, nodes=here, pods={n: state.pods[n] for n in here})
        self._has_ties = any(equals(pods) for pods in self._state.pods.values())
        self._left_to_chance = False

    def may_take(self, pod: Pod) -> bool:
        """Whether some newcomer could take the pod at all."""
        if not self._is_aimed_at(pod) or (self._law is not Law.BORROWER and higher_priority(pod.priority) is None):
            return False
        if not self._state.nodes:
            return self._law is not Law.BORROWER or self._state.ledger.borrows(pod.namespace)
        most = self._most
        if most is None or pod not in most.pods:
            return False
        return bool(self._state.kept) or self._may_leave(pod, most)  # nominated pods may take more with a newcomer

    def taken(self, wanted: Set[ObjectKey], trials: Trials) -> Mapping[ObjectKey, Newcomer]:
        """What of the wanted pods newcomers take, each with one that does."""
        there = bool(self._state.nodes)
        priorities = self._priorities if there else ()
        found, complete = trials.by_priority(wanted, priorities, self._candidates, self._victims)
        complete = complete and not self._state.kept and not self._left_to_chance
        self.doubt = trials.doubt(has_node=there, complete=complete)
        return {key: Newcomer(self._namespace, self._node, *of) for key, of in found.items()}

    def _is_aimed_at(self, pod: Pod) -> bool:
        own, quoted = pod.namespace == self._namespace, self._state.ledger.has(pod.namespace)
        return {Law.OWN_LOWER: own, Law.BORROWER: quoted and not own}.get(self._law, not quoted)

    @cached_property
    def _priorities(self) -> Sequence[int]:
        """The highest, and one above each of the pods on the node; among borrowers, priorities decide nothing."""
        if self._law is Law.BORROWER:
            return (_HIGHEST,)
        there = (pod for pod in self._state.pods.get(self._node, ()) if self._is_aimed_at(pod))
        above = {higher_priority(pod.priority) for pod in there}
        return sorted((each for each in above if each is not None), reverse=True)

    @cached_property
    def _most(self) -> _QuotaCandidates | None:
        """The most candidates that a newcomer may have."""
        return self._candidates(self._priorities[0]) if self._priorities else None

    def _candidates(self, priority: int) -> _QuotaCandidates | None:
        """The candidates of newcomers of a priority; None where none gets in, or the smallest is on another side."""
        state, pod = self._state, _newcomer(self._namespace, priority, {}, self._scheduler)
        verdict = gate(state.ledger, pod, state.nominated(pod))
        search = QuotaPreemption(state, pod, demand_of(self._node), verdict)
        if self._law is Law.BORROWER and search.side is not VictimSide.BORROWERS:
            return None
        bare = Scene(state.loads[self._node], state.ledger)
        if self._law is not Law.BORROWER:
            found = [p for p in state.pods[self._node] if self._is_aimed_at(p) and p.priority < priority]
        elif self._has_ties:  # in another order, others may be gone when their namespace borrows no more
            found = [p for p in state.pods[self._node] if self._is_aimed_at(p) and state.ledger.borrows(p.namespace)]
        else:
            found = [each.pod for each in take(search, bare, state.pods[self._node])[0]]
        for each in found:
            bare = bare.without(each)
        if excesses_of(pod, verdict, bare.ledger)[0] is not None:
            return None
        return _QuotaCandidates(found, bare, [*self._rooms(found, bare)])

    def _rooms(self, candidates: Sequence[Pod], bare: Scene) -> Iterator[NewcomerRoom]:
        """What newcomers may ask for once the candidates have left."""
        ledger, quota = self._state.ledger, self._state.source.quotas.get(self._namespace)
        held = {r for pod in candidates for each in (pod.charge, pod.request) for r in each.listed() if each.of(r)}
        named = () if quota is None else (*quota.least.listed(), *quota.most.listed())
        for resource in sorted({*held, *named} - {PODS}):
            free = self._state.nodes[self._node].allocatable.of(resource) - bare.load.requested.of(resource)
            limits = [(free, [pod.request.of(resource) for pod in candidates])]
            within = list[int]()
            if quota is not None:
                own = [pod.charge.of(resource) for pod in candidates if pod.namespace == self._namespace]
                every = [pod.charge.of(resource) for pod in candidates]
                used = bare.ledger.used(self._namespace).of(resource)
                most = quota.bound(resource)
                limits += [] if most is None else [(most - used, own)]
                limits.append((ledger.pool.of(resource) - bare.ledger.total.of(resource), every))
                within = [max(0, quota.least.of(resource) - ledger.used(self._namespace).of(resource))]
            bounds = [*(limit for limit, _ in limits), *(within if self._law is Law.BORROWER else ())]
            yield NewcomerRoom(resource, max(0, min(bounds)), limits, within)

    def _may_leave(self, pod: Pod, candidates: _QuotaCandidates) -> bool:
        """Whether there may be no room for the pod next to the largest newcomer, in the node or in the quotas.

        Candidates that are more important, or as important, may be back already; where budgets count, all may.
        """
        if self._law is Law.OWN_LOWER and not self._may_exceed_min(candidates.most):
            return False
        budgets = any(each.namespace in self._state.budgets for each in candidates.pods)
        back = candidates.bare
        for each in candidates.pods:
            if budgets or each is pod or (-each.priority, each.start) <= (-pod.priority, pod.start):
                back = back.including(each)
        node, quota = self._state.nodes[self._node].allocatable, self._state.source.quotas.get(self._namespace)
        if back.load.count + 1 > node.pods:
            return True
        for resource, size in candidates.most.items():
            free = node.of(resource) - back.load.requested.of(resource)
            if pod.request.of(resource) > 0 and size > max(0, free):
                return True
            if quota is None or pod.charge.of(resource) <= 0:
                continue
            bound = quota.bound(resource) if pod.namespace == self._namespace else None
            if bound is not None and back.ledger.used(self._namespace).of(resource) + size > bound:
                return True
            if back.ledger.total.of(resource) + size > back.ledger.pool.of(resource):
                return True
        return False

    def _may_exceed_min(self, most: Request) -> bool:
        """Whether some newcomer takes its namespace above its min; nominated pods may count, too."""
        nominated = any(pod.namespace == self._namespace for pods in self._state.kept.values() for pod in pods)
        asked = {resource: size for resource, size in most.items() if size}
        return nominated or self._state.ledger.exceeds_min(self._namespace, vector_from(asked))

    def _victims(self, priority: int, request: Request) -> Iterator[ObjectKey]:
        """The pods that a newcomer takes by the law, by any order of equal pods."""
        pod, demand = _newcomer(self._namespace, priority, request, self._scheduler), demand_of(self._node)
        if refusals(self._state, pod):
            return
        attempt = schedule(self._state, pod, demand)
        ends = [attempt.trials[name] for name in attempt.preempted_on]
        if self._has_ties:
            ways = possible_evictions(self._state, pod, demand, attempt, _MOST_ORDERS)
            self._left_to_chance |= not ways.complete
            ends += [way.trial for way in ways.results if way.trial is not None]
        yield from (fate.pod.key for trial in ends for fate in trial.victims if fate.taken.law is self._law)
