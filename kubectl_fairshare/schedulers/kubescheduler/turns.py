"""The turns of waiting pods under a plugin's quotas, by its own cycle.

Decides nothing: the plugin's own cycle does.
Tested in ``tests/unit/schedulers/turns/test_turns.py``.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from typing import Any, NamedTuple

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.jobs.node_demand import NodeDemand
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kubescheduler.cycle import CycleAttempt, is_placed
from kubectl_fairshare.schedulers.kubescheduler.moving import rests_on_moving
from kubectl_fairshare.schedulers.turns.attempts import NOWHERE, PodTry

AnyAttempt = CycleAttempt[Any, Any, Any]
AnyTry = PodTry[Any, AnyAttempt]


class PluginTurns(NamedTuple):
    """What turns need of a plugin; states and pods are its own.

    ``refusal`` is what attempts without a place have in common. ``is_in_vain``: victims leave, and the pod is rejected
    all the same. ``doubts`` are those of an attempt with an end, ``doubts_of_refusal`` those of one without.
    ``amounts`` are equal for equal requests; ``own`` is what else decides about a pod, next to what it takes of a node.
    ``work`` is how many attempts one is worth for which others leave.
    """

    schedule: Callable[[Any, Any, NodeDemand | None], Any]
    refusal: Callable[[Any], Hashable]
    is_in_vain: Callable[[Any, Any], bool]
    bound: Callable[[Any, Any, str], Any]
    nominated: Callable[[Any, Any, str, Collection[Any]], Any]
    without: Callable[[Any, Collection[Any]], Any]
    doubts_of: Callable[[Any, Any, Collection[str]], Iterable[Gap]]
    doubts_of_refusal: Callable[[Any, Any], Iterable[Gap]]
    amounts: Callable[[Any], Hashable]
    own: Callable[[Any, Any], Hashable]
    helps_preemption: Callable[[Any, Any], bool]
    work: Callable[[Any], int]
    pod_at: Callable[[Any, ObjectKey], Any]

    def tried(self, state: Any, pod: Any) -> AnyTry:
        """The scheduler's own cycle for a waiting pod; without nodes, the quotas' verdict."""
        found = self.schedule(state, pod, None)
        if not is_placed(state.nodes, found):
            return PodTry(found, self.refusal(found))
        if not state.nodes:
            return PodTry(found, self.refusal(found), NOWHERE)
        if found.chosen is None:
            return PodTry(found, (found.course, found.feasible), found.feasible[0], (), found.feasible)
        victims, in_vain = tuple(fate.pod for fate in found.chosen.victims), self.is_in_vain(state, found)
        kind = found.course, in_vain, found.preempted_on, tuple(victim.key for victim in victims)
        node = "" if in_vain else found.chosen.node
        return PodTry(found, kind, node, victims, found.preempted_on, not found.filters)

    def eviction_work(self, found: AnyTry) -> int:
        """How many attempts one is worth for which others leave."""
        return self.work(found.attempt)

    def gets(self, state: Any, pod: Any, node: str) -> bool:
        """Whether the pod, which is nominated to the node, gets it."""
        nodes: tuple[str, ...] = self.schedule(state, replace(pod, nominated=node), None).feasible
        return nodes == (node,)

    def doubts(self, state: Any, found: AnyTry) -> Iterable[Gap]:
        """What the end of an attempt rests on, and who leaves; only what may let a pod in that is refused."""
        if found.is_refusal:
            return self.doubts_of_refusal(state, found.attempt)
        return self.doubts_of(state, found.attempt, ())

    def rests_on_nodes(self, state: Any, found: AnyTry, moving: Sequence[Any]) -> bool:
        """Whether the attempt may end in another way if those pods are on other nodes."""
        return rests_on_moving(state, found.attempt, [self.pod_at(state, pod.key) for pod in moving])

    def nodes(self, state: Any) -> Collection[str]:
        """The names of the nodes."""
        names: Collection[str] = state.nodes.keys()
        return names

    def shape(self, state: Any, pod: Any) -> Hashable:
        """All that decides about the pod, without its name."""
        where = pod.namespace, pod.node, pod.nominated, pod.scheduler
        kind = pod.priority, pod.preempts, pod.gated, pod.terminating, pod.unmodelled
        return where, kind, self.size(state, pod), self.own(state, pod)

    def size(self, state: Any, pod: Any) -> Hashable:
        """What it takes of a node, and which nodes it may use."""
        return self.amounts(pod.request), state.source.demands.get(pod.key)
