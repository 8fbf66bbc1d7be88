"""Placing the next pods of a job: all of them, each on the best node that takes it, or none.

No pod is taken back for the sake of a later one.
Why not the node where all pods of a gang fit best together: the first pod takes its own best node, and if the last one
finds none, all are dropped; KAI does not go back to try another place for the first.
Source: ``AllocateJob``, ``allocateTask`` in
https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/actions/common/allocate.go; "kai solver" in
``docs/laws.md``.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from kubectl_fairshare.schedulers.kai.model.objects import GpuKind, Resources
from kubectl_fairshare.schedulers.kai.session.gates import Exceeded, gate
from kubectl_fairshare.schedulers.kai.session.held import memory_share
from kubectl_fairshare.schedulers.kai.solver import gangs
from kubectl_fairshare.schedulers.kai.solver.gangs import Branch, Leaf
from kubectl_fairshare.schedulers.kai.solver.layers import Layer
from kubectl_fairshare.schedulers.kai.solver.ledgers import NodeLedger
from kubectl_fairshare.schedulers.kai.solver.machines import CPU, GPU, MEMORY, PODS
from kubectl_fairshare.schedulers.kai.solver.predicates import UnmodelledError, refusals, surroundings
from kubectl_fairshare.schedulers.kai.solver.scorers import by_preference
from kubectl_fairshare.schedulers.kai.solver.sharing import chosen, fitting_gpus, room
from kubectl_fairshare.schedulers.kai.solver.statuses import ACTIVE, USED, Status
from kubectl_fairshare.schedulers.kai.solver.tasks import Task
from kubectl_fairshare.schedulers.kai.solver.troubles import Oversized, Reason, Troubles, shortages
from kubectl_fairshare.schedulers.kai.solver.views import JobView


class Failure(NamedTuple):
    """Why a job was not placed: a bound that it exceeds, or the pod that found no node after ``placed`` others did.

    ``satisfied`` says whether the pod's leaf had its minimum without it, ``troubles`` why nodes refused each pod that
    was tried. ``dropped`` is the layer in which some pods had been placed, None where none had.
    """

    exceeded: Exceeded | None = None
    pod: str = ""
    placed: int = 0
    satisfied: bool = False
    troubles: Mapping[str, Counter[Reason]] = MappingProxyType({})
    dropped: Layer | None = None


def place_job(layer: Layer, view: JobView, nodes: Sequence[str], *, simulated: bool) -> Layer | Failure:
    """The layer with the job's next pods placed. In a simulation evicted pods are placed too, and all pods wait.

    Raises ``UnmodelledError``.
    """
    pods = view.next if simulated else tuple(gangs.next_pods(view.root, layer.active, layer.pending))
    if not pods:
        return Failure()
    exceeded = over_bounds(layer, view, pods)
    # Limits and quotas before nodes: a job over its limit is not placed for a while.
    if exceeded is not None:
        return Failure(exceeded)
    if view.gang.unmodelled:
        raise UnmodelledError(view.gang.unmodelled[0])
    found = layer.above()
    troubles: Troubles | None = None if simulated else {}
    failure = _place_members(found, view.root, pods, nodes, troubles)
    if failure is None:
        return found
    return failure._replace(
        troubles=troubles or {},
        dropped=found if len(found.trail.steps) > len(layer.trail.steps) else None,
    )


def over_bounds(layer: Layer, view: JobView, pods: Sequence[str]) -> Exceeded | None:
    """The limit or quota that the pods together would exceed, GPU memory counted on the largest GPU."""
    job = view.gang.job
    return gate(layer.chain(job.queue), asked_of(layer, pods), preemptible=job.preemptible)


def asked_of(layer: Layer, pods: Sequence[str]) -> Resources:
    """What pods ask for together, as bounds count it."""
    cpu, memory, gpu = 0.0, 0.0, 0.0
    largest = layer.ground.memories.largest
    for pod in pods:
        task = layer.ground.tasks[pod]
        cpu, memory = cpu + task.request[0], memory + task.request[1]
        if task.gpu.kind is not GpuKind.MEMORY:
            gpu += task.request[2]
        elif largest is not None:
            gpu += memory_share(task.gpu, largest)
    return Resources(cpu, memory, gpu)


def _place_members(
    layer: Layer, branch: Branch, pods: Sequence[str], nodes: Sequence[str], troubles: Troubles | None
) -> Failure | None:
    """Places the pods member by member, those of members that lack most first; without ``troubles`` in a simulation."""
    for member in gangs.ordered(branch, layer.active):
        if isinstance(member, Leaf):
            mine = [pod for pod in pods if pod in member.pods]
            failure = _place_pods(layer, member, mine, nodes, troubles)
        else:
            failure = _place_members(layer, member, pods, nodes, troubles)
        if failure is not None:
            return failure
    return None


def _place_pods(
    layer: Layer, leaf: Leaf, pods: Sequence[str], nodes: Sequence[str], troubles: Troubles | None
) -> Failure | None:
    for placed, pod in enumerate(pods):
        if not place_pod(layer, layer.ground.tasks[pod], nodes, troubles):
            used = sum(layer.pod_states[one].status in USED for one in leaf.pods)
            return Failure(pod=pod, placed=placed, satisfied=used >= leaf.minimum)
    return None


def place_pod(layer: Layer, task: Task, nodes: Sequence[str], troubles: Troubles | None = None) -> bool:
    """Places one pod on the best node that takes it; whether one does.

    ``troubles`` takes why nodes refused it; without, the place is simulated.
    """
    if oversized(layer, task) is not None:
        return False
    around = surroundings(layer, task)
    for name in by_preference(layer, task, nodes, around, full=troubles is not None):
        ledger = layer.ledgers[name]
        refused = not room(task, ledger, ledger.free)
        reasons: Iterable[Reason] = (
            shortages(task, ledger, layer.ground.names) if refused and troubles is not None else ()
        )
        if not refused:
            reasons = refusals(layer, task, ledger.machine, around)
            refused = bool(reasons)
        if troubles is not None:
            troubles.setdefault(task.uid, Counter()).update(reasons)
        if not refused and _take(layer, task, ledger, simulated=troubles is None):
            return True
    return False


def oversized(layer: Layer, task: Task) -> Oversized | None:
    """The first resource, GPUs, cpu and memory before others, of which the pod asks for more than any node has."""
    # KAI's own order of messages.
    for r in (GPU, CPU, MEMORY, *range(PODS, len(task.request))):
        if task.request[r] > layer.ground.largest[r]:
            return Oversized(r, layer.ground.largest[r])
    return None


def _take(layer: Layer, task: Task, ledger: NodeLedger, simulated: bool) -> bool:
    """Places the pod on a node that has room: now where that is idle, otherwise it waits."""
    name = ledger.machine.name
    if not task.shares:
        # In a simulation all pods wait, as victims have not left yet.
        if not simulated and room(task, ledger, ledger.idle):
            layer.bind(task.uid, name, ())
        else:
            layer.wait_on(task.uid, name, (), simulated=simulated)
        return True
    fitting = fitting_gpus(task, ledger, spread=layer.ground.session.shard.spread_gpu, walk=layer.ground.walk)
    found = chosen(task, ledger, fitting, waiting=simulated)
    if found is None:
        return False
    groups = layer.new_groups(found.groups)
    if simulated or found.waits:
        layer.wait_on(task.uid, name, groups, simulated=True)
    else:
        layer.bind(task.uid, name, groups)
    return True


def waits_whole(layer: Layer, view: JobView) -> bool:
    """Whether some pod of a leaf waits while fewer than its minimum do not: then none of the job may start."""
    for leaf in view.root.leaves():
        statuses = [layer.pod_states[pod].status for pod in leaf.pods]
        waiting = statuses.count(Status.PIPELINED)
        if waiting and sum(status in ACTIVE for status in statuses) - waiting < leaf.minimum:
            return True
    return False


def all_waiting(layer: Layer, before: Layer, view: JobView) -> Layer:
    """The layer in which all pods of the job that it has bound wait instead, in the order in which they were bound."""
    found = layer.above()
    for leaf in view.root.leaves():
        for pod in leaf.pods:
            if layer.pod_states[pod].status is Status.ALLOCATED and before.pod_states[pod].status is Status.PENDING:
                was = found.unbind(pod)
                found.wait_on(pod, was.node, was.groups, simulated=False)
    return found
