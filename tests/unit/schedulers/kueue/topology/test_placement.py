"""Each scenario of ``testdata/topology`` places one unit on hosts of its own.

Those of ``placed.jsonl`` were drawn at random and placed by ``FindTopologyAssignmentsForFlavor`` of Kueue itself, in
the releases that a line names.
"""

import json
from collections.abc import Mapping
from typing import Any

import pytest
import yaml

from kubectl_fairshare.schedulers.kueue.model.topology import LATEST, PlacementLaws
from kubectl_fairshare.schedulers.kueue.topology.placement import Unit, place
from kubectl_fairshare.schedulers.kueue.words.messages import TOPOLOGY_FRAGMENTS
from kubectl_fairshare.trace import Step
from tests.screens import ROOT
from tests.unit.schedulers.kueue.topology.ground import asked, ground, hosts_of

FOLDER = ROOT / "testdata" / "topology"
SCENARIOS = yaml.load((FOLDER / "placement.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)
PLACED = tuple(map(json.loads, (FOLDER / "placed.jsonl").read_text(encoding="utf-8").splitlines()))
RELEASES = {"v0.19.2": LATEST, "v0.17.8": LATEST._replace(sure_leaders=False)}


def found(scenario: Mapping[str, Any], laws: PlacementLaws = LATEST) -> dict[str, Any]:
    when = scenario["when"]
    leader = asked(1, when, 1, when["leader"]) if "leader" in when else None
    tree = ground(scenario["given"])
    places = place(tree, tree.free, Unit(asked(0, when, when["pods"]), leader), laws=laws)
    if isinstance(places, Step):
        return {"message": TOPOLOGY_FRAGMENTS[places.law](dict(places.operands))}
    answer: dict[str, Any] = dict(hosts_of(places[0]))
    return answer if leader is None else answer | {"leader": next(iter(hosts_of(places[1])), None)}


def measured(answer: Mapping[str, Any]) -> dict[str, Any]:
    """What Kueue answered, in the form of ``found``."""
    if "message" in answer:
        return dict(answer)
    leader = {"leader": next(iter(answer["leader"]), None)} if "leader" in answer else {}
    return {**answer["workers"], **leader}


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[s["because"] for s in SCENARIOS])
def test_a_unit_is_placed_as_kueue_places_it(scenario: Mapping[str, Any]) -> None:
    assert found(scenario) == scenario["then"]


@pytest.mark.parametrize("release", RELEASES)
def test_drawn_units_are_placed_as_kueue_placed_them(release: str) -> None:
    lines = [line for line in PLACED if release in line]
    wrong = [line for line in lines if found(line, RELEASES[release]) != measured(line[release])]
    assert lines
    assert wrong == []
