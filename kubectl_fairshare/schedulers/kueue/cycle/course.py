"""What the next cycles do with all that waits, until one more changes nothing: one play for many questions.

What is evicted meanwhile still holds its quota then, as pods take longer to end than cycles to run; it leaves after
that, and the cycles that follow say only who gets in behind those for which it left.
Why victims stay to the end: a cycle takes milliseconds, and pods take seconds to end. If what was evicted were gone at
once, the next head would get quota that the preemptor is waiting for.
Source: ``schedule`` in https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/scheduler.go; "play" in
``docs/laws.md``.
Tested in ``tests/unit/schedulers/kueue/why/test_courses.py``.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import count as counted
from typing import NamedTuple

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.choices import Choices, FirstChoices, Possible
from kubectl_fairshare.schedulers.kueue.cycle.cycle import CycleRun, HeadStatus, ProcessedHead
from kubectl_fairshare.schedulers.kueue.cycle.nominations import Nominations, steps_of
from kubectl_fairshare.schedulers.kueue.cycle.play import Play, Watch
from kubectl_fairshare.schedulers.kueue.cycle.possible import gain, over_ways, victims
from kubectl_fairshare.schedulers.kueue.model.workload import Holder, Pending
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.trace import Step

_MOST_CYCLES_MORE = 256
"""Cycles apart from those that admit a workload, evict one or set one aside."""


class DecidedEntry(NamedTuple):
    """What a cycle, counted from 1, decided for a workload: the first in which it got something, otherwise the first.

    ``order`` counts what was decided before.
    """

    cycle: int
    order: int
    entry: ProcessedHead

    @property
    def gains(self) -> bool:
        """Whether the workload gets quota, or others leave for it."""
        return self.entry.status is HeadStatus.ASSUMED or self.entry.preempts


class PlayResult(NamedTuple):
    """One play. ``turns`` are those of the workloads that a cycle considered, in the order of the cycles.

    ``aside`` are those that are set aside in the end, ``heads`` those that keep their queue, by ClusterQueue. ``rest``
    is the state then. ``later`` get in once what was evicted has left. ``stable``: the play came to its end.
    ``tied_from`` is the first cycle in which chance had a choice, ``repeats_from`` the first after which a scan of
    flavors went round and round; 0 for none.
    """

    turns: Mapping[ObjectKey, DecidedEntry]
    aside: frozenset[ObjectKey]
    heads: Mapping[str, Pending]
    rest: State
    later: frozenset[ObjectKey]
    stable: bool
    tied_from: int = 0
    repeats_from: int = 0
    stops: Step | None = None

    def gainers(self) -> Iterator[tuple[ObjectKey, DecidedEntry]]:
        """Those that get something, in the order of the cycles."""
        return ((key, turn) for key, turn in self.turns.items() if turn.gains)


class Setting(NamedTuple):
    """What plays of one state share: ``queues`` as ``waiting`` gives them, and what ``Play`` is to do and know."""

    state: State
    queues: Mapping[str, Sequence[Pending]]
    queue_again: Callable[[Holder], Pending | None]
    watch: Watch | None = None
    nominations: Nominations | None = None


def possible_courses(setting: Setting) -> Possible[PlayResult]:
    """The courses that ties allow, first the one that is shown."""
    probe, steps, tied = FirstChoices(), [0], [0]

    def count(play: Play, state: State, run: CycleRun) -> None:
        steps[0] += sum(1 + steps_of(entry.nomination) for entry in run.entries)
        tied[0] = tied[0] or (play.cycles if probe.asked else 0)
        if setting.watch is not None:
            setting.watch(play, state, run)

    def of(chance: Choices, watch: Watch | None) -> PlayResult:
        known = setting.nominations if chance.first else None
        return played(setting._replace(state=setting.state.with_chance(chance), watch=watch, nominations=known))

    first = of(probe, count)._replace(tied_from=tied[0])
    return over_ways(first, steps[0], lambda chance: of(chance, None), _events) if probe.asked else Possible((first,))


def _events(course: PlayResult) -> Hashable:
    turns = (turn.entry for turn in course.turns.values())
    return frozenset((gain(e.nomination), e.status, e.reason, victims(e.nomination)) for e in turns)


def played(setting: Setting) -> PlayResult:
    """The course of one play."""
    state, queues, turns = setting.state, setting.queues, dict[ObjectKey, DecidedEntry]()
    repeats: list[int] = []
    order = counted()

    def watch(play: Play, before: State, run: CycleRun) -> None:
        if setting.watch is not None:
            setting.watch(play, before, run)
        for entry in run.entries:
            turn = DecidedEntry(play.cycles, next(order), entry)
            key = entry.nomination.workload.key
            known = turns.get(key)
            # The first turn in which it got something, and until then the first at all: a head is tried again and
            # again.
            if known is None or (turn.gains and not known.gains):
                turns.pop(key, None)
                turns[key] = turn
        if play.repeats and not repeats:
            repeats.append(play.cycles)

    play = Play(state, queues, _moment(state), setting.queue_again, watch=watch, lingering=True)
    play.nominations = setting.nominations
    most = 2 * sum(map(len, queues.values())) + _MOST_CYCLES_MORE
    stable = play.rest(most)
    _, aside = play.left()
    heads, rest, now, stops = play.waiting_heads(), play.state, dict(turns), play.stops
    behind = frozenset(w.key for queue in aside.values() for w in queue)
    # What comes once the victims have left can take hundreds of cycles, and answers about no other name it.
    blocked = any(w.key not in now and w.key not in behind for queue in queues.values() for w in queue)
    moved = blocked and bool(play.evictions) and play.settle(_MOST_CYCLES_MORE)
    later = frozenset(key for key, turn in turns.items() if turn.gains) if moved else frozenset()
    first = repeats[0] if repeats else 0
    return PlayResult(now, behind, heads, rest, later - now.keys(), stable, repeats_from=first, stops=stops)


def state_after(setting: Setting, cycles: int) -> State:
    """The state after so many cycles of the course that is shown."""
    play = Play(setting.state, setting.queues, _moment(setting.state), setting.queue_again, lingering=True)
    play.nominations = setting.nominations
    for _ in range(cycles):
        play.cycle()
    return play.state


def _moment(state: State) -> int:
    """A moment after all that holds quota got it."""
    return max((state.kueue.moment, *(holder.reserved + 1 for holder in state.kueue.holders)))
