"""CapacityScheduling on a state in motion. Pods that wait have no effect on its quotas.

Tested in ``tests/unit/policy/simulation/test_quotas.py``.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from kubectl_fairshare.answers.fidelity import Fidelity, Gap
from kubectl_fairshare.answers.simulation import PoolResource
from kubectl_fairshare.jobs.node_demand import NodeDemand
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.gaps import EQUAL_PODS, plan_gaps, state_gaps
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.model.objects import DEFAULT_SCHEDULER, ElasticQuotaState, Node, Pod
from kubectl_fairshare.schedulers.elasticquota.model.vector import FIXED, Vector, is_held, vector_from
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import Attempt, schedule
from kubectl_fairshare.schedulers.elasticquota.preemption.ties import tied_nodes
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State, state_of
from kubectl_fairshare.schedulers.kubescheduler.cycle import is_placed
from kubectl_fairshare.schedulers.kubescheduler.motion import PluginMotion
from kubectl_fairshare.schedulers.pod_queue import PodPlan
from kubectl_fairshare.schedulers.replay import HeldNow

_LARGE: Final = 1 << 50


class QuotaMotion(PluginMotion):
    """CapacityScheduling, as a replay of single pods knows it."""

    part = ElasticQuotaState
    default_scheduler = DEFAULT_SCHEDULER

    def __init__(self, rule: Callable[[Law], str]) -> None:
        super().__init__()
        self._rule = rule

    def presumed_node(self) -> Node:
        """A node on which everything fits."""
        return presumed_node(self._source)

    def pod_of(self, plan: PodPlan, priority: int, scheduler: str, queue: str) -> Pod:  # noqa: ARG002
        """A pod of a job; its namespace alone decides the quota."""
        amounts, with_pod = vector_from(dict(plan.requests)), vector_from({**dict(plan.requests), "pods": 1})
        return Pod(plan.key, plan.unit, {}, priority, amounts, with_pod, amounts, scheduler=scheduler)

    def state_now(self) -> State:
        """The state of the pods that have a node."""
        pods = tuple(self._held[unit] for unit in sorted(self._held))
        return state_of(replace(self._source, pods=pods))

    def attempt(self, pod: Pod, demand: NodeDemand | None) -> Attempt:
        """The cycle of a pod."""
        return schedule(self.state, pod, demand)

    def gaps(self, attempt: Any) -> Iterable[Gap]:
        """What of a cycle is not modelled, of what the pod asks for; what the state leaves in doubt is said once."""
        if not attempt.pod.unmodelled:
            return ()
        placing = is_placed(self.nodes, attempt)
        return plan_gaps(self.state, attempt.pod, admitted=placing, settled=False).gaps

    def ties(self, attempt: Any) -> Iterable[Gap]:
        """A gap if the order of equal pods decides which pods leave."""
        return EQUAL_PODS if tied_nodes(self.state, attempt) else ()

    def rule(self, fate: Any) -> str:
        """Why a victim leaves."""
        return self._rule(fate.taken.law)

    def queue_of(self, job: TracedJob) -> str:
        """The namespace."""
        return job.namespace

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


def _amounts(vector: Vector) -> dict[PoolResource, int]:
    return {("", r): amount for r in vector.listed() if is_held(r) and (amount := vector.of(r))}


def presumed_node(source: ElasticQuotaState) -> Node:
    """A node on which everything fits."""
    named = {r for quota in source.quotas.values() for r in (*quota.written_min, *quota.written_max) if is_held(r)}
    amounts = dict.fromkeys((*FIXED, *named), _LARGE)
    return Node(ObjectKey("", "Node", "", "presumed"), {}, (), False, vector_from(amounts))
