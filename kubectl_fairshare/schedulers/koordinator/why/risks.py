"""What may take a placed pod off its node: the next attempts of waiting pods, and the over-use revoker.

Tested in ``tests/unit/schedulers/koordinator/test_possible.py``.
"""

from collections.abc import Hashable
from functools import cached_property

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.preemption.default_preemption import (
    has_default_preemption,
    nodes_of_default_preemption,
)
from kubectl_fairshare.schedulers.koordinator.preemption.possible import (
    TiedEvictions,
    possible_evictions,
    revoked_by_chance,
)
from kubectl_fairshare.schedulers.koordinator.preemption.revoking import is_over, revoked
from kubectl_fairshare.schedulers.koordinator.preemption.scheduling import PodAttempt, schedule
from kubectl_fairshare.schedulers.koordinator.quotas.state import State


class EvictionRisk(Value, frozen=True):
    """The waiting pods whose next attempt preempts a placed pod, and whether the over-use revoker would evict it.

    ``perhaps`` are those that preempt it only if ties fall so; ``revoked_perhaps``: a tie decides whether the revoker
    evicts it. ``across``: waiting pods for which DefaultPreemption may evict it, whatever their quotas; ``crosses``:
    that plugin runs at all.
    """

    preemptors: tuple[Pod, ...] = ()
    perhaps: tuple[Pod, ...] = ()
    revoked: bool = False
    revoked_perhaps: bool = False
    across: tuple[Pod, ...] = ()
    crosses: bool = False

    @property
    def likeness(self) -> Hashable:
        """Equal for equal risks."""
        names = tuple(tuple(pod.key for pod in pods) for pods in (self.preemptors, self.perhaps, self.across))
        return names, self.revoked, self.revoked_perhaps

    @property
    def defined(self) -> bool:
        """Whether no tie decides."""
        return not self.perhaps and not self.revoked_perhaps


class EvictionRisks:
    """The risks of the placed pods of one state."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._attempts: dict[ObjectKey, PodAttempt] = {}
        self._evictions: dict[ObjectKey, TiedEvictions] = {}
        self._rooms: dict[ObjectKey, frozenset[str]] = {}
        self._revoked: dict[str, tuple[frozenset[ObjectKey], frozenset[ObjectKey]]] = {}

    @cached_property
    def _waiting(self) -> list[Pod]:
        return [pod for pod in self._state.source.pods if not pod.node and not pod.gated]

    def of(self, pod: Pod) -> EvictionRisk:
        """The risks of one placed pod."""
        quota = self._state.quota_of[pod.key].quota
        higher = (other for other in self._waiting if other.priority > pod.priority)
        across = tuple(other for other in higher if pod.node in self._rooms_for(other))
        crosses = has_default_preemption(self._state)
        always, perhaps = [], []
        for other in self._waiting:
            if other.priority > pod.priority and self._state.quota_of[other.key].quota == quota:
                found = self._evictions_by(other)
                hits = [any(victim.key == pod.key for victim in way.victims) for way in found.results]
                if hits and all(hits) and found.complete:
                    always.append(other)
                elif any(hits) or not found.complete:
                    perhaps.append(other)
        gone, drawn = self._revoked_from(quota)
        return EvictionRisk(tuple(always), tuple(perhaps), pod.key in gone, pod.key in drawn, across, crosses)

    def _evictions_by(self, pod: Pod) -> TiedEvictions:
        if pod.key not in self._evictions:
            self._evictions[pod.key] = possible_evictions(self._state, self._attempt_of(pod))
        return self._evictions[pod.key]

    def _rooms_for(self, pod: Pod) -> frozenset[str]:
        """The nodes on which DefaultPreemption may evict pods for a waiting one."""
        if pod.key not in self._rooms:
            self._rooms[pod.key] = frozenset(nodes_of_default_preemption(self._state, self._attempt_of(pod)))
        return self._rooms[pod.key]

    def _attempt_of(self, pod: Pod) -> PodAttempt:
        if pod.key not in self._attempts:
            self._attempts[pod.key] = schedule(self._state, pod)
        return self._attempts[pod.key]

    def _revoked_from(self, quota: str) -> tuple[frozenset[ObjectKey], frozenset[ObjectKey]]:
        """The pods that the revoker evicts if equal pods keep the order of names, and those that ties decide about."""
        if quota not in self._revoked:
            over = bool(quota) and is_over(self._state, quota)
            gone = revoked(self._state, quota) if over else ()
            drawn = revoked_by_chance(self._state, quota) if over else ()
            self._revoked[quota] = frozenset(pod.key for pod in gone), frozenset(pod.key for pod in drawn)
        return self._revoked[quota]
