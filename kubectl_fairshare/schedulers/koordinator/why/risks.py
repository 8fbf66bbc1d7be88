"""What may take a placed pod off its node: the next attempts of waiting pods, and the over-use revoker.

Tested in ``tests/unit/schedulers/koordinator/test_possible.py``.
"""

from collections.abc import Hashable
from functools import cached_property
from typing import Any

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.preemption.default_preemption import (
    nodes_of_default_preemption,
)
from kubectl_fairshare.schedulers.koordinator.preemption.possible import (
    TiedEvictions,
    possible_evictions,
    revoked_by_chance,
)
from kubectl_fairshare.schedulers.koordinator.preemption.revoking import is_over, revoked
from kubectl_fairshare.schedulers.koordinator.quotas.state import State
from kubectl_fairshare.schedulers.koordinator.why.turns import TURNS
from kubectl_fairshare.schedulers.turns.attempts import PodTry
from kubectl_fairshare.schedulers.turns.line import PodLine
from kubectl_fairshare.schedulers.turns.turns import PodTurn, PodTurns


class EvictionRisk(Value, frozen=True):
    """The waiting pods whose next attempt preempts a placed pod, and whether the over-use revoker would evict it.

    ``perhaps`` are those that preempt it only if ties fall so; ``revoked_perhaps``: a tie decides whether the revoker
    evicts it. ``across``: waiting pods for which DefaultPreemption may evict it, whatever their quotas.
    """

    preemptors: tuple[Pod, ...] = ()
    perhaps: tuple[Pod, ...] = ()
    revoked: bool = False
    revoked_perhaps: bool = False
    across: tuple[Pod, ...] = ()

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
    """The risks of the placed pods of one state; ``line`` has the pods that wait, which preempt in turn."""

    def __init__(self, state: State, line: PodLine[Pod]) -> None:
        self._state, self._line = state, line
        self._evictions: dict[ObjectKey, TiedEvictions] = {}
        self._rooms: dict[Hashable, frozenset[str]] = {}
        self._revoked: dict[str, tuple[frozenset[ObjectKey], frozenset[ObjectKey]]] = {}

    @cached_property
    def _turns(self) -> PodTurns[State, Pod, Any]:
        return PodTurns(TURNS, self._state, self._line, self._meet)

    def _meet(self, pod: Pod, state: State, turn: PodTurn, found: PodTry[Pod, Any]) -> None:
        """Keeps what the attempt evicts, and the nodes on which DefaultPreemption may evict pods for it."""
        self._evictions.pop(pod.key, None)
        if found.victims:
            self._evictions[pod.key] = possible_evictions(state, found.attempt)
        if turn.mark not in self._rooms:
            self._rooms[turn.mark] = frozenset(nodes_of_default_preemption(state, found.attempt))

    def of(self, pod: Pod) -> EvictionRisk:
        """The risks of one placed pod."""
        turns = self._turns
        higher = [other for other in self._line.pods if other.priority > pod.priority]
        across = tuple(other for other in higher if pod.node in self._rooms_for(other))
        always, perhaps = [], []
        for other in higher:
            ways, doubtful = self._evictions.get(other.key), bool(turns.gaps(other))
            if ways is None and doubtful:
                ways = possible_evictions(self._state, turns.alone(other).attempt)
            hits = [any(v.key == pod.key for v in way.victims) for way in ways.results] if ways is not None else []
            if ways is not None and hits and all(hits) and ways.complete and not doubtful:
                always.append(other)
            elif any(hits) or not (ways is None or ways.complete):
                perhaps.append(other)
        gone, drawn = self._revoked_from(self._state.quota_of[pod.key].quota)
        return EvictionRisk(tuple(always), tuple(perhaps), pod.key in gone, pod.key in drawn, across)

    def _rooms_for(self, pod: Pod) -> frozenset[str]:
        """The nodes on which DefaultPreemption may evict pods for a waiting one."""
        turn = self._turns.of(pod)
        return frozenset() if turn is None else self._rooms[turn.mark]

    def _revoked_from(self, quota: str) -> tuple[frozenset[ObjectKey], frozenset[ObjectKey]]:
        """The pods that the revoker evicts if equal pods keep the order of names, and those that ties decide about."""
        if quota not in self._revoked:
            over = bool(quota) and is_over(self._state, quota)
            gone = revoked(self._state, quota) if over else ()
            drawn = revoked_by_chance(self._state, quota) if over else ()
            self._revoked[quota] = frozenset(pod.key for pod in gone), frozenset(pod.key for pod in drawn)
        return self._revoked[quota]
