"""Units of which a node was lost get a new place as in Kueue.

``testdata/topology/replaced.jsonl`` has hosts with what is free of them, a place, the lost node, and the new place that
``FindTopologyAssignmentsForFlavor`` of Kueue itself found in the releases that a line names. All were drawn at random.
"""

import json
from collections.abc import Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from kubectl_fairshare.schedulers.kueue.model.topology import (
    HOSTNAME,
    LATEST,
    DomainPods,
    PlacementLaws,
    TopologyAssignment,
)
from kubectl_fairshare.schedulers.kueue.model.workload import PodSetAdmission
from kubectl_fairshare.schedulers.kueue.topology.placement import Unit
from kubectl_fairshare.schedulers.kueue.topology.replacement import place_again
from kubectl_fairshare.schedulers.kueue.words.messages import TOPOLOGY_FRAGMENTS
from kubectl_fairshare.trace import Step
from tests.screens import ROOT
from tests.unit.schedulers.kueue.topology.ground import asked, ground, hosts_of

if TYPE_CHECKING:
    from kubectl_fairshare.schedulers.kueue.model.workload import SecondPass
    from kubectl_fairshare.schedulers.kueue.topology.occupancy import Occupancy

REPLACED = (ROOT / "testdata" / "topology" / "replaced.jsonl").read_text(encoding="utf-8").splitlines()
RELEASES = {"v0.19.2": LATEST, "v0.17.8": LATEST._replace(sure_leaders=False, absent_first=False, whole_domains=False)}


def found(line: Mapping[str, Any], laws: PlacementLaws) -> dict[str, Any]:
    when, tree = line["when"], ground(line["given"])
    domains = tuple(DomainPods((host,), pods) for host, pods in line["present"].items())
    admitted = PodSetAdmission(when["pods"], {"cpu": "f"}, {}, TopologyAssignment((HOSTNAME,), domains))
    second = SimpleNamespace(admitted=(admitted,), unhealthy=(line["lost"],), sole_pod=False)
    occupancy = SimpleNamespace(remaining=lambda tree: tree.free)
    again = place_again(cast("SecondPass", second), laws=laws)
    places = again(tree, cast("Occupancy", occupancy), Unit(asked(0, when, when["pods"])))
    if isinstance(places, Step):
        return {"message": TOPOLOGY_FRAGMENTS[places.law](dict(places.operands))}
    return {"workers": hosts_of(places.places[0])}


@pytest.mark.parametrize("release", RELEASES)
def test_drawn_units_move_as_kueue_moved_them(release: str) -> None:
    lines = [line for line in map(json.loads, REPLACED) if release in line]
    assert len(lines) > 50
    assert [line for line in lines if found(line, RELEASES[release]) != line[release]] == []
