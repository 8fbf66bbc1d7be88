"""CapacityScheduling on a state in motion: one cycle for one pod, with the laws of ``plan``.

Tested in ``tests/unit/policy/simulation/test_quotas.py``.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Final

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.simulation import PoolResource
from kubectl_fairshare.jobs.context import PodContext
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.gaps import plan_gaps, state_gaps
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.model.objects import DEFAULT_SCHEDULER, ElasticQuotaState, Node, Pod
from kubectl_fairshare.schedulers.elasticquota.model.vector import FIXED, Vector, is_held, vector_from
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import schedule
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State, state_of
from kubectl_fairshare.schedulers.kubescheduler.decision import CycleEnd
from kubectl_fairshare.schedulers.pod_queue import NewPod, PodPlan, QueuedPod, pod_plans
from kubectl_fairshare.schedulers.pod_replay import PodCourse
from kubectl_fairshare.schedulers.replay import HeldNow

_LARGE: Final = 1 << 50


class QuotaMotion:
    """CapacityScheduling, as a replay of single pods knows it. Pods that wait have no effect on its quotas."""

    assumptions: Sequence[str] = ()
    rechecks: int | None = None

    def __init__(self, rule: Callable[[Law], str]) -> None:
        self._rule = rule
        self._source = ElasticQuotaState()
        self._held: Mapping[str, Pod] = {}
        self._state: State | None = None
        self._context = PodContext()
        self.presumed = ""

    @property
    def nodes(self) -> Collection[str]:
        """The names of the nodes."""
        return self._source.nodes.keys()

    def open(self, snapshot: Snapshot) -> None:
        """Quotas and nodes are those of the snapshot; without nodes, one on which everything fits is presumed."""
        source = snapshot.part(ElasticQuotaState)
        self.presumed, self._context = "", snapshot.part(PodContext)
        if not source.nodes:
            node = _presumed_node(source)
            self.presumed = node.name
            source = replace(source, nodes={node.name: node})
        self._source = source

    def changed(self, held: Mapping[str, Pod], waiting: Mapping[str, QueuedPod[Pod]]) -> None:  # noqa: ARG002
        """Reads the pods when they are next asked about."""
        self._held, self._state = held, None

    @property
    def state(self) -> State:
        """The state now."""
        if self._state is None:
            pods = tuple(self._held[unit] for unit in sorted(self._held))
            self._state = state_of(replace(self._source, pods=pods))
        return self._state

    def queue_of(self, job: TracedJob) -> str:
        """The namespace."""
        return job.namespace

    def new_pods(self, job: TracedJob) -> Iterator[NewPod[Pod]]:
        """The pods of a job. A PriorityClass has the value that it has here; one that is not here, the job's own."""
        priority = self._context.submitted_priority(job.priority_class, job.priority)
        scheduler = self._source.profiles[0] if self._source.profiles else DEFAULT_SCHEDULER
        return (_new_pod(plan, priority, scheduler) for plan in pod_plans(job, self._context))

    def tried(self, new: NewPod[Pod], pod: Pod) -> PodCourse:
        """The cycle of a pod."""
        attempt = schedule(self.state, pod, new.demand)
        placing = attempt.course in (CycleEnd.SCHEDULABLE, CycleEnd.PREEMPT)
        found = plan_gaps(self.state, pod, admitted=placing, settled=False).gaps if pod.unmodelled else ()
        gaps = [replace(gap, places=()) for gap in found if gap.touches]
        if attempt.course is CycleEnd.SCHEDULABLE:
            return PodCourse(attempt.feasible[0], among=1 if pod.nominated else len(attempt.feasible), gaps=gaps)
        if attempt.course is CycleEnd.PREEMPT and attempt.choice is not None:
            nodes = attempt.choice.nodes
            fates = [(fate.pod.uid, Law(fate.taken.law)) for fate in attempt.trials[nodes[0]].victims]
            return PodCourse(nodes[0], [(unit, self._rule(law)) for unit, law in fates], len(nodes), gaps=gaps)
        return PodCourse(gaps=gaps)

    def leaving(self, pod: Pod) -> Pod:
        """The pod, terminating."""
        return replace(pod, terminating=True)

    def holding(self, pod: Pod) -> HeldNow:
        """What a pod adds to its namespace."""
        return HeldNow(pod.namespace, _amounts(pod.charge))

    def used(self) -> Mapping[str, Mapping[PoolResource, int]]:
        """What each namespace with a quota holds."""
        ledger = self.state.ledger
        return {name: _amounts(ledger.used(name)) for name in sorted(self._source.quotas)}

    def entitled(self) -> Mapping[str, Mapping[PoolResource, int]]:
        """The min of each namespace."""
        return {name: _amounts(quota.least) for name, quota in sorted(self._source.quotas.items())}

    def fidelity(self) -> Fidelity:
        """What of the input is not modelled."""
        return state_gaps(self.state)


def _new_pod(plan: PodPlan, priority: int, scheduler: str) -> NewPod[Pod]:
    amounts, with_pod = vector_from(dict(plan.requests)), vector_from({**dict(plan.requests), "pods": 1})
    pod = Pod(plan.key, plan.unit, {}, priority, amounts, with_pod, amounts, scheduler=scheduler)
    return NewPod(plan.unit, pod, priority, plan.demand, (priority, plan.shape))


def _amounts(vector: Vector) -> dict[PoolResource, int]:
    return {("", r): amount for r in vector.listed() if is_held(r) and (amount := vector.of(r))}


def _presumed_node(source: ElasticQuotaState) -> Node:
    """A node on which everything fits."""
    named = {r for quota in source.quotas.values() for r in (*quota.written_min, *quota.written_max) if is_held(r)}
    amounts = dict.fromkeys((*FIXED, *named), _LARGE)
    return Node(ObjectKey("", "Node", "", "presumed"), {}, (), False, vector_from(amounts))
