"""The plan of each waiting pod in its turn.

Tested in ``tests/unit/schedulers/turns/test_turns.py``.
"""

from collections.abc import Callable, Collection, Hashable, Mapping
from typing import Generic, TypeAlias

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.turns.attempts import AnyAttempt, AnyPlan, AnyState, PodTry, TurnRules
from kubectl_fairshare.schedulers.turns.line import AnyPod, PodLine
from kubectl_fairshare.schedulers.turns.turns import PodTurn, PodTurns

Wanted: TypeAlias = Mapping[ObjectKey, ObjectKey]
"""Pods whose plans are wanted in full, each with the object that is asked about."""


class TurnPlans(Generic[AnyState, AnyPod, AnyAttempt, AnyPlan]):
    """The plan of each waiting pod on the state that its last attempt meets; equal pods share one.

    ``wanted`` are the pods whose plans are asked for, by the object that is asked about; None for all.
    """

    def __init__(
        self,
        rules: TurnRules[AnyState, AnyPod, AnyAttempt],
        state: AnyState,
        line: PodLine[AnyPod],
        plan: Callable[[AnyState, AnyPod], AnyPlan],
        wanted: Wanted | None,
    ) -> None:
        self._plan, self._wanted, self._state = plan, wanted, state
        self._plans: dict[Hashable, tuple[AnyPlan, AnyState]] = {}
        self._attempts: dict[ObjectKey, tuple[AnyAttempt, bool]] = {}
        self.turns = PodTurns(rules, state, line, self._meet)

    def _meet(self, pod: AnyPod, state: AnyState, turn: PodTurn, found: PodTry[AnyPod, AnyAttempt]) -> None:
        self._attempts.pop(pod.key, None)
        if found.victims:
            self._attempts[pod.key] = found.attempt, not turn.gaps
        mark = self._mark(pod, turn)
        if mark not in self._plans and (self._wanted is None or pod.key in self._wanted):
            self._plans[mark] = self._plan(state, pod), self._state if self._wanted is None else state

    def _mark(self, pod: AnyPod, turn: PodTurn) -> Hashable:
        """What pods of one plan have in common: a plan in full names the object that is asked about."""
        return turn.mark if self._wanted is None else (turn.mark, self._wanted.get(pod.key))

    @property
    def attempts(self) -> Collection[tuple[AnyAttempt, bool]]:
        """The attempts for which others leave, and whether nothing of them is in doubt."""
        return self._attempts.values()

    def of(self, pod: AnyPod) -> tuple[AnyPlan, AnyState]:
        """The plan, and the state that it is about; a list, which shows no figures of it, has the one before all."""
        turn = self.turns.of(pod)
        return (self._plan(self._state, pod), self._state) if turn is None else self._plans[self._mark(pod, turn)]
