"""The turns of waiting pods under Koordinator's quotas.

Tested in ``tests/unit/schedulers/turns/test_turns.py``.
"""

from collections.abc import Collection, Hashable, Iterable, Sequence

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.koordinator.explain.decision import Plan
from kubectl_fairshare.schedulers.koordinator.explain.doubts import doubts_of
from kubectl_fairshare.schedulers.koordinator.explain.trying import is_in_vain
from kubectl_fairshare.schedulers.koordinator.model.amounts import Amounts
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.preemption.default_preemption import nodes_of_default_preemption
from kubectl_fairshare.schedulers.koordinator.preemption.scheduling import PodAttempt, schedule
from kubectl_fairshare.schedulers.koordinator.quotas.state import (
    State,
    pod_at,
    with_bound,
    with_nominated,
    without_some,
)
from kubectl_fairshare.schedulers.kubescheduler.cycle import is_placed
from kubectl_fairshare.schedulers.kubescheduler.moving import rests_on_moving
from kubectl_fairshare.schedulers.turns.attempts import NOWHERE, PodTry
from kubectl_fairshare.schedulers.turns.plans import TurnPlans

RuntimeTry = PodTry[Pod, PodAttempt]
RuntimeTurns = TurnPlans[State, Pod, PodAttempt, Plan]


class RuntimeTurnRules:
    """What turns need of the plugin ElasticQuota."""

    def tried(self, state: State, pod: Pod) -> RuntimeTry:
        """The scheduler's own cycle for a waiting pod; without nodes, the quotas' verdict."""
        found = schedule(state, pod)
        refusal = found.gate.refusal
        kind: Hashable = (found.course, None if refusal is None else (refusal.law, refusal.quota))
        if not is_placed(state.nodes, found):
            return PodTry(found, kind)
        if not state.nodes:
            return PodTry(found, kind, NOWHERE)
        if found.chosen is None:
            return PodTry(found, (found.course, found.feasible), found.feasible[0], (), found.feasible)
        victims = tuple(fate.pod for fate in found.chosen.victims)
        in_vain = is_in_vain(state, found)
        kind = found.course, in_vain, found.preempted_on, tuple(victim.key for victim in victims)
        node = "" if in_vain else found.chosen.node
        return PodTry(found, kind, node, victims, found.preempted_on, not found.filters)

    def eviction_work(self, found: RuntimeTry) -> int:  # noqa: ARG002 -- the orders of pods cost little here
        """Twenty attempts."""
        return 20

    def gets(self, state: State, pod: Pod, node: str) -> bool:
        """Whether the pod, which is nominated to the node, gets it."""
        return schedule(state, replace(pod, nominated=node)).feasible == (node,)

    def bound(self, state: State, pod: Pod, node: str) -> State:
        """The state with the pod on the node."""
        return with_bound(state, pod, node)

    def nominated(self, state: State, pod: Pod, node: str, victims: Collection[Pod]) -> State:
        """The state with the pod nominated to the node, which may be none, and victims that are being deleted."""
        return with_nominated(state, pod, node, victims)

    def without(self, state: State, gone: Collection[Pod]) -> State:
        """The state without these pods."""
        return without_some(state, gone)

    def doubts(self, state: State, found: RuntimeTry) -> Iterable[Gap]:
        """What the end of an attempt rests on, and who leaves; DefaultPreemption may let a pod in that is refused."""
        if not found.is_refusal:
            return doubts_of(state, found.attempt, ())
        across = next(nodes_of_default_preemption(state, found.attempt), None)
        return () if across is None else (Gap("DefaultPreemption", (), touches=True),)

    def rests_on_nodes(self, state: State, found: RuntimeTry, moving: Sequence[Pod]) -> bool:
        """Whether the attempt may end in another way if those pods are on other nodes."""
        return rests_on_moving(state, found.attempt, [pod_at(state, pod.key) for pod in moving])

    def nodes(self, state: State) -> Collection[str]:
        """The names of the nodes."""
        return state.nodes.keys()

    def shape(self, state: State, pod: Pod) -> Hashable:
        """All that decides about the pod, without its name."""
        amounts = _amounts(pod.charged), _amounts(pod.request), state.source.demands.get(pod.key)
        where = pod.namespace, pod.node, pod.nominated, pod.scheduler, state.quota_of[pod.key]
        return where, amounts, pod.priority, pod.preempts, pod.preemptible, pod.gated, pod.terminating, pod.unmodelled

    def size(self, state: State, pod: Pod) -> Hashable:
        """What it takes of a node, and which nodes it may use."""
        return _amounts(pod.request), state.source.demands.get(pod.key)

    def helps_preemption(self, state: State, pod: Pod) -> bool:  # noqa: ARG002 -- priorities alone decide
        """No: a pod preempts lower priorities of its quota, which are tried after it."""
        return False


def _amounts(of: Amounts) -> Hashable:
    return tuple(sorted(of.items()))
