"""Scenarios: pods that are taken away together so that a job's next pods may be placed, and how one is tried.

A scenario does not decide who leaves: asker and victims are placed again in queue order, and a victim may come back,
move, or take the room first.
Example: a victim of a small job leaves a node of 8 GPUs for an asker of 6. Both are placed again: the asker gets the 6,
the victim the other 2, and is moved, not lost.
Source: https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/actions/common/solvers/by_pod_solver.go,
``TryToVirtuallyAllocatePreemptorAndGetVictims`` in
https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/actions/common/action.go; "kai solver" in
``docs/laws.md``.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kai.map_orders import Walk
from kubectl_fairshare.schedulers.kai.session.job_order import QueueWalk
from kubectl_fairshare.schedulers.kai.solver.layers import Layer
from kubectl_fairshare.schedulers.kai.solver.placing import Failure, place_job
from kubectl_fairshare.schedulers.kai.solver.statuses import Status
from kubectl_fairshare.schedulers.kai.solver.views import JobView, ListedVictim


class Batch(NamedTuple):
    """Pods of one job that leave together."""

    job: str
    pods: tuple[str, ...]


class Scenario(Value, frozen=True):
    """Who is taken away for ``asker``: batches that an earlier probe recorded, then others; a pod may be in both."""

    asker: JobView
    recorded: tuple[Batch, ...]
    potential: tuple[Batch, ...] = ()

    @property
    def batches(self) -> tuple[Batch, ...]:
        """All batches, recorded ones first."""
        return (*self.recorded, *self.potential)

    def walked(self, walk: Walk, *, matters: bool) -> "Scenario":
        """The same victims as one run of KAI lists them: maps give recorded jobs, and the pods of each batch."""
        by_job: dict[str, list[Batch]] = {}
        for batch in self.recorded:
            by_job.setdefault(batch.job, []).append(Batch(batch.job, tuple(walk.order(batch.pods, matters=matters))))
        recorded = (batch for job in walk.order(tuple(by_job), matters=matters) for batch in by_job[job])
        return Scenario(self.asker, tuple(recorded), self.potential)

    @property
    def print(self) -> tuple[tuple[str, ...], ...]:
        """What two scenarios that are the same have in common."""
        parts = (self.asker.next, pods_of(self.recorded), pods_of(self.potential))
        return tuple(tuple(sorted(pods)) for pods in parts)

    def victims(self) -> list[ListedVictim]:
        """Every entry of the list of victims; a pod that is listed again has its next turn."""
        turns: dict[str, int] = {}
        found = []
        for pod in pods_of(self.batches):
            turn = turns.get(pod, 0)
            turns[pod] = turn + 1
            found.append(ListedVictim(pod, turn))
        return found


def pods_of(batches: Iterable[Batch]) -> list[str]:
    """The pods of batches in order."""
    return [pod for batch in batches for pod in batch.pods]


Judge = Callable[[Layer, Scenario], bool]
"""Whether the victims of a scenario are allowed, in the state after it."""


class ScenarioEnd(StrEnum):
    """How a scenario ends: the asker finds no place, the action does not allow the victims, or it is solved."""

    NO_PLACE = "noPlace"
    REFUSED = "refused"
    SOLVED = "solved"


class ScenarioRun(NamedTuple):
    """A scenario that was played for so many of the asker's ``pods``; all but the last are dropped again."""

    pods: int
    batches: tuple[Batch, ...]
    end: ScenarioEnd


class Solution(NamedTuple):
    """A scenario that is solved: the state, and the batches of which a pod is lost or moved."""

    layer: Layer
    scenario: Scenario
    lost: tuple[Batch, ...]


def attempt(
    base: Layer, scenario: Scenario, nodes: Iterable[str], judge: Judge
) -> tuple[Solution | None, Layer, ScenarioEnd]:
    """The scenario played on ``base``: the solution, or None; the state of ``base`` afterwards; and how it ended."""
    walk = base.ground.walk
    scenario = scenario.walked(walk, matters=not base.ground.whole)
    victims = scenario.victims()
    walk.mattered |= any(victim.turn for victim in victims)
    # Without a victim there is nothing that allocate has not tried.
    if not victims:
        return None, base, ScenarioEnd.NO_PLACE
    evicted = base.above()
    for victim in victims:
        evicted.evict(victim, base.pod_states[victim.pod])
    open_nodes = sorted({*nodes, *(base.pod_states[victim.pod].node for victim in victims)})
    placed, last = _placed_again(evicted, scenario, open_nodes)
    # The asker's failure ends the scenario; a victim's failure only loses that victim.
    if placed is None:
        return None, base.after_dropping(last), ScenarioEnd.NO_PLACE
    if not judge(placed, scenario):
        return None, base.after_dropping(placed), ScenarioEnd.REFUSED
    return Solution(placed, scenario, tuple(_lost(placed, scenario, victims))), base, ScenarioEnd.SOLVED


def _placed_again(layer: Layer, scenario: Scenario, nodes: Sequence[str]) -> tuple[Layer | None, Layer]:
    """The state after asker and victims had their turn; None where the asker finds no room; and the last state."""
    asker = scenario.asker
    left = {asker.name, *(batch.job for batch in scenario.batches)}
    walk = QueueWalk(layer, _in_heap(layer, asker, left), maps=layer.ground.walk)
    for view in walk:
        if view.name not in left:
            continue
        left.discard(view.name)
        found = place_job(layer, view, nodes, simulated=True)
        layer = walk.session = _after_failure(layer, view, found) if isinstance(found, Failure) else found
        if isinstance(found, Failure) and view.name == asker.name:
            return None, layer
        if not left:
            break
    return (None if asker.name in left else layer), layer


def _after_failure(layer: Layer, view: JobView, failure: Failure) -> Layer:
    """The state once a job found no place, though some of its pods may have for a while."""
    if failure.dropped is None:
        return layer
    found = layer.after_dropping(failure.dropped)
    found.undone |= {view.name}
    return found


def _in_heap(layer: Layer, asker: JobView, victims: Iterable[str]) -> Iterator[JobView]:
    """All jobs that wait, those of the victims, and the asker with the pods that are probed."""
    names = {*victims, *(name for name, gang in layer.ground.gangs.items() if any(map(layer.pending, gang.tasks)))}
    for name in layer.ground.walk.order(sorted(names), matters=False):
        yield asker if name == asker.name else layer.view(name)


def _lost(layer: Layer, scenario: Scenario, victims: Sequence[ListedVictim]) -> Iterator[Batch]:
    """The batches of pods that are gone or moved: for each such pod the first batch that has it, each once."""
    gone = [v for v in victims if layer.entries[v] is Status.RELEASING]
    moved = [v for v in victims if layer.entries[v] is Status.PIPELINED]
    found: list[Batch] = []
    # Those that are lost come first in what the next probe records.
    for victim in (*gone, *moved):
        if not any(victim.pod in batch.pods for batch in found):
            found.append(next(batch for batch in scenario.batches if victim.pod in batch.pods))
    jobs = dict.fromkeys(batch.job for batch in found)
    yield from (batch for job in jobs for batch in found if batch.job == job)
