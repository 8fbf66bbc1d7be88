"""Koordinator's quotas on one state to which made-up pods are submitted: each goes through the scheduler's own cycle.

A pod that is placed holds its node at once; victims leave at once and wait again. Pods that wait are tried by
priority, then age, until none of them can be placed. A load is one pod: quotas admit pods one by one.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import chain
from typing import Final

from kubectl_fairshare.answers.answer import Answer
from kubectl_fairshare.answers.details import PlanDetail
from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.jobs.node_demand import NodeDemand
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.numbers import LARGEST
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import Value, field, replace
from kubectl_fairshare.schedulers.koordinator.explain.asking import state_in
from kubectl_fairshare.schedulers.koordinator.explain.doubts import doubts_of
from kubectl_fairshare.schedulers.koordinator.explain.planning import plan
from kubectl_fairshare.schedulers.koordinator.explain.proof import proof
from kubectl_fairshare.schedulers.koordinator.explain.trying import is_in_vain
from kubectl_fairshare.schedulers.koordinator.gaps import EQUAL_VICTIMS, INPUT_WAITS
from kubectl_fairshare.schedulers.koordinator.jobs.described import usual_scheduler
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.model.amounts import Amounts, exact, plus, whole
from kubectl_fairshare.schedulers.koordinator.model.names import QUOTA_NAME, ROOT
from kubectl_fairshare.schedulers.koordinator.model.objects import DEFAULT_SCHEDULER, Node, Pod
from kubectl_fairshare.schedulers.koordinator.nodes.fit import filter_result
from kubectl_fairshare.schedulers.koordinator.preemption.gate import quota_gate
from kubectl_fairshare.schedulers.koordinator.preemption.scheduling import PodAttempt, schedule
from kubectl_fairshare.schedulers.koordinator.quotas.state import State, state_of, with_pod, with_pods, with_quota
from kubectl_fairshare.schedulers.koordinator.release import Rounding
from kubectl_fairshare.schedulers.koordinator.words.plan_answer import plan_answer
from kubectl_fairshare.schedulers.kubescheduler.bounds import rejected_gaps
from kubectl_fairshare.schedulers.kubescheduler.decision import CycleEnd
from kubectl_fairshare.schedulers.kubescheduler.moving import rests_on_nodes
from kubectl_fairshare.schedulers.pod_replay import NODE_SCORES
from kubectl_fairshare.schedulers.question import PodOrigin
from kubectl_fairshare.schedulers.sandbox import (
    MOST_COPIES,
    MOST_STEPS,
    Aftermath,
    CountedOneByOne,
    MadeUpWork,
    PlacedStep,
    PromisedQuotas,
    Removal,
    Ruling,
    Site,
    is_scattered,
    ruling_of,
    tried_to_rest,
)

_PRESUMED: Final = "no Node is in the input: one with the sum of the top quotas' min is presumed (see `--nodes`)"
_NO_SHARE: Final[float | None] = None
_PODS: Final = 1 << 20
_SECOND: Final = 10**9
_KNOWN: Final = 64
_MOST_CLAIMS: Final = 1_000_000
"""Figures, times the copies of each, times the claims of a division."""
_OF_ONE_COPY: Final = 32
"""As many claims take as long as all else that a copy takes."""
_LEAST_COPIES: Final = 10
_FOR_REMAINDERS: Final = 3
_NOWHERE: Final = " "
"""No node has this name: a pod there runs, and takes no room."""


def opened(snapshot: Snapshot) -> "RuntimeSandbox":
    """The sandbox of a snapshot; pods that wait in it request what they do, and are not tried."""
    state = state_in(snapshot)
    pods = [*state.source.pods]
    bounds = state.source.bounds.compared((pod.key.namespace, pod.request) for pod in pods)
    state = replace(state, source=replace(state.source, bounds=bounds))
    notes: tuple[str, ...] = ()
    if not state.source.nodes:
        node = _node(state)
        pods = [replace(pod, node=node.name) if pod.node else pod for pod in pods]
        state = state_of(replace(state.source, nodes={node.name: node}), (), state.texts)
        notes = (_PRESUMED,)
    newest = max((pod.start for pod in pods if pod.started is not None), default=0)
    idle, scheduler = with_pods(state, pods), usual_scheduler(state.source)
    waits = INPUT_WAITS if any(not (pod.node or pod.gated or pod.terminating) for pod in pods) else ()
    return RuntimeSandbox(tuple(_sites(idle)), idle, newest + _SECOND, {}, (), notes, waits=waits, scheduler=scheduler)


def _node(state: State) -> Node:
    """A node with what the quotas at the top are guaranteed; a resource that no min names has the sum of all max."""
    tops = [state.quotas[name] for tree in state.trees.values() for name in tree.tree.children.get(ROOT, ())]
    resources = {r for top in tops for r in (*top.min, *top.max)}
    amounts = {}
    for resource in resources:
        least = sum(top.min.get(resource, 0) for top in tops)
        amounts[resource] = least or sum(top.max.get(resource, 0) for top in tops)
    allocatable = {**amounts, "pods": exact("pods", _PODS)}
    return Node(ObjectKey("", "Node", "", "presumed"), {}, (), False, allocatable)


def _sites(state: State) -> Iterator[Site]:
    for name, group in state.source.quotas.items():
        figures = state.figures(name)
        if name == ROOT or figures.tree.children.get(name):
            continue
        guaranteed = {("", r): whole(r, group.min.get(r, 0)) for r in sorted({*group.min, *group.max})}
        most: dict[tuple[str, str], int | None] = {}
        for _, resource in guaranteed:
            total = whole(resource, figures.total.get(resource, 0))
            bound = whole(resource, group.max[resource]) if resource in group.max else None
            most["", resource] = None if bound is None else min(bound, max(0, total), LARGEST)
        yield Site(name, guaranteed, most)


class RuntimeSandbox(CountedOneByOne, Value, frozen=True):
    """One state. ``loads`` are all that were submitted, with their pods, and ``queue`` the pods that wait.

    ``scattered`` are the pods that the scheduler may have put on other nodes, by their identity. ``waits`` is the gap
    of pods of the input that wait, ``scheduler`` the one that submitted pods name.
    """

    sites: tuple[Site, ...]
    state: State
    clock: int
    loads: Mapping[str, tuple[MadeUpWork, Pod]]
    queue: tuple[Pod, ...]
    notes: tuple[str, ...] = field(default=())
    doubts: tuple[Gap, ...] = ()
    scattered: frozenset[str] = frozenset()
    waits: tuple[Gap, ...] = ()
    scheduler: str = DEFAULT_SCHEDULER

    @property
    def single_pods(self) -> bool:
        """Yes: quotas admit pods one by one."""
        return True

    @property
    def most_figures(self) -> int:
        """As many as come to a bounded number of objects: each figure goes through quotas, pods and nodes.

        Where remainders are handed out, all siblings are ranked in each round, which takes several times as long.
        """
        source = self.state.source
        steps = MOST_STEPS if source.rounding is Rounding.EACH else MOST_STEPS // _FOR_REMAINDERS
        return max(1, steps // (len(self.state.quotas) + len(source.pods) + len(source.nodes)))

    def most_copies(self, figures: int) -> int:
        """A thousand, or as many as come to a bounded number of claims: each copy is a division among the quotas."""
        claims = len(self.state.quotas) + _OF_ONE_COPY
        return min(MOST_COPIES, max(_LEAST_COPIES, _MOST_CLAIMS // max(1, figures * claims)))

    @property
    def promised(self) -> PromisedQuotas:
        """The min of the quotas at the top: the min of those below is a part of it."""
        figures = self.state.trees.values()
        tops = [self.state.quotas[name] for each in figures for name in each.tree.children.get(ROOT, ())]
        resources = sorted({resource for top in tops for resource in (*top.min, *top.max)})
        sums = {r: whole(r, sum(top.min.get(r, 0) for top in tops)) for r in resources}
        return PromisedQuotas("min of the top quotas", sums)

    def submitted(self, name: str, load: MadeUpWork) -> Aftermath:
        """The state once the pod has arrived and all that wait have been tried until nothing changes."""
        pod = self._pod(name, load)
        loads = {**self.loads, name: (load, pod)}
        rejected = rejected_gaps(self._origin(pod).refusals)
        course = _Rounds(self.state, [*self.queue, pod], loads, self.scattered)
        rests, cycles, loop = tried_to_rest(course.waiting, course.attempt, course.placed, course.steps)
        sandbox = replace(
            self,
            state=course.state,
            clock=self.clock + _SECOND,
            loads=loads,
            queue=tuple(course.waiting),
            doubts=tuple(dict.fromkeys((*self.doubts, *self.waits, *rejected, *course.doubts))),
            scattered=frozenset(course.scattered),
        )
        return Aftermath(sandbox, tuple(course.removals), rests, cycles, loop=loop)

    def queue_called(self, name: str) -> str | None:
        """The quota of that name; also ``NAMESPACE/QUOTA``."""
        quota = name.rpartition("/")[2]
        return quota if any(site.queue == quota for site in self.sites) else None

    def placed(self, name: str, load: MadeUpWork, pool: str = "") -> "RuntimeSandbox":  # noqa: ARG002 -- there are no pools
        """The state in which the pod is on the first node that has room. Raises ``UsageError`` if none has."""
        pod = self._pod(name, load)
        nodes = _roomy(self.state, pod, load.demand)
        there = replace(pod, node=nodes[0], running=True)
        moves = len(nodes) > 1 or (self.scattered and len(self.state.nodes) > 1)
        return replace(
            self,
            state=with_pod(self.state, there),
            clock=self.clock + _SECOND,
            loads={**self.loads, name: (load, pod)},
            scattered=self.scattered | {pod.uid} if moves else self.scattered,
        )

    def answer(self, load: MadeUpWork) -> Answer[PlanDetail]:
        """What one cycle does with the pod now."""
        pod = self._pod("submitted", load)
        state = self._with(pod)
        return plan_answer(plan(state, pod, load.demand, self._origin(pod), remedied=False), state, ())

    def share(self, queue: str) -> float | None:  # noqa: ARG002 -- no quota has one
        """No number: quotas are not ordered by a share."""
        return _NO_SHARE

    def ruling(self, load: MadeUpWork, pool: str = "") -> Ruling:  # noqa: ARG002 -- there are no pools
        """What one cycle does with the pod now."""
        pod = self._pod("submitted", load)
        state = self._with(pod)
        found = plan(state, pod, load.demand, self._origin(pod), remedied=False, briefly=True, proven=False)
        tied = EQUAL_VICTIMS if found.fidelity.modelled and found.outcome is not found.computed else ()

        def chance() -> tuple[Gap, ...]:
            return (*tied, *self.doubts_about(load))

        def proven() -> Answer[PlanDetail]:
            return plan_answer(replace(found, proof=proof(state, found.attempt)), state, ())

        if found.attempt.chosen is None:
            gaps = found.fidelity.gaps
            return Ruling(
                found.computed, what_binds=lambda: ruling_of(proven(), ()).what_binds(), gaps=gaps, chance=chance
            )
        answer = proven()
        return ruling_of(answer, (each.queue for each in answer.victims))._replace(chance=chance)

    def doubts_about(self, load: MadeUpWork) -> tuple[Gap, ...]:
        """Those of the way to this state, and where earlier pods are, if that decides."""
        pod = self._pod("submitted", load)
        doubts = (*self.state.source.bounds.gaps(pod.key.namespace), *self.doubts)
        if not self.scattered:
            return doubts
        state = self._with(pod)
        decides = rests_on_nodes(state, schedule(state, pod, load.demand), self.scattered)
        return (*doubts, NODE_SCORES) if decides else doubts

    def copies(self, load: MadeUpWork, pool: str, most: int) -> int:  # noqa: ARG002 -- there are no pools
        """How many such pods get in now, one after another and without preemption; at most ``most``.

        The next pod arrives as the one before it is placed. Copies are equal: those that are placed count as one pod
        that asks for all of them, and a node that is full stays full.
        """
        state, pod, room = self._with(), self._pod("submitted", load), self._room(load)
        most = state.source.bounds.copies(pod.key.namespace, pod.request, self._beside(pod), most)
        for number in range(most):
            placed = {resource: number * value for resource, value in pod.charged.items()}
            there = replace(pod, key=pod.key._replace(name="copies"), charged=placed, bare=placed, node=_NOWHERE)
            after = with_pod(state, there) if number else state
            if not quota_gate(with_pod(after, pod), pod).admits or next(room, None) is None:
                return number
        return most

    def _room(self, load: MadeUpWork) -> Iterator[str]:
        """The node of each copy, as long as there is room for one more."""
        pod = self._pod("submitted", load)
        for name, node in self.state.nodes.items():
            held = self.state.loads[name]
            while filter_result(pod, load.demand, node, held, self.state.peers(pod, name)).passed:
                yield name
                held = held.including(pod)

    def hints(self, queue: str) -> Mapping[tuple[str, str], tuple[int, ...]]:
        """What the queue's runtime leaves it if it asks for as much as it can hold, and the largest node has left."""
        site = next(each for each in self.sites if each.queue == queue)
        asked = {resource: LARGEST >> 1 if most is None else most for (_, resource), most in site.most.items()}
        limit, used = self._with(self._pod("submitted", MadeUpWork(queue, asked))).limit(queue), self.used(queue)
        found = {}
        for resource in asked:
            room = self._most_free(resource)
            left = whole(resource, limit.get(resource, 0)) - used.get(("", resource), 0)
            found["", resource] = (min(left, room) if resource in limit else room,)
        return found

    def _most_free(self, resource: str) -> int:
        """What the node has left that has most of it."""
        nodes = self.state.nodes.items()
        return max(
            whole(resource, node.allocatable.get(resource, 0)) - self.state.loads[name].requested.get(resource, 0)
            for name, node in nodes
        )

    def used(self, queue: str) -> Mapping[tuple[str, str], int]:
        """What a quota holds, by resource."""
        held = self.state.sums(queue).used
        return {("", resource): whole(resource, nano) for resource, nano in held.items() if nano}

    def is_entitled(self, load: MadeUpWork) -> bool:
        """Whether the quota stays within its min with the pod."""
        used, least = self.state.sums(load.queue).used, self.state.quotas[load.queue].min
        return all(used.get(r, 0) + exact(r, amount) <= least.get(r, 0) for r, amount in load.total.items())

    def raised(self, queue: str, more: Mapping[tuple[str, str], int]) -> "RuntimeSandbox":
        """The state with more min, and a max at least as large, without pods that wait."""
        group = self.state.quotas[queue]
        added = {resource: exact(resource, amount) for (_, resource), amount in more.items() if amount}
        state = with_pods(self.state, [pod for pod in self.state.source.pods if pod.node])
        if not added:
            return replace(self, state=state, queue=(), waits=())
        least = plus(group.min, added)
        most = {r: max(bound, least[r]) if r in added else bound for r, bound in group.max.items()}
        return replace(self, state=with_quota(state, replace(group, min=least, max=most)), queue=(), waits=())

    def waiting(self) -> Mapping[str, MadeUpWork]:
        """The submitted pods that wait, by name."""
        return {pod.key.name: self.loads[pod.key.name][0] for pod in self.queue if pod.key.name in self.loads}

    def idle(self) -> "RuntimeSandbox":
        """The same quotas and nodes without pods."""
        source = replace(self.state.source, bounds=self.state.source.bounds.idle())
        state = with_pods(replace(self.state, source=source), ())
        return replace(self, state=state, loads={}, queue=(), doubts=(), scattered=frozenset(), waits=())

    def _origin(self, pod: Pod) -> PodOrigin:
        """A pod that ResourceQuotas may reject."""
        rejecting = self.state.source.bounds.refusals(pod.key.namespace, pod.request, self._beside(pod))
        return PodOrigin(Place(pod.key), refusals=rejecting)

    def _beside(self, pod: Pod) -> Iterator[Amounts]:
        """What each other pod of its namespace requests."""
        others = chain(self.state.source.pods, self.queue)
        return (other.request for other in others if other.key.namespace == pod.key.namespace)

    def _with(self, *pods: Pod) -> State:
        """The state with all that wait, and with these."""
        return reduce(with_pod, (*self.queue, *pods), self.state)

    def _pod(self, name: str, load: MadeUpWork) -> Pod:
        amounts = _amounts(tuple(load.total.items()))
        group = self.state.quotas[load.queue]
        return Pod(
            ObjectKey("", "Pod", group.key.namespace or "default", name),
            f"{load.queue}/{name}",
            {QUOTA_NAME: load.queue},
            load.priority,
            request=amounts,
            charged=amounts,
            bare=amounts,
            started=self.clock,
            scheduler=self.scheduler,
            created=False,
        )


@lru_cache(maxsize=_KNOWN)
def _amounts(total: tuple[tuple[str, int], ...]) -> Amounts:
    """The amounts of a pod; pods of one size share theirs, so that sums count them instead of adding them up."""
    return {resource: exact(resource, amount) for resource, amount in total}


def _roomy(state: State, pod: Pod, demand: NodeDemand) -> list[str]:
    """The nodes with room. Raises ``UsageError`` without one."""
    peers, nodes = state.peers, []
    for name, node in state.nodes.items():
        if filter_result(pod, demand, node, state.loads[name], peers(pod, name)).passed:
            nodes.append(name)
    if not nodes:
        raise UsageError(Problem(f"no node has room for `{pod.name}`", help="ask for less, or add a Node"))
    return nodes


def _sorted(pods: Sequence[Pod]) -> list[Pod]:
    return sorted(pods, key=lambda pod: pod.key)


class _Rounds:
    """Pods that wait are tried, one after another, and what the scheduler decides is carried out."""

    def __init__(
        self,
        state: State,
        waiting: Sequence[Pod],
        loads: Mapping[str, tuple[MadeUpWork, Pod]],
        scattered: Collection[str],
    ) -> None:
        self.state = state
        self.waiting = list(waiting)
        self.removals: list[Removal] = []
        self.steps: list[PlacedStep] = []
        self.doubts: dict[Gap, None] = {}
        self.scattered = {*scattered}
        self._loads = loads

    def attempt(self, pod: Pod) -> bool:
        """Whether the pod is placed, at once or after victims have left; evictions in vain place no pod."""
        state = with_pods(self.state, _sorted((*self.state.source.pods, *self.waiting)))
        attempt = schedule(state, pod, self._loads[pod.key.name][0].demand)
        self.doubts |= dict.fromkeys(doubts_of(state, attempt, self.scattered))
        self.scattered.discard(pod.uid)
        choices = attempt.feasible or attempt.preempted_on
        if is_scattered(state.nodes, self.scattered, choices, by_quota=not attempt.filters):
            self.scattered.add(pod.uid)
        if attempt.course is CycleEnd.SCHEDULABLE:
            self._place(pod, attempt.feasible[0], ())
            self.steps.append(PlacedStep(pod.key.name, attempt.gate.quota))
            return True
        if attempt.course is CycleEnd.PREEMPT and not is_in_vain(state, attempt):
            self._preempt(pod, attempt)
            return True
        return False

    def placed(self) -> frozenset[tuple[str, str]]:
        """Where pods are."""
        return frozenset((pod.uid, pod.node) for pod in self.state.source.pods if pod.node)

    def _preempt(self, pod: Pod, attempt: PodAttempt) -> None:
        assert attempt.chosen is not None
        victims = tuple(fate.pod for fate in attempt.chosen.victims)
        quota = attempt.gate.quota
        removals = [Removal(v.key.name, quota, pod.key.name, quota, str(Law.OWN_LOWER)) for v in victims]
        self.removals += removals
        self.steps.append(PlacedStep(pod.key.name, quota, removals))
        self._place(pod, attempt.chosen.node, victims)

    def _place(self, pod: Pod, node: str, victims: Sequence[Pod]) -> None:
        gone = {victim.uid for victim in victims}
        pods = [other for other in self.state.source.pods if other.uid not in gone]
        self.state = with_pods(self.state, _sorted((*pods, replace(pod, node=node, running=True))))
        self.waiting.remove(pod)
        self.waiting += [self._loads[v.key.name][1] for v in victims if v.key.name in self._loads]
