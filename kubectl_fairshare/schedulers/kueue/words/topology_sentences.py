"""One sentence for each rule of topology-aware scheduling; an operand that a step does not carry prints as ``?``.

Tested in ``tests/unit/schedulers/kueue/topology/test_workloads.py``.
"""

from collections.abc import Callable, Mapping
from typing import Final

from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.schedulers.kueue.topology.laws import TopologyLaw
from kubectl_fairshare.trace import Operand, Step

_ABSENT: Final = "absent "
_EXCLUDED: Final = "excluded "
_AMOUNT: Final = "resource "
_FILTERS: Final = {
    "nodeSelector": "the node selector",
    "affinity": "the node affinity",
    "topologyDomain": "the topology domain",
}


class _Said(dict[str, Operand]):
    """The operands of a step by name."""

    def __missing__(self, name: str) -> str:
        return "?"


def topology_sentence(step: Step) -> str:
    """What the step says, in one clause."""
    return TOPOLOGY_SENTENCES[TopologyLaw(step.law)](_Said(step.operands))


def _too_few(o: _Said) -> str:
    if "layers" in o:
        layers = (f"{v} on level {k.removeprefix('layer ')}" for k, v in o.items() if k.startswith("layer "))
        return f"topology {o['topology']} has room for these slices only: {', '.join(layers)}{_filtered(o)}"
    return f"topology {o['topology']} has room for {o['fits']} of {o['asked']} {o['unit']}s{_filtered(o)}"


def node_filters(step: Step) -> tuple[str, ...]:
    """The filters that keep pods off nodes of the topology, a clause each; those for an amount come last.

    Empty where only amounts keep them off.
    """
    counts = {name: value for name, value in step.operands if isinstance(value, int)}
    absent = [_absent_clause(n.removeprefix(_ABSENT), v) for n, v in counts.items() if n.startswith(_ABSENT)]
    excluded = {n.removeprefix(_EXCLUDED): v for n, v in counts.items() if n.startswith(_EXCLUDED)}
    amounts = [_excluded_clause(why, n) for why, n in excluded.items() if why.startswith(_AMOUNT)]
    others = [_excluded_clause(why, n) for why, n in excluded.items() if not why.startswith(_AMOUNT)]
    return (*absent, *others, *amounts) if absent or others else ()


def _absent_clause(why: str, number: int) -> str:
    return f"{count(number, 'node')} {'is' if number == 1 else 'are'} {why}"


def _excluded_clause(why: str, number: int) -> str:
    if why.startswith(_AMOUNT):
        resource = why.removeprefix(_AMOUNT).strip(' "')
        return f"{count(number, 'node')} {'lacks' if number == 1 else 'lack'} {resource}"
    named = why.replace('"', "") if why not in _FILTERS else _FILTERS[why]
    return f"{named} excludes {count(number, 'node')}"


def _filtered(o: _Said) -> str:
    filters = node_filters(Step(TopologyLaw.TOO_FEW, tuple(o.items()), holds=False))
    return f": {', '.join(filters)}" if filters else ""


def _lost_node(o: _Said) -> str:
    pods = o["pods"]
    named = count(pods, "pod") if isinstance(pods, int) else "its pods"
    ends = {
        "moves": f"the next cycle moves {named} to {o['to']}",
        "evicted": f"the next cycle evicts it, as there is no other place for {named}",
    }
    return f"its node {o['node']} is lost: {ends.get(str(o['end']), 'the next cycle leaves its pods where they are')}"


TOPOLOGY_SENTENCES: Final[Mapping[TopologyLaw, Callable[[_Said], str]]] = {
    TopologyLaw.NOT_ASKED: lambda o: f"it has a topology, and pod set {o['pod set']} does not ask for one",
    TopologyLaw.UNSUPPORTED: lambda o: f"it has no topology, and pod set {o['pod set']} asks for one",
    TopologyLaw.UNKNOWN: lambda _: "its Topology does not exist",
    TopologyLaw.LEVEL_MISSING: lambda o: f"its topology lacks a level that pod set {o['pod set']} asks for",
    TopologyLaw.NO_FLAVOR_ASSIGNED: lambda _: "none of the flavors that it was given has a topology",
    TopologyLaw.SEVERAL_FLAVORS: lambda o: f"its resources come from several flavors with a topology: {o['flavors']}",
    TopologyLaw.SLICE_SIZE_MISSING: lambda _: "it asks for slices without a size",
    TopologyLaw.LEVEL_UNSPECIFIED: lambda _: "its topology request names no level",
    TopologyLaw.LEVEL_NOT_FOUND: lambda o: f"the topology has no level {o['level']}",
    TopologyLaw.SLICE_ABOVE_LEVEL: lambda o: f"the level of its slices, {o['slice level']}, is above {o['level']}",
    TopologyLaw.LAYER_ORDER: lambda o: f"slice level {o['level']} is not below {o['above']}",
    TopologyLaw.LAYER_SIZE: lambda o: f"slices of {o['size']} pods do not divide those of {o['above']}",
    TopologyLaw.EMPTY: lambda o: f"no ready node of the flavor has the label {o['level']}{_filtered(o)}",
    TopologyLaw.TOO_FEW: _too_few,
    TopologyLaw.NO_DOMAIN: lambda o: (
        f"pod set {o['pod set']} gets {o['pods']} pods, fewer than a slice of {o['size']}: its place has no domain, "
        "and the API server rejects Kueue's admission"
    ),
    TopologyLaw.NO_REQUEST: lambda o: (
        f"the pods of {o['pod set']} request nothing: Kueue finds nodes for them, "
        "and its last test then finds room for none"
    ),
    TopologyLaw.UPDATE_CONFLICT: lambda o: f"an admission check contradicts pod set {o['pod set']}: {o['error']}",
    TopologyLaw.STALE_DOMAIN: lambda o: f"it also has pods in {o['domain']}, which is not there any more",
    TopologyLaw.NO_REPLACEMENT: lambda o: f"nothing of it can move from the lost node {o['node']}",
    TopologyLaw.LOST_NODE: _lost_node,
}
