"""Each scenario of ``testdata/topology/placement.yaml`` places one unit on hosts of its own."""

from collections.abc import Mapping
from typing import Any

import pytest
import yaml

from kubectl_fairshare.schedulers.kueue.topology.placement import Unit, place
from kubectl_fairshare.schedulers.kueue.words.messages import TOPOLOGY_FRAGMENTS
from kubectl_fairshare.trace import Step
from tests.screens import ROOT
from tests.unit.schedulers.kueue.topology.ground import asked, ground, hosts_of

SCENARIOS = yaml.load((ROOT / "testdata" / "topology" / "placement.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)


def found(scenario: Mapping[str, Any]) -> dict[str, Any]:
    when = scenario["when"]
    leader = asked(1, when, 1, when["leader"]) if "leader" in when else None
    tree = ground(scenario["given"])
    places = place(tree, tree.free, Unit(asked(0, when, when["pods"]), leader))
    if isinstance(places, Step):
        return {"message": TOPOLOGY_FRAGMENTS[places.law](dict(places.operands))}
    answer: dict[str, Any] = dict(hosts_of(places[0]))
    return answer if leader is None else answer | {"leader": next(iter(hosts_of(places[1])))}


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[s["because"] for s in SCENARIOS])
def test_a_unit_is_placed_as_kueue_places_it(scenario: Mapping[str, Any]) -> None:
    assert found(scenario) == scenario["then"]
