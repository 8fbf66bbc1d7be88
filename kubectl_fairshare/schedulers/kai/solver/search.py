"""The search for victims: probes with a growing number of the job's pods, each beginning from what the last recorded.

Why not all pods at once: a gang of 8 finds room for 1 by victims of job a, for 2 by those of a and b; each probe begins
with the victims that the last one found, so that few are tried again.
Source: ``SolveWithResult``, ``searchMaxSolvableK`` in
https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/actions/common/solvers/job_solver.go; "kai solver" in
``docs/laws.md``.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from kubectl_fairshare.schedulers.kai.solver import gangs
from kubectl_fairshare.schedulers.kai.solver.generators import GENERATORS, Generator, Probe
from kubectl_fairshare.schedulers.kai.solver.layers import Layer
from kubectl_fairshare.schedulers.kai.solver.ledgers import idle_gpus, releasing_gpus
from kubectl_fairshare.schedulers.kai.solver.scenarios import Batch, Judge, Scenario, ScenarioRun, Solution, attempt
from kubectl_fairshare.schedulers.kai.solver.statuses import USED
from kubectl_fairshare.schedulers.kai.solver.views import JobView

Candidates = Callable[[], tuple[JobView, ...]]
"""The possible victims, looked up for each generator of each probe."""


class Result(NamedTuple):
    """The state after the search; ``solved`` says whether the job's gang is complete with it.

    One that is found but not complete is kept by KAI all the same, and not carried out: ``ghost``. ``runs`` are all
    scenarios that were played, the last one solved where there is a ``scenario``; ``rules`` are those of its victims.
    """

    layer: Layer
    solved: bool
    ghost: bool = False
    scenario: Scenario | None = None
    runs: tuple[ScenarioRun, ...] = ()
    rules: Mapping[str, bool] = MappingProxyType({})


class Search:
    """One search for room for the next pods of ``view``."""

    def __init__(self, layer: Layer, view: JobView, candidates: Candidates, judge: Judge) -> None:
        self._layer, self._view = layer, view
        self._candidates, self._judge = candidates, judge
        self._nodes = feasible_nodes(layer, view)
        self._failed: set[tuple[tuple[str, ...], ...]] = set()
        self._runs: list[ScenarioRun] = []

    def result(self) -> Result:
        """The first solution that any generator finds for all the pods."""
        before = _used(self._layer, self._view)
        for generator in GENERATORS:
            solution = self._solved_by(generator)
            if solution is not None:
                layer = solution.layer
                whole = all(_satisfied(layer, leaf) for leaf in self._view.gang.root.leaves())
                # A solution that leaves the job with no more pods than before does not count: victims would leave for
                # nothing.
                solved = whole and _used(layer, self._view) > before
                return Result(layer, solved, not solved, solution.scenario, tuple(self._runs))
        return Result(self._layer, solved=False, runs=tuple(self._runs))

    def _solved_by(self, generator: Generator) -> Solution | None:
        pods = self._view.next
        reached, recorded = self._most(generator, len(pods))
        # Once more for all pods, even if only some could be placed: KAI asks for the whole gang with what it has
        # learned.
        return self._probed(generator, len(pods), recorded) if reached else None

    def _most(self, generator: Generator, count: int) -> tuple[int, tuple[Batch, ...]]:
        """How many pods can be placed, by doubling and halving; and what the last success recorded."""
        low, high, probing = 0, count + 1, 1
        recorded: tuple[Batch, ...] = ()
        while high - low > 1:
            solution = self._probed(generator, probing, recorded)
            if solution is None:
                high = probing
            else:
                low, recorded = probing, solution.lost
                self._layer = self._layer.after_dropping(solution.layer)
            probing = min(2 * probing, count) if high > count else (low + high) // 2
        return low, recorded

    def _probed(self, generator: Generator, count: int, recorded: tuple[Batch, ...]) -> Solution | None:
        """The first scenario that is solved for the first ``count`` pods."""
        asker = partial(self._layer, self._view, self._view.next[:count])
        nodes = {*self._nodes, *(self._layer.pod_states[pod].node for batch in recorded for pod in batch.pods)}
        probe = Probe(self._layer, asker, recorded, self._candidates(), tuple(sorted(nodes)))
        for scenario in generator(probe):
            key = scenario.print
            # Also across generators: the same victims for the same pods failed before.
            if key in self._failed:
                continue
            solution, self._layer, end = attempt(self._layer, scenario, probe.nodes, self._judge)
            if scenario.batches:
                self._runs.append(ScenarioRun(len(asker.next), scenario.batches, end))
            if solution is not None:
                return solution
            self._failed.add(key)
        return None


def partial(layer: Layer, view: JobView, pods: Sequence[str]) -> JobView:
    """The job with its placed pods and some of those that wait, its minimums lowered to what that is."""
    # Pods that run count for the lowered minimum.
    placed = [pod for pod in view.gang.tasks if layer.active(pod)]
    some = gangs.limited(view.gang.root, frozenset((*placed, *pods)))
    return layer.viewed(view.gang, gangs.lowered(some))


def feasible_nodes(layer: Layer, view: JobView) -> tuple[str, ...]:
    """The nodes with any GPU to have, for a job of which every pod wants one; otherwise all."""
    tasks = layer.ground.tasks
    if not all(tasks[pod].wants_gpu for pod in view.gang.tasks):
        return tuple(layer.ledgers)
    found = layer.ledgers.items()
    return tuple(name for name, node in found if idle_gpus(node)[0] > 0 or releasing_gpus(node)[0] > 0)


def _used(layer: Layer, view: JobView) -> int:
    return sum(layer.pod_states[pod].status in USED for pod in view.gang.tasks)


def _satisfied(layer: Layer, leaf: gangs.Leaf) -> bool:
    return sum(layer.pod_states[pod].status in USED for pod in leaf.pods) >= leaf.minimum
