"""The nodes in a search for targets: who leaves gives its places back, and the preemptor's pods need one each time.

Why quota is not enough: one GPU is free on each of four nodes, and a pod asks for four. The search goes on past the
target with which quota suffices until some node has them.
Source: ``workloadFits`` in https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/preemption/preemption.go.
Tested in ``tests/unit/schedulers/kueue/topology/test_workloads.py``.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import TypeAlias

from kubectl_fairshare.schedulers.kueue.model.topology import PODS
from kubectl_fairshare.schedulers.kueue.model.workload import Holder
from kubectl_fairshare.schedulers.kueue.preemption.targets import Grounds
from kubectl_fairshare.schedulers.kueue.topology.choosing import PlacementGoal
from kubectl_fairshare.schedulers.kueue.topology.counting import fitting_count
from kubectl_fairshare.schedulers.kueue.topology.occupancy import GIVES_BACK, TAKES, Occupancy
from kubectl_fairshare.schedulers.kueue.topology.placement import Measured, Unit, with_pod
from kubectl_fairshare.schedulers.kueue.topology.tree import Span, TopologyTree
from kubectl_fairshare.schedulers.kueue.topology.workloads import PlacesPods, Requests
from kubectl_fairshare.schedulers.kueue.tree.state import State

_Pods: TypeAlias = tuple[int, Mapping[str, int], int]
"""A leaf, what each of the pods there takes, and how many there are; fewer than 0 where they come back."""


def search_grounds(placing: PlacesPods, asked: Requests, state: State) -> Grounds:
    """The nodes for one search, which starts from those of ``state``."""
    occupancy, laws = state.occupancy, state.configuration.placement_laws
    units = [(flavor, one) for flavor, each in asked.items() for one in each]
    if len(units) == 1 and not placing.replaces:
        flavor, only = units[0]
        tree = occupancy.landscape.tree(flavor)
        unit = Unit(only)
        found = None if tree is None else occupancy.measured(tree, unit, laws=laws)
        if tree is not None and isinstance(found, Measured) and not found.wanted.inner and tree.leaves:
            return _RunningCounts(tree, occupancy, unit, found)
    return SearchGrounds(placing, asked, occupancy)


class SearchGrounds:
    """The rest of the nodes as targets leave and are put back."""

    def __init__(self, placing: PlacesPods, asked: Requests, occupancy: Occupancy) -> None:
        self._placing = placing
        self._asked = asked
        self._occupancy = occupancy

    def leave(self, holder: Holder) -> None:
        """Takes the workload's pods off the nodes of its own flavors."""
        self._occupancy = self._occupancy.changed(holder.freed, GIVES_BACK)

    def come_back(self, holder: Holder) -> None:
        """Puts them where they were."""
        self._occupancy = self._occupancy.changed(holder.freed, TAKES)

    def hold(self) -> bool:
        """Whether all pod sets have a place."""
        return self._placing.places(self._asked, self._occupancy).complete


class _RunningCounts:
    """The same for a single pod set in slices of one layer at most: its counts are kept up to date leaf by leaf.

    Speed alone: a whole placement after each workload that leaves gives the same. What it buys is the line "preempts
    for a rack" of ``python -m tests.bench.topology``. Domains are counted in groups, of which one must have room: each
    domain of ``goal.level`` if that is required, otherwise all together. What comes and goes is noted for its group,
    and counted when the group can matter: when at most as much as was given back may be enough.
    """

    def __init__(self, tree: TopologyTree, occupancy: Occupancy, unit: Unit, found: Measured) -> None:
        self._tree = tree
        self._goal: PlacementGoal = found.wanted
        self._slices = found.wanted.count // found.wanted.size
        self._request = {r: amount for r, amount in with_pod(unit.workers.pod_set.occupies).items() if amount}
        remaining = occupancy.remaining(tree)
        self._left = {r: remaining[r].copy() for r in self._request if r in remaining}
        self._usable = found.fit.leaves if isinstance(found.fit.leaves, range) else frozenset(found.fit.leaves)
        self._pods = [level.copy() for level in found.counts.pods]
        self._parents = [_parents(spans, len(tree.values[i + 1])) for i, spans in enumerate(tree.children)]
        self._group = self._groups()
        at_level = found.counts.slices[found.wanted.level if found.wanted.required else 0]
        # Where the search climbs the widest level counts, and all levels above that of slices have equal sums.
        self._exact = at_level.copy() if found.wanted.required else [_total(found)]
        self._most = self._exact.copy()
        self._enough = sum(slices >= self._slices for slices in self._exact)
        self._noted: defaultdict[int, list[_Pods]] = defaultdict(list)
        self._open: set[int] = set()
        self._gains: dict[int, int] = {}
        self._known: dict[int, list[tuple[int, int, _Pods]]] = {}

    def _groups(self) -> list[int]:
        """The number of each leaf's group."""
        count, level = len(self._tree.leaves), self._goal.level
        if not self._goal.required:
            return [0] * count
        if level == len(self._tree.children):
            return list(range(count))
        spans = self._tree.children[level]
        for below in self._tree.children[level + 1 :]:
            spans = tuple(Span(below[first][0], below[end - 1][1]) for first, end in spans)
        return _parents(spans, count)

    def leave(self, holder: Holder) -> None:
        """Takes the workload's pods off the nodes of its own flavors."""
        noted, most = self._noted, self._most
        for group, gain, pods in self._pods_of(holder):
            noted[group].append(pods)
            reached = most[group] = most[group] + gain
            if reached >= self._slices:
                self._open.add(group)

    def come_back(self, holder: Holder) -> None:
        """Puts them where they were."""
        noted, most = self._noted, self._most
        for group, _, (leaf, request, pods) in self._pods_of(holder):
            noted[group].append((leaf, request, -pods))
            if most[group] >= self._slices:
                self._open.add(group)

    def _pods_of(self, holder: Holder) -> list[tuple[int, int, _Pods]]:
        """The pods of a workload by leaf, each with its group and the most pods that find room once they leave."""
        known = self._known.get(id(holder))  # workloads live as long as their state
        if known is None:
            known = self._known[id(holder)] = []
            flavor, ids, groups = self._tree.flavor.name, self._tree.leaf_ids, self._group
            gains = self._gains
            for flavors, request, domains in holder.freed:
                if flavor not in flavors:
                    continue
                gain = gains.get(id(request))  # requests live as long as their workloads
                if gain is None:
                    gain = gains[id(request)] = self._gain(request)
                for values, pods in domains:
                    leaf = ids.get(values[0] if len(values) == 1 else ",".join(values))
                    if leaf is not None:
                        known.append((groups[leaf], gain * pods, (leaf, request, pods)))
        return known

    def hold(self) -> bool:
        """Whether the pod set has a place."""
        while self._open:
            self._count(self._open.pop())
        return self._enough > 0

    def _gain(self, request: Mapping[str, int]) -> int:
        """At most so many pods find room where one of ``request`` leaves."""
        return max(0, *(-(-(request.get(r, 0) + (r == PODS)) // amount) for r, amount in self._request.items()))

    def _count(self, group: int) -> None:
        """Brings the counts of a group up to date."""
        noted = self._noted.pop(group, [])
        leaves = dict.fromkeys(leaf for leaf, _, _ in noted)
        for leaf, request, pods in noted:
            for resource, column in self._left.items():
                column[leaf] += pods * (request.get(resource, 0) + (resource == PODS))
        before = self._exact[group]
        after = before + sum(self._change(leaf) for leaf in leaves if leaf in self._usable)
        self._exact[group] = self._most[group] = after
        self._enough += (after >= self._slices) - (before >= self._slices)

    def _change(self, leaf: int) -> int:
        """Counts a leaf and the domains above it again; how many slices more there are."""
        level, domain = len(self._tree.levels) - 1, leaf
        room = {resource: column[leaf] for resource, column in self._left.items()}
        change = fitting_count(room, self._request) - self._pods[level][leaf]
        while change:
            before = self._pods[level][domain]
            self._pods[level][domain] = before + change
            if level == self._goal.slice_level:
                return (before + change) // self._goal.size - before // self._goal.size
            domain, level = self._parents[level - 1][domain], level - 1
        return 0


def _total(found: Measured) -> int:
    """The slices of all domains together, on the level that counts where none has to hold them all."""
    climbs = not found.wanted.unconstrained
    return sum(found.counts.slices[0 if climbs else found.wanted.level])


def _parents(spans: tuple[tuple[int, int], ...], count: int) -> list[int]:
    """The number of each domain's parent, from the children of each."""
    found = [0] * count
    for parent, (first, end) in enumerate(spans):
        found[first:end] = [parent] * (end - first)
    return found
