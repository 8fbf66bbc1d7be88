"""Whether a pod may run on a node, whatever the room: limits and quotas, kinds of GPUs, conditions, kube filters.

Why a limit is asked again for each node: GPU memory of 10 GiB is a quarter of a GPU of 40 GiB and half of one of 20, so
that a queue may be within its limit on one node and not on the other.
Source: https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/plugins/predicates/predicates.go,
https://github.com/NVIDIA/KAI-Scheduler/tree/v0.17.0/pkg/scheduler/k8s_internal/predicates; "kai solver" in
``docs/laws.md``.
"""

import math
import re
from collections.abc import Collection, Iterator
from math import inf
from typing import Final

from kubectl_fairshare.jobs.node_demand import PASSING_TAINTS
from kubectl_fairshare.model.selectors import NodeTerm
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.model.objects import Resources
from kubectl_fairshare.schedulers.kai.session.gates import Exceeded, gate
from kubectl_fairshare.schedulers.kai.solver.layers import Layer
from kubectl_fairshare.schedulers.kai.solver.ledgers import hundredths, memory_on, portion_on
from kubectl_fairshare.schedulers.kai.solver.machines import GPU, PODS, Machine
from kubectl_fairshare.schedulers.kai.solver.pod_affinity import PodNeighbours, Resident
from kubectl_fairshare.schedulers.kai.solver.sharing import WHOLE, chosen, fitting_gpus
from kubectl_fairshare.schedulers.kai.solver.tasks import Needs, Task

_FILTERING: Final = ("NoSchedule", "NoExecute")
_OLD_GROUP: Final = re.compile(r"[+-]?\d+", re.ASCII)
_NO_AFFINITY: Final = Resident("", {}, Needs().affinity)
UNSYNCED: Final = "node is not a gpu node or the gpu memory count on the node was not synced yet"
NOT_SHARED: Final = "fractional/shared GPU pods are not yet supported on DRA-only nodes"
CROWDED: Final = "node(s) pod number exceeded"
_WITH_RESERVATION: Final = 2
"""The places of a pod on a new shared GPU, of which the reservation pod takes one."""


class UnmodelledError(Exception):
    """What is asked rests on a feature that is not decided here; its name is the first argument."""


def refusals(layer: Layer, task: Task, machine: Machine, around: PodNeighbours | None) -> tuple[str | Exceeded, ...]:
    """Why the pod may not run on the node, in KAI's words, or the bound that it exceeds; nothing where it may.

    ``around`` are the pods around it where pod affinity matters. Raises ``UnmodelledError``.
    """
    exceeded = over_capacity(layer, task, machine)
    if exceeded is not None:
        return (exceeded,)
    if machine.unmodelled and task.wants_gpu:
        raise UnmodelledError(machine.unmodelled[0])
    if machine.devices and task.shares:
        return (NOT_SHARED,)
    if task.gpu.memory > 0 and not machine.synced:
        return (UNSYNCED,)
    if _crowded(layer, task, machine):
        return (CROWDED,)
    return machine.refusals or _one_of(layer, kube_refusals(layer, task, machine, around))


def over_capacity(layer: Layer, task: Task, machine: Machine) -> Exceeded | None:
    """The limit or quota that the pod alone would exceed, its GPUs counted as this node counts them."""
    gpus = task.gpu.devices * hundredths(memory_on(task.gpu, machine), machine)
    asked = Resources(task.request[0], task.request[1], gpus)
    job = layer.ground.gangs[task.job].job
    return gate(layer.chain(job.queue), asked, preemptible=job.preemptible)


def _crowded(layer: Layer, task: Task, machine: Machine) -> bool:
    """Whether the node has no place for one more pod, or for two where a new shared GPU needs a reservation pod."""
    ledger = layer.ledgers[machine.name]
    places = ledger.free[PODS]
    if not task.shares:
        return places <= 0
    return places < _WITH_RESERVATION and _new_group(layer, task, machine)


def _new_group(layer: Layer, task: Task, machine: Machine) -> bool:
    """Whether a shared GPU would be new; KAI treats one whose name is not a number as new."""
    ledger = layer.ledgers[machine.name]
    fitting = fitting_gpus(task, ledger, spread=layer.ground.session.shard.spread_gpu, walk=layer.ground.walk)
    found = chosen(task, ledger, fitting, waiting=False)
    if found is None or found.waits:
        found = chosen(task, ledger, fitting, waiting=True)
    return found is None or any(g == WHOLE or not _OLD_GROUP.fullmatch(g) for g in found.groups)


def _one_of(layer: Layer, failed: Iterator[str]) -> tuple[str, ...]:
    """The filter that KAI names: it keeps filters in a map, and ends with the first that fails."""
    first = next(failed, None)
    if first is None:
        return ()
    several = [first, *failed]
    return (layer.ground.walk.order(several)[0],)


def kube_refusals(layer: Layer, task: Task, machine: Machine, around: PodNeighbours | None) -> Iterator[str]:
    """Each of kube-scheduler's filters that the node fails, in KAI's words."""
    needs = task.needs
    for taint in machine.taints:
        if taint.effect in _FILTERING and not any(t.tolerates(taint) for t in needs.tolerations):
            yield "node(s) had untolerated taint(s)"
            break
    if not selects(needs, machine):
        yield "node(s) didn't match Pod's node affinity/selector"
    if needs.ports and any(_conflicts(needs, other) for other in _others(layer, machine)):
        yield "node(s) didn't have free ports for the requested pod ports"
    refusal = None if around is None else around.refusal(machine.labels)
    if refusal is not None:
        yield refusal


def selects(needs: Needs, machine: Machine) -> bool:
    """Whether the node has the labels that selector and required affinity ask for."""
    if not all(requirement.matches(machine.labels) for requirement in needs.selector):
        return False
    return needs.terms is None or any(_matches(term, machine) for term in needs.terms)


def _matches(term: NodeTerm, machine: Machine) -> bool:
    # An empty term matches no node, as in kube-scheduler.
    if not term.expressions and not term.fields:
        return False
    fields = {"metadata.name": machine.name}
    return all(r.matches(machine.labels) for r in term.expressions) and all(r.matches(fields) for r in term.fields)


def _others(layer: Layer, machine: Machine) -> Iterator[Task]:
    return (copy.task for (node, _), copy in layer.copies.items() if node == machine.name)


def _conflicts(needs: Needs, other: Task) -> bool:
    anywhere = "0.0.0.0"
    return any(
        mine[0] == its[0] and mine[2] == its[2] and (mine[1] == its[1] or anywhere in (mine[1], its[1]))
        for mine in needs.ports
        for its in other.needs.ports
    )


def surroundings(layer: Layer, task: Task) -> PodNeighbours | None:
    """The pods around a pod, where any pod has a term of affinity; one that is evicted is still there, even itself."""
    ground = layer.ground
    if not ground.affine:
        return None
    by_node: dict[str, list[Resident]] = {}
    for node, pod in layer.copies:
        by_node.setdefault(node, []).append(ground.residents[pod])
    if ground.unclear:
        raise UnmodelledError("pod affinity over selected namespaces")
    places = ((layer.ledgers[node].machine.labels, found) for node, found in sorted(by_node.items()))
    return PodNeighbours(ground.residents.get(task.uid, _NO_AFFINITY), places)


def crowd(first: Layer, name: str) -> tuple[str, ...]:
    """The pods of a job that are placed at once, are equal, and are more than all nodes hold; empty if they fit.

    The nodes are empty and in service: KAI binds the pods that bring a job to its minimum together, or none of them.
    Parts of GPUs are counted for equal pods alone.
    """
    gang = first.ground.gangs[name]
    tasks = [first.ground.tasks[task.pod.uid] for task in gang.job.next]
    machines = [ledger.machine for ledger in first.ledgers.values()]
    if gang.unmodelled or any(task.pod.claims for task in tasks) or any(each.unmodelled for each in machines):
        return ()
    served = [replace(each, taints=tuple(t for t in each.taints if t.key not in PASSING_TAINTS)) for each in machines]
    for alike in _kinds(tasks):
        one = alike[0]
        open_to = (each for each in served if next(kube_refusals(first, one, each, None), None) is None)
        if sum(_most(one, each) for each in open_to) < len(alike):
            return tuple(task.name for task in alike)
    return ()


def _kinds(tasks: Collection[Task]) -> Iterator[list[Task]]:
    """The pods that ask for the same of the same nodes; ports that are in use may become free."""
    found: dict[object, list[Task]] = {}
    for task in tasks:
        needs = task.needs
        found.setdefault((task.request, needs.selector, needs.terms, needs.tolerations), []).append(task)
    for alike in found.values():
        yield [replace(task, needs=replace(task.needs, ports=())) for task in alike]


def _most(task: Task, machine: Machine) -> float:
    """How many such pods the empty node holds at most."""
    pairs = enumerate(zip(task.request, machine.allocatable, strict=True))
    rooms = [there // wanted for r, (wanted, there) in pairs if wanted > 0 and not (task.shares and r == GPU)]
    return min([*rooms, _most_shares(task, machine)] if task.shares else rooms, default=inf)


def _most_shares(task: Task, machine: Machine) -> float:
    """How many pods with such parts of GPUs an empty node holds at most.

    A new shared GPU takes one whatever its memory. The last pod needs a place for a reservation pod, too: KAI names a
    shared GPU of the same session by no number, and takes it for new.
    """
    part, memory = portion_on(task.gpu, machine), memory_on(task.gpu, machine)
    if machine.devices or (task.gpu.memory > 0 and not machine.synced):
        return 0
    if part > 1 and part != int(part):
        return 0
    each = max(machine.memory // memory, 1) if memory > 0 else inf
    gpus = max(math.floor(machine.allocatable[GPU]), machine.gpus)  # one is open until as many as it names are shared
    places = max(machine.allocatable[PODS] - (_WITH_RESERVATION - 1), 0)
    devices = max(task.gpu.devices, 1)
    return min(places, gpus * each // devices) if gpus >= devices else 0
