"""The message that KAI gives a pod that it evicts: word for word.

Source: KAI-Scheduler v0.17, "kai solver" in ``docs/laws.md``.
"""

from kubectl_fairshare.schedulers.kai.explain.conditions import decimal, shown_name
from kubectl_fairshare.schedulers.kai.model.objects import Resources
from kubectl_fairshare.schedulers.kai.session.session import QueueAttributes
from kubectl_fairshare.schedulers.kai.solver.attempts import Action, Tried


def eviction_text(tried: Tried, pod: str) -> str:
    """The message to an evicted pod; ``pod`` is the pod's identity."""
    ground = tried.ground
    victim, asker = ground.tasks[pod], ground.gangs[tried.job]
    name = f"Pod {victim.pod.key.namespace}/{victim.name} was preempted"
    workload = f"{asker.group.key.namespace}/{asker.name}"
    if tried.action is Action.PREEMPT:
        return f"{name} by higher priority workload {workload}"
    if tried.action is Action.CONSOLIDATION:
        return f"{name} and rescheduled due to bin packing (resource consolidation) procedure"
    ours, theirs = tried.standings[asker.job.queue], tried.standings[ground.gangs[victim.job].job.queue]
    if ours.queue.parent != theirs.queue.parent:
        ours, theirs = _above(tried, ours), _above(tried, theirs)
    return f"{name} by workload {workload}.\n{_queue_text(theirs)}\n{_queue_text(ours)}"


def _above(tried: Tried, standing: QueueAttributes) -> QueueAttributes:
    return tried.standings.get(standing.queue.parent, standing)


def _queue_text(standing: QueueAttributes) -> str:
    queue = standing.queue
    shares = f"a quota of <{_amounts(queue.quota)}>, fair-share of <{_amounts(standing.fair_share)}>"
    used = f"{shown_name(queue)} uses <{_amounts(standing.allocated)}>"
    return f"{used} with {shares} and queue priority of <{queue.priority}>."


def _amounts(amounts: Resources) -> str:
    """KAI's text: 1 GPU or more loses its fraction, −1 GPU prints as 0, any other −1 as unlimited."""
    gpus = float(int(amounts.gpu)) if amounts.gpu >= 1 else max(round(amounts.gpu * 100) / 100, 0.0)
    cpu = decimal(amounts.cpu if amounts.cpu == -1 else amounts.cpu / 1000)
    memory = decimal(amounts.memory if amounts.memory == -1 else amounts.memory / 1e9)
    return f"GPU: {decimal(gpus)}, CPU: {cpu} (cores), memory: {memory} (GB)"
