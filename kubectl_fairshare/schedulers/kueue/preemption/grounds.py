"""The nodes in a search for targets: who leaves gives its places back, and the preemptor's pods need one each time.

Tested in ``tests/unit/schedulers/kueue/topology/test_workloads.py``.
"""

from kubectl_fairshare.schedulers.kueue.model.topology import PODS
from kubectl_fairshare.schedulers.kueue.model.workload import Holder
from kubectl_fairshare.schedulers.kueue.preemption.targets import Grounds
from kubectl_fairshare.schedulers.kueue.topology.choosing import PlacementGoal
from kubectl_fairshare.schedulers.kueue.topology.counting import fitting_count
from kubectl_fairshare.schedulers.kueue.topology.occupancy import GIVES_BACK, TAKES, Occupancy
from kubectl_fairshare.schedulers.kueue.topology.placement import Measured, Unit, measure, with_pod
from kubectl_fairshare.schedulers.kueue.topology.tree import TopologyTree
from kubectl_fairshare.schedulers.kueue.topology.workloads import PlacesPods, Requests


def search_grounds(placing: PlacesPods, asked: Requests, occupancy: Occupancy, *, mixed: bool) -> Grounds:
    """The nodes for one search, which starts from ``occupancy``."""
    units = [(flavor, one) for flavor, each in asked.items() for one in each]
    if len(units) == 1 and not placing.replaces:
        flavor, only = units[0]
        tree = occupancy.landscape.tree(flavor)
        unit = Unit(only)
        found = None if tree is None else measure(tree, occupancy.remaining(tree), unit, mixed=mixed)
        if tree is not None and isinstance(found, Measured) and not found.wanted.inner and tree.leaves:
            return _RunningCounts(tree, occupancy, unit, found)
    return SearchGrounds(placing, asked, occupancy)


class SearchGrounds:
    """What is left of the nodes as targets leave and are put back."""

    def __init__(self, placing: PlacesPods, asked: Requests, occupancy: Occupancy) -> None:
        self._placing = placing
        self._asked = asked
        self._occupancy = occupancy

    def leave(self, holder: Holder) -> None:
        """Takes the workload's pods off the nodes of its own flavors."""
        self._occupancy = self._occupancy.changed(holder.placements, GIVES_BACK)

    def come_back(self, holder: Holder) -> None:
        """Puts them where they were."""
        self._occupancy = self._occupancy.changed(holder.placements, TAKES)

    def hold(self) -> bool:
        """Whether all pod sets have a place."""
        return self._placing.places(self._asked, self._occupancy).complete


class _RunningCounts:
    """The same for a single pod set in slices of one layer at most: its counts are kept up to date leaf by leaf.

    Speed alone: a whole placement after each workload that leaves gives the same. What it buys is the line "preempts
    for a rack" of ``python -m tests.bench.topology``. One domain of ``goal.level`` must have room if that is
    required; else all domains together must, of that level or, where the search climbs, of the widest.
    """

    def __init__(self, tree: TopologyTree, occupancy: Occupancy, unit: Unit, found: Measured) -> None:
        self._tree = tree
        self._goal: PlacementGoal = found.wanted
        self._slices = found.wanted.count // found.wanted.size
        self._request = with_pod(unit.workers.pod_set.occupies)
        remaining = occupancy.remaining(tree)
        self._left = {r: remaining[r].copy() for r in self._request if r in remaining}
        self._usable = found.fit.leaves if isinstance(found.fit.leaves, range) else frozenset(found.fit.leaves)
        self._pods = [level.copy() for level in found.counts.pods]
        self._parents = [_parents(spans, len(tree.values[i + 1])) for i, spans in enumerate(tree.children)]
        climbs = not (found.wanted.required or found.wanted.unconstrained)
        self._level = 0 if climbs else found.wanted.level
        self._at_level = found.counts.slices[self._level].copy()
        self._total = sum(self._at_level)
        self._enough = sum(slices >= self._slices for slices in self._at_level)

    def leave(self, holder: Holder) -> None:
        """Takes the workload's pods off the nodes of its own flavors."""
        self._move(holder, GIVES_BACK)

    def come_back(self, holder: Holder) -> None:
        """Puts them where they were."""
        self._move(holder, TAKES)

    def hold(self) -> bool:
        """Whether the pod set has a place."""
        return self._enough > 0 if self._goal.required else self._total >= self._slices

    def _move(self, holder: Holder, sign: int) -> None:
        for placement in holder.placements:
            if self._tree.flavor.name not in placement.flavors:
                continue
            for values, pods in placement.domains:
                leaf = self._tree.leaf(values)
                if leaf is not None:
                    for resource, column in self._left.items():
                        each = placement.request.get(resource, 0) + (resource == PODS)
                        column[leaf] += sign * pods * each
                    self._count_again(leaf)

    def _count_again(self, leaf: int) -> None:
        """Brings the counts above a leaf up to date."""
        if leaf not in self._usable:
            return
        level, domain = len(self._tree.levels) - 1, leaf
        room = {resource: column[leaf] for resource, column in self._left.items()}
        change = fitting_count(room, self._request) - self._pods[level][leaf]
        while change:
            before = self._pods[level][domain]
            self._pods[level][domain] = before + change
            if level == self._goal.slice_level:
                self._pass_on(domain, (before + change) // self._goal.size - before // self._goal.size)
                return
            domain, level = self._parents[level - 1][domain], level - 1

    def _pass_on(self, domain: int, change: int) -> None:
        """Adds slices of a domain on the level where they stay to its ancestor on the level that counts."""
        for level in range(self._goal.slice_level - 1, self._level - 1, -1):
            domain = self._parents[level][domain]
        before = self._at_level[domain]
        self._at_level[domain] = before + change
        self._total += change
        self._enough += (before + change >= self._slices) - (before >= self._slices)


def _parents(spans: tuple[tuple[int, int], ...], count: int) -> list[int]:
    """The number of each domain's parent, from the children of each."""
    found = [0] * count
    for parent, (first, end) in enumerate(spans):
        found[first:end] = [parent] * (end - first)
    return found
