"""The turns of waiting pods under ElasticQuotas.

Tested in ``tests/unit/schedulers/turns/test_turns.py``.
"""

from collections.abc import Collection, Hashable, Iterable, Sequence

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.explain.decision import Plan
from kubectl_fairshare.schedulers.elasticquota.explain.doubts import doubts_of
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.model.vector import Vector
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import Attempt, schedule
from kubectl_fairshare.schedulers.elasticquota.quotas.state import (
    State,
    pod_at,
    with_bound,
    with_nominated,
    without_some,
)
from kubectl_fairshare.schedulers.kubescheduler.cycle import is_placed
from kubectl_fairshare.schedulers.kubescheduler.decision import CycleEnd
from kubectl_fairshare.schedulers.kubescheduler.moving import rests_on_moving
from kubectl_fairshare.schedulers.turns.attempts import NOWHERE, PodTry
from kubectl_fairshare.schedulers.turns.plans import TurnPlans

QuotaTry = PodTry[Pod, Attempt]
QuotaTurns = TurnPlans[State, Pod, Attempt, Plan]


class QuotaTurnRules:
    """What turns need of CapacityScheduling."""

    def tried(self, state: State, pod: Pod) -> QuotaTry:
        """The scheduler's own cycle for a waiting pod; without nodes, the quotas' verdict."""
        found = schedule(state, pod, None)
        if not is_placed(state.nodes, found):
            return PodTry(found, (found.course, found.gate.verdict))
        by_quota = not found.gate.admits
        if not state.nodes:
            return PodTry(found, found.course, NOWHERE)
        if found.course is CycleEnd.SCHEDULABLE or found.choice is None:
            return PodTry(found, (found.course, found.feasible), found.feasible[0], (), found.feasible)
        node = found.choice.nodes[0]
        victims = tuple(fate.pod for fate in found.trials[node].victims)
        kind = found.course, found.choice.nodes, tuple(victim.key for victim in victims)
        return PodTry(found, kind, node, victims, found.choice.nodes, by_quota)

    def eviction_work(self, found: QuotaTry) -> int:
        """Ten attempts for each candidate."""
        return 10 * sum(len(trial.taken) for trial in found.attempt.trials.values())

    def gets(self, state: State, pod: Pod, node: str) -> bool:
        """Whether the pod, which is nominated to the node, gets it."""
        return schedule(state, replace(pod, nominated=node), None).feasible == (node,)

    def bound(self, state: State, pod: Pod, node: str) -> State:
        """The state with the pod on the node."""
        return with_bound(state, pod, node)

    def nominated(self, state: State, pod: Pod, node: str, victims: Collection[Pod]) -> State:
        """The state with the pod nominated to the node, and victims that are being deleted."""
        return with_nominated(state, pod, node, victims)

    def without(self, state: State, gone: Collection[Pod]) -> State:
        """The state without these pods."""
        return without_some(state, gone)

    def doubts(self, state: State, found: QuotaTry) -> Iterable[Gap]:
        """What the end of an attempt rests on, and who leaves; nothing lets a pod in that is refused."""
        return () if found.is_refusal else doubts_of(state, found.attempt, ())

    def rests_on_nodes(self, state: State, found: QuotaTry, moving: Sequence[Pod]) -> bool:
        """Whether the attempt may end in another way if those pods are on other nodes."""
        return rests_on_moving(state, found.attempt, [pod_at(state, pod.key) for pod in moving])

    def nodes(self, state: State) -> Collection[str]:
        """The names of the nodes."""
        return state.nodes.keys()

    def shape(self, state: State, pod: Pod) -> Hashable:
        """All that decides about the pod, without its name."""
        amounts = _amounts(pod.charge), _amounts(pod.request)
        where = pod.namespace, pod.node, pod.nominated, pod.scheduler, state.source.demands.get(pod.key)
        return where, amounts, pod.priority, pod.preempts, pod.gated, pod.terminating, pod.unmodelled

    def size(self, state: State, pod: Pod) -> Hashable:
        """What it takes of a node, and which nodes it may use."""
        return _amounts(pod.request), state.source.demands.get(pod.key)

    def helps_preemption(self, state: State, pod: Pod) -> bool:
        """Whether its namespace uses more than its min, so that others can preempt there."""
        return state.ledger.has(pod.namespace) and state.ledger.borrows(pod.namespace)


def _amounts(vector: Vector) -> Hashable:
    return vector[:4], tuple(sorted(vector.scalars.items()))
