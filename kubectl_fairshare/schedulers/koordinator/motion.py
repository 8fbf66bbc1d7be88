"""Koordinator's ElasticQuotas on a state in motion: one cycle for one pod, with the laws of ``plan``.

Pods that wait count: what they request raises the runtime of their quota and may lower that of others. The controller
writes such figures into the quotas, at which pods that a quota rejected are tried again.
Source: koordinator at commit 070892a5, which is later than v1.8.0: ``EventsToRegister`` of the plugin, its controller.
Tested in ``tests/unit/schedulers/koordinator/test_motion.py``.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from kubectl_fairshare.answers.fidelity import Fidelity, Gap, unread_gaps
from kubectl_fairshare.answers.simulation import PoolResource
from kubectl_fairshare.jobs.context import RESOURCE_QUOTA, PodContext
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.koordinator.gaps import EQUAL_VICTIMS, plan_gaps, state_gaps
from kubectl_fairshare.schedulers.koordinator.model.amounts import Amounts, exact, masked, whole
from kubectl_fairshare.schedulers.koordinator.model.names import QUOTA_NAME
from kubectl_fairshare.schedulers.koordinator.model.objects import (
    DEFAULT_SCHEDULER,
    KoordinatorState,
    Node,
    Pod,
    QuotaGroup,
)
from kubectl_fairshare.schedulers.koordinator.preemption.possible import possible_evictions
from kubectl_fairshare.schedulers.koordinator.preemption.scheduling import PodAttempt, schedule
from kubectl_fairshare.schedulers.koordinator.quotas.state import State, all_quotas, membership_of, state_of
from kubectl_fairshare.schedulers.kubescheduler.cycle import is_placed
from kubectl_fairshare.schedulers.kubescheduler.decision import CycleEnd
from kubectl_fairshare.schedulers.pod_queue import SECOND, NewPod, PodPlan, QueuedPod, pod_plans
from kubectl_fairshare.schedulers.pod_replay import PodCourse
from kubectl_fairshare.schedulers.replay import HeldNow

_LARGE: Final = 1 << 50
_TIES: Final = 2


class RuntimeMotion:
    """Koordinator's quotas, as a replay of single pods knows them; ``rule`` names the one by which pods are evicted."""

    assumptions: Sequence[str] = (
        "pods that a quota rejected are tried again 1s after any change: Koordinator writes new figures each second",
        "each pod of a job has the label of the quota that the job names",
    )
    rechecks: int | None = SECOND

    def __init__(self, rule: str) -> None:
        self._rule = rule
        self._source = KoordinatorState()
        self._quotas = all_quotas(self._source)
        self._members = membership_of(self._source, self._quotas)
        self._held: Mapping[str, Pod] = {}
        self._waiting: Mapping[str, QueuedPod[Pod]] = {}
        self._state: State | None = None
        self._context = PodContext()
        self.presumed = ""

    @property
    def nodes(self) -> Collection[str]:
        """The names of the nodes."""
        return self._source.nodes.keys()

    def open(self, snapshot: Snapshot) -> None:
        """Quotas and nodes are those of the snapshot; without nodes, one on which everything fits is presumed."""
        source = snapshot.part(KoordinatorState)
        self.presumed, self._context = "", snapshot.part(PodContext)
        if not source.nodes:
            node = _presumed_node(source)
            self.presumed = node.name
            source = replace(source, nodes={node.name: node})
        self._source, self._quotas = source, all_quotas(source)
        self._members = membership_of(source, self._quotas)

    def changed(self, held: Mapping[str, Pod], waiting: Mapping[str, QueuedPod[Pod]]) -> None:
        """Reads the pods when they are next asked about."""
        self._held, self._waiting, self._state = held, waiting, None

    @property
    def state(self) -> State:
        """The state now, with the pods that wait. Raises ``FairshareError`` for a cycle of parents."""
        if self._state is None:
            pods = {**{unit: queued.new.pod for unit, queued in self._waiting.items()}, **self._held}
            self._state = state_of(replace(self._source, pods=tuple(pods[unit] for unit in sorted(pods))))
        return self._state

    def queue_of(self, job: TracedJob) -> str:
        """The quota of its pods."""
        return self._members.of(next(iter(self.new_pods(job))).pod).quota

    def new_pods(self, job: TracedJob) -> Iterator[NewPod[Pod]]:
        """The pods of a job. A PriorityClass has the value that it has here; one that is not here, the job's own."""
        priority = self._context.submitted_priority(job.priority_class, job.priority)
        scheduler = self._source.profiles[0] if self._source.profiles else DEFAULT_SCHEDULER
        return (_new_pod(plan, priority, job.queue, scheduler) for plan in pod_plans(job, self._context))

    def tried(self, new: NewPod[Pod], pod: Pod) -> PodCourse:
        """The cycle of a pod."""
        attempt = schedule(self.state, pod, new.demand)
        placed = is_placed(self.state.nodes, attempt)
        found = plan_gaps(self.state, attempt, admitted=placed, settled=False).gaps
        gaps = [replace(gap, places=()) for gap in found if gap.touches]
        if attempt.course is CycleEnd.SCHEDULABLE:
            among = 1 if pod.nominated else len(attempt.feasible)
            return PodCourse(attempt.feasible[0], among=among, gaps=gaps)
        if attempt.course is CycleEnd.PREEMPT and attempt.choice is not None:
            return self._preempting(attempt, attempt.choice.nodes, gaps)
        return PodCourse(by_quota=not attempt.gate.admits, gaps=gaps)

    def _preempting(self, attempt: PodAttempt, nodes: Sequence[str], gaps: list[Gap]) -> PodCourse:
        victims = [(fate.pod.uid, self._rule) for fate in attempt.trials[nodes[0]].victims]
        if possible_evictions(self.state, attempt, _TIES).number > 1:
            gaps += EQUAL_VICTIMS
        return PodCourse(nodes[0], victims, len(nodes), not attempt.gate.admits, gaps)

    def leaving(self, pod: Pod) -> Pod:
        """The pod as one that is being deleted."""
        return replace(pod, terminating=True)

    def holding(self, pod: Pod) -> HeldNow:
        """What a pod adds to its quota: the resources that the quota's max names."""
        quota = self._members.of(pod).quota
        charged = masked(pod.charged, self._quotas[quota].max) if quota else pod.charged
        return HeldNow(quota, _amounts(charged))

    def used(self) -> Mapping[str, Mapping[PoolResource, int]]:
        """What the pods of each quota without children hold."""
        return {name: _amounts(self.state.sums(name).used) for name in self._leaves}

    def entitled(self) -> Mapping[str, Mapping[PoolResource, int]]:
        """The min of each quota without children: parents would count the same capacity again."""
        return {name: _amounts(quota.min) for name, quota in self._leaves.items()}

    @property
    def _leaves(self) -> Mapping[str, QuotaGroup]:
        """The quotas that are the parent of none."""
        quotas = self._source.quotas
        parents = {quota.parent for quota in quotas.values()}
        return {name: quota for name, quota in quotas.items() if name not in parents}

    def fidelity(self) -> Fidelity:
        """What of the input is not modelled."""
        found, arguments = state_gaps(self.state), self._source.arguments
        gaps = [Gap("Revoking", (), touches=True)] if arguments.monitors_all and arguments.uses_runtime else []
        gaps += unread_gaps(self._source.unread, [RESOURCE_QUOTA[1]])
        return replace(found, gaps=(*found.gaps, *gaps))


def _new_pod(plan: PodPlan, priority: int, quota: str, scheduler: str) -> NewPod[Pod]:
    amounts = {resource: exact(resource, amount) for resource, amount in plan.requests}
    labels = {QUOTA_NAME: quota} if quota else {}
    pod = Pod(plan.key, plan.unit, labels, priority, amounts, amounts, amounts, scheduler=scheduler)
    return NewPod(plan.unit, pod, priority, plan.demand, (priority, quota, plan.shape))


def _amounts(amounts: Amounts) -> dict[PoolResource, int]:
    return {("", r): found for r, amount in amounts.items() if (found := whole(r, amount))}


def _presumed_node(source: KoordinatorState) -> Node:
    """A node on which everything fits."""
    named = {r for quota in source.quotas.values() for r in (*quota.min, *quota.max)}
    amounts = {resource: exact(resource, _LARGE) for resource in ("cpu", "memory", "pods", *named)}
    return Node(ObjectKey("", "Node", "", "presumed"), {}, (), False, amounts)
