"""What we tell is what a living Kueue then does: ``plan``, ``cycle``, and the remedies of ``plan`` and ``why``.

Random organisations, with and without fair sharing; before each step the state is read as kubectl would read it, and
the program asked. FAIRSHARE_LIVE_STEPS says how many steps are played (100 unless told).
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from kubectl_fairshare.schedulers.kueue.explain.decision import RemedyKind
from tests.live.plays.obstacles import OBSTACLES, obstruct, release
from tests.live.plays.playing import ADMITTED, ENOUGH, Living, Play, living_kueue, submit, through_cycles
from tests.live.plays.remedying import BY_TOPOLOGY, lift, note_remedy
from tests.live.stage.asking import asked, planned
from tests.live.stage.kueue import state
from tests.live.stage.server import Object, missing, wait_until
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


def test_kueue_does_what_was_planned(living: Living, tmp_path: Path, count: Callable[[str], None]) -> None:
    play = Play(living, tmp_path, first=0, steps=max(1, STEPS * 4 // 10))
    for world in play.worlds():
        job = world.made.job(play.number)
        given = state(living.api)
        submit(play, world, given, job, planned(tmp_path, given, job))
        world.forget_who_waits()
    count(f"plan: {play.told()}")
    assert not play.wrong, "\n".join(play.wrong)
    assert play.tally["Preempts"] or play.number < ENOUGH, "the play never came to a preemption"


def test_kueue_goes_through_the_cycle_that_was_told(
    living: Living, tmp_path: Path, count: Callable[[str], None]
) -> None:
    play = Play(living, tmp_path, first=1000, steps=max(1, STEPS * 3 // 10))
    through_cycles(play)
    count(f"cycle: {play.told()}")
    assert not play.wrong, "\n".join(play.wrong)
    assert play.tally["head Admitted"], "the play never came to an admission"
    assert play.tally["head Preempts"] or play.number < ENOUGH, "the play never came to a preemption"


def test_kueue_admits_after_a_remedy_as_told(living: Living, tmp_path: Path, count: Callable[[str], None]) -> None:
    play = Play(living, tmp_path, first=2000, steps=max(1, STEPS * 3 // 10))
    for world in play.worlds():
        given = state(living.api)
        if play.number % 4 == 0:
            note_lift(play, world, given)
        else:
            note_remedy(play, world, given)
        world.forget_who_waits()
    count(f"remedies: {play.told()}")
    assert not play.wrong, "\n".join(play.wrong)
    told = {kind for kind in RemedyKind if any(k.split()[0] == kind for k in play.tally)}
    expected = {*RemedyKind} - {*BY_TOPOLOGY} - ({RemedyKind.WEIGHT} if not living.fair else set())
    assert told == expected or play.number < ENOUGH, f"no remedy of the kinds {expected - told} was applied"


def note_lift(play: Play, world: World, given: bytes) -> None:
    """Puts something in the way of a Job, asks why it waits, and makes one of the changes that are printed."""
    job = world.made.job(10 * play.number + 9)
    way = min(OBSTACLES, key=lambda o: play.tally[o])
    play.tally[way] += 1
    name = job["metadata"]["name"]
    obstruct(world, play.living.gate, job, way)
    given = state(play.living.api)
    why = asked(play.folder, given, "why", f"job/{name}", "-n", world.made.namespace)
    play.note(given, lifted(world, job, why, play), why["sentence"])
    release(world, job, way)


def lifted(world: World, job: Object, why: Object, play: Play) -> Iterator[str]:
    """Makes one of the changes of ``why``, and tells where Kueue then does otherwise."""
    name = job["metadata"]["name"]
    if not why["lifts"]:
        yield f"no change is told for {job}"
        return
    part = world.made.chance.choice(why["lifts"])
    play.tally[f"lift {part['place']['object'].split()[0]} {part['place']['field']}"] += 1
    play.tally[f"then {part['outcome']}"] += 1
    owned = world.all_workloads().get(name)
    looks = 0 if owned is None else world.log.looks(owned["metadata"]["name"])
    lift(world.api, part)
    wait_until(lambda: is_looked_at(world, name, looks), f"{name} is looked at after {part}")
    happened = world.happened(name, admitted=part["outcome"] in ADMITTED)
    outcome = "Preempts" if happened.victims else "Admitted" if happened.flavors is not None else "Waits"
    told = "Waits" if part["outcome"] == "Never" else part["outcome"]
    if (outcome, len(happened.victims)) != (told, part["victims"]):
        yield f"{part} was to lead to {told}, but {happened}"
    label = world.api.get(f"{world.jobs}/{name}")["metadata"]["labels"]["kueue.x-k8s.io/queue-name"]
    if world.all_workloads()[name]["spec"]["queueName"] != label:
        yield f"{part} does not last: the Job still names {label}"


def is_looked_at(world: World, name: str, before: int) -> bool:
    """Whether Kueue has looked at a Job's workload more often than ``before``."""
    owned = world.all_workloads().get(name)
    return owned is not None and world.log.looks(owned["metadata"]["name"]) > before
