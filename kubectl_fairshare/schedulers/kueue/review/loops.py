"""Loops of evictions: a state of Kueue returns, and with it all that follows.

Here is the state that shows why one pace of evictions is not enough: preemptor needs all that first and second hold.
If both stop at one moment, it is admitted. If first stops earlier, it may be admitted again in its own quota before
second has stopped; preemptor evicts it again, then second is admitted again, and so on without end.
So each arrival is played with victims that stop at once, and with victims that stop one after the other, each once
nothing else happens. Quota is reserved a second later in each cycle, as the order of candidates rests on it.

Source: Kueue v0.19; kueue#13662; "play" in ``docs/laws.md``. Tested in ``tests/unit/policy/test_loops.py``.
"""

from collections.abc import Callable, Hashable, Iterator
from typing import Final, NamedTuple, Protocol

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.answers.search import LoopEvent, LoopStep
from kubectl_fairshare.schedulers.kueue.cycle.cycle import HeadStatus
from kubectl_fairshare.schedulers.kueue.cycle.play import Play
from kubectl_fairshare.schedulers.kueue.words.sentences import RULES
from kubectl_fairshare.schedulers.sandbox import AT_ONCE, EvictionLoop, loop_since

_MOST_CYCLES: Final = 256


class Pace(NamedTuple):
    """When the pods of victims stop; ``lingering``: one after the other."""

    text: str
    lingering: bool = False


PACES: Final = (
    Pace(AT_ONCE),
    Pace("the pods of victims stop one after the other, in the order of evictions", lingering=True),
)


class Watching(Protocol):
    """What watches the cycles of a play: ``gaps`` are what they rest on."""

    gaps: dict[Gap, None]


def eviction_loop(opened: Callable[[Pace], tuple[Play, Watching]]) -> EvictionLoop | None:
    """The first loop at any pace that rests on nothing that is not known; None without one."""
    for pace in PACES:
        play, watch = opened(pace)
        found = _returned(play, pace)
        if found is not None and not watch.gaps and not play.repeats:
            return found
    return None


def _returned(play: Play, pace: Pace) -> EvictionLoop | None:
    """The steps until a state returns; None if the play comes to rest, or is too long."""
    steps: list[LoopStep] = []
    seen: dict[Hashable, int] = {}
    while play.cycles < _MOST_CYCLES:
        picture = play.picture()
        if picture is not None and picture in seen:
            return loop_since(steps[seen[picture] :], pace.text)
        seen[picture] = len(steps)
        evictions = len(play.evictions)
        goes_on = play.goes_on()
        steps += _steps(play, evictions)
        if play.stops is not None:
            return None
        if goes_on or play.wake_released():
            continue
        gone = play.let_go_one()
        if gone is None:
            return None
        steps.append(LoopStep(play.cycles, LoopEvent.STOPPED, gone.key.name, gone.cluster_queue))
    return None


def _steps(play: Play, before: int) -> Iterator[LoopStep]:
    """What the last cycle did: who was evicted, and who was admitted."""
    for each in play.evictions[before:]:
        holder, by = each.target.holder, play.state.cluster_queue_of(each.by)
        rule = RULES.get(each.target.trial.law, str(each.target.trial.law))
        yield LoopStep(
            play.cycles, LoopEvent.EVICTED, holder.key.name, holder.cluster_queue, each.by.key.name, by, rule
        )
    for entry in play.entries:
        if entry.status is HeadStatus.ASSUMED:
            nomination = entry.nomination
            yield LoopStep(play.cycles, LoopEvent.STARTS, nomination.workload.key.name, nomination.cluster_queue)
