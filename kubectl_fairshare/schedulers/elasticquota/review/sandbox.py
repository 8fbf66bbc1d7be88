"""CapacityScheduling on one state to which made-up pods are submitted: each goes through the scheduler's own cycle.

A pod that is placed holds its node at once; victims leave at once and wait again. Pods that wait are tried by
priority, then age, until none of them can be placed. A load is one pod: ElasticQuotas admit pods one by one.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from kubectl_fairshare.answers.answer import Answer
from kubectl_fairshare.answers.details import PlanDetail
from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.model.amounts import UNLIMITED
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import Value, field, replace
from kubectl_fairshare.schedulers.elasticquota.explain.creation import refusals, requests_of
from kubectl_fairshare.schedulers.elasticquota.explain.decision import Plan
from kubectl_fairshare.schedulers.elasticquota.explain.doubts import doubts_of
from kubectl_fairshare.schedulers.elasticquota.explain.planning import plan
from kubectl_fairshare.schedulers.elasticquota.gaps import EQUAL_PODS, INPUT_WAITS
from kubectl_fairshare.schedulers.elasticquota.jobs.described import usual_scheduler
from kubectl_fairshare.schedulers.elasticquota.model.objects import DEFAULT_SCHEDULER, ElasticQuotaState, Node, Pod
from kubectl_fairshare.schedulers.elasticquota.model.scaled import LARGEST
from kubectl_fairshare.schedulers.elasticquota.model.vector import FIXED, is_held, vector_from
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import schedule
from kubectl_fairshare.schedulers.elasticquota.quotas.state import (
    State,
    state_of,
    with_placed,
    with_pods,
    with_quota,
    without_pods,
)
from kubectl_fairshare.schedulers.elasticquota.words.plan_answer import plan_answer
from kubectl_fairshare.schedulers.kubescheduler.bounds import rejected_gaps
from kubectl_fairshare.schedulers.kubescheduler.decision import CycleEnd
from kubectl_fairshare.schedulers.kubescheduler.moving import rests_on_nodes
from kubectl_fairshare.schedulers.pod_replay import NODE_SCORES
from kubectl_fairshare.schedulers.question import PodOrigin
from kubectl_fairshare.schedulers.sandbox import (
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

_PRESUMED: Final = "no Node is in the input: one that is large enough for everything is presumed (see `--nodes`)"
_NO_SHARE: Final[float | None] = None
_LARGE: Final = 1 << 50
_SECOND: Final = 10**9


def opened(snapshot: Snapshot) -> "QuotaSandbox":
    """The sandbox of a snapshot; pods that wait in it count as the scheduler counts them, and are not tried."""
    source = snapshot.part(ElasticQuotaState)
    pods = source.pods
    notes: tuple[str, ...] = ()
    if not source.nodes:
        node = _node(source)
        placed = tuple(replace(pod, node=node.name) if pod.node else pod for pod in pods)
        source, pods, notes = replace(source, nodes={node.name: node}), placed, (_PRESUMED,)
    source = replace(source, pods=pods, bounds=source.bounds.compared(requests_of(pods)))
    newest = max((pod.start for pod in pods if pod.started is not None), default=0)
    waits = INPUT_WAITS if any(not (pod.node or pod.gated or pod.terminating) for pod in pods) else ()
    state, scheduler = state_of(source), usual_scheduler(source)
    return QuotaSandbox(tuple(_sites(state)), state, newest + _SECOND, {}, (), notes, waits=waits, scheduler=scheduler)


def _node(source: ElasticQuotaState) -> Node:
    """A node on which everything fits."""
    named = {r for quota in source.quotas.values() for r in (*quota.written_min, *quota.written_max) if is_held(r)}
    amounts = dict.fromkeys((*FIXED, *named), _LARGE)
    return Node(ObjectKey("", "Node", "", "presumed"), {}, (), False, vector_from(amounts))


def _sites(state: State) -> Iterator[Site]:
    for namespace, quota in sorted(state.source.quotas.items()):
        named = [r for r in sorted({*quota.written_min, *quota.written_max}) if is_held(r)]
        guaranteed = {("", resource): quota.least.of(resource) for resource in named}
        most: dict[tuple[str, str], int | None] = {}
        for resource in named:
            bound, pool = quota.bound(resource), state.ledger.pool.of(resource)
            most["", resource] = min(pool, LARGEST if bound is None else bound)
        yield Site(namespace, guaranteed, most)


class QuotaSandbox(CountedOneByOne, Value, frozen=True):
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
    def promised(self) -> PromisedQuotas:
        """The sum of all min, which is also what all quotas may use together."""
        sums: dict[str, int] = {}
        for site in self.sites:
            for (_, resource), least in site.guaranteed.items():
                sums[resource] = min(sums.get(resource, 0) + least, UNLIMITED)
        return PromisedQuotas("min of all quotas", sums)

    def submitted(self, name: str, load: MadeUpWork) -> Aftermath:
        """The state once the pod has arrived and all that wait have been tried until nothing changes."""
        pod = self._pod(name, load)
        loads = {**self.loads, name: (load, pod)}
        rejected = rejected_gaps(refusals(self.state, pod, self.queue))
        course = _Course(self.state, [*self.queue, pod], loads, self.scattered)
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
        """The namespace of that name, if it has a quota; also ``NAMESPACE/QUOTA``."""
        namespace = name.partition("/")[0]
        return namespace if any(site.queue == namespace for site in self.sites) else None

    def placed(self, name: str, load: MadeUpWork, pool: str = "") -> "QuotaSandbox":  # noqa: ARG002 -- there are no pools
        """The state in which the pod is on the first node that has room. Raises ``UsageError`` if none has."""
        pod = self._pod(name, load)
        fitting = (n for n in self.state.nodes if self.state.verdict_on(pod, load.demand, n).passed)
        node, other = next(fitting, None), next(fitting, None)
        if node is None:
            raise UsageError(Problem(f"no node has room for `{name}`", help="ask for less, or add a Node"))
        alone = other is None and (not self.scattered or len(self.state.nodes) < 2)
        state = with_placed(self.state, replace(pod, node=node, running=True))
        loads = {**self.loads, name: (load, pod)}
        scattered = self.scattered if alone else self.scattered | {pod.uid}
        return replace(self, state=state, clock=self.clock + _SECOND, loads=loads, scattered=scattered)

    def answer(self, load: MadeUpWork) -> Answer[PlanDetail]:
        """What one cycle does with the pod now."""
        pod = self._pod("submitted", load)
        return plan_answer(plan(self.state, pod, load.demand, self._origin(pod), remedied=False), self.state, ())

    def share(self, queue: str) -> float | None:  # noqa: ARG002 -- no quota has one
        """No number: quotas have no shares."""
        return _NO_SHARE

    def ruling(self, load: MadeUpWork, pool: str = "") -> Ruling:  # noqa: ARG002 -- there are no pools
        """What one cycle does with the pod now."""
        pod = self._pod("asked", load)
        found = plan(self.state, pod, load.demand, self._origin(pod), briefly=True)
        answer = plan_answer(found, self.state, ())
        ruling = ruling_of(answer, (each.counts_against for each in answer.victims))
        tied = EQUAL_PODS if _is_left_to_chance(found) else ()
        return ruling._replace(chance=lambda: (*tied, *self.doubts_about(load)))

    def doubts_about(self, load: MadeUpWork) -> tuple[Gap, ...]:
        """Those of the way to this state, and where earlier pods are, if that decides."""
        doubts = (*self.state.source.bounds.gaps(load.queue), *self.doubts)
        if not self.scattered:
            return doubts
        attempt = schedule(self.state, self._pod("asked", load), load.demand)
        decides = rests_on_nodes(self.state, attempt, self.scattered)
        return (*doubts, NODE_SCORES) if decides else doubts

    def used(self, queue: str) -> Mapping[tuple[str, str], int]:
        """What a namespace holds, by resource."""
        held = self.state.ledger.used(queue)
        return {("", resource): amount for resource in held.listed() if (amount := held.of(resource))}

    def is_entitled(self, load: MadeUpWork) -> bool:
        """Whether the namespace stays within its min with the pod."""
        return not self.state.ledger.exceeds_min(load.queue, vector_from(dict(load.total)))

    def raised(self, queue: str, more: Mapping[tuple[str, str], int]) -> "QuotaSandbox":
        """The state with more min, and a max at least as large, without pods that wait."""
        known = self.state.source.quotas[queue]
        added = {resource: amount for (_, resource), amount in more.items() if amount}
        least = {r: known.least.of(r) + added.get(r, 0) for r in {*known.least.listed(), *added}}
        bounds = {r: known.bound(r) for r in {*known.most.listed(), *added}}
        most = {r: max(bound, least[r]) if r in added else bound for r, bound in bounds.items() if bound is not None}
        wider = replace(known, min=vector_from(least), max=None if known.max is None else vector_from(most))
        state = with_pods(self.state, [pod for pod in self.state.source.pods if pod.node])
        return replace(self, state=with_quota(state, wider if added else known), queue=(), waits=())

    def waiting(self) -> Mapping[str, MadeUpWork]:
        """The submitted pods that wait, by name."""
        return {pod.key.name: self.loads[pod.key.name][0] for pod in self.queue if pod.key.name in self.loads}

    def idle(self) -> "QuotaSandbox":
        """The same quotas and nodes without pods."""
        return replace(
            self, state=without_pods(self.state), loads={}, queue=(), doubts=(), scattered=frozenset(), waits=()
        )

    def _origin(self, pod: Pod) -> PodOrigin:
        """A pod that ResourceQuotas may reject."""
        return PodOrigin(Place(pod.key), refusals=refusals(self.state, pod, self.queue))

    def _pod(self, name: str, load: MadeUpWork) -> Pod:
        amounts = vector_from(dict(load.total))
        with_pod = vector_from({**load.total, "pods": 1})
        key = ObjectKey("", "Pod", load.queue, name)
        return Pod(
            key,
            f"{load.queue}/{name}",
            {},
            load.priority,
            charge=amounts,
            request=with_pod,
            bare=amounts,
            started=self.clock,
            scheduler=self.scheduler,
        )


def _is_left_to_chance(found: Plan) -> bool:
    """Whether ties decide that the pod gets in, or whose pods leave."""
    if found.fidelity.modelled and found.outcome is not found.computed:
        return True
    trials = [end.trial for end in found.possible if end.trial is not None]
    return len({frozenset(fate.pod.namespace for fate in trial.victims) for trial in trials}) > 1


class _Course:
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

    def placed(self) -> frozenset[tuple[str, str]]:
        """Where pods are."""
        return frozenset((pod.uid, pod.node) for pod in self.state.source.pods if pod.node)

    def attempt(self, pod: Pod) -> bool:
        """Whether the pod is placed, at once or after victims have left."""
        attempt = schedule(self.state, pod, self._loads[pod.key.name][0].demand)
        self.doubts |= dict.fromkeys(doubts_of(self.state, attempt, self.scattered))
        self.scattered.discard(pod.uid)
        choices = attempt.feasible or attempt.preempted_on
        if is_scattered(self.state.nodes, self.scattered, choices, by_quota=not attempt.filters):
            self.scattered.add(pod.uid)
        if attempt.course is CycleEnd.SCHEDULABLE:
            self._place(pod, attempt.feasible[0], ())
            self.steps.append(PlacedStep(pod.key.name, pod.namespace))
            return True
        if attempt.course is CycleEnd.PREEMPT and attempt.choice is not None:
            node = attempt.choice.nodes[0]
            victims = tuple(fate.pod for fate in attempt.trials[node].victims)
            laws = [str(fate.taken.law) for fate in attempt.trials[node].victims]
            pairs = zip(victims, laws, strict=True)
            removals = [Removal(v.key.name, v.namespace, pod.key.name, pod.namespace, law) for v, law in pairs]
            self.removals += removals
            self.steps.append(PlacedStep(pod.key.name, pod.namespace, removals))
            self._place(pod, node, victims)
            return True
        return False

    def _place(self, pod: Pod, node: str, victims: Sequence[Pod]) -> None:
        gone = {victim.uid for victim in victims}
        pods = [other for other in self.state.source.pods if other.uid not in gone]
        pods.append(replace(pod, node=node, running=True))
        self.state = with_pods(self.state, pods)
        self.waiting.remove(pod)
        self.waiting += [self._loads[v.key.name][1] for v in victims if v.key.name in self._loads]
