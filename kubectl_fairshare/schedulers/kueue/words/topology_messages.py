"""Kueue's own words on topologies, to the letter.

Tested in ``tests/unit/schedulers/kueue/topology/test_workloads.py``.
"""

from collections.abc import Callable, Mapping
from typing import Final

from kubectl_fairshare.schedulers.kueue.topology.laws import TopologyLaw
from kubectl_fairshare.trace import Operand

_Said = Mapping[str, Operand]
_LAYER: Final = "layer "
_SLICES: Final = "slice" + "(s)"
_EXCLUDED: Final = "excluded "


def _too_few(o: _Said) -> str:
    topology = f'topology "{o["topology"]}"'
    if "layers" in o:
        layers = ((key.removeprefix(_LAYER), value) for key, value in o.items() if key.startswith(_LAYER))
        fits = "".join(f"; {value} {_SLICES} fit on level {level}" for level, value in layers)
        return f"{topology} doesn't allow to fit{fits}{_exclusions(o)}"
    asked = f"{o['asked']} {o['unit']}(s)"
    if not o["fits"]:
        return f"{topology} doesn't allow to fit any of {asked}{_exclusions(o)}"
    return f"{topology} allows to fit only {o['fits']} out of {asked}{_exclusions(o)}"


def _exclusions(o: _Said) -> str:
    excluded = sorted(f"{key.removeprefix(_EXCLUDED)}: {n}" for key, n in o.items() if key.startswith(_EXCLUDED))
    return f". Total nodes: {o['nodes']}; excluded: {', '.join(excluded)}" if excluded else ""


TOPOLOGY_FRAGMENTS: Final[Mapping[object, Callable[[_Said], str]]] = {
    TopologyLaw.NOT_ASKED: lambda o: f'Flavor "{o["flavor"]}" supports only TopologyAwareScheduling',
    TopologyLaw.UNSUPPORTED: lambda o: f'Flavor "{o["flavor"]}" does not support TopologyAwareScheduling',
    TopologyLaw.UNKNOWN: lambda o: f'Flavor "{o["flavor"]}" information missing in TAS cache',
    TopologyLaw.LEVEL_MISSING: lambda o: f'Flavor "{o["flavor"]}" does not contain the requested level',
    TopologyLaw.NO_FLAVOR_ASSIGNED: lambda _: "no TAS flavor assigned",
    TopologyLaw.SEVERAL_FLAVORS: lambda o: f"more than one TAS flavor assigned: {o['flavors']}",
    TopologyLaw.SLICE_SIZE_MISSING: lambda _: "slice topology requested, but slice size not provided",
    TopologyLaw.LEVEL_UNSPECIFIED: lambda _: "topology level not specified",
    TopologyLaw.LEVEL_NOT_FOUND: lambda o: f"no requested topology level{o['kind']}: {o['level']}",
    TopologyLaw.SLICE_ABOVE_LEVEL: lambda o: (
        f"podset slice topology {o['slice level']} is above the podset topology {o['level']}"
    ),
    TopologyLaw.LAYER_ORDER: lambda o: (
        f"additional slice layer topology {o['level']} must be at a lower level than {o['above']}"
    ),
    TopologyLaw.LAYER_SIZE: lambda o: (
        f"additional slice layer size {o['size']} must evenly divide parent layer size {o['above']}"
    ),
    TopologyLaw.EMPTY: lambda o: f"no topology domains at level: {o['level']}",
    TopologyLaw.TOO_FEW: _too_few,
    TopologyLaw.NO_DOMAIN: lambda _: "",  # Kueue writes it into its log alone
    TopologyLaw.NO_REQUEST: lambda _: "",  # what Kueue says is that of any head that no longer fits
    TopologyLaw.UPDATE_CONFLICT: lambda o: f"invalid podSetUpdate for PodSet {o['pod set']}, error: {o['error']}",
    TopologyLaw.STALE_DOMAIN: lambda o: (
        "Cannot replace the node, because the existing topologyAssignment is invalid, as it contains the stale domain "
        f"{o['domain']}"
    ),
    TopologyLaw.NO_REPLACEMENT: lambda o: f"cannot find replacement assignment for unhealthy node: {o['node']}",
    TopologyLaw.LOST_NODE: lambda _: "",  # of a workload that runs
}
