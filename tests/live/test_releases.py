"""Older releases do what is told of them: ``plan`` and ``cycle`` against living managers of v0.18.4 and v0.17.1.

The manager's Deployment names the release, as in a cluster. v0.18.4 was measured; v0.17.1 is answered by the rules of
v0.17.8, with its own laws. FAIRSHARE_LIVE_STEPS says how many steps are played (40 unless told), and
FAIRSHARE_LIVE_RELEASES which releases: the first alone unless told; ``all`` for the nightly run.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.live.plays.playing import ENOUGH, Living, Play, living_kueue, submit, through_cycles
from tests.live.stage.asking import planned
from tests.live.stage.kueue import part, state
from tests.live.stage.server import missing

EVERY: Final = ("0.18.4", "0.17.1")
STEPS: Final = int(os.environ.get("FAIRSHARE_LIVE_STEPS", "40")) // 2
PLAYED: Final = EVERY if os.environ.get("FAIRSHARE_LIVE_RELEASES") == "all" else EVERY[:1]

pytestmark = pytest.mark.live


@pytest.fixture(scope="module", params=[(r, fair) for r in PLAYED for fair in (True, False)], ids=str)
def living(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Living]:
    release, fair = request.param
    lacking = missing("kube-apiserver", "etcd", part("kueue-manager", release))
    if lacking:
        pytest.skip(f"not built: {lacking}; see .ci/assets/build")
    with living_kueue(tmp_path_factory.mktemp("living"), fair=fair, release=release) as started:
        yield started


def test_an_older_kueue_does_what_was_planned(living: Living, tmp_path: Path, count: Callable[[str], None]) -> None:
    play = Play(living, tmp_path, first=7000, steps=max(1, STEPS))
    grades = set()
    for world in play.worlds():
        job = world.made.job(play.number)
        given = state(living.api)
        plan = planned(tmp_path, given, job)
        grades.add((plan["fidelity"]["version"], plan["fidelity"]["grade"]))
        if plan["fidelity"]["grade"] == "not exact":  # by the laws of this very patch, which nothing measured before
            play.tally["by what is modelled"] += 1
            plan = {**plan, "outcome": plan["byWhatIsModelled"]}
        submit(play, world, given, job, plan)
        world.forget_who_waits()
    count(f"plan, v{living.release}: {play.told()}")
    assert {version for version, _ in grades} == {f"v{living.release}"}
    assert not play.wrong, "\n".join(play.wrong)
    assert play.tally["Preempts"] or play.number < ENOUGH, "the play never came to a preemption"


def test_an_older_kueue_goes_through_the_cycle_that_was_told(
    living: Living, tmp_path: Path, count: Callable[[str], None]
) -> None:
    play = Play(living, tmp_path, first=8000, steps=max(1, STEPS))
    through_cycles(play)
    count(f"cycle, v{living.release}: {play.told()}")
    assert not play.wrong, "\n".join(play.wrong)
    assert play.tally["head Admitted"], "the play never came to an admission"
