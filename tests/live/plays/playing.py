"""Plays over one organisation after another in a living Kueue: submit, compare with what was planned, keep a tally."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, Final, TypeAlias

from tests.live.plays.differences import from_cycle, from_plan
from tests.live.plays.richer import RicherOrganisation
from tests.live.stage.asking import asked, planned, without
from tests.live.stage.gate import Gate, gate
from tests.live.stage.kueue import KUEUE, manager, state, with_samples
from tests.live.stage.organisation import API, PRIORITIES
from tests.live.stage.scheduling_log import LOOKS, SchedulingLog
from tests.live.stage.server import Api, Object, Server, server, wait_until
from tests.live.stage.world import World, condition, holds_quota

_NOTHING_COMES: Final = 3.0
WORLD: Final = 20
"""Steps in which a world is the same."""
ENOUGH: Final = 50
"""Steps in which a play comes to everything that it is about."""
ADMITTED: Final = ("Admitted", "Preempts")
MakesOrganisation: TypeAlias = Callable[[int], RicherOrganisation]


@dataclass(frozen=True)
class Living:
    """A running Kueue, the gate before its scheduler, and the log of its manager."""

    fair: bool
    server: Server
    gate: Gate
    log: SchedulingLog
    release: str = ""

    @property
    def api(self) -> Api:
        return self.server.api


@contextmanager
def living_kueue(folder: Path, *, fair: bool, release: str = "", **settings: Any) -> Iterator[Living]:
    """Runs Kueue, with priority classes and a gate; ``settings`` are laid over its Configuration."""
    with server(folder) as started, manager(started, fair=fair, verbosity=LOOKS, release=release, **settings):
        for name, value in PRIORITIES.items():
            body = {"apiVersion": API, "kind": "WorkloadPriorityClass", "metadata": {"name": name}, "value": value}
            started.api.create(f"{KUEUE}/workloadpriorityclasses", body)
        log = SchedulingLog(started.folder / "kueue.log")
        with closing(log), gate(started) as built:
            yield Living(fair, started, built, log, release)


class Play:
    """The steps of one play over one organisation after another, its tally, and where Kueue did otherwise."""

    def __init__(
        self, living: Living, folder: Path, first: int, steps: int, made: MakesOrganisation = RicherOrganisation
    ) -> None:
        self.living = living
        self.folder = folder
        self.tally: Counter[str] = Counter()
        self.wrong: list[str] = []
        self._first, self._steps = first if living.fair else first + 500, steps
        self._made = made
        self.number = 0

    def worlds(self) -> Iterator[World]:
        """A world for each step; the same one for a while."""
        while self.number < self._steps:
            world = World(self.living.api, self._made(self._first + self.number // WORLD), self.living.log)
            for _ in range(min(WORLD, self._steps - self.number)):
                self.number += 1
                yield world
            world.close()

    def told(self) -> str:
        """The tally in one line."""
        return f"{self.number} steps, {dict(self.tally.most_common())}, {len(self.wrong)} differences"

    def note(self, given: bytes, differences: Iterable[str], happened: object) -> None:
        """Keeps what went otherwise than told, with the state before it."""
        for difference in differences:
            self.wrong.append(f"step {self._first}+{self.number}: {difference}; {happened}")
            (self.folder / f"step-{self._first}-{self.number}.json").write_bytes(given)


def stays_out(world: World, job: Object) -> Iterator[str]:
    """Whether a Job of which Kueue is to say nothing gets quota, or a word."""
    name = job["metadata"]["name"]
    world.create(job)
    wait_until(lambda: name in world.all_workloads(), f"{name} has its workload")
    time.sleep(_NOTHING_COMES)
    status, words = condition(world.all_workloads()[name], "QuotaReserved")
    if status == "True" or words:
        yield f"planned that nothing is said of it, but: {status} {words}"


def submit(play: Play, world: World, given: bytes, job: Object, plan: Object) -> None:
    """Submits a Job, and notes where Kueue does otherwise than planned."""
    victims = {victim["object"]["name"] for victim in plan["victims"]}
    owners = {w["metadata"]["name"]: name for name, w in world.all_workloads().items()}
    for victim in plan["victims"]:
        victim["object"]["name"] = owners[victim["object"]["name"]]
    play.tally[plan["outcome"]] += 1
    if plan["outcome"] not in ADMITTED and not plan["condition"]["message"]:
        play.tally["nothing is said"] += 1
        play.note(given, stays_out(world, job), plan["condition"])
        return
    happened = world.submit(job, admitted=plan["outcome"] in ADMITTED)
    play.tally["contended"] += bool(victims) and happened.contended
    parts = (part for size in range(len(victims), 0, -1) for part in combinations(sorted(victims), size))
    afterwards = (planned(play.folder, without(given, {*part}), job) for part in parts)
    differences = from_plan(plan, happened, afterwards)
    play.note(given, differences, happened)


def through_cycles(play: Play) -> None:
    """Lets Jobs come and go before a shut gate, and notes where the next cycle is not the one that was told."""
    for world in play.worlds():
        play.living.gate.shut()
        play.living.gate.remove_plug()
        come_and_go(world, play.number)
        given, number = state(play.living.api), play.living.log.current() + 1
        told = asked(play.folder, given, "cycle")
        if not play.living.gate.open():
            play.tally["too late"] += 1
            continue
        if not told["entries"]:
            play.tally["nobody waits"] += 1
            continue
        happened = play.living.log.cycle(number)
        later = with_samples(given, play.living.api)
        goes_on = any(play.living.log.goes_on(name, number) for name in happened.evaluated)
        play.tally.update(f"head {entry['outcome']}" for entry in told["entries"])
        play.tally.update(entry["status"] for entry in told["entries"] if entry["status"] == "skipped")
        known = told["fidelity"]["grade"] != "not exact"
        play.tally["not exact"] += not known
        play.tally["left to chance"] += bool(told["ties"])
        play.tally["in the middle of a search"] += goes_on
        if not told["ties"] and not goes_on and known:
            differences = list(from_cycle(told, happened))
            if differences and later != given:
                play.tally["sampled meanwhile"] += 1
                differences = list(from_cycle(asked(play.folder, later, "cycle"), happened))
            play.note(given, differences, happened.evaluated)


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
