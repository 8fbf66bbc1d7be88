"""The next cycle with all jobs that wait, played once for a session: which of them get in, and who leaves for whom.

KAI takes up all waiting jobs in one session, and each attempt goes on from the state that the last one left.
Source: KAI-Scheduler v0.17, "kai solver" in ``docs/laws.md``.

Tested in ``tests/unit/schedulers/kai/explain/test_planning.py``.
"""

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from typing import Final, NamedTuple

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.explain.decision import Placement
from kubectl_fairshare.schedulers.kai.explain.placement import effect, no_effect, outcome_by, placement
from kubectl_fairshare.schedulers.kai.session.session import QueueAttributes, Session
from kubectl_fairshare.schedulers.kai.solver.attempts import Action, PodChange, Tried
from kubectl_fairshare.schedulers.kai.solver.cycle import ENOUGH, Fork, Steps, considered, other_runs, runs_to_try
from kubectl_fairshare.schedulers.kai.solver.layers import Layer
from kubectl_fairshare.schedulers.kai.solver.predicates import UnmodelledError

_RANKS: Final = {Outcome.ADMITTED: 0, Outcome.PREEMPTS: 1, Outcome.WAITS: 2}
_LONG: Final = 3_000
"""Jobs that wait, times nodes."""


class Played(NamedTuple):
    """The state after the actions that are decided; ``stopped`` is the one that is not, for its ``feature``.

    ``fork`` is None if no order of a map matters.
    """

    layer: Layer
    tried: tuple[Tried, ...]
    fork: Fork | None = None
    stopped: Action | None = None
    feature: str = ""


class InCycle(NamedTuple):
    """The effect of the cycle on one job.

    ``alone`` is the effect if no other job waited, None if it is no better. ``ahead`` are the jobs that got in before
    it. ``contended``: some other job does not get in at once, so the order of jobs counts. ``standings`` are the queues
    when it gets in. ``depth`` is the number of jobs of its queue that the action which would place it alone tries in a
    cycle, if it is not among them; otherwise 0.
    """

    placement: Placement
    alone: Placement | None
    ahead: tuple[ObjectKey, ...]
    contended: bool
    standings: Mapping[str, QueueAttributes]
    feature: str = ""
    depth: int = 0


def play(start: Fork) -> Played:
    """The actions of the shard in a row, up to one that is not decided."""
    steps = Steps(start)
    for action in steps.left:
        try:
            steps.run(action)
        except UnmodelledError as error:
            return Played(steps.layer, steps.tried, steps.fork, action, str(error))
    return Played(steps.layer, steps.tried, steps.fork)


class WholeCycle:
    """The next cycle of a session; ``first`` is the state before any action."""

    def __init__(self, first: Layer) -> None:
        self._first = first
        self._others: list[Played] = []

    @cached_property
    def waiting(self) -> Collection[str]:
        """The jobs that KAI tries, by name."""
        first, session = self._first, self._first.ground.session
        gangs = first.ground.gangs.items()
        names = (name for name, gang in gangs if any(map(first.pending, gang.tasks)))
        return [name for name in names if not considered(session, name)]

    @property
    def long(self) -> bool:
        """Whether the cycle takes so long that it is not played for each of many questions."""
        return len(self.waiting) * len(self._first.ledgers) > _LONG

    @cached_property
    def _played(self) -> Played:
        return play(Fork(self._first))

    def turn(self, name: str, doubts: int, *, alone: bool) -> InCycle:
        """The effect on a job, as in up to ``doubts`` other runs of KAI. Raises ``UnmodelledError``.

        ``alone``: as if no other job waited.
        """
        session = self._first.ground.session
        if alone or [*self.waiting] == [name]:
            return InCycle(placement(session, name, self._first, doubts=doubts), None, (), False, session.standings)
        return self._among_others(session, name, doubts)

    def _among_others(self, session: Session, name: str, doubts: int) -> InCycle:
        played = self._played
        where = self._in_all_runs(name, doubts)
        if not where.action and played.stopped is not None:
            where = placement(session, name, self._first, doubts=doubts)
            return InCycle(where, None, (), True, session.standings, played.feature)
        done = (one.standings for one in played.tried if one.job == name and one.done)
        standings = next(done, session.standings)
        settled = where.action == Action.ALLOCATE
        alone = where if settled else placement(session, name, self._first, doubts=0)
        if _RANKS[outcome_by(alone)] >= _RANKS[outcome_by(where)]:
            return InCycle(where, None, (), self._contended(name), standings)
        ahead = (session.jobs[each].group.key for each in self._before(name, Action(alone.action)))
        depth = self._depth(name, Action(alone.action))
        return InCycle(where, alone, tuple(ahead), self._contended(name), standings, depth=depth)

    def _depth(self, name: str, action: Action) -> int:
        """How many jobs of each queue an action tries, if it does not try this one; otherwise 0."""
        tried = any(one.job == name and one.action is action for one in self._played.tried)
        return 0 if tried else self._first.ground.session.shard.depths.get(action, 0)

    def _in_all_runs(self, name: str, doubts: int) -> Placement:
        """The effect of the cycle, with those of other runs where they differ."""
        played = self._played
        found = self._effect(played, name)
        others = [self._effect(each, name) for each in self._runs(doubts)]
        messages = dict.fromkeys(each.condition for each in (found, *others) if not each.action)
        differing = [each for each in others if _where(each) != _where(found)]
        return replace(
            found,
            other_conditions=() if found.action else tuple(messages)[1:],
            varies=bool(differing),
            others=tuple(each for n, each in enumerate(differing) if each not in differing[:n]),
            orders=tuple(each.action for each in (found, *others)),
            few=0 < len(others) < ENOUGH,
        )

    def _runs(self, most: int) -> list[Played]:
        """The cycle in other runs of KAI, as many as are tried, up to ``most``; none where no order matters."""
        fork, tried = self._played.fork, self._played.tried
        if fork is None:
            return []
        number = min(runs_to_try(self._first, tried, several=True, briefly=self.long), most)
        if len(self._others) < number:
            more = [*other_runs(fork, number)][len(self._others) :]
            self._others += map(play, more)
        return self._others[:number]

    def _effect(self, played: Played, name: str) -> Placement:
        own = [one for one in played.tried if one.job == name]
        action = next((one.action for one in own if one.done), None)
        if action is None:
            return no_effect(played.layer, own, name)
        changes = [change for one in own if one.done and one.action is action for change in one.changes]
        tasks = self._first.ground.tasks
        return effect(self._first.ground.session, action, [(tasks[c.pod], c.was, c.now) for c in _merged(changes)])

    def _before(self, name: str, action: Action) -> Iterator[str]:
        """The jobs that got in before the last attempt of this one, in the action that would place it alone."""
        tried = self._played.tried
        last = max((n for n, one in enumerate(tried) if one.job == name and one.action is action), default=len(tried))
        return iter(dict.fromkeys(one.job for one in tried[:last] if one.done and one.job != name))

    def _contended(self, name: str) -> bool:
        tried = {one.job for one in self._played.tried if one.done and one.action is Action.ALLOCATE}
        return any(each != name and each not in tried for each in self.waiting)


def _merged(changes: list[PodChange]) -> Iterator[PodChange]:
    """One change for each pod, over several attempts."""
    first = {change.pod: change for change in reversed(changes)}
    return (
        change._replace(was=first[change.pod].was) for change in {change.pod: change for change in changes}.values()
    )


def _where(one: Placement) -> tuple[object, ...]:
    return one.action, one.bound, one.waiting, one.lost, one.moves
