"""Koordinator's ElasticQuotas on a state in motion: one cycle for one pod, with the laws of ``plan``.

Pods that wait count: what they request raises the runtime of their quota and may lower that of others. The controller
writes such figures into the quotas, at which pods that a quota rejected are tried again.
Source: koordinator at commit 070892a5, which is later than v1.8.0: ``EventsToRegister`` of the plugin, its controller.
Tested in ``tests/unit/schedulers/koordinator/test_motion.py``.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from kubectl_fairshare.answers.fidelity import Fidelity, Gap, unread_gaps
from kubectl_fairshare.answers.simulation import PoolResource
from kubectl_fairshare.jobs.context import RESOURCE_QUOTA
from kubectl_fairshare.jobs.node_demand import NodeDemand
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
from kubectl_fairshare.schedulers.koordinator.quotas.state import State, all_quotas, membership_of, state_of, with_pods
from kubectl_fairshare.schedulers.kubescheduler.cycle import is_placed
from kubectl_fairshare.schedulers.kubescheduler.motion import PluginMotion
from kubectl_fairshare.schedulers.pod_queue import SECOND, PodPlan
from kubectl_fairshare.schedulers.replay import HeldNow

_LARGE: Final = 1 << 50
_TIES: Final = 2


class RuntimeMotion(PluginMotion):
    """Koordinator's quotas, as a replay of single pods knows them; ``rule`` names the one by which pods are evicted."""

    assumptions: Sequence[str] = (
        "pods that a quota rejected are tried again 1s after any change: Koordinator writes new figures each second",
        "each pod of a job has the label of the quota that the job names",
    )
    rechecks: int | None = SECOND
    part = KoordinatorState
    default_scheduler = DEFAULT_SCHEDULER

    def __init__(self, rule: str) -> None:
        super().__init__()
        self._rule = rule
        self._before: State | None = None
        self._read_quotas()

    def _read_quotas(self) -> None:
        self._quotas = all_quotas(self._source)
        self._members = membership_of(self._source, self._quotas)

    def open(self, snapshot: Snapshot) -> None:
        """Quotas and nodes are those of the snapshot."""
        super().open(snapshot)
        self._read_quotas()
        self._state = self._before = None

    def presumed_node(self) -> Node:
        """A node on which everything fits."""
        named = {r for quota in self._source.quotas.values() for r in (*quota.min, *quota.max)}
        amounts = {resource: exact(resource, _LARGE) for resource in ("cpu", "memory", "pods", *named)}
        return Node(ObjectKey("", "Node", "", "presumed"), {}, (), False, amounts)

    def pod_of(self, plan: PodPlan, priority: int, scheduler: str, queue: str) -> Pod:
        """A pod of a job, with the label of its quota."""
        amounts = {resource: exact(resource, amount) for resource, amount in plan.requests}
        labels = {QUOTA_NAME: queue} if queue else {}
        return Pod(plan.key, plan.unit, labels, priority, amounts, amounts, amounts, scheduler=scheduler)

    def state_now(self) -> State:
        """The state of the pods, also of those that wait. Raises ``FairshareError`` for a cycle of parents."""
        by_unit = {**{unit: queued.new.pod for unit, queued in self._waiting.items()}, **self._held}
        pods = tuple(by_unit[unit] for unit in sorted(by_unit))
        # Quotas and nodes are those of the state before, and so is all that rests on no pod that has changed.
        before = self._before
        self._before = with_pods(before, pods) if before else state_of(replace(self._source, pods=pods))
        return self._before

    def attempt(self, pod: Pod, demand: NodeDemand | None) -> PodAttempt:
        """The cycle of a pod."""
        return schedule(self.state, pod, demand)

    def gaps(self, attempt: Any) -> Iterable[Gap]:
        """What of a cycle is not modelled."""
        placed = is_placed(self.nodes, attempt)
        return plan_gaps(self.state, attempt, admitted=placed, settled=False).gaps

    def ties(self, attempt: Any) -> Iterable[Gap]:
        """A gap if the order of equal pods decides which pods leave."""
        return EQUAL_VICTIMS if possible_evictions(self.state, attempt, _TIES).number > 1 else ()

    def rule(self, fate: Any) -> str:  # noqa: ARG002 -- there is one
        """Why a victim leaves."""
        return self._rule

    def queue_of(self, job: TracedJob) -> str:
        """The quota of its pods."""
        return self._members.of(next(iter(self.new_pods(job))).pod).quota

    def holding(self, pod: Pod) -> HeldNow:
        """What a pod adds to its quota: the resources that the quota's max names."""
        quota = self._members.of(pod).quota
        charged = masked(pod.charge, self._quotas[quota].max) if quota else pod.charge
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


def _amounts(amounts: Amounts) -> dict[PoolResource, int]:
    return {("", r): found for r, amount in amounts.items() if (found := whole(r, amount))}
