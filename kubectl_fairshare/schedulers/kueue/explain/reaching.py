"""Whether work that ends can ever let a workload in: never is said only where no such end does.

The state without all running work is the best one for a workload of which no choice of flavors can take another's
place: one with a single pod set (or group), or with a single flavor for each that matches and is large enough. What is
free only grows as work ends, so what fits somewhere fits there. With several pod sets and flavors that is not so:
Kueue gives each pod set the first flavor that it likes, and running work may keep one from a flavor that a later one
needs. Then no state lets the workload in if no choice of flavors is within what the queue can ever get; otherwise the
states after each subset of the running work are tried, up to a bound.
Source: Kueue v0.19; "flavors" in ``docs/laws.md``.
Tested in ``tests/unit/schedulers/kueue/explain/test_reaching.py``.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Final

from kubectl_fairshare.model.amounts import add
from kubectl_fairshare.schedulers.kueue.cycle.alone import scan
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination
from kubectl_fairshare.schedulers.kueue.flavors.matching import may_run_on
from kubectl_fairshare.schedulers.kueue.flavors.requests import current_counts, total_requests
from kubectl_fairshare.schedulers.kueue.model.objects import ResourceGroup
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder, Pending, PodSet
from kubectl_fairshare.schedulers.kueue.tree.state import State

_MOST_STATES: Final = 64
_MOST_CHOICES: Final = 4_096


def gets_in_ever(state: State, queue: int, workload: Pending) -> bool | None:
    """Whether the workload gets in after some of the running work has ended; None if not all of that was tried."""
    return True if scan(state.emptied(), workload)[-1].admits else _gets_in_beside_others(state, queue, workload)[1]


def admitting_scan(state: State, queue: int, workload: Pending, *, briefly: bool = False) -> Sequence[Nomination]:
    """The cycles of a scan that lets the workload in after running work has ended, of all others if that does.

    Empty if none does. ``briefly``: only the end of all others is tried.
    """
    alone = scan(state.emptied(), workload)
    if alone[-1].admits or briefly:
        return alone if alone[-1].admits else ()
    return _gets_in_beside_others(state, queue, workload)[0]


def _gets_in_beside_others(state: State, queue: int, workload: Pending) -> tuple[Sequence[Nomination], bool | None]:
    """The cycles of a scan that lets it in after a part of the running work has ended, and whether there are any.

    None if not all of that was tried.
    """
    units = _units(workload)
    options = _options(state, queue, units)
    if len(units) < 2 or all(len(flavors) < 2 for of in options for _, flavors in of):
        return (), False
    if any(_exceeds(state, queue, of) for of in options):
        return (), False
    kinds = _kinds(state, queue)
    few = prod(len(holders) + 1 for holders in kinds) <= _MOST_STATES
    ends: Iterator[list[Holder]] = _ends(kinds) if few else (list(each) for each in kinds)
    scans = (scan(state.without(end), workload) for end in ends)
    found = next((each for each in scans if each[-1].admits), ())
    return found, bool(found) if few or found else None


def is_simple(state: State, nomination: Nomination) -> bool:
    """Whether a workload that only waits for quota is sure to fit without the others.

    It is one unit that nothing places, and asks for resources of one group alone: Kueue ends at the first group without
    a flavor, and says nothing of a later one that no flavor serves.
    """
    queue = state.kueue.cluster_queues.get(nomination.cluster_queue)
    groups = () if queue is None else queue.groups
    if queue is not None and _ended_early(nomination):
        exact, pod_sets = state.configuration.release.exact_amounts, nomination.workload.pod_sets
        asked = {resource for each in pod_sets for resource in total_requests(queue, each, each.count, exact=exact)}
        if not any(asked.issubset(group.covered) for group in groups):
            return False
    names = (name for group in groups for name in group.flavors)
    flavors = (state.kueue.flavors.get(name) for name in names)
    placed = state.configuration.topology and any(f is not None and f.topology is not None for f in flavors)
    return len(_units(nomination.workload)) < 2 and not placed


def _ended_early(nomination: Nomination) -> bool:
    """Whether a group of resources has no flavor for a pod set, so that Kueue may not have looked at another one."""
    return nomination.assignment is not None and any(pod_set.failed for pod_set in nomination.assignment.pod_sets)


def out_of_reach(state: State, queue: int, workload: Pending) -> dict[FlavorResource, int]:
    """What a pod set requests above all that the queue can ever get in a flavor where its pods may run."""
    found: dict[FlavorResource, int] = {}
    for group in state.forest.nodes[queue].queue.groups:
        flavors = [flavor for name in group.flavors if (flavor := state.kueue.flavors.get(name)) is not None]
        for unit in _units(workload):
            requests = _requests(state, queue, group, unit)
            for flavor in (each for each in flavors if may_run_on(each, unit)):
                pairs = {FlavorResource(flavor.name, resource): amount for resource, amount in requests.items()}
                found |= {pair: n for pair, n in pairs.items() if n > state.forest.potential(queue, pair)}
    return found


_Unit = Sequence[PodSet]
_Option = tuple[Mapping[str, int], Sequence[str]]
"""What a unit requests of a resource group, and the flavors that may serve it."""


def _units(workload: Pending) -> list[_Unit]:
    """The pod sets that are served together, without those that request nothing."""
    units: dict[int | str, list[PodSet]] = {}
    for number, pods in enumerate(workload.pod_sets):
        if pods.requests and pods.count:
            units.setdefault(number if pods.group is None else pods.group, []).append(pods)
    return [*units.values()]


def _options(state: State, queue: int, units: Sequence[_Unit]) -> list[list[_Option]]:
    """By resource group, what each unit requests of it and who may serve it."""
    return [[_option(state, queue, group, unit) for unit in units] for group in state.forest.nodes[queue].queue.groups]


def _option(state: State, queue: int, group: ResourceGroup, unit: _Unit) -> _Option:
    requests = _requests(state, queue, group, unit)
    known = ((name, state.kueue.flavors.get(name)) for name in group.flavors if requests)
    matching = (name for name, flavor in known if flavor is not None and may_run_on(flavor, unit))
    return requests, [name for name in matching if _is_within(state, queue, name, requests)]


def _requests(state: State, queue: int, group: ResourceGroup, unit: _Unit) -> dict[str, int]:
    """What the smallest number of pods that may start requests of the group."""
    spec, exact = state.forest.nodes[queue].queue, state.configuration.release.exact_amounts
    sums: dict[str, int] = {}
    for pods, count in zip(unit, current_counts(unit), strict=True):
        least = count if pods.min_count is None else min(count, pods.min_count)
        for resource, amount in total_requests(spec, pods, least, exact=exact).items():
            if resource in group.covered and amount:
                sums[resource] = add(sums.get(resource, 0), amount)
    return sums


def _is_within(state: State, queue: int, flavor: str, requests: Mapping[str, int]) -> bool:
    pairs = ((FlavorResource(flavor, resource), amount) for resource, amount in requests.items())
    return all(amount <= state.forest.potential(queue, pair) for pair, amount in pairs)


def _exceeds(state: State, queue: int, of: Sequence[_Option]) -> bool:
    """Whether the units together are above what the queue can ever get of a group, with every choice of flavors."""
    asking = [(requests, flavors) for requests, flavors in of if requests]
    if prod(len(flavors) for _, flavors in asking) > _MOST_CHOICES:
        return False
    return not any(
        _fits(state, queue, tuple(zip(choice, (requests for requests, _ in asking), strict=True)))
        for choice in product(*(flavors for _, flavors in asking))
    )


def _fits(state: State, queue: int, choice: Sequence[tuple[str, Mapping[str, int]]]) -> bool:
    sums: dict[str, dict[str, int]] = {}
    for flavor, requests in choice:
        of = sums.setdefault(flavor, {})
        for resource, amount in requests.items():
            of[resource] = add(of.get(resource, 0), amount)
    return all(_is_within(state, queue, flavor, requests) for flavor, requests in sums.items())


def _kinds(state: State, queue: int) -> list[list[Holder]]:
    """The running work of the tree, that of other trees if it shares nodes; what holds the same in a queue together."""
    forest = state.forest
    root = forest.root(queue)
    kinds: dict[object, list[Holder]] = {}
    for node in state.holders.queues:
        for holder in state.holders.of(node):
            if forest.root(node) == root or holder.placements:
                alone = holder.key if holder.placements else None
                kinds.setdefault((node, tuple(sorted(holder.usage.items())), alone), []).append(holder)
    return [*kinds.values()]


def _ends(kinds: Sequence[Sequence[Holder]]) -> Iterator[list[Holder]]:
    """Every number of each kind that may have ended."""
    for counts in product(*(range(len(holders) + 1) for holders in kinds)):
        yield [holder for holders, count in zip(kinds, counts, strict=True) for holder in holders[:count]]
