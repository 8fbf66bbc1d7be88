"""What we tell is what a living Kueue then does: ``plan``, ``cycle``, and the remedies of ``plan`` and ``why``.

Random organisations, with and without fair sharing; before each step the state is read as kubectl would read it, and
the program asked. FAIRSHARE_LIVE_STEPS says how many steps are played (100 unless told).
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from kubectl_fairshare.schedulers.kueue.explain.decision import RemedyKind
from tests.live.asking import asked, planned, without
from tests.live.differences import from_cycle, from_plan
from tests.live.gate import Gate, gate
from tests.live.kueue import KUEUE, manager, state
from tests.live.obstacles import OBSTACLES, obstruct, release
from tests.live.organisation import API, PRIORITIES
from tests.live.remedying import Remedy, lift
from tests.live.richer import RicherOrganisation
from tests.live.scheduling_log import LOOKS, SchedulingLog
from tests.live.server import Api, Object, Server, missing, server, wait_until
from tests.live.world import World, holds_quota

STEPS: Final = int(os.environ.get("FAIRSHARE_LIVE_STEPS", "100")) // 2
WORLD: Final = 20
ENOUGH: Final = 50
"""Steps in which a play comes to everything that it is about."""
ADMITTED: Final = ("Admitted", "Preempts")

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(
        bool(missing("kube-apiserver", "etcd", "kueue-manager")),
        reason=f"not built: {missing('kube-apiserver', 'etcd', 'kueue-manager')}; see .ci/assets/build",
    ),
]


@dataclass(frozen=True)
class Living:
    """A running Kueue, the gate before its scheduler, and the log of its manager."""

    fair: bool
    server: Server
    gate: Gate
    log: SchedulingLog

    @property
    def api(self) -> Api:
        return self.server.api


@pytest.fixture(scope="module", params=[True, False], ids=["fair", "classical"])
def living(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Living]:
    with server(tmp_path_factory.mktemp("living")) as started, manager(started, fair=request.param, verbosity=LOOKS):
        for name, value in PRIORITIES.items():
            body = {"apiVersion": API, "kind": "WorkloadPriorityClass", "metadata": {"name": name}, "value": value}
            started.api.create(f"{KUEUE}/workloadpriorityclasses", body)
        log = SchedulingLog(started.folder / "kueue.log")
        with closing(log), gate(started) as built:
            yield Living(request.param, started, built, log)


class Play:
    """The steps of one play over one organisation after another, its tally, and where Kueue did otherwise."""

    def __init__(self, living: Living, folder: Path, first: int, steps: int) -> None:
        self.living = living
        self.folder = folder
        self.tally: Counter[str] = Counter()
        self.wrong: list[str] = []
        self._first, self._steps = first if living.fair else first + 500, steps
        self.number = 0

    def worlds(self) -> Iterator[World]:
        """A world for each step; the same one for a while."""
        while self.number < self._steps:
            world = World(self.living.api, RicherOrganisation(self._first + self.number // WORLD), self.living.log)
            for _ in range(min(WORLD, self._steps - self.number)):
                self.number += 1
                yield world
            world.close()

    def told(self) -> str:
        """The tally in one line."""
        return f"{self.number} steps, {dict(self.tally.most_common())}, {len(self.wrong)} differences"

    def note(self, given: bytes, differences: Iterator[str], happened: object) -> None:
        """Keeps what went otherwise than told, with the state before it."""
        for difference in differences:
            self.wrong.append(f"step {self._first}+{self.number}: {difference}; {happened}")
            (self.folder / f"step-{self._first}-{self.number}.json").write_bytes(given)


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


def submit(play: Play, world: World, given: bytes, job: Object, plan: Object) -> None:
    """Submits a Job, and notes where Kueue does otherwise than planned."""
    victims = {victim["workload"]["name"] for victim in plan["victims"]}
    owners = {w["metadata"]["name"]: name for name, w in world.all_workloads().items()}
    for victim in plan["victims"]:
        victim["workload"]["name"] = owners[victim["workload"]["name"]]
    happened = world.submit(job, admitted=plan["outcome"] in ADMITTED)
    play.tally[plan["outcome"]] += 1
    play.tally["contended"] += bool(victims) and happened.contended
    differences = from_plan(plan, happened, lambda: planned(play.folder, without(given, victims), job))
    play.note(given, differences, happened)


def test_kueue_goes_through_the_cycle_that_was_told(
    living: Living, tmp_path: Path, count: Callable[[str], None]
) -> None:
    play = Play(living, tmp_path, first=1000, steps=max(1, STEPS * 3 // 10))
    for world in play.worlds():
        living.gate.shut()
        living.gate.remove_plug()
        come_and_go(world, play.number)
        given, number = state(living.api), living.log.current() + 1
        told = asked(tmp_path, given, "cycle")
        if not living.gate.open():
            play.tally["too late"] += 1
            continue
        if not told["entries"]:
            play.tally["nobody waits"] += 1
            continue
        happened = living.log.cycle(number)
        goes_on = any(living.log.goes_on(name, number) for name in happened.evaluated)
        play.tally.update(f"head {entry['outcome']}" for entry in told["entries"])
        play.tally.update(entry["status"] for entry in told["entries"] if entry["status"] == "skipped")
        play.tally["left to chance"] += bool(told["ties"])
        play.tally["in the middle of a search"] += goes_on
        if not told["ties"] and not goes_on:
            play.note(given, from_cycle(told, happened), happened.evaluated)
    count(f"cycle: {play.told()}")
    assert not play.wrong, "\n".join(play.wrong)
    assert play.tally["head Admitted"], "the play never came to an admission"
    assert play.tally["head Preempts"] or play.number < ENOUGH, "the play never came to a preemption"


def come_and_go(world: World, number: int) -> None:
    """Before a shut gate: some Jobs finish, others come, and all of it has reached the queues."""
    chance = world.made.chance
    wait_until(world.is_at_rest, "nobody is on the way out")
    found = world.all_workloads()
    keeps = chance.random() < 0.5
    leaves = [name for name, w in found.items() if chance.random() < 0.2 or not (keeps or holds_quota(w))]
    # When one goes, Kueue looks again at all of the tree that it had set aside.
    gone = world.forget(leaves or sorted(found)[:1])
    names = []
    for i in range(chance.randint(1, 3 * len(world.made.queues))):
        job = world.made.job(100 * number + i)
        names.append(job["metadata"]["name"])
        if i % 4 == 3:
            world.create(job)
        else:
            world.api.create(world.jobs, job)
    wait_until(lambda: set(names) <= world.all_workloads().keys(), "each Job has its workload")
    made = world.all_workloads()
    wait_until(lambda: all(world.log.is_queued(made[name]["metadata"]["name"]) for name in names), "all are queued")
    wait_until(lambda: world.log.is_retried(world.made.root, gone), "all that wait are looked at again")
    wait_until(world.is_at_rest, "the queues count as many as there are")


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
    expected = {*RemedyKind} - ({RemedyKind.WEIGHT} if not living.fair else set())
    assert told == expected or play.number < ENOUGH, f"no remedy of the kinds {expected - told} was applied"


def note_remedy(play: Play, world: World, given: bytes) -> None:
    """Applies the rarest remedy that is printed for one of a few Jobs."""
    jobs = [world.made.job(10 * play.number + i) for i in range(4)]
    plans = [planned(play.folder, given, job) for job in jobs]
    printed = [(Remedy(part), i) for i, plan in enumerate(plans) for part in plan["remedies"]]
    if printed:
        remedy, i = min(printed, key=lambda told: play.tally[told[0].kind])
        play.tally[remedy.kind] += 1
        if remedy.part["priorityClass"] and play.tally["priority"] % 3 == 0:
            play.tally["priority class"] += 1
            remedy = remedy.by_class()
        play.note(given, remedied(world, jobs[i], remedy, plans[i], play.tally), plans[i]["outcome"])
    else:
        play.tally["no remedy"] += 1
        submit(play, world, given, jobs[0], plans[0])


def remedied(world: World, job: Object, remedy: Remedy, plan: Object, tally: Counter[str]) -> Iterator[str]:
    """Applies one unit less than the remedy says, and then all of it."""
    changed = remedy.job(world.api, job) if remedy.in_job else job
    nearly = remedy.job(world.api, job, less=True) if remedy.in_job else job
    waits = plan["outcome"] not in ADMITTED
    if waits:
        if not remedy.in_job:
            remedy.apply(world.api, less=True)
        happened = world.submit(nearly, admitted=False)
        tally["one unit less"] += 1
        if remedy.is_met(happened, nearly):
            yield f"one unit less than {remedy} does too: {happened}"
        if happened.victims or happened.flavors is not None:
            tally["one unit less: fewer pods, or victims"] += 1
            remedy.take_back(world.api)
            return
    if waits and not remedy.in_job:
        remedy.apply(world.api)
    else:
        world.forget_who_waits()
        if not remedy.in_job:
            remedy.apply(world.api)
        world.create(changed)
    happened = world.happened(changed["metadata"]["name"], admitted=True)
    tally[f"then {remedy.part['outcome']}"] += 1
    if not remedy.came_true(happened):
        yield f"{remedy} was to do, but {happened}"
    remedy.take_back(world.api)


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
