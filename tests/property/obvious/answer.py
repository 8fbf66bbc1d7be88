"""The answer to a whole case, in the recorded form."""

from decimal import Decimal
from typing import Any

from tests.property.obvious.cycle import heads, recorded_cycle, run_cycle
from tests.property.obvious.nomination import plan
from tests.property.obvious.tree import (
    State,
    available,
    flavor_resources,
    in_cycle,
    initial_state,
    is_active,
    potential,
    rounded,
    share,
    subtree,
    usage,
)
from tests.property.obvious.world import Node, read_world

Manifest = dict[str, Any]


def decide(case: Manifest) -> Manifest:
    """What Kueue decides on ``{now, config, objects}``: nodes, inactive, plans, heads and cycle."""
    world = read_world(case)
    state = initial_state(world)
    first = heads(world)
    return {
        "nodes": [_node(state, node) for node in sorted(world.parents) if _is_reported(state, node)],
        "inactive": [name for name in sorted(world.queues) if not is_active(world, name)],
        "plans": [plan(state, world.pending[key]) for key in sorted(world.pending)],
        "heads": {name: head.key for name, head in first.items()},
        "cycle": recorded_cycle(run_cycle(state, first)),
    }


def _is_reported(state: State, node: Node) -> bool:
    if node[0] == "ClusterQueue":
        return is_active(state.world, node[1])
    return not in_cycle(state.world, node)


def _node(state: State, node: Node) -> Manifest:
    world, parent, measured = state.world, state.world.parents[node], share(state, node)
    return {
        "kind": node[0],
        "name": node[1],
        "parent": parent[1] if parent is not None else "",
        "weight": world.weights[node],
        "weightedShare": float_text(measured.value),
        "roundedShare": rounded(measured.value),
        "dominantResource": measured.resource,
        "borrowing": measured.borrowing,
        "resources": [
            {
                "flavor": fr[0],
                "resource": fr[1],
                "subtreeQuota": subtree(world, node, fr),
                "usage": usage(state, node, fr),
                "available": available(state, node, fr),
                "potentialAvailable": potential(world, node, fr),
            }
            for fr in flavor_resources(world, node)
        ],
    }


def float_text(value: float) -> str:
    """The shortest text that reads back as the same number, without an exponent."""
    if value == float("inf"):
        return "+Inf"
    return f"{Decimal(repr(value)):f}".removesuffix(".0")
