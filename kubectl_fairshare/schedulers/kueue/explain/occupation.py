"""What is free and used of each domain of each topology.

Tested in ``tests/unit/schedulers/kueue/explain/test_grounds.py``.
"""

from collections.abc import Iterator, Mapping, Sequence

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kueue.gaps import fidelity_of, ground_gaps
from kubectl_fairshare.schedulers.kueue.topology.tree import TopologyTree
from kubectl_fairshare.schedulers.kueue.tree.state import State


class DomainUse(Value, frozen=True):
    """One domain: by resource, what workloads with a topology use, and what is left for more; ``depth`` from 0."""

    depth: int
    level: str
    name: str
    nodes: int
    used: Mapping[str, int]
    free: Mapping[str, int]


class TopologyUse(Value, frozen=True):
    """One flavor's topology; domains in the order of a walk from the widest down."""

    flavor: str
    topology: str
    levels: tuple[str, ...]
    resources: tuple[str, ...]
    domains: tuple[DomainUse, ...]


class Occupation(Value, frozen=True):
    """Every topology that a flavor of some queue has."""

    topologies: tuple[TopologyUse, ...]
    fidelity: Fidelity


def occupation(state: State, resources: Sequence[str] = ()) -> Occupation:
    """What is free and used, of these resources, or of those that queues give quota for."""
    queues = state.kueue.cluster_queues.values()
    flavors = sorted({name for queue in queues for group in queue.groups for name in group.flavors})
    quotas = {pair for queue in queues for pair in queue.quotas}
    found = []
    for flavor in flavors:
        tree = state.occupancy.landscape.tree(flavor)
        if tree is not None:
            shown = tuple(resources) or tuple(sorted({pair.resource for pair in quotas if pair.flavor == flavor}))
            found.append(
                TopologyUse(flavor, tree.topology.name, tree.levels, shown, tuple(_domains(state, tree, shown)))
            )
    gaps = tuple(ground_gaps(state.kueue, admitted=True)) if found else ()
    return Occupation(tuple(found), fidelity_of(state.configuration, gaps))


def _domains(state: State, tree: TopologyTree, resources: Sequence[str]) -> Iterator[DomainUse]:
    remaining, nothing = state.occupancy.remaining(tree), [0] * len(tree.leaves)
    columns = {r: (tree.free.get(r, nothing), remaining.get(r, nothing)) for r in resources}

    def walk(level: int, domains: range) -> Iterator[DomainUse]:
        for domain in domains:
            leaves = tree.leaves_below(level, domain)
            span = slice(leaves.start, leaves.stop)
            free = {r: sum(left[span]) for r, (_, left) in columns.items()}
            used = {r: sum(whole[span]) - free[r] for r, (whole, _) in columns.items()}
            nodes = sum(len(tree.nodes[leaf]) for leaf in leaves)
            yield DomainUse(level, tree.levels[level], tree.values[level][domain][-1], nodes, used, free)
            if level + 1 < len(tree.levels):
                below = tree.children[level][domain]
                yield from walk(level + 1, range(below.first, below.end))

    yield from walk(0, range(len(tree.values[0])))
