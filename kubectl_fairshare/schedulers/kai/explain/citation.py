"""The objects that a plan rests on: these alone decide the same."""

from collections.abc import Iterator
from dataclasses import replace

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.kai.explain.decision import Plan
from kubectl_fairshare.schedulers.kai.model.objects import KaiState, Phase
from kubectl_fairshare.schedulers.kai.session.gangs import USED
from kubectl_fairshare.schedulers.kai.session.session import Session


def cited(session: Session, plan: Plan) -> tuple[ObjectKey, ...]:
    """The objects that the plan rests on, sorted.

    Those are the shard, its nodes and every pod on them. Where reclaim was tried, all queues that KAI keeps with all
    jobs in them, as fair shares come of what all ask for; else the asker's tree of queues with what runs there.
    """
    return tuple(sorted({key for key in _cited(session, plan) if key is not None}))


def _cited(session: Session, plan: Plan) -> Iterator[ObjectKey | None]:
    yield session.shard.key
    yield plan.job.group.key
    yield from (node.key for node in session.nodes.values())
    yield from (place.object for gap in plan.fidelity.gaps for place in gap.places)
    wide = plan.reclaim is not None or bool(plan.moved)
    queues = set(session.standings) if wide else set(_tree(session, plan))
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
"""Pods of a job count for whether it is elastic in whatever phase they are."""


def _tree(session: Session, plan: Plan) -> Iterator[str]:
    """The queues of the tree that the job's queue is in."""
    waiting = [plan.chain[-1].queue.name] if plan.chain else []
    while waiting:
        name = waiting.pop()
        yield name
        waiting.extend(session.children.get(name, ()))


def cut_down(state: KaiState, keys: tuple[ObjectKey, ...]) -> KaiState:
    """The state in which only the objects of ``keys`` are left; priorities and settings stay."""
    kept = frozenset(keys)
    return replace(
        state,
        queues={name: queue for name, queue in state.queues.items() if queue.key in kept},
        pod_groups=tuple(group for group in state.pod_groups if group.key in kept),
        pods=tuple(pod for pod in state.pods if pod.key in kept),
        nodes=tuple(node for node in state.nodes if node.key in kept),
        shards=tuple(shard for shard in state.shards if shard.key in kept),
    )
