"""All that one cycle may do where Kueue leaves choices to chance: the order of equal heads, equal cohorts' victims."""

from collections.abc import Hashable
from typing import Final

from kubectl_fairshare.schedulers.choices import Possible, over_choices
from kubectl_fairshare.schedulers.kueue.cycle.cycle import CycleRun, run_cycle
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination, nominate, scan
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.tree.state import State

MOST_WAYS: Final = 1024
"""The most ways through one decision that are tried."""


def possible_cycles(state: State, most: int = MOST_WAYS) -> Possible[CycleRun]:
    """The cycles that the ties allow, first the one that is shown."""
    run = run_cycle(state)
    if not run.ties and not any(entry.nomination.tied for entry in run.entries):
        return Possible((run,))
    return over_choices(lambda chance: run_cycle(state.with_chance(chance)), _events, most)


def possible_nominations(state: State, workload: Pending, most: int = MOST_WAYS) -> Possible[Nomination]:
    """What the workload would get, in its first cycle alone."""
    found = nominate(state, workload)
    if not found.tied:
        return Possible((found,))
    return over_choices(lambda chance: nominate(state.with_chance(chance), workload), lambda n: _end((n,)), most)


def possible_scans(state: State, workload: Pending, most: int = MOST_WAYS) -> Possible[tuple[Nomination, ...]]:
    """The nominations of a workload, cycle after cycle, that the ties allow; first those that are shown."""
    found = scan(state, workload)
    if not any(nomination.tied for nomination in found):
        return Possible((found,))
    return over_choices(lambda chance: scan(state.with_chance(chance), workload), _end, most)


def _events(run: CycleRun) -> Hashable:
    """What the cycle does, in no order."""
    return frozenset((_gain(e.nomination), e.status, e.reason, _victims(e.nomination)) for e in run.entries)


def _end(nominations: tuple[Nomination, ...]) -> Hashable:
    last = nominations[-1]
    return _gain(last), last.mode, last.admits, _victims(last)


def _gain(nomination: Nomination) -> Hashable:
    """The workload, with the flavors and pods that it is assigned."""
    assignment = nomination.assignment
    pod_sets = () if assignment is None else assignment.pod_sets
    flavors = tuple((p.name, p.count, tuple(sorted((r, f) for r, (f, _) in p.flavors.items()))) for p in pod_sets)
    places = tuple(str(sorted(placed.domains)) for placed in nomination.placements)
    return nomination.workload.key, flavors, places


def _victims(nomination: Nomination) -> Hashable:
    return frozenset(target.holder.key for target in nomination.leaving)
