"""Which scenarios are tried, in order: victims are added one batch after the other, then cut down by nodes.

Why fewer victims are tried after more have been found: five jobs were added until room was enough, but the last job's
node alone would do. The batches of that node come first, and only the victims that a scenario needs are lost.
Source: ``nodeLocalScenarios`` in
https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/plugins/nodelocalgreedy/generator.go,
https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/actions/common/solvers/pod_scenario_builder.go,
https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/actions/common/solvers/sub_scenario_emitter.go; "kai
solver" in ``docs/laws.md``.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kai.session.job_order import QueueWalk
from kubectl_fairshare.schedulers.kai.solver import gangs
from kubectl_fairshare.schedulers.kai.solver.filters import Filters
from kubectl_fairshare.schedulers.kai.solver.layers import Layer
from kubectl_fairshare.schedulers.kai.solver.ledgers import charge_on, free_gpus
from kubectl_fairshare.schedulers.kai.solver.scenarios import Batch, Scenario, pods_of
from kubectl_fairshare.schedulers.kai.solver.views import JobView


class Probe(Value, frozen=True):
    """What is searched for: room for ``asker``'s pods, from ``candidates``, next to what is ``recorded``.

    ``nodes`` are those where pods may be placed.
    """

    layer: Layer
    asker: JobView
    recorded: tuple[Batch, ...]
    candidates: tuple[JobView, ...]
    nodes: tuple[str, ...]


Generator = Callable[[Probe], Iterator[Scenario]]


def accumulated(probe: Probe) -> Iterator[Scenario]:
    """Recorded victims alone, then with ever more of the candidates in victim order, as far as the filters pass.

    None for an asker of which no pod waits: pods that are evicted for good are counted among the next at times.
    """
    if not probe.asker.next:
        return
    layer, recorded = probe.layer, pods_of(probe.recorded)
    asking = [layer.ground.tasks[pod] for pod in probe.asker.next]
    filters = Filters(layer, asking, recorded, probe.nodes)
    found: list[Batch] = []
    # Recorded victims alone may be enough for one pod more.
    if filters.pass_():
        yield Scenario(probe.asker, probe.recorded)
    maps = layer.ground.walk
    walk = QueueWalk(layer, maps.order(probe.candidates, matters=False), victims=True, maps=maps)
    for view in walk:
        batch = _next_batch(layer, walk, view, frozenset(recorded))
        if batch is None:
            continue
        if batch.pods:
            found.append(batch)
            filters.free(batch.pods)
        if filters.pass_():
            yield Scenario(probe.asker, probe.recorded, tuple(found))


def _next_batch(layer: Layer, walk: QueueWalk[JobView], view: JobView, recorded: Collection[str]) -> Batch | None:
    """The pods of a job that leave next, None where one is recorded already; the rest of the job is put back."""
    pods = gangs.next_victims(view.root, layer.active)
    every = [pod for leaf in view.root.leaves() for pod in leaf.pods]
    if any(pod in recorded for pod in pods):
        rest = [pod for pod in every if pod not in recorded]
        if rest:
            walk.push(layer.viewed(view.gang, gangs.limited(view.root, frozenset(rest))))
        return None
    if len(pods) < view.active:
        walk.push(layer.viewed(view.gang, gangs.limited(view.root, frozenset(every) - frozenset(pods))))
    return Batch(view.name, tuple(pods))


def node_local(probe: Probe) -> Iterator[Scenario]:
    """For each node of the job that came last: all batches, recorded too, of jobs that have a victim there."""
    for scenario in accumulated(probe):
        if scenario.potential:
            yield from _by_node(probe, scenario)
        elif scenario.recorded:
            yield scenario


def _by_node(probe: Probe, scenario: Scenario) -> Iterator[Scenario]:
    pod_states, walk, parts = probe.layer.pod_states, probe.layer.ground.walk, not probe.layer.ground.whole
    last = probe.layer.ground.gangs[scenario.potential[-1].job]
    seen = set()
    for node in sorted({pod_states[pod].node for pod in last.tasks} - {""}):
        there = [b.job for b in scenario.potential if any(pod_states[pod].node == node for pod in b.pods)]
        batches = tuple(
            Batch(job, tuple(p for b in scenario.batches if b.job == job for p in walk.order(b.pods, matters=parts)))
            for job in walk.order_as_filled(tuple(dict.fromkeys(there)), matters=parts)
        )
        key = tuple(sorted(pods_of(batches)))
        if batches and key not in seen:
            seen.add(key)
            yield Scenario(probe.asker, probe.recorded, batches)


def multi_node(probe: Probe) -> Iterator[Scenario]:
    """The batches of the smallest nodes that cover what is asked, then of ever more nodes."""
    for scenario in accumulated(probe):
        if scenario.potential:
            yield from _by_capacity(probe, scenario)
        else:
            yield scenario


def _by_capacity(probe: Probe, scenario: Scenario) -> Iterator[Scenario]:
    asked = [probe.layer.ground.tasks[pod].request[2] for pod in probe.asker.next]
    by_node = _batches_by_node(probe.layer, scenario.potential)
    freed = _freed(probe.layer, pods_of(scenario.recorded))
    capacity = _capacities(probe.layer, scenario.potential, by_node, freed)
    # A node that cannot hold the smallest pod adds nothing.
    least = min(asked)
    viable = [node for node in by_node if not (least > 0 and capacity[node] < least)]
    # The smallest first, so that large nodes stay whole; of equal ones that of the earlier victim.
    nodes = sorted(viable, key=lambda node: capacity[node])
    baseline = sum(_left(probe.layer, node, freed) for node in probe.nodes if node not in by_node)
    count: int | None = _covering([capacity[node] for node in nodes], sum(asked) - baseline)
    step = 1
    while count is not None and count <= len(nodes):
        picked = {place for node in nodes[:count] for place in by_node[node]}
        ground = probe.layer.ground
        order = ground.walk.order_as_filled(sorted(picked), matters=not ground.whole)
        yield Scenario(probe.asker, probe.recorded, tuple(scenario.potential[place] for place in order))
        # Steps double: not every number of nodes is tried.
        count = min(count + step, len(nodes)) if count < len(nodes) else None
        step *= 2


def _batches_by_node(layer: Layer, batches: Sequence[Batch]) -> dict[str, list[int]]:
    """The places of batches that touch each node, the nodes in the order of their first victim."""
    found: dict[str, list[int]] = {}
    for place, batch in enumerate(batches):
        for pod in batch.pods:
            places = found.setdefault(layer.pod_states[pod].node, [])
            if place not in places:
                places.append(place)
    return found


def _freed(layer: Layer, pods: Iterable[str]) -> dict[str, float]:
    """The GPUs that pods give back, by node."""
    found: dict[str, float] = {}
    for pod in pods:
        node = layer.pod_states[pod].node
        found[node] = found.get(node, 0.0) + charge_on(layer.ground.tasks[pod], layer.ledgers[node].machine).gpu
    return found


def _capacities(
    layer: Layer, batches: Sequence[Batch], by_node: Mapping[str, Sequence[int]], freed: Mapping[str, float]
) -> dict[str, float]:
    """The GPUs that a node would have without its victims."""
    found = {}
    for node, places in by_node.items():
        pods = [pod for place in places for pod in batches[place].pods if layer.pod_states[pod].node == node]
        found[node] = freed.get(node, 0.0) + free_gpus(layer.ledgers[node])
        for pod in pods:
            found[node] += charge_on(layer.ground.tasks[pod], layer.ledgers[node].machine).gpu
    return found


def _left(layer: Layer, node: str, freed: Mapping[str, float]) -> float:
    return free_gpus(layer.ledgers[node]) + freed.get(node, 0.0)


def _covering(capacities: Sequence[float], demand: float) -> int:
    """How many of the capacities it takes to cover the demand; one more than there are where they do not."""
    covered = 0.0
    for count, capacity in enumerate(capacities):
        if covered >= demand:
            return count
        covered += capacity
    return len(capacities) if covered >= demand else len(capacities) + 1


GENERATORS: tuple[Generator, ...] = (node_local, multi_node)
