"""The condition that KAI writes on a PodGroup with waiting pods, and on those pods: word for word.

Tested in ``tests/conformance/test_kai_plan.py``, against what KAI wrote.
Source: KAI-Scheduler v0.17, "kai solver" in ``docs/laws.md``.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from kubectl_fairshare.model.moments import moment_text
from kubectl_fairshare.schedulers.kai.model.objects import DEFAULT_SUB_GROUP, UNLIMITED, Queue
from kubectl_fairshare.schedulers.kai.session.gates import Exceeded, GateRefusal
from kubectl_fairshare.schedulers.kai.session.session import QueueAttributes
from kubectl_fairshare.schedulers.kai.solver.attempts import Action, Tried
from kubectl_fairshare.schedulers.kai.solver.gangs import Gang
from kubectl_fairshare.schedulers.kai.solver.layers import Layer
from kubectl_fairshare.schedulers.kai.solver.machines import CPU, GPU, MEMORY
from kubectl_fairshare.schedulers.kai.solver.placing import Failure, oversized
from kubectl_fairshare.schedulers.kai.solver.tasks import Task
from kubectl_fairshare.schedulers.kai.solver.troubles import Oversized, Reason, Shortage

ERRORS: Final = "PodSchedulingErrors"
DELAYED: Final = "PreemptionDelayNotElapsed"
_POD: Final = "Unable to schedule pod"
_GROUP: Final = "Unable to schedule podgroup"
_NO_NODES: Final = "no nodes with enough resources were found"
_BETWEEN: Final = ". \n"
_UNITS: Final = {"cpu": ("CPU cores", "cores", 1000.0), "memory": ("memory", "GB", 1e9), "gpu": ("GPUs", "GPUs", 1.0)}
_SECOND: Final = 10**9


class ConditionReason(NamedTuple):
    """One reason of a condition."""

    reason: str
    message: str


class GroupCondition(NamedTuple):
    """KAI's message for a PodGroup, its reasons, and a text per waiting pod. ``written``: KAI writes it at all."""

    message: str
    reasons: tuple[ConditionReason, ...]
    pods: Mapping[str, str]
    written: bool


def condition(layer: Layer, tried: Sequence[Tried], name: str) -> GroupCondition:
    """The condition of a job after the actions that ``tried`` it. ``layer`` is the state after them."""
    gang = layer.ground.gangs[name]
    reasons = tuple(_explanations(layer, gang, [one for one in tried if one.job == name]))
    message = _joined_text(reasons)
    known = _pod_texts(layer, [one for one in tried if one.job == name])
    default = message if reasons else _POD
    pods = {task.name: known.get(pod, default) for pod, task in gang.tasks.items() if layer.pending(pod)}
    return GroupCondition(message, reasons, pods, not any(map(layer.active, gang.tasks)))


def _joined_text(reasons: Sequence[ConditionReason]) -> str:
    """The common reason and all messages; equal messages are counted."""
    reason = reasons[0].reason if len(reasons) == 1 else _GROUP
    counted = Counter(explanation.message for explanation in reasons)
    texts = sorted(f"{count} {text}" if count > 1 else text for text, count in counted.items())
    return f"{reason}: {_BETWEEN.join(texts)}." if texts else reason


def _explanations(layer: Layer, gang: Gang, tried: Sequence[Tried]) -> Iterator[ConditionReason]:
    delayed = False
    for one in tried:
        if one.delayed:
            if not delayed:
                yield ConditionReason(DELAYED, _delay(layer, gang))
            delayed = True
        elif one.failure is not None and one.failure.exceeded is not None:
            yield ConditionReason(str(one.failure.exceeded.reason), bound_text(layer.standings, one.failure.exceeded))
        elif one.failure is not None and one.failure.pod:
            yield ConditionReason(ERRORS, _failed(layer, gang, one.action, one.failure))


def _delay(layer: Layer, gang: Gang) -> str:
    group = gang.group
    since = max(group.created, group.last_eviction or 0)
    if gang.name in layer.evicted_now and layer.ground.session.now is not None:
        since = layer.ground.session.now
    until = moment_text(since + group.preemption_delay)
    span = _span(group.preemption_delay)
    return f"Workload is within its preemption delay window ({span}) and may not trigger evictions before {until}"


def _span(nanoseconds: int) -> str:
    """A duration in whole seconds, as Go prints it."""
    minutes, seconds = divmod(nanoseconds // _SECOND, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}h{minutes}m{seconds}s" if hours else f"{minutes}m{seconds}s" if minutes else f"{seconds}s"


def _failed(layer: Layer, gang: Gang, action: Action, failure: Failure) -> str:
    """The text for a job with a pod that found no node."""
    task = layer.ground.tasks[failure.pod]
    why = _pod_text(layer, task, action, failure)
    leaves = {leaf.name: leaf for leaf in gang.root.leaves()}
    together = any(leaf.minimum > 1 for leaf in leaves.values())
    if not together or failure.satisfied or action is not Action.ALLOCATE:
        return f"Resources were not found for pod {task.pod.key.namespace}/{task.name} due to: {why}"
    leaf = leaves[task.sub_group]
    if [*leaves] == [DEFAULT_SUB_GROUP]:
        found = f"Resources were found for {failure.placed} pods while {leaf.minimum} are required for gang scheduling"
        return f"{found}. Additional pods cannot be scheduled due to: {why}"
    found = f"Resources were found for {failure.placed} pods from all sub-groups while sub-group {leaf.name}"
    more = "Additional pods cannot be scheduled in this sub-group due to"
    return f"{found} requires {leaf.minimum} pods for gang scheduling. {more}: {why}"


def _pod_texts(layer: Layer, tried: Sequence[Tried]) -> dict[str, str]:
    """The text for each pod that was tried; the first one counts."""
    found: dict[str, str] = {}
    for one in tried:
        failure = one.failure
        if failure is None or failure.exceeded is not None:
            continue
        for pod in dict.fromkeys((*failure.troubles, failure.pod)):
            text = _pod_text(layer, layer.ground.tasks[pod], one.action, failure) if pod else _POD
            if text != _POD:
                found.setdefault(pod, text)
    return found


def _pod_text(layer: Layer, task: Task, action: Action, failure: Failure) -> str:
    large = oversized(layer, task)
    if large is not None:
        text = _oversized_text(layer, task, large)
        if action is not Action.ALLOCATE:
            return text
        named = f"{task.pod.key.namespace}/{task.name}"
        return f"Scheduling conditions were not met for pod {named}:\nMaxNodePoolResources: {text}.\n"
    counted: Counter[str] = Counter()
    for reason, count in failure.troubles.get(task.uid, {}).items():
        counted[_reason_text(layer, reason)] += count
    texts = sorted(f"{count} {text}" for text, count in counted.items())
    return f"{_NO_NODES}: {_BETWEEN.join(texts)}." if texts else _POD


def _reason_text(layer: Layer, reason: Reason) -> str:
    if isinstance(reason, Shortage):
        return f"node(s) didn't have enough resources: {reason.resource}"
    if isinstance(reason, Exceeded):
        details = bound_text(layer.standings, reason)
        return f"node does not have enough capacity. Reason: {reason.reason}, Details: {details}"
    return reason


def _oversized_text(layer: Layer, task: Task, large: Oversized) -> str:
    """The text for a pod that is larger than every node."""
    pool = layer.ground.session.shard.pool or "default"
    name, unit, scale = {
        GPU: ("GPU", "", 1.0),
        CPU: ("CPU", " cores", 1000.0),
        MEMORY: ("memory", " GB", 1e9),
    }.get(large.resource, (layer.ground.names[large.resource], "", 0.0))
    if name == "ephemeral-storage":
        unit, scale = " GB", 1e9
    most = large.most / scale if scale else 0.0
    start = f"The pod {task.pod.key.namespace}/{task.name} requires {_request_text(layer, task)}."
    if most == 0:
        return f"{start} No node in the {pool} node-pool has {name} resources"
    top = f"Max {name} resources available in a single node in the {pool} node-pool is topped at"
    return f"{start} {top} {decimal(most)}{unit}"


def _request_text(layer: Layer, task: Task) -> str:
    gpus, cpu, memory = task.pod.request.total.gpu, task.request[CPU] / 1000, task.request[MEMORY] / 1e9
    parts = [f"GPU: {decimal(gpus)}", f"CPU: {decimal(cpu)} (cores)", f"memory: {decimal(memory)} (GB)"]
    for name, amount in zip(layer.ground.names[3:], task.request[3:], strict=True):
        if amount:
            stored = name in ("ephemeral-storage", "storage")
            scaled = amount / 1e9 if stored else amount if name == "pods" else amount * 1000  # KAI prints thousandths
            parts.append(f"{name}: {decimal(scaled)}{' (GB)' if stored else ''}")
    return ", ".join(parts)


def bound_text(standings: Mapping[str, QueueAttributes], exceeded: Exceeded) -> str:
    """The text for a job that exceeds a limit or quota."""
    queue = shown_name(standings[exceeded.queue].queue)
    name, unit, scale = _UNITS[exceeded.resource]
    bound, held, asked = (decimal(x / scale) for x in (exceeded.bound, exceeded.held, exceeded.asked))
    if exceeded.reason is GateRefusal.OVER_LIMIT:
        full = f"{queue} quota has reached the allowable limit of {name}. Limit is {bound} {unit}"
        return f"{full}, currently {held} {unit} allocated and workload requested {asked} {unit}"
    if exceeded.resource == "gpu":  # KAI keeps the fraction of GPUs only
        asked = repr(exceeded.asked).removesuffix(".0")
    wanted = f"{asked} {'GB memory' if exceeded.resource == 'memory' else name}"
    have = f"{queue} quota is {bound} {unit}, while {held} {unit} are already allocated"
    return (
        f"Non-preemptible workload is over quota. Workload requested {wanted}, but {have} for non-preemptible pods. "
        "Use a preemptible workload to go over quota."
    )


def shown_name(queue: Queue) -> str:
    """The display name of a queue, as KAI prints it."""
    return queue.display_name or queue.name


def decimal(amount: float) -> str:
    """An amount cut to three decimals; −1 is unlimited."""
    if amount == UNLIMITED:
        return "Unlimited"
    text = f"{amount:.6f}"[:-3]
    return text.rstrip("0").rstrip(".")
