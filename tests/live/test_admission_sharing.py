"""A living Kueue with admission fair sharing takes the heads and the victims that ``cycle`` says.

Random organisations with two LocalQueues for each ClusterQueue, with and without fair sharing between queues. What only
the manager remembers makes some answers inexact; those are counted. FAIRSHARE_LIVE_STEPS says how many steps are
played (100 unless told).
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.live.plays.playing import ENOUGH, Living, Play, living_kueue, through_cycles
from tests.live.plays.sharing import SETTINGS, SharingOrganisation
from tests.live.stage.server import missing

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
    folder = tmp_path_factory.mktemp("living")
    with living_kueue(folder, fair=request.param, admissionFairSharing=SETTINGS) as started:
        yield started


def test_kueue_orders_by_past_usage_as_told(living: Living, tmp_path: Path, count: Callable[[str], None]) -> None:
    play = Play(living, tmp_path, first=6000, steps=max(1, STEPS // 2), made=SharingOrganisation)
    through_cycles(play)
    count(f"admission fair sharing: {play.told()}")
    assert not play.wrong, "\n".join(play.wrong)
    assert play.tally["not exact"] < play.number or play.number < ENOUGH, "no answer was exact"
