"""The state that a session begins with: nodes with their pods, jobs, and what each queue holds.

Decides nothing: what a session begins with, made once.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.jobs.claims import claim_names
from kubectl_fairshare.schedulers.kai.map_orders import Walk
from kubectl_fairshare.schedulers.kai.model.objects import NOTHING, Phase, Pod, PodGroup
from kubectl_fairshare.schedulers.kai.release import is_first
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.session.session import Session, added_up_again
from kubectl_fairshare.schedulers.kai.solver.gangs import Gang, tree
from kubectl_fairshare.schedulers.kai.solver.layers import NEW_GPU, Layer
from kubectl_fairshare.schedulers.kai.solver.ledgers import Copy, added, charge_on, empty_ledger
from kubectl_fairshare.schedulers.kai.solver.machines import Machine, machine_of, resource_names
from kubectl_fairshare.schedulers.kai.solver.pod_affinity import Resident
from kubectl_fairshare.schedulers.kai.solver.statuses import USED, status_of
from kubectl_fairshare.schedulers.kai.solver.tasks import Task, devices_asked, is_sliced_by_annotation, task_of
from kubectl_fairshare.schedulers.kai.solver.views import Ground, ListedVictim, PodState

_EXACT: Final = 2.0**53
"""Whole amounts below are added without rounding."""
_DIGITS: Final = 18
"""Those of a number that a session can have made; a longer one is the name of another device."""


def first_layer(session: Session) -> Layer:
    """The session before any action."""
    state = session.state
    pods = {pod.uid: pod for pod in state.pods}
    names = resource_names(session.nodes.values(), pods.values())
    machines = {name: machine_of(node, names) for name, node in sorted(session.nodes.items())}
    if is_first(state.release):
        machines = {name: replace(machine, counts_once=False) for name, machine in machines.items()}
    machines |= {
        name: replace(machines[name], unmodelled=("DRA",)) for name in _sharing_devices(pods.values(), machines)
    }
    by_devices = {uid for uid, pod in pods.items() if devices_asked(pod, state.device_resources)}
    for uid, pod in pods.items():
        if pod.node in machines and (uid in by_devices or is_sliced_by_annotation(pod)):
            feature = "DRA" if uid in by_devices else "MIG"
            machines[pod.node] = replace(machines[pod.node], unmodelled=(feature,))
    tasks = {uid: _task(pod, session, machines, names, by_devices) for uid, pod in sorted(pods.items())}
    residents = {uid: Resident(t.pod.key.namespace, _labels(t), t.needs.affinity) for uid, t in tasks.items()}
    affine = any(r.terms.affinity or r.terms.anti or r.terms.preferred for r in residents.values())
    ground = Ground(
        session,
        {name: _gang(job, tasks) for name, job in sorted(session.jobs.items())},
        tasks,
        residents,
        affine,
        any(residents[uid].terms.unmodelled for uid, task in tasks.items() if task.node),
        names,
        tuple(max((m.allocatable[r] for m in machines.values()), default=0.0) for r in range(len(names))),
        whole=not affine and _is_whole(tasks.values(), machines.values()),
    )
    return _with_pods(ground, machines)


def _is_whole(tasks: Iterable[Task], machines: Collection[Machine]) -> bool:
    """Whether amounts are the same in whatever order they are added up: whole, not too large, no parts of GPUs."""
    if any(machine.devices for machine in machines):
        return False
    total = 0.0
    for task in tasks:
        amounts = [*map(float, task.request), *task.pod.request.total]
        if task.shares or not all(map(float.is_integer, amounts)):
            return False
        total += sum(amounts)
    there = [float(amount) for machine in machines for amount in machine.allocatable]
    return all(map(float.is_integer, there)) and total + sum(there) < _EXACT


def walking(first: Layer, number: int) -> Layer:
    """A state of the session, in another of the runs that the orders of KAI's maps allow.

    Amounts are added up in another order, too; parts of GPUs then differ in their last digits.
    """
    walk = Walk(number)
    session = added_up_again(first.ground.session, walk.order)
    found = first.above()
    found.ground = replace(first.ground, session=session, walk=walk)
    if session is not first.ground.session:
        found.standings = dict(session.standings)
    return found


def _sharing_devices(pods: Iterable[Pod], nodes: Collection[str]) -> Iterator[str]:
    """The nodes on which pods use a claim that another pod uses, too, and of which the devices are not known."""
    uses = Counter((pod.key.namespace, name) for pod in pods if pod.claims for name in claim_names(pod) if name)
    for pod in pods:
        shares = any(uses[(pod.key.namespace, name)] > 1 for name in claim_names(pod))
        if shares and pod.node in nodes and not pod.devices:
            yield pod.node


def _labels(task: Task) -> Mapping[str, str]:
    return (task.pod.raw.get("metadata") or {}).get("labels") or {}


def _task(
    pod: Pod, session: Session, machines: Mapping[str, Machine], names: Sequence[str], by_devices: Collection[str]
) -> Task:
    node = pod.node if pod.node in machines else ""
    phase = Phase.PENDING if pod.phase is Phase.BINDING and not node else pod.phase
    task = task_of(pod, status_of(pod, phase, session.now), node, names)
    return replace(task, unmodelled=(*task.unmodelled, "DRA")) if pod.uid in by_devices else task


def _gang(job: Job, tasks: Mapping[str, Task]) -> Gang:
    mine = {task.pod.uid: tasks[task.pod.uid] for task in job.tasks}
    return Gang(job, tree(job.root), mine, job.elastic, tuple(_unmodelled(job, mine)))


def _unmodelled(job: Job, tasks: Mapping[str, Task]) -> Iterator[str]:
    if is_constrained(job.group):
        yield "topology"
    yield from sorted({feature for task in tasks.values() for feature in task.unmodelled})


def is_constrained(group: PodGroup) -> bool:
    """Whether it, or one of its sub-groups, names a topology."""
    return any(map(_constrained, _specs(group.raw)))


def _specs(raw: JsonObject) -> Iterator[JsonObject]:
    spec = raw.get("spec") or {}
    yield spec
    yield from spec.get("subGroups") or ()


def _constrained(spec: JsonObject) -> bool:
    return bool((spec.get("topologyConstraint") or {}).get("topology"))


def _with_pods(ground: Ground, machines: Mapping[str, Machine]) -> Layer:
    layer = Layer(ground, {}, {}, {}, dict(ground.session.standings))
    layer.made = max((_number(name) for task in ground.tasks.values() for name in task.groups), default=0)
    layer.ledgers = {name: empty_ledger(machine) for name, machine in machines.items()}
    for uid, task in sorted(ground.tasks.items(), key=lambda item: (not item[1].reserves, item[0])):
        held = charge_on(task, machines[task.node]).total if task.node and task.status in USED else NOTHING
        layer.pod_states[uid] = PodState(task.status, task.node, task.groups, False, held, ListedVictim(uid))
        if task.node and task.status in USED:
            copy = Copy(task, task.status, task.groups)
            layer.ledgers[task.node] = added(layer.ledgers[task.node], copy)
            layer.copies[(task.node, uid)] = copy
    return layer


def _number(group: str) -> int:
    """That of a shared GPU that a session before made: one that this session makes is another."""
    number = group.removeprefix(NEW_GPU)
    return int(number) if number != group and number.isdecimal() and len(number) <= _DIGITS else 0
