"""The turns of waiting pods: each is tried on the state that the pods before it leave, until none gets in.

A round tries each pod once. Victims leave after the round in which they are evicted: until then they count, and the
pod for which they leave is nominated. A pod that was refused is tried again then.
Source: Kubernetes 1.35, the scheduler's queue and preemption. Tested in ``tests/unit/schedulers/turns/test_turns.py``.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import Final, Generic, NamedTuple

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.pod_replay import NODE_SCORES
from kubectl_fairshare.schedulers.sandbox import is_scattered
from kubectl_fairshare.schedulers.turns.attempts import NOWHERE, AnyAttempt, AnyState, PodTry, TurnRules
from kubectl_fairshare.schedulers.turns.line import AnyPod, PodLine

QUEUE_ORDER: Final = Gap("QueueOrder", (), touches=True)
"""The order of pods of one priority, where ``PodLine`` does not know it."""
VICTIMS_LEAVE: Final = Gap("VictimsLeave", (), touches=True)
"""When the victims of pods before it are gone, and which pods their jobs create."""
PODS_AHEAD: Final = Gap("PodsAhead", (), touches=True)
"""Whether pods get in whose own answers are not exact, and who leaves for them."""
MANY_AHEAD: Final = Gap("ManyPodsAhead", (), touches=True)
"""Who of very many pods gets in before a pod: they are tried only so far."""
_MOST_OVERTAKEN: Final = 64
_MOST_WORK: Final = 4_000
"""Attempts that one line is worth; from then on, each pod is answered as if it were alone, and not exactly."""
_LATE: Final = -1
"""The round of a pod that is not tried in turn."""


class PodTurn(NamedTuple):
    """The last turn of a pod: how many get in before it, how it ends, and what is in doubt.

    Those of one ``mark`` are equal: it has the round, the shape of the pod and the kind of the attempt.
    """

    number: int
    mark: tuple[int, int, Hashable]
    end: Hashable
    gaps: tuple[Gap, ...]


class PodTurns(Generic[AnyState, AnyPod, AnyAttempt]):
    """The turns of the waiting pods of a line, one after another.

    ``met`` is called for each turn, with the state that the attempt meets. That state is ``_now``. ``_sure`` is the
    same without the pods whose places are in doubt, and in ``_early`` the victims of the round have left at once; both
    are None where they are the same. ``_overtaken`` are pods that are refused, or not, as what is in doubt falls.
    """

    def __init__(
        self,
        rules: TurnRules[AnyState, AnyPod, AnyAttempt],
        state: AnyState,
        line: PodLine[AnyPod],
        met: "Callable[[AnyPod, AnyState, PodTurn, PodTry[AnyPod, AnyAttempt]], None]",
    ) -> None:
        self._rules, self._line, self._met = rules, line, met
        self._start = self._now = state
        self._sure: AnyState | None = None
        self._early: AnyState | None = None
        self._turns: dict[ObjectKey, PodTurn] = {}
        self._placed: dict[ObjectKey, None] = {}
        self._vain: set[ObjectKey] = set()
        self._contested: set[ObjectKey] = set()
        self._overtaken: dict[ObjectKey, tuple[AnyPod, str, tuple[Gap, ...]]] = {}
        self._leaving: list[tuple[AnyPod, PodTry[AnyPod, AnyAttempt]]] = []
        self._victims: list[AnyPod] = []
        self._doubts: dict[Gap, None] = {}
        self._moving: dict[Hashable, list[AnyPod]] = {}
        self._shapes: dict[ObjectKey, int] = {}
        self._numbers: dict[Hashable, int] = {}
        self._known: dict[int, tuple[int, PodTry[AnyPod, AnyAttempt]]] = {}
        self._first: dict[int, PodTry[AnyPod, AnyAttempt]] = {}
        self._refused: dict[int, tuple[int, tuple[Gap, ...]]] = {}
        self._hopeful: dict[int, bool] = {}
        self._resting: dict[tuple[int, int], tuple[Gap, ...]] = {}
        self._hopes: dict[ObjectKey, tuple[int, tuple[Gap, ...]]] = {}
        self._version = self._opened = self._rounds = self._work = 0
        self._round()
        while self._leaving and self._work < _MOST_WORK:
            self._let_victims_leave()
            self._round()
        if self._work >= _MOST_WORK:  # what was refused is tried again once others have left, also for those not tried
            sure = self._placed.keys() - {pod.key for pod, _ in self._leaving}
            self._give_up([pod for pod in self._line.pods if pod.key not in sure])

    # --- what is asked of them

    def of(self, pod: AnyPod) -> PodTurn | None:
        """The last turn of the pod; None if it is not in the line."""
        return self._turns.get(pod.key)

    def before(self, pod: AnyPod) -> int:
        """How many pods get in before it, if that changes its answer."""
        turn = self.of(pod)
        if turn is None or not turn.number:
            return 0
        first = self.alone(pod)
        changed = first.end != turn.end or (first.is_refusal and first.kind != turn.mark[-1])
        return turn.number if changed else 0

    def gaps(self, pod: AnyPod) -> tuple[Gap, ...]:
        """What the answer rests on that is not known of the pods before it."""
        turn, order = self.of(pod), (QUEUE_ORDER,) if pod.key in self._contested else ()
        if turn is None:
            return ()
        number, hopes = self._hopes.get(pod.key, (0, ()))  # those of the last turn are in its own plan
        return tuple(dict.fromkeys((*turn.gaps, *(hopes if number < turn.mark[0] else ()), *order)))

    def groups(self, pods: Iterable[AnyPod]) -> list[list[AnyPod]]:
        """Pods in groups of equal answers, in order."""
        found: dict[Hashable, list[AnyPod]] = {}
        for pod in pods:
            turn = self.of(pod)
            key = self.shape(pod) if turn is None else turn.mark, self.gaps(pod)
            found.setdefault(key, []).append(pod)
        return list(found.values())

    def shape(self, pod: AnyPod) -> int:
        """A number that pods have in common which differ in their names alone."""
        if pod.key not in self._shapes:
            self._shapes[pod.key] = self._numbers.setdefault(self._rules.shape(self._start, pod), len(self._numbers))
        return self._shapes[pod.key]

    # --- rounds

    def _round(self) -> None:
        """Tries each pod that waits."""
        for pods in self._line.classes:
            waiting = [pod for pod in pods if pod.key not in self._placed]
            if self._work >= _MOST_WORK:
                return
            rivals = [pod for pod in waiting if not self._tried(pod).is_refusal]
            for block in self._line.blocks(waiting, rivals):
                self._of_block(block)

    def _of_block(self, pods: Sequence[AnyPod]) -> None:
        """Tries pods among which no order is known: the order decides if one ends otherwise than as the first."""
        start, sure = self._now, self._sure
        first = {pod.key: self._tried(pod) for pod in pods} if len(pods) > 1 else {}
        ends = {pod.key: self._turn(pod).end for pod in pods if self._work < _MOST_WORK}
        if all(ends.get(key) == found.end for key, found in first.items()):
            return
        self._doubts[QUEUE_ORDER] = None
        self._sure = start if sure is None else sure
        for pod in pods:
            if not first[pod.key].is_refusal:
                self._contested.add(pod.key)
                self._overtake(pod, first[pod.key].node, (QUEUE_ORDER,))

    def _give_up(self, pods: Sequence[AnyPod]) -> None:
        """Answers pods as if each were alone, and not exactly."""
        for pod in pods:
            found = self.alone(pod)
            self._turns[pod.key] = PodTurn(0, (_LATE, self.shape(pod), found.kind), found.end, (MANY_AHEAD,))
            self._met(pod, self._start, self._turns[pod.key], found)

    def _turn(self, pod: AnyPod) -> PodTry[AnyPod, AnyAttempt]:
        found = self._tried(pod)
        gaps = self._gaps_of_refusal(pod, found) if found.is_refusal else self._gaps(pod, found)
        turn = PodTurn(len(self._placed), (self._rounds, self.shape(pod), found.kind), found.end, gaps)
        if found.node or pod.key not in self._vain:
            self._turns[pod.key] = turn
            self._met(pod, self._now, turn, found)
        own = self._doubts_of(pod, found)
        doubts = (*gaps, PODS_AHEAD) if own else gaps
        if not found.is_refusal:
            self._carry_out(pod, found, doubts)
        elif doubts:
            self._hopes |= {pod.key: (self._rounds, own)} if own else {}
            self._overtake(pod, self.alone(pod).node, doubts)
        return found

    def _tried(self, pod: AnyPod) -> PodTry[AnyPod, AnyAttempt]:
        """The attempt on the state now; a refusal is final as long as quotas and nodes only fill up."""
        shape = self.shape(pod)
        version, found = self._known.get(shape, (-1, None))
        if found is None or version != (self._opened if found.is_refusal else self._version):
            found = self._try(self._now, pod)
            self._known[shape] = (self._opened if found.is_refusal else self._version), found
        return found

    def alone(self, pod: AnyPod) -> PodTry[AnyPod, AnyAttempt]:
        """The attempt of the pod if no other one came before it."""
        shape = self.shape(pod)
        if shape not in self._first:
            self._first[shape] = self._rules.tried(self._start, pod)
        return self._first[shape]

    def _try(self, state: AnyState, pod: AnyPod) -> PodTry[AnyPod, AnyAttempt]:
        """An attempt that counts as work."""
        self._work += 1
        return self._rules.tried(state, pod)

    def _carry_out(self, pod: AnyPod, found: PodTry[AnyPod, AnyAttempt], doubts: Sequence[Gap]) -> None:
        """Places the pod, or lets its victims leave."""
        rules, before = self._rules, self._now
        self._version += 1
        if not found.node:
            self._vain.add(pod.key)
        else:
            self._placed[pod.key] = None
            if is_scattered(rules.nodes(before), self._moving, found.choices, by_quota=found.by_quota):
                self._moving.setdefault(rules.size(before, pod), []).append(pod)
        if found.victims:
            self._work += rules.eviction_work(found)
            self._now = rules.nominated(before, pod, found.node, found.victims)
            self._leaving.append((pod, found))
            self._early = before if self._early is None else self._early
        else:
            self._now = rules.bound(before, pod, found.node)
            self._opened += rules.helps_preemption(self._now, pod)
        if self._early is not None:
            self._early = self._at_once(self._early, pod, found)
        self._doubts |= dict.fromkeys(doubts)
        if doubts and self._sure is None:
            self._sure = before
        elif not doubts and self._sure is not None:
            self._sure = self._at_once(self._sure, pod, found)

    def _at_once(self, state: AnyState, pod: AnyPod, found: PodTry[AnyPod, AnyAttempt]) -> AnyState:
        """The state in which the victims have left, and the pod is on its node."""
        left = self._rules.without(state, found.victims) if found.victims else state
        return self._rules.bound(left, pod, found.node) if found.node else left

    def _let_victims_leave(self) -> None:
        """After a round its victims are gone, and the pods for which they leave get their nodes, or wait again."""
        gone = [victim for _, found in self._leaving for victim in found.victims]
        off = {victim.key for victim in gone}
        self._victims += gone
        self._now = self._rules.without(self._now, gone)
        for pod, found in self._leaving:
            if found.node and self._rules.gets(self._now, pod, found.node):
                self._now = self._rules.bound(self._now, pod, found.node)
            elif found.node:
                del self._placed[pod.key]
                off.add(pod.key)
                self._now = self._rules.nominated(self._now, pod, "", ())
        self._moving = _without(self._moving, off)
        self._leaving, self._early = [], None
        self._version += 1
        self._opened += 1
        self._rounds += 1

    # --- what is in doubt

    def _doubts_of(self, pod: AnyPod, found: PodTry[AnyPod, AnyAttempt]) -> tuple[Gap, ...]:
        """What the end of an attempt rests on; the same for equal pods for which none leaves."""
        if found.victims:
            return tuple(self._rules.doubts(self._now, found))
        key = self.shape(pod), self._opened if found.is_refusal else -1
        if key not in self._resting:
            self._resting[key] = tuple(self._rules.doubts(self._now, found))
        return self._resting[key]

    def _may_get_in(self, pod: AnyPod) -> bool:
        """Whether a pod that is refused may get in by what is not modelled if no other one came before it."""
        shape = self.shape(pod)
        if shape not in self._hopeful:
            self._hopeful[shape] = any(True for _ in self._rules.doubts(self._start, self.alone(pod)))
        return self._hopeful[shape]

    def _overtake(self, pod: AnyPod, node: str, gaps: tuple[Gap, ...]) -> None:
        """Keeps in mind that the pod may get in after all."""
        if pod.key not in self._placed:
            self._overtaken[pod.key] = pod, node or NOWHERE, gaps

    def _gaps_of_refusal(self, pod: AnyPod, found: PodTry[AnyPod, AnyAttempt]) -> tuple[Gap, ...]:
        if self._sure is None and self._early is None and not self._moving:
            return ()
        shape = self.shape(pod)
        version, gaps = self._refused.get(shape, (-1, ()))
        if version != self._version:
            gaps = self._gaps(pod, found)
            self._refused[shape] = self._version, gaps
        return gaps

    def _gaps(self, pod: AnyPod, found: PodTry[AnyPod, AnyAttempt]) -> tuple[Gap, ...]:
        gaps: dict[Gap, None] = {}
        if self._sure is not None and self._try(self._sure, pod).end != found.end:
            gaps |= self._doubts
        if self._moving and self._rests_on_nodes(pod, found):
            gaps[NODE_SCORES] = None
        if self._early is not None and self._try(self._early, pod).end != found.end:
            gaps[VICTIMS_LEAVE] = None
        if found.node and any(victim.priority >= pod.priority for victim in self._victims):
            gaps[VICTIMS_LEAVE] = None  # it gets in because they left, and what their jobs create may be tried first
        if found.node and self._is_crowded_out(pod, found):
            gaps |= {gap: None for _, _, each in self._overtaken.values() for gap in each}
        return tuple(gaps)

    def _rests_on_nodes(self, pod: AnyPod, found: PodTry[AnyPod, AnyAttempt]) -> bool:
        """Whether it matters which of several nodes the pods before it get.

        Not to a pod that was refused before they came, if nothing could let it in then. Pods of one size take as much
        of the nodes wherever they are.
        """
        if found.is_refusal and not self._victims and self.alone(pod).is_refusal:
            return self._may_get_in(pod)
        moving = [each for several in self._moving.values() for each in several]
        if self._moving.keys() == {self._rules.size(self._now, pod)}:
            moving = moving[:1]
        return self._rules.rests_on_nodes(self._now, found, moving)

    def _is_crowded_out(self, pod: AnyPod, found: PodTry[AnyPod, AnyAttempt]) -> bool:
        """Whether the attempt may end otherwise if the pods that were overtaken are in as well."""
        over = self._overtaken.values()
        others = [(o, node) for o, node, _ in over if o.key not in self._placed and o.key != pod.key]
        if len(others) > _MOST_OVERTAKEN:
            return True
        crowded = self._now
        for other, node in others:
            crowded = self._rules.bound(crowded, other, node)
        return bool(others) and self._try(crowded, pod).end != found.end


def _without(moving: Mapping[Hashable, list[AnyPod]], off: Collection[ObjectKey]) -> dict[Hashable, list[AnyPod]]:
    """The pods by size without those that are on no node any more."""
    left = {size: [pod for pod in pods if pod.key not in off] for size, pods in moving.items()}
    return {size: pods for size, pods in left.items() if pods}
