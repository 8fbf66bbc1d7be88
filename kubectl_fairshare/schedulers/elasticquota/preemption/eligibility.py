"""Whether a pod can preempt at all: not while pods that make room for it are terminating.

Example: ``low`` terminates on ``n1``, to which ``high`` is nominated. Without this law the next cycle would evict pods
of a second node although room on ``n1`` is on its way.
Source: https://github.com/kubernetes-sigs/scheduler-plugins/blob/903da7d/pkg/capacityscheduling/capacity_scheduling.go,
``PodEligibleToPreemptOthers``.
"""

from collections.abc import Mapping

from kubectl_fairshare.jobs.node_demand import FilterStatus
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.elasticquota.laws import Law, makes_room
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.preemption.gate import Gate
from kubectl_fairshare.schedulers.elasticquota.preemption.victims import side_of
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.kubescheduler.fit import FilterResult


class Eligibility(Value, frozen=True):
    """Whether the pod can preempt, by which law, and the terminating pod that it has to wait for."""

    eligible: bool
    law: Law
    leaving: Pod | None = None


def eligibility(state: State, pod: Pod, gate: Gate, filters: Mapping[str, FilterResult]) -> Eligibility:
    """Whether the pod can preempt; ``filters`` are the verdicts on nodes, empty if the quotas rejected it."""
    if not pod.preempts:
        return Eligibility(False, Law.NEVER_PREEMPTS)
    node = pod.nominated
    verdict = filters.get(node)
    # A nominated node that has gone, or that no eviction helps, does not make the pod wait.
    if node not in state.nodes or (verdict is not None and verdict.status is FilterStatus.UNRESOLVABLE):
        return Eligibility(True, Law.MAY_PREEMPT)
    leaving = next((p for p in state.pods[node] if p.terminating and _makes_room(state, pod, gate, p)), None)
    if leaving is not None:
        return Eligibility(False, Law.VICTIMS_LEAVING, leaving)
    return Eligibility(True, Law.MAY_PREEMPT)


def _makes_room(state: State, pod: Pod, gate: Gate, leaving: Pod) -> bool:
    """Whether the terminating pod is one that the pod could have preempted."""
    quoted = state.ledger.has(leaving.namespace)
    borrower = quoted and state.ledger.borrows(leaving.namespace)
    return makes_room(pod, leaving, side=side_of(state, pod, gate), quoted=quoted, borrower=borrower)
