"""One scheduling cycle of CapacityScheduling for one pod.

Why not wait for victims only: a pod within its min also waits for a lower pod of its own namespace that terminates on
its nominated node, which it could not have evicted.
Source: https://github.com/kubernetes-sigs/scheduler-plugins/blob/903da7d/pkg/capacityscheduling/capacity_scheduling.go,
``PreFilter``, ``PostFilter`` and ``PodEligibleToPreemptOthers``.
Tested in ``tests/unit/schedulers/elasticquota/preemption/test_victims.py`` and
``tests/unit/schedulers/elasticquota/preemption/test_eligibility.py``.
"""

from kubectl_fairshare.jobs.node_demand import NodeDemand
from kubectl_fairshare.schedulers.elasticquota.laws import Law, makes_room
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.preemption.gate import Gate, gate
from kubectl_fairshare.schedulers.elasticquota.preemption.victims import NodeTrial, QuotaPreemption, trial
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.kubescheduler.cycle import CycleAttempt, CycleOfPlugin, cycle


class Attempt(CycleAttempt[Pod, Gate, NodeTrial], frozen=True):
    """Everything that one cycle finds."""


def schedule(state: State, pod: Pod, demand: NodeDemand | None) -> Attempt:
    """The effect of one scheduling cycle on the pod."""
    wanted = demand or state.source.demands.get(pod.key) or NodeDemand()
    verdict = gate(state.ledger, pod, state.nominated(pod))
    search = QuotaPreemption(state, pod, wanted, verdict)

    def is_awaited(leaving: Pod) -> bool:
        quoted = state.ledger.has(leaving.namespace)
        borrower = quoted and state.ledger.borrows(leaving.namespace)
        return makes_room(pod, leaving, side=search.side, quoted=quoted, borrower=borrower)

    plugin = CycleOfPlugin(
        laws=Law,
        nodes=state.nodes,
        pods=state.pods,
        filtered=lambda: {name: state.verdict_on(pod, wanted, name) for name in state.nodes},
        makes_room=is_awaited,
        trial=lambda name: trial(search, name),
    )
    return cycle(Attempt, pod, wanted, verdict, plugin)
