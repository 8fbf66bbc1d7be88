"""Whether the victims of a scenario are allowed, for each of the three actions that evict.

Why what moves is not lost: a victim of queue b is moved to another node, so b holds as much as before; only pods
without a new place are counted for fairness, if the shard consolidates.
Source: ``reclaimableFn``, ``splitVictimTasks`` in
https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/plugins/proportion/proportion.go;
``reclaimScenarioValidatorFn`` in
https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/plugins/minruntime/minruntime.go; "kai validation",
"kai min-runtime" and "kai solver" in ``docs/laws.md``.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from kubectl_fairshare.schedulers.kai.model.amounts import charged
from kubectl_fairshare.schedulers.kai.model.objects import Charge
from kubectl_fairshare.schedulers.kai.reclaim.validator import Asker, FairnessVerdict, JudgedItem, judge
from kubectl_fairshare.schedulers.kai.session.session import Session
from kubectl_fairshare.schedulers.kai.solver.gangs import Gang
from kubectl_fairshare.schedulers.kai.solver.layers import Layer
from kubectl_fairshare.schedulers.kai.solver.scenarios import Scenario
from kubectl_fairshare.schedulers.kai.solver.statuses import ACTIVE, USED, Status
from kubectl_fairshare.schedulers.kai.solver.views import JobView

_DRAWS: Final = 16
Protected = Callable[[Gang], bool]
"""Whether the minimum runtime of a job is not over."""


def victims_by_job(scenario: Scenario) -> dict[str, list[str]]:
    """The pods of all batches by job, in order; one that is in two batches comes twice."""
    found: dict[str, list[str]] = {}
    for batch in scenario.batches:
        found.setdefault(batch.job, []).extend(batch.pods)
    return found


def nobody_lost(layer: Layer, scenario: Scenario) -> bool:
    """Consolidation: every victim has a place."""
    pods = (pod for batch in scenario.batches for pod in batch.pods)
    return all(layer.pod_states[pod].status is not Status.RELEASING for pod in pods)


def keeps_minimums(layer: Layer, scenario: Scenario, protected: Protected) -> bool:
    """Whether each elastic victim whose min-runtime is not over keeps its minimum in each leaf that is touched."""
    for name, pods in victims_by_job(scenario).items():
        gang = layer.ground.gangs[name]
        if gang.elastic and protected(gang) and not _above_minimum(layer, gang, pods):
            return False
    return True


def _above_minimum(layer: Layer, gang: Gang, pods: Sequence[str]) -> bool:
    for leaf in gang.root.leaves():
        lost = sum(pod in leaf.pods for pod in pods)
        # Pods that leave still count as running, and those that are lost are taken off after that.
        running = sum(layer.pod_states[pod].status in USED for pod in leaf.pods)
        if lost and leaf.minimum > running - lost:
            return False
    return True


def is_fair(layer: Layer, scenario: Scenario, frozen: Session) -> bool:
    """Reclaim: the reclaimer may take what is lost, by the queues at the start of the search.

    What leaves first of a queue may be above its share and what leaves last below: jobs and queues are in map order.
    """
    return _judgement(layer, scenario, frozen)[1].allowed


def _judgement(
    layer: Layer, scenario: Scenario, frozen: Session
) -> tuple[list[tuple[Gang, list[Charge]]], FairnessVerdict]:
    """What each job loses and what is said of it, in one order of the maps; the next call draws another."""
    losses = _losses(layer, scenario, frozen)
    lost = _by_queue(losses)
    walk = layer.ground.walk
    walk.mattered |= len(losses) > 1 or any(len(items) > 1 for _, items in losses)
    victims = {queue: lost[queue] for queue in walk.order_as_filled(tuple(lost))}
    return losses, judge(frozen, asker_of(scenario.asker), victims)


def over_share(layer: Layer, scenario: Scenario, frozen: Session) -> dict[str, bool]:
    """For each job that loses pods to a fair reclaim: whether its side is over its fair share with each of them.

    Where it is not, its side is over its quota, and the asker's side within its own. An order of the maps that refuses
    the reclaim is not the one in which KAI allowed it: further ones are drawn.
    """
    for _ in range(_DRAWS):
        losses, verdict = _judgement(layer, scenario, frozen)
        if verdict.allowed:
            break
    left: dict[str, list[JudgedItem]] = {}
    for item in verdict.judged:
        left.setdefault(item.queue, []).append(item)
    found = {}
    for gang, items in losses:
        of_queue = left.get(gang.job.queue, [])
        mine, left[gang.job.queue] = of_queue[: len(items)], of_queue[len(items) :]
        found[gang.name] = len(mine) == len(items) and all(item.by_share for item in mine)
    return found


def _losses(layer: Layer, scenario: Scenario, frozen: Session) -> list[tuple[Gang, list[Charge]]]:
    """What each job loses, as items; jobs that lose nothing are left out."""
    found = []
    victims = victims_by_job(scenario)
    for name in layer.ground.walk.order_as_filled(tuple(victims), matters=not layer.ground.whole):
        gang, pods = layer.ground.gangs[name], victims[name]
        items = list(_items(layer, gang, pods, spared=frozen.shard.consolidating))
        if items:
            found.append((gang, items))
    return found


def _by_queue(losses: Sequence[tuple[Gang, list[Charge]]]) -> dict[str, list[Charge]]:
    victims: dict[str, list[Charge]] = {}
    for gang, items in losses:
        victims.setdefault(gang.job.queue, []).extend(items)
    return victims


def asker_of(view: JobView) -> Asker:
    """The job as the side that wants to reclaim."""
    return Asker(view.queue, view.request, view.gang.job.preemptible)


def _items(layer: Layer, gang: Gang, pods: Sequence[str], *, spared: bool) -> Iterator[Charge]:
    """What leaves as items: pods beyond a leaf's minimum alone, the others as one; placed ones are ``spared``."""
    core: list[str] = []
    surplus: list[str] = []
    walk = layer.ground.walk
    for leaf in walk.order(tuple(gang.root.leaves()), matters=not layer.ground.whole):
        mine = [pod for pod in pods if pod in leaf.pods]
        walk.mattered |= 1 < len(mine) > leaf.minimum
        core += mine[: max(leaf.minimum, 0)]
        surplus += mine[max(leaf.minimum, 0) :]
    for pod in surplus:
        yield from _charges(layer, (pod,), spared)
    together = list(_charges(layer, core, spared))
    if together:
        yield charged(together)


def _charges(layer: Layer, pods: Sequence[str], spared: bool) -> Iterator[Charge]:
    for pod in pods:
        pod_state = layer.pod_states[pod]
        if not (spared and pod_state.status in ACTIVE):
            yield Charge(*pod_state.held)
