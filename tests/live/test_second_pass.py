"""A living Kueue gives places as the cycle was told: for pods of lost nodes, after a check, for leaders with workers.

Nodes that vanish are replaced, or their workloads are evicted; with the check of a ProvisioningRequest, a place is
looked for once that is ready. FAIRSHARE_LIVE_STEPS says how many steps are played (100 unless told).
"""

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from tests.live.plays.playing import Living, Play, living_kueue
from tests.live.plays.second_passes import (
    HostOrganisation,
    ProvisionedOrganisation,
    create_groups,
    fill,
    lose_a_node,
    make_ready,
    remove_groups,
    through_cycle,
)
from tests.live.stage.applied import apply
from tests.live.stage.server import ApiError, missing
from tests.live.stage.world import World

STEPS: Final = int(os.environ.get("FAIRSHARE_LIVE_STEPS", "100")) // 5
ENOUGH_TO_SEE: Final = 15
"""Steps in which a play comes to a replacement and to an eviction."""

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(
        bool(missing("kube-apiserver", "etcd", "kueue-manager")),
        reason=f"not built: {missing('kube-apiserver', 'etcd', 'kueue-manager')}; see .ci/assets/build",
    ),
]


@pytest.fixture(scope="module")
def living(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Living]:
    with living_kueue(tmp_path_factory.mktemp("living"), fair=False) as started:
        yield started


def test_pods_of_a_lost_node_go_where_they_were_told_to(
    living: Living, tmp_path: Path, count: Callable[[str], None]
) -> None:
    play = Play(living, tmp_path, first=7000, steps=STEPS, made=HostOrganisation)
    for world in play.worlds():
        add_lost_nodes(world)
        fill(play, world, 3)
        through_cycle(play, world, lose_a_node)
    count(f"lost nodes: {play.told()}")
    assert not play.wrong, "\n".join(play.wrong)
    assert {"assumed", "evicted"} <= {*+play.tally} or play.number < ENOUGH_TO_SEE, play.told()


def test_a_place_after_provisioning_is_the_one_that_was_told(
    living: Living, tmp_path: Path, count: Callable[[str], None]
) -> None:
    play = Play(living, tmp_path, first=8000, steps=STEPS, made=ProvisionedOrganisation)
    for world in play.worlds():
        fill(play, world, 2)
        through_cycle(play, world, make_ready)
        world.forget(list(world.all_workloads()))
    count(f"provisioned: {play.told()}")
    assert not play.wrong, "\n".join(play.wrong)
    assert play.tally["assumed"] or play.number < ENOUGH_TO_SEE, play.told()


def test_a_leader_and_its_workers_go_where_they_were_told_to(
    living: Living, tmp_path: Path, count: Callable[[str], None]
) -> None:
    play = Play(living, tmp_path, first=9000, steps=STEPS, made=HostOrganisation)
    for world in play.worlds():
        through_cycle(play, world, partial(create_groups, number=play.number))
        remove_groups(world, waiting=play.number % 4 != 0 and play.number != STEPS)
    count(f"leaders: {play.told()}")
    assert not play.wrong, "\n".join(play.wrong)
    assert play.tally["assumed"] or play.number < ENOUGH_TO_SEE, play.told()


def add_lost_nodes(world: World) -> None:
    """Puts the nodes back that were lost in earlier steps."""
    assert isinstance(world.made, HostOrganisation)
    made = {
        body["metadata"]["name"]: body
        for plural, body in type(world.made)(world.made.seed).objects()
        if plural == "nodes"
    }
    for name, body in made.items():
        try:
            world.api.get(f"/api/v1/nodes/{name}")
        except ApiError:
            apply(world.api, [body])
