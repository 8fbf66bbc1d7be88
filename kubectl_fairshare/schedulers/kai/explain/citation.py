"""The objects that a plan rests on: a state of these alone gives the same plan.

Tested in ``tests/unit/cli/test_kai_commands.py``.
"""

from collections.abc import Iterator

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.explain.decision import Plan
from kubectl_fairshare.schedulers.kai.model.objects import KaiState, Phase
from kubectl_fairshare.schedulers.kai.session.gangs import USED
from kubectl_fairshare.schedulers.kai.session.session import Session


def cited(session: Session, plan: Plan) -> tuple[ObjectKey, ...]:
    """The objects that the plan rests on, sorted.

    These are the shard, its nodes and every pod on them. If reclaim was tried, or other jobs wait, every queue that KAI
    knows and every job in it belong to them, because fair shares and the order of jobs depend on all requests.
    Otherwise only the job's tree of queues and the jobs that run there belong to them; for a job whose queue KAI does
    not know, all queues do.
    """
    return tuple(sorted({key for key in _cited(session, plan) if key is not None}))


def _cited(session: Session, plan: Plan) -> Iterator[ObjectKey | None]:
    yield session.shard.key
    yield plan.job.group.key
    yield from (node.key for node in session.nodes.values())
    yield from (place.object for gap in plan.fidelity.gaps for place in gap.places)
    wide = plan.reclaim is not None or bool(plan.moved) or plan.together
    queues = set(session.standings) if wide or not plan.chain else set(_tree(session, plan))
    yield from (session.standings[name].queue.key for name in queues)
    jobs = {job.name for job in session.jobs.values() if job.queue in queues and (wide or job.active)}
    jobs.add(plan.job.name)
    yield from (session.jobs[name].group.key for name in jobs)
    waiting = jobs if wide else {plan.job.name}
    for pod in session.state.pods:
        there = pod.node in session.nodes and pod.phase in USED
        counted = pod.group in jobs and pod.phase in USED
        if there or counted or pod.group == plan.job.name or (pod.group in waiting and pod.phase in _ASKING):
            yield pod.key


_ASKING = frozenset({Phase.PENDING, Phase.BINDING, Phase.GATED, Phase.UNKNOWN, Phase.SUCCEEDED, Phase.FAILED})
"""Reasons for which pods in every phase are cited: all pods of a job decide whether it is elastic."""


def _tree(session: Session, plan: Plan) -> Iterator[str]:
    """The queues in the same tree as the job's queue."""
    waiting = [plan.chain[-1].queue.name] if plan.chain else []
    while waiting:
        name = waiting.pop()
        yield name
        waiting.extend(session.children.get(name, ()))


def cut_down(state: KaiState, keys: tuple[ObjectKey, ...]) -> KaiState:
    """The state reduced to the objects ``keys``, with the same priorities and settings."""
    kept = frozenset(keys)
    return replace(
        state,
        queues={name: queue for name, queue in state.queues.items() if queue.key in kept},
        pod_groups=tuple(group for group in state.pod_groups if group.key in kept),
        pods=tuple(pod for pod in state.pods if pod.key in kept),
        nodes=tuple(node for node in state.nodes if node.key in kept),
        shards=tuple(shard for shard in state.shards if shard.key in kept),
    )
