"""A plugin on one state to which made-up pods are submitted: each goes through the scheduler's own cycle.

A pod that is placed holds its node at once; victims leave at once and wait again. Pods that wait are tried by
priority, then age, until none of them can be placed. A load is one pod: quotas admit pods one by one.
Decides nothing: the plugin's own cycle does.
Tested in ``tests/unit/policy/test_sandboxes.py`` and ``tests/unit/schedulers/koordinator/test_review.py``.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, ClassVar, Final, NamedTuple

from kubectl_fairshare.answers.answer import Answer
from kubectl_fairshare.answers.details import PlanDetail
from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.jobs.node_demand import NodeDemand
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.kubescheduler.bounds import PodBounds, Requests, rejected_gaps
from kubectl_fairshare.schedulers.kubescheduler.decision import CycleEnd
from kubectl_fairshare.schedulers.kubescheduler.moving import rests_on_nodes
from kubectl_fairshare.schedulers.pod_replay import NODE_SCORES
from kubectl_fairshare.schedulers.question import PodOrigin
from kubectl_fairshare.schedulers.sandbox import (
    Aftermath,
    CountedOneByOne,
    MadeUpWork,
    PlacedStep,
    Removal,
    Site,
    is_scattered,
    tried_to_rest,
)

SECOND: Final = 10**9
_NO_SHARE: Final[float | None] = None


class MadeUpPod(NamedTuple):
    """The pod of a load: its name, the moment from which on it waits, the scheduler that it names, in a state."""

    name: str
    load: MadeUpWork
    clock: int
    scheduler: str
    state: Any


class SandboxRules(NamedTuple):
    """What a plugin makes of made-up pods; states and pods are its own.

    ``requests`` are what ResourceQuotas count of a pod. ``with_waiting`` is a state with pods that wait, if they count
    there; ``without_pods`` one in which ResourceQuotas count none, either. ``is_in_vain``: victims leave, and the pod
    is rejected all the same. ``queue`` is the quota of a pod of a state, ``law`` why a victim has to leave. ``answer``
    is the decision without remedies.
    """

    made: Callable[[MadeUpPod], Any]
    requests: Callable[[Any], Requests]
    with_waiting: Callable[[Any, Iterable[Any]], Any]
    with_pods: Callable[[Any, Sequence[Any]], Any]
    with_placed: Callable[[Any, Any], Any]
    without_pods: Callable[[Any], Any]
    schedule: Callable[[Any, Any, NodeDemand | None], Any]
    doubts: Callable[[Any, Any, Collection[str]], Iterable[Gap]]
    is_in_vain: Callable[[Any, Any], bool]
    queue: Callable[[Any, Any], str]
    law: Callable[[Any], str]
    answer: Callable[[Any, Any, NodeDemand, PodOrigin], Answer[Any]]


class PodSandbox(CountedOneByOne, Value, frozen=True):
    """One state. ``loads`` are all that were submitted, with their pods, and ``queue`` the pods that wait.

    ``scattered`` are the pods that the scheduler may have put on other nodes, by their identity. ``waits`` is the gap
    of pods of the input that wait, ``scheduler`` the one that submitted pods name. A plugin adds what it says of its
    quotas, and overrides none of these answers.
    """

    RULES: ClassVar[SandboxRules]
    sites: tuple[Site, ...]
    state: Any
    clock: int
    scheduler: str
    loads: Mapping[str, tuple[MadeUpWork, Any]] = {}
    queue: tuple[Any, ...] = ()
    notes: tuple[str, ...] = ()
    doubts: tuple[Gap, ...] = ()
    scattered: frozenset[str] = frozenset()
    waits: tuple[Gap, ...] = ()

    @property
    def single_pods(self) -> bool:
        """Yes: quotas admit pods one by one."""
        return True

    def made(self, name: str, load: MadeUpWork) -> Any:
        """The pod of a load."""
        return self.RULES.made(MadeUpPod(name, load, self.clock, self.scheduler, self.state))

    def submitted(self, name: str, load: MadeUpWork) -> Aftermath:
        """The state once the pod has arrived and all that wait have been tried until nothing changes."""
        pod = self.made(name, load)
        loads = {**self.loads, name: (load, pod)}
        rejected = rejected_gaps(self.origin(pod).refusals)
        course = _Course(self.RULES, self.state, [*self.queue, pod], loads, self.scattered)
        rests, cycles, loop = tried_to_rest(course.waiting, course.attempt, course.placed, course.steps)
        sandbox: Any = replace(
            self,
            state=course.state,
            clock=self.clock + SECOND,
            loads=loads,
            queue=tuple(course.waiting),
            doubts=tuple(dict.fromkeys((*self.doubts, *self.waits, *rejected, *course.doubts))),
            scattered=frozenset(course.scattered),
        )
        return Aftermath(sandbox, tuple(course.removals), rests, cycles, loop=loop)

    def placed(self, name: str, load: MadeUpWork, pool: str = "") -> Any:  # noqa: ARG002 -- there are no pools
        """The state in which the pod is on the first node that has room. Raises ``UsageError`` if none has."""
        pod, state = self.made(name, load), self.state
        fitting = (each for each in state.nodes if state.verdict_on(pod, load.demand, each).passed)
        node, other = next(fitting, None), next(fitting, None)
        if node is None:
            raise UsageError(Problem(f"no node has room for `{name}`", help="ask for less, or add a Node"))
        moves = other is not None or (self.scattered and len(state.nodes) > 1)
        return replace(
            self,
            state=self.RULES.with_placed(state, replace(pod, node=node, running=True)),
            clock=self.clock + SECOND,
            loads={**self.loads, name: (load, pod)},
            scattered=self.scattered | {pod.uid} if moves else self.scattered,
        )

    def answer(self, load: MadeUpWork) -> Answer[PlanDetail]:
        """What one cycle does with the pod now."""
        pod = self.made("submitted", load)
        return self.RULES.answer(self.with_these(pod), pod, load.demand, self.origin(pod))

    def share(self, queue: str) -> float | None:  # noqa: ARG002 -- no quota has one
        """No number: quotas are not ordered by a share."""
        return _NO_SHARE

    def doubts_about(self, load: MadeUpWork) -> tuple[Gap, ...]:
        """Those of the way to this state, and where earlier pods are, if that decides."""
        pod = self.made("submitted", load)
        doubts = (*self.state.source.bounds.gaps(pod.namespace), *self.doubts)
        if not self.scattered:
            return doubts
        state = self.with_these(pod)
        decides = rests_on_nodes(state, self.RULES.schedule(state, pod, load.demand), self.scattered)
        return (*doubts, NODE_SCORES) if decides else doubts

    def waiting(self) -> Mapping[str, MadeUpWork]:
        """The submitted pods that wait, by name."""
        return {pod.key.name: self.loads[pod.key.name][0] for pod in self.queue if pod.key.name in self.loads}

    def idle(self) -> Any:
        """The same quotas and nodes without pods."""
        state = self.RULES.without_pods(self.state)
        return replace(self, state=state, loads={}, queue=(), doubts=(), scattered=frozenset(), waits=())

    def origin(self, pod: Any) -> PodOrigin:
        """A pod that ResourceQuotas may reject."""
        rejecting = self.state.source.bounds.refusals(pod.namespace, self.RULES.requests(pod), self.beside(pod))
        return PodOrigin(Place(pod.key), refusals=rejecting)

    def beside(self, pod: Any) -> Iterable[Requests]:
        """What each other pod of its namespace requests."""
        others = chain(self.state.source.pods, self.queue)
        return (self.RULES.requests(other) for other in others if other.namespace == pod.namespace)

    def with_these(self, *pods: Any) -> Any:
        """The state with all that wait, and with these."""
        return self.RULES.with_waiting(self.state, (*self.queue, *pods))


class _Course:
    """Pods that wait are tried, one after another, and what the scheduler decides is carried out."""

    def __init__(
        self,
        rules: SandboxRules,
        state: Any,
        waiting: Sequence[Any],
        loads: Mapping[str, tuple[MadeUpWork, Any]],
        scattered: Collection[str],
    ) -> None:
        self.state = state
        self.waiting = list(waiting)
        self.removals: list[Removal] = []
        self.steps: list[PlacedStep] = []
        self.doubts: dict[Gap, None] = {}
        self.scattered = {*scattered}
        self._rules, self._loads = rules, loads

    def attempt(self, pod: Any) -> bool:
        """Whether the pod is placed, at once or after victims have left; evictions in vain place no pod."""
        state = self._rules.with_waiting(self.state, self.waiting)
        attempt = self._rules.schedule(state, pod, self._loads[pod.key.name][0].demand)
        self.doubts |= dict.fromkeys(self._rules.doubts(state, attempt, self.scattered))
        self.scattered.discard(pod.uid)
        choices = attempt.feasible or attempt.preempted_on
        if is_scattered(state.nodes, self.scattered, choices, by_quota=not attempt.filters):
            self.scattered.add(pod.uid)
        if attempt.course is CycleEnd.SCHEDULABLE:
            self._place(state, pod, attempt.feasible[0], ())
            return True
        if attempt.course is CycleEnd.PREEMPT and not self._rules.is_in_vain(state, attempt):
            self._place(state, pod, attempt.chosen.node, attempt.chosen.victims)
            return True
        return False

    def placed(self) -> frozenset[tuple[str, str]]:
        """Where pods are."""
        return frozenset((pod.uid, pod.node) for pod in self.state.source.pods if pod.node)

    def _place(self, state: Any, pod: Any, node: str, fates: Sequence[Any]) -> None:
        rules, quota = self._rules, self._rules.queue(state, pod)
        victims = [fate.pod for fate in fates]
        quotas = [rules.queue(state, victim) for victim in victims]
        removals = [
            Removal(victim.key.name, queue, pod.key.name, quota, rules.law(fate))
            for victim, queue, fate in zip(victims, quotas, fates, strict=True)
        ]
        self.removals += removals
        self.steps.append(PlacedStep(pod.key.name, quota, removals))
        gone = {victim.uid for victim in victims}
        left = [other for other in self.state.source.pods if other.uid not in gone]
        self.state = rules.with_pods(self.state, [*left, replace(pod, node=node, running=True)])
        self.waiting.remove(pod)
        self.waiting += [self._loads[v.key.name][1] for v in victims if v.key.name in self._loads]


class OpenedPods(NamedTuple):
    """The pods of an input, on its nodes or on one that is presumed, with what a sandbox begins with."""

    pods: Sequence[Any]
    nodes: Mapping[str, Any]
    bounds: PodBounds
    clock: int
    waits: bool
    presumed: bool


def opened_pods(source: Any, node: Callable[[], Any], requests: Callable[[Any], Requests]) -> OpenedPods:
    """The pods of a plugin's part of a snapshot; ``node`` is the one that is presumed where it has none."""
    pods, nodes = [*source.pods], source.nodes
    if not nodes:
        only = node()
        nodes = {only.name: only}
        pods = [replace(pod, node=only.name) if pod.node else pod for pod in pods]
    newest = max((pod.start for pod in pods if pod.started is not None), default=0)
    waits = any(not (pod.node or pod.gated or pod.terminating) for pod in pods)
    bounds = source.bounds.compared((pod.namespace, requests(pod)) for pod in pods)
    return OpenedPods(pods, nodes, bounds, newest + SECOND, waits, not source.nodes)
