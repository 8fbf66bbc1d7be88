"""The place of one unit: a pod set, or workers with their leader.

Why the leader's requests alone count for its place: selector, tolerations and levels are those of the workers, as both
are one group; a leader that only tolerates another node does not get it.
Source: ``findTopologyAssignment``, ``buildSliceSizeAtLevel`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/cache/scheduler/tas_flavor_snapshot.go, KEP-2724; "topology"
in ``docs/laws.md``.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kueue.model.topology import (
    LATEST,
    PODS,
    DomainPods,
    PlacementLaws,
    SliceLayer,
    TopologyAssignment,
    TopologyRequest,
)
from kubectl_fairshare.schedulers.kueue.model.workload import PodSet
from kubectl_fairshare.schedulers.kueue.topology.choosing import DomainChoice, DomainGain, PlacementGoal, TooFew
from kubectl_fairshare.schedulers.kueue.topology.counting import (
    Capacity,
    DomainCounts,
    PodPlacing,
    Qualified,
    capacity,
    counts_of,
    exhausted,
    lacking,
    qualified,
)
from kubectl_fairshare.schedulers.kueue.topology.laws import TopologyLaw
from kubectl_fairshare.schedulers.kueue.topology.requests import is_unconstrained, level_key
from kubectl_fairshare.schedulers.kueue.topology.tree import Columns, TopologyTree
from kubectl_fairshare.trace import Operand, Step


class PlacementRequest(Value, frozen=True):
    """``count`` pods of a pod set that a flavor's topology is to place; ``implied`` by the queue alone.

    ``request`` is what the pod set asks of the topology, ``index`` its number in the workload.
    """

    index: int
    pod_set: PodSet
    count: int
    request: TopologyRequest
    implied: bool


class Unit(NamedTuple):
    """Pod sets that are placed together. Only the requests of a leader count."""

    workers: PlacementRequest
    leader: PlacementRequest | None = None

    @property
    def members(self) -> tuple[PlacementRequest, ...]:
        """The pod sets of the unit."""
        return (self.workers,) if self.leader is None else (self.workers, self.leader)


Placed: TypeAlias = dict[int, TopologyAssignment]
"""The places of a unit's pod sets, by number."""


class Levels(NamedTuple):
    """What a request comes to in a topology: levels by number, sizes of slices, the layers below the first."""

    level: int
    slice_level: int
    size: int
    inner: Mapping[int, int]


def levels_of(asked: PlacementRequest, levels: tuple[str, ...]) -> Levels | Step:
    """What a request comes to in a topology of ``levels``, or why it cannot be placed there."""
    request, layers = asked.request, asked.request.layers
    size = layers[0].size if layers else 1
    if size <= 0:
        return Step(TopologyLaw.SLICE_SIZE_MISSING, (), holds=False)
    key = level_key(request, levels, implied=asked.implied)
    if key is None:
        return Step(TopologyLaw.LEVEL_UNSPECIFIED, (), holds=False)
    # Without slices each pod is one, and the lowest level is where it must stay together.
    slice_key = layers[0].level if layers else levels[-1]
    for kind, name in (("", key), (" for slices", slice_key)):
        if name not in levels:
            return _no_level(kind, name)
    if levels.index(key) > levels.index(slice_key):
        operands = (("slice level", slice_key), ("level", key))
        return Step(TopologyLaw.SLICE_ABOVE_LEVEL, operands, holds=False)
    inner = _inner_layers(layers, levels, size, levels.index(slice_key))
    return inner if isinstance(inner, Step) else Levels(levels.index(key), levels.index(slice_key), size, inner)


def _no_level(kind: str, level: str) -> Step:
    return Step(TopologyLaw.LEVEL_NOT_FOUND, (("level", level), ("kind", kind)), holds=False)


def _inner_layers(
    layers: tuple[SliceLayer, ...], levels: tuple[str, ...], size: int, level: int
) -> dict[int, int] | Step:
    """By level, the size of slices that counts there; from below each layer's parent down to the layer."""
    inner: dict[int, int] = {}
    for layer in layers[1:]:
        if layer.level not in levels:
            return _no_level(" for additional slice layer", layer.level)
        below = levels.index(layer.level)
        if below <= level:
            operands: tuple[tuple[str, Operand], ...] = (("level", layer.level), ("above", levels[level]))
            return Step(TopologyLaw.LAYER_ORDER, operands, holds=False)
        if size % layer.size:
            return Step(TopologyLaw.LAYER_SIZE, (("size", layer.size), ("above", size)), holds=False)
        # The levels between two layers too: a domain there gives whole slices of the lower layer only.
        inner.update(dict.fromkeys(range(level + 1, below + 1), layer.size))
        size, level = layer.size, below
    return inner


class Measured(NamedTuple):
    """What was found out about a unit on the way to its place: for the placement, and to explain it."""

    wanted: PlacementGoal
    fit: Qualified
    leaves: Capacity
    counts: DomainCounts

    def excluded(
        self, tree: TopologyTree, remaining: Columns, unit: "Unit", named: Mapping[int, Collection[str]]
    ) -> dict[str, int]:
        """How many leaves were left out, or hold no pod, by the reason as Kueue writes it.

        ``named`` are by leaf the resources that pods there name.
        """
        request = with_pod(unit.workers.pod_set.occupies)
        full = [leaf for leaf in self.fit.leaves if not self.leaves.pods[leaf]]
        found = lacking(tree, named, full, request) if self.wanted.laws.absent_first else {}
        used_up = Counter(found.values()) + Counter(
            exhausted(remaining, [leaf for leaf in full if leaf not in found], request)
        )
        return {**self.fit.excluded, **{f'resource "{resource}"': number for resource, number in used_up.items()}}


def measure(
    tree: TopologyTree,
    remaining: Columns,
    unit: Unit,
    *,
    laws: PlacementLaws = LATEST,
    within: Collection[int] | None = None,
) -> Measured | Step:
    """How much of the unit fits each domain, or why it cannot be asked."""
    workers = unit.workers
    levels = levels_of(workers, tree.levels)
    if isinstance(levels, Step):
        return levels
    pods = workers.pod_set
    selector = (*pods.node_selector, *pods.updated_selector)
    tolerations = (*pods.tolerations, *pods.updated_tolerations, *tree.flavor.tolerations)
    placing = PodPlacing(selector, pods.affinity, tolerations)
    fit = qualified(tree, placing, within)
    leader = None if unit.leader is None else with_pod(unit.leader.pod_set.occupies)
    leaves = capacity(remaining, len(tree.leaves), fit.leaves, with_pod(pods.occupies), leader)
    counts = counts_of(tree, leaves, levels.size, levels.slice_level, levels.inner, leader=leader is not None)
    unconstrained = is_unconstrained(workers.request, implied=workers.implied)
    wanted = PlacementGoal(
        count=workers.count,
        size=levels.size,
        level=levels.level,
        slice_level=levels.slice_level,
        inner=levels.inner,
        leaders=0 if leader is None else 1,
        required=workers.request.required is not None,
        unconstrained=unconstrained,
        # Without the gate TASProfileMixed what is unconstrained fits best as well.
        least_free=unconstrained and laws.mixed,
        laws=laws,
    )
    return Measured(wanted, fit, leaves, counts)


def place(
    tree: TopologyTree,
    remaining: Columns,
    unit: Unit,
    *,
    laws: PlacementLaws = LATEST,
    within: Collection[int] | None = None,
) -> Placed | Step:
    """The places of the unit's pod sets, or why there are none."""
    return place_measured(tree, remaining, unit, measure(tree, remaining, unit, laws=laws, within=within))


def place_measured(
    tree: TopologyTree,
    remaining: Columns,
    unit: Unit,
    found: Measured | Step,
    named: Callable[[TopologyTree], Mapping[int, Collection[str]]] = lambda _: {},
) -> Placed | Step:
    """The same for a unit that is measured; ``named`` as in ``Measured.excluded``, where its law needs it."""
    if isinstance(found, Step):
        return found
    if not tree.leaves:
        operands = (("level", tree.levels[found.wanted.level]), *_absent(tree))
        return Step(TopologyLaw.EMPTY, operands, holds=False)
    given = _chosen_leaves(tree, found.counts, found.wanted)
    if isinstance(given, TooFew):
        asked = named(tree) if found.wanted.laws.absent_first else {}
        return _too_few(tree, unit, found, given, found.excluded(tree, remaining, unit, asked))
    # A domain of the leader alone has no workers, and is left out of their place.
    pods = ((g.domain, g.pods) for g in given if g.pods > 0 or unit.leader is None)
    places = {unit.workers.index: _assignment(tree, pods)}
    if unit.leader is not None:
        places[unit.leader.index] = _assignment(tree, ((g.domain, g.leaders) for g in given))
    return places


def with_pod(occupies: Mapping[str, int]) -> dict[str, int]:
    """What one pod takes of a node, its place among the node's pods too."""
    return {**occupies, PODS: occupies.get(PODS, 0) + 1}


def _assignment(tree: TopologyTree, given: Iterable[tuple[int, int]]) -> TopologyAssignment:
    """The leaves that got pods, by their values."""
    domains = (DomainPods(tree.assigned_values(leaf), pods) for leaf, pods in sorted(given) if pods)
    return TopologyAssignment(tree.assigned_levels, tuple(domains))


def _too_few(tree: TopologyTree, unit: Unit, found: Measured, short: TooFew, excluded: Mapping[str, int]) -> Step:
    """What fits and what is asked, by layer where there are several, and which leaves were left out."""
    wanted, layers = found.wanted, unit.workers.request.layers
    operands: list[tuple[str, Operand]] = [("topology", tree.topology.name)]
    if len(layers) > 1:
        operands += [("layers", len(layers)), *_layers(tree, found, layers, short.level)]
    else:
        named = "pod" if wanted.size == 1 else "slice"
        operands += [("unit", named), ("fits", short.fits), ("asked", wanted.count // wanted.size)]
    if excluded:
        operands += [("nodes", len(tree.leaves)), *((f"excluded {why}", excluded[why]) for why in sorted(excluded))]
    return Step(TopologyLaw.TOO_FEW, (*operands, *_absent(tree)), holds=False)


def _absent(tree: TopologyTree) -> tuple[tuple[str, Operand], ...]:
    """How many nodes do not count, as operands: Kueue's message does not say."""
    return tuple((f"absent {why}", number) for why, number in tree.absent)


def _layers(
    tree: TopologyTree, found: Measured, layers: tuple[SliceLayer, ...], level: int
) -> Iterable[tuple[str, Operand]]:
    """For each layer, how many slices fit in the best domain of ``level``, and how many are asked for."""
    # Kueue's message is about the domain with the most slices, the first by its id.
    slices = found.counts.slices[level]
    ids = [_domain_id(tree, level, d) for d in range(len(slices))]
    best = min(range(len(slices)), key=lambda d: (-slices[d], ids[d]))
    for layer in layers:
        below = tree.levels.index(layer.level)
        fits = sum(found.counts.pods[below][d] // layer.size for d in _descendants(tree, level, best, below))
        yield f"layer {layer.level}", f"{fits}/{found.wanted.count // layer.size}"


def _domain_id(tree: TopologyTree, level: int, domain: int) -> str:
    values = tree.values[level][domain]
    return values[-1] if tree.of_hosts and level == len(tree.levels) - 1 else ",".join(values)


def _descendants(tree: TopologyTree, level: int, domain: int, below: int) -> range:
    first, end = domain, domain + 1
    for spans in tree.children[level:below]:
        first, end = spans[first].first, spans[end - 1].end
    return range(first, end)


def _chosen_leaves(tree: TopologyTree, counts: DomainCounts, wanted: PlacementGoal) -> "Sequence[DomainGain] | TooFew":
    """What each leaf gets, in the order of choice; a count that slices do not divide leaves pods over."""
    if wanted.leaders and not wanted.laws.sure_leaders:
        from kubectl_fairshare.schedulers.kueue.topology.choosing_before import EarlierChoice

        return EarlierChoice(tree, counts, wanted).run()
    return DomainChoice(tree, counts, wanted).run()
