"""All that one cycle may do where Kueue leaves choices to chance: the order of equal heads, equal cohorts' victims.

Example: two queues of one cohort are equal in share, priority and age, and quota is left for one head. Either may get
in, and an answer that names one of them would be wrong half of the time.
Source: the maps that are walked in ``runTournament`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/fair_sharing_iterator.go and in ``nextTarget`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/preemption/fairsharing/ordering.go.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from kubectl_fairshare.schedulers.choices import Choices, Possible, over_choices
from kubectl_fairshare.schedulers.kueue.cycle.alone import scan
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination, nominate
from kubectl_fairshare.schedulers.kueue.cycle.nominations import steps_of
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.tree.state import State

if TYPE_CHECKING:
    from kubectl_fairshare.schedulers.kueue.cycle.cycle import CycleRun

MOST_WAYS: Final = 1024
"""The most ways through one decision that are tried."""
_MOST_STEPS: Final = 8_192
"""The most steps of all ways: workloads that are considered, and candidates that are examined for them."""
_MOST_DRAWS: Final = 64
"""The most draws of requests whose texts are listed."""
_LONG: Final = 128
_VERY_LONG: Final = 2_048
"""Steps of one way from which on a decision is long, and very long."""
R = TypeVar("R")
Alike: TypeAlias = Callable[[tuple[Nomination, ...]], Hashable]
"""What of a workload's nominations counts: those that have it in common are one outcome."""


def possible_cycles(state: State, most: int | None = None) -> "Possible[CycleRun]":
    """The cycles that the ties allow, first the one that is shown."""
    from kubectl_fairshare.schedulers.kueue.cycle.cycle import run_cycle

    run = run_cycle(state)
    nominations = [entry.nomination for entry in run.entries]
    if not run.ties and not any(nomination.tied for nomination in nominations):
        return Possible((run,))
    return _over(run, nominations, lambda chance: run_cycle(state.with_chance(chance)), _events, most)


def possible_rounds(state: State, heads: Sequence[Pending], most: int | None = None) -> "Possible[CycleRun]":
    """The cycles over these heads that the ties allow, first the one that is shown."""
    run = _round(state, heads)
    nominations = [entry.nomination for entry in run.entries]
    if not run.ties and not any(nomination.tied for nomination in nominations):
        return Possible((run,))
    return _over(run, nominations, lambda chance: _round(state.with_chance(chance), heads), _events, most)


def _round(state: State, heads: Sequence[Pending]) -> "CycleRun":
    from kubectl_fairshare.schedulers.kueue.cycle.cycle import run_nominated

    return run_nominated(state, [nominate(state, head) for head in heads])


def possible_nominations(
    state: State, workload: Pending, most: int | None = None, alike: Alike | None = None
) -> Possible[Nomination]:
    """What the workload would get, in its first cycle alone; by default those that end the same are one."""
    found = nominate(state, workload)
    if not found.tied:
        return Possible((found,))
    return _over(
        found,
        [found],
        lambda chance: nominate(state.with_chance(chance), workload),
        lambda n: (alike or _end)((n,)),
        most,
    )


def possible_scans(
    state: State, workload: Pending, most: int | None = None, first: tuple[Nomination, ...] | None = None
) -> Possible[tuple[Nomination, ...]]:
    """The nominations of a workload, cycle after cycle, that the ties allow; first those that are shown, if known."""
    found = scan(state, workload) if first is None else first
    if not any(nomination.tied for nomination in found):
        return Possible((found,))
    return _over(found, found, lambda chance: scan(state.with_chance(chance), workload), _end, most)


def other_draws(state: State, workload: Pending, first: Nomination) -> tuple[Nomination, ...]:
    """Nominations that end as ``first`` does, with other requests that chance draws: what Kueue says may differ."""
    if not workload.is_drawn or first.assignment is None:
        return ()
    found = over_choices(
        lambda chance: scan(state.with_chance(chance), workload)[-1],
        lambda each: end_with_requests((each,)),
        _MOST_DRAWS,
    )
    return tuple(each for each in found.results[1:] if _end((each,)) == _end((first,)))


def _over(
    first: R,
    nominations: Sequence[Nomination],
    decide: Callable[[Choices], R],
    alike: Callable[[R], Hashable],
    most: int | None,
) -> Possible[R]:
    """The results over all choices, or over as many as are worth their time: by what one way costs, not by a clock.

    For a long decision two results are enough: it is not the only one. For a very long one no other way is tried.
    """
    if most is not None:
        return over_choices(decide, alike, most)
    steps = len(nominations) + sum(map(steps_of, nominations))
    return over_ways(first, steps, decide, alike)


def over_ways(first: R, steps: int, decide: Callable[[Choices], R], alike: Callable[[R], Hashable]) -> Possible[R]:
    """The results over all choices, or over as many as are worth their time; ``first`` took so many steps."""
    if steps > _VERY_LONG:
        return Possible((first,), complete=False)
    return over_choices(decide, alike, max(1, min(MOST_WAYS, _MOST_STEPS // steps)), 2 if steps > _LONG else None)


def _events(run: "CycleRun") -> Hashable:
    """What the cycle does, in no order."""
    return frozenset((gain(e.nomination), e.status, e.reason, victims(e.nomination)) for e in run.entries)


def _end(nominations: tuple[Nomination, ...]) -> Hashable:
    last = nominations[-1]
    return gain(last), last.mode, last.admits, victims(last)


def end_with_requests(nominations: tuple[Nomination, ...]) -> Hashable:
    """What the last one comes to, with what chance drew for its pods."""
    return _end(nominations), tuple(tuple(p.requests.items()) for p in nominations[-1].workload.pod_sets)


def gain(nomination: Nomination) -> Hashable:
    """The workload, with the flavors and pods that it is assigned."""
    assignment = nomination.assignment
    pod_sets = () if assignment is None else assignment.pod_sets
    flavors = tuple((p.name, p.count, tuple(sorted((r, f) for r, (f, _) in p.flavors.items()))) for p in pod_sets)
    places = tuple(str(sorted(placed.domains)) for placed in nomination.placements)
    return nomination.workload.key, flavors, places


def victims(nomination: Nomination) -> Hashable:
    """Those that leave for it."""
    return frozenset(target.holder.key for target in nomination.leaving)
