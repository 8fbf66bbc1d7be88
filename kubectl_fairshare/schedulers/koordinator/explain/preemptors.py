"""Which quotas may preempt a running pod: those of which some new pod takes it, whatever it asks for.

A pod may go for one of its own quota of a lower priority, if it leaves no room for that in the node or in the quota.
Newcomers are tried on the node, by the scheduler's own cycle; a newcomer also changes the runtime of its quota. Where
DefaultPreemption runs, a pod of any quota that takes all that lower priorities leave evicts each that holds some of it.
Source: koordinator v1.8.0, ``SelectVictimsOnNode``; the chapters of Koordinator in ``docs/laws.md``.
Tested in ``tests/unit/schedulers/koordinator/test_possible.py`` and ``tests/property/exact/test_pod_preemptors.py``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import Final, NamedTuple

from kubectl_fairshare.answers.preemptors import PreemptorNumbers
from kubectl_fairshare.answers.review import PossiblePreemptor, fall
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.koordinator.gaps import plan_gaps, state_gaps
from kubectl_fairshare.schedulers.koordinator.jobs.described import usual_scheduler
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.model import names
from kubectl_fairshare.schedulers.koordinator.model.amounts import Amounts, exact, whole
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.nodes.fit import Load, filter_result
from kubectl_fairshare.schedulers.koordinator.preemption.default_preemption import (
    has_default_preemption,
    nodes_of_default_preemption,
)
from kubectl_fairshare.schedulers.koordinator.preemption.possible import possible_evictions
from kubectl_fairshare.schedulers.koordinator.preemption.scheduling import PodAttempt, schedule
from kubectl_fairshare.schedulers.koordinator.quotas.state import State, with_pod
from kubectl_fairshare.schedulers.kubescheduler.importance import equals
from kubectl_fairshare.schedulers.turns.newcomers import (
    NO_NODE,
    Newcomer,
    NewcomerRoom,
    PodTakers,
    Request,
    Trials,
    demand_of,
    higher_priority,
)

_PODS: Final = "pods"
ANY_QUOTA: Final = "any quota"
NO_QUOTA: Final = "pods without a quota"
RULES: Final[Mapping[Law, str]] = {
    Law.OWN_LOWER: "lower priority in the same quota",
    Law.UNQUOTED_LOWER: "lower priority, both without a quota",
    Law.ACROSS_QUOTAS: "lower priority on a full node, by DefaultPreemption",
}
"""The short names of the rules by which pods are preempted."""
_MOST_ORDERS: Final = 64


def takers(state: State, numbers: PreemptorNumbers, pods: Iterable[Pod]) -> PodTakers:
    """Who may preempt each of the pods, which are on nodes."""
    found: dict[ObjectKey, set[PossiblePreemptor]] = {}
    newcomers: dict[tuple[ObjectKey, str], list[Newcomer]] = {}
    places: dict[tuple[str, str], list[Pod]] = {}
    for pod in pods:
        found[pod.key] = set()
        places.setdefault((pod.node, state.quota_of[pod.key].quota), []).append(pod)
    scheduler = usual_scheduler(state.source)
    trials, doubts = Trials(), set[str]()
    for (node, quota), there in sorted(places.items()):
        stage = _RuntimeStage(state, quota, node, replace(there[0], scheduler=scheduler))
        own = Law.OWN_LOWER if quota else Law.UNQUOTED_LOWER
        across = {pod.key for pod in there if stage.may_evict_across(pod)}
        able = {pod.key for pod in there if stage.may_take(pod)}
        taken = stage.taken(able, trials)
        doubts |= {stage.doubt} if able - taken.keys() else set()
        doubts |= {*stage.gaps()} if able else set()
        for key in able if stage.doubt else taken:
            found[key].add(PossiblePreemptor(quota or NO_QUOTA, str(own), RULES[own]))
        for key in across:
            found[key].add(PossiblePreemptor(ANY_QUOTA, str(Law.ACROSS_QUOTAS), RULES[Law.ACROSS_QUOTAS]))
        for key, newcomer in taken.items():
            newcomers.setdefault((key, str(own)), []).append(newcomer)
    of = {key: numbers.set_of(each) for key, each in found.items()}
    return PodTakers(of, "; ".join(sorted(doubts)), newcomers)


def left_below(state: State, pod: Pod) -> Iterator[tuple[str, int]]:
    """How far the quota is below its min once the pod has left, where it uses more now; in 10⁻⁹."""
    quota = state.quota_of[pod.key].quota
    if not quota:
        return
    used, least = state.sums(quota).used, state.quotas[quota].min
    for resource, amount in sorted(pod.charge.items()):
        less = fall(used.get(resource, 0), least.get(resource, 0), amount)
        if less:
            yield resource, less


class _RuntimeCandidates(NamedTuple):
    """The candidates of a newcomer of one priority, the load without them, and the most that it may ask for."""

    pods: Sequence[Pod]
    bare: Load
    rooms: Sequence[NewcomerRoom]
    used: Amounts
    least_limit: Amounts

    @property
    def most(self) -> Request:
        """The most of each resource."""
        return {room.resource: room.most for room in self.rooms}


class _RuntimeStage:
    """The newcomers of one quota on one node; they are of the same quota and scheduler as the pod ``like``.

    ``doubt`` is why a pod that none of those tried takes may be taken by another, in a clause.
    """

    doubt = ""

    def __init__(self, state: State, quota: str, node: str, like: Pod) -> None:
        self._whole, self._quota, self._node, self._like = state, quota, node, like
        here = {node: state.nodes[node]} if node in state.nodes else {}
        self._state = replace(state, source=replace(state.source, nodes=here))
        self._has_ties = bool(here) and bool(equals(state.pods[node]))
        self._left_to_chance = False

    def may_take(self, pod: Pod) -> bool:
        """Whether some newcomer could take the pod at all."""
        spares = self._state.source.arguments.spares_default and self._quota == names.DEFAULT
        if spares or not pod.preemptible or higher_priority(pod.priority) is None:
            return False
        most = self._most
        return not self._state.nodes or (most is not None and pod in most.pods and self._may_leave(pod, most))

    def may_evict_across(self, pod: Pod) -> bool:
        """Whether DefaultPreemption evicts the pod for one of a higher priority that takes all that it can get."""
        priority = higher_priority(pod.priority)
        if not has_default_preemption(self._whole) or priority is None:
            return False
        if not self._state.nodes:
            self.doubt = NO_NODE
            return True
        load = self._state.loads[self._node]
        for other in self._state.pods[self._node]:
            load = load.without(other) if other.priority < priority else load
        everything = {resource: size for resource, size in self._free(load).items() if size > 0}
        asking = replace(_pod(self._like, priority, everything), labels={}, nominated="")
        with_pod_back = filter_result(asking, demand_of(self._node), self._state.nodes[self._node], load.including(pod))
        if with_pod_back.passed:
            return False
        attempt = schedule(with_pod(self._state, asking), asking, demand_of(self._node))
        return self._node in nodes_of_default_preemption(self._state, attempt)

    def gaps(self) -> Iterator[str]:
        """What is not modelled of a cycle of any newcomer, in clauses."""
        known = {*state_gaps(self._whole).gaps}
        asking = replace(_pod(self._like, 0, {}), created=False)
        attempt = schedule(with_pod(self._state, asking), asking, demand_of(self._node))
        fidelity = plan_gaps(self._whole, attempt, admitted=True, settled=not self._whole.nodes)
        for gap in fidelity.gaps:
            if gap.touches and gap not in known and gap.feature != "DefaultPreemption":
                yield fidelity.clause(gap)

    def taken(self, wanted: Set[ObjectKey], trials: Trials) -> Mapping[ObjectKey, Newcomer]:
        """What of the wanted pods newcomers take, each with one that does."""
        there = bool(self._state.nodes)
        priorities = self._priorities if there else ()
        found, complete = trials.by_priority(wanted, priorities, self._candidates, self._victims)
        moves = bool(self._quota) and self._state.source.arguments.uses_runtime  # a newcomer moves its own limit
        complete = complete and not self._state.kept and not moves and not self._left_to_chance
        self.doubt = trials.doubt(has_node=there, complete=complete)
        return {key: Newcomer(self._quota, self._node, *of) for key, of in found.items()}

    def _is_aimed_at(self, pod: Pod) -> bool:
        return pod.preemptible and self._state.quota_of[pod.key].quota == self._quota

    @cached_property
    def _priorities(self) -> Sequence[int]:
        """One above each of the pods of the quota on the node, the highest first."""
        there = (pod for pod in self._state.pods.get(self._node, ()) if self._is_aimed_at(pod))
        above = {higher_priority(pod.priority) for pod in there}
        return sorted((each for each in above if each is not None), reverse=True)

    @cached_property
    def _most(self) -> _RuntimeCandidates | None:
        """The most candidates that a newcomer may have."""
        return self._candidates(self._priorities[0]) if self._priorities and self._state.nodes else None

    def _free(self, load: Load) -> dict[str, int]:
        """What the node has left, in inner units."""
        there = self._state.nodes[self._node].allocatable
        return {r: whole(r, nano) - load.requested.get(r, 0) for r, nano in sorted(there.items()) if r != _PODS}

    def _candidates(self, priority: int) -> _RuntimeCandidates:
        """The candidates of newcomers of a priority, and what the newcomers may ask for once these have left."""
        lower = [p for p in self._state.pods[self._node] if self._is_aimed_at(p) and p.priority < priority]
        bare, used = self._state.loads[self._node], dict(self._used)
        for each in lower:
            bare = bare.without(each)
            for resource, nano in () if each.ignored else each.charge.items():
                used[resource] = max(0, used.get(resource, 0) - nano)
        free = self._free(bare)
        least, most = self._limit({}), self._limit({resource: size for resource, size in free.items() if size > 0})
        rooms = []
        for resource, size in free.items():
            limits = [(size, [whole(resource, pod.request.get(resource, 0)) for pod in lower])]
            charges = [whole(resource, pod.charge.get(resource, 0)) for pod in lower]
            bounds = [whole(resource, each[resource]) for each in (least, most) if resource in each]
            limits += [(bound - whole(resource, used.get(resource, 0)), charges) for bound in bounds]
            bound = max((limit for limit, _ in limits[1:]), default=size)
            rooms.append(NewcomerRoom(resource, max(0, min(size, bound)), limits))
        return _RuntimeCandidates(lower, bare, rooms, used, least)

    @property
    def _used(self) -> Amounts:
        return self._state.sums(self._quota).used if self._quota else {}

    def _limit(self, request: Request) -> Amounts:
        """What the quota may use with a newcomer that asks for this."""
        if not self._quota:
            return {}
        asking = _pod(self._like, 0, request)
        return with_pod(self._state, asking).limit(self._quota)

    def _may_leave(self, pod: Pod, candidates: _RuntimeCandidates) -> bool:
        """Whether there may be no room for the pod next to the largest newcomer, in the node or in the quota.

        Candidates that are more important, or as important, may be back already; where budgets count, all may.
        """
        budgets = any(each.namespace in self._state.budgets for each in candidates.pods)
        back, used = candidates.bare, dict(candidates.used)
        for each in candidates.pods:
            if budgets or each is pod or (-each.priority, each.start) <= (-pod.priority, pod.start):
                back = back.including(each)
                for resource, nano in each.charge.items():
                    used[resource] = used.get(resource, 0) + nano
        if back.count + 1 > whole(_PODS, self._state.nodes[self._node].allocatable.get(_PODS, 0)):
            return True
        free = self._free(back)
        for resource, size in candidates.most.items():
            if pod.request.get(resource, 0) > 0 and size > max(0, free[resource]):
                return True
            wanted, limit = used.get(resource, 0) + exact(resource, size), candidates.least_limit.get(resource)
            if limit is not None and pod.charge.get(resource, 0) > 0 and wanted > limit:
                return True
        return False

    def _victims(self, priority: int, request: Request) -> Iterator[ObjectKey]:
        """The pods that a newcomer takes, by any order of equal pods; also one that lists what it does not ask for."""
        listed = {**dict.fromkeys(self._state.quotas[self._quota].max, 0), **request} if self._quota else request
        for asked in (request, listed) if len(listed) > len(request) else (request,):
            asking = _pod(self._like, priority, asked)
            state = with_pod(self._state, asking)
            attempt = schedule(state, asking, demand_of(self._node))
            yield from self._victims_of(state, attempt)

    def _victims_of(self, state: State, attempt: PodAttempt) -> Iterator[ObjectKey]:
        if attempt.chosen is None:
            return
        yield from (fate.pod.key for fate in attempt.chosen.victims)
        if self._has_ties:
            ways = possible_evictions(state, attempt, _MOST_ORDERS, _MOST_ORDERS)
            self._left_to_chance |= not ways.complete
            yield from (victim.key for way in ways.results for victim in way.victims)


def _pod(like: Pod, priority: int, request: Request) -> Pod:
    """A newcomer of the same quota and scheduler as another pod."""
    amounts = {resource: exact(resource, size) for resource, size in request.items()}
    labels = {name: value for name, value in like.labels.items() if name != names.PREEMPTIBLE}
    key = ObjectKey("", "Pod", like.namespace, "newcomer")
    return Pod(key, "newcomer", labels, priority, amounts, amounts, amounts, scheduler=like.scheduler)
