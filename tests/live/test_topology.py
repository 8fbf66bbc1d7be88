"""A living Kueue places pods on nodes made by hand as ``plan`` says, and goes through the cycle that ``cycle`` says.

Random organisations over random nodes, with and without fair sharing; some nodes are cordoned between the steps.
FAIRSHARE_LIVE_STEPS says how many steps are played (100 unless told).
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.live.plays.placed import PlacedOrganisation
from tests.live.plays.playing import ENOUGH, Living, Play, living_kueue, submit, through_cycles
from tests.live.plays.remedying import note_remedy
from tests.live.stage.asking import planned
from tests.live.stage.kueue import state
from tests.live.stage.server import missing, wait_until
from tests.live.stage.world import World

STEPS: Final = int(os.environ.get("FAIRSHARE_LIVE_STEPS", "100")) // 2

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(
        bool(missing("kube-apiserver", "etcd", "kueue-manager")),
        reason=f"not built: {missing('kube-apiserver', 'etcd', 'kueue-manager')}; see .ci/assets/build",
    ),
]


@pytest.fixture(scope="module", params=[True, False], ids=["fair", "classical"])
def living(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Living]:
    with living_kueue(tmp_path_factory.mktemp("living"), fair=request.param) as started:
        yield started


def test_kueue_places_pods_as_planned(living: Living, tmp_path: Path, count: Callable[[str], None]) -> None:
    play = Play(living, tmp_path, first=3000, steps=STEPS, made=PlacedOrganisation)
    for world in play.worlds():
        if play.number % 5 == 0:
            turn_a_cordon(world)
        job = world.made.job(play.number)
        given = state(living.api)
        plan = planned(tmp_path, given, job)
        play.tally["placed"] += any(unit["placed"] for unit in plan["topology"])
        play.tally["no place"] += any(not unit["placed"] for unit in plan["topology"])
        submit(play, world, given, job, plan)
        world.forget_who_waits()
    count(f"topology: {play.told()}")
    assert not play.wrong, "\n".join(play.wrong)
    assert {"placed", "no place", "Preempts"} <= {*+play.tally} or play.number < ENOUGH, play.told()


def test_kueue_goes_through_the_cycle_that_was_told_with_topology(
    living: Living, tmp_path: Path, count: Callable[[str], None]
) -> None:
    play = Play(living, tmp_path, first=4000, steps=max(1, STEPS * 3 // 10), made=PlacedOrganisation)
    through_cycles(play)
    count(f"topology cycle: {play.told()}")
    assert not play.wrong, "\n".join(play.wrong)
    assert play.tally["head Admitted"], "the play never came to an admission"


def test_kueue_admits_after_a_topology_remedy_as_told(
    living: Living, tmp_path: Path, count: Callable[[str], None]
) -> None:
    play = Play(living, tmp_path, first=5000, steps=max(1, STEPS * 3 // 10), made=PlacedOrganisation)
    for world in play.worlds():
        if play.number % 3 == 0:
            turn_a_cordon(world)
        note_remedy(play, world, state(living.api))
        world.forget_who_waits()
    count(f"topology remedies: {play.told()}")
    assert not play.wrong, "\n".join(play.wrong)


def turn_a_cordon(world: World) -> None:
    """Cordons a node, or takes its cordon away; the pods on it stay."""
    assert isinstance(world.made, PlacedOrganisation)
    path = f"/api/v1/nodes/{world.made.chance.choice(world.made.node_names)}"
    cordoned = world.api.get(path)["spec"].get("unschedulable", False)
    world.api.merge(path, {"spec": {"unschedulable": None if cordoned else True}})
    wait_until(lambda: world.api.get(path)["spec"].get("unschedulable", False) != cordoned, "the cordon is turned")
