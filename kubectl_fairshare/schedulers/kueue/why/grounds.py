"""The fields that an answer to "why" rests on, from the workload's route to its queue to the limit that binds.

Tested in ``tests/unit/cli/test_why_reasons.py``.
"""

from collections.abc import Iterator

from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.cycle.refusal import QUEUE_LABEL, out_of_service
from kubectl_fairshare.schedulers.kueue.explain.decision import Binding
from kubectl_fairshare.schedulers.kueue.explain.evidence import evidence
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.schedulers.kueue.why.verdict import Inquiry, Why
from kubectl_fairshare.trace import Fact, Step


def facts_of(state: State, found: Why, asked: Inquiry) -> tuple[Fact, ...]:
    """The fields behind the answer, each once: the dominant reason first, then what binds, then the route."""
    facts = [
        *_leaves(found.because),
        *(fact for binding in (*found.head_bindings, *_bindings(found)) for fact in _limit(binding)),
        *_flavor_facts(state, found),
        *_holding_facts(state, found),
        *_way(state, asked.pending),
        *_queue_facts(state, found),
        *(Fact(Place(held.holder.key), held.amount) for held in found.held),
    ]
    return tuple({fact.place: fact for fact in reversed(facts)}.values())[::-1]


def _leaves(step: Step) -> Iterator[Fact]:
    for part in step.rests_on:
        if isinstance(part, Step):
            yield from _leaves(part)
        else:
            yield part


def _bindings(found: Why) -> tuple[Binding, ...]:
    return () if found.plan is None else found.plan.bindings


def _limit(of: Binding) -> Iterator[Fact]:
    if of.place is not None:
        yield Fact(of.place, of.value if of.amount_there is None else of.amount_there)


def _flavor_facts(state: State, found: Why) -> Iterator[Fact]:
    """The fields that exclude the flavors that were passed over."""
    if found.plan is None or found.plan.nomination.assignment is None:
        return
    queue = state.kueue.cluster_queues.get(found.cluster_queue)
    for pod_set in found.plan.nomination.assignment.pod_sets:
        reasons = (*pod_set.reasons, *(r for a in pod_set.attempts for r in a.reasons))
        for reason in reasons:
            place = evidence(state.kueue, queue, found.plan.workload.pod_sets, reason)
            if place is not None:
                yield Fact(place, None)


def _holding_facts(state: State, found: Why) -> Iterator[Fact]:
    """The flavors of an admitted workload, and the limits of its queue."""
    if found.holding is None:
        return
    holder = found.holding.holder
    for assigned in found.holding.assigned:
        for resource, flavor in sorted(assigned.flavors.items()):
            yield Fact(Place(assigned.place.object, (*assigned.place.path, "flavors", resource)), flavor)
            known = state.kueue.flavors.get(flavor)
            if known is not None:
                yield Fact(Place(known.key), None)
    queue = state.kueue.cluster_queues.get(holder.cluster_queue)
    if queue is not None:
        for pair in sorted(holder.usage):
            if pair in queue.paths:
                yield Fact(Place(queue.key, (*queue.paths[pair], "nominalQuota")), queue.quotas[pair].nominal)


def _way(state: State, workload: Pending) -> Iterator[Fact]:
    """The LocalQueue that the job or Workload names, and the ClusterQueue behind it."""
    if workload.source is not None and workload.local_queue:
        itself = workload.source.group == GROUP
        path = ("spec", "queueName") if itself else ("metadata", "labels", QUEUE_LABEL)
        yield Fact(Place(workload.source, path), workload.local_queue)
    local = state.kueue.local_queues.get((workload.key.namespace, workload.local_queue))
    if local is not None:
        yield Fact(Place(local.key, ("spec", "clusterQueue")), local.cluster_queue)


def _queue_facts(state: State, found: Why) -> Iterator[Fact]:
    """The ClusterQueue, its cohort, and the reason if it is inactive."""
    if found.holding is not None:
        path = ("status", "admission", "clusterQueue")
        yield Fact(Place(found.holding.holder.key, path), found.cluster_queue)
    queue = state.kueue.cluster_queues.get(found.cluster_queue)
    if queue is None:
        return
    if queue.cohort is None:
        yield Fact(Place(queue.key), queue.name)
    else:
        yield Fact(Place(queue.key, ("spec", "cohortName")), queue.cohort)
    if found.verdict is not Verdict.FINISHED and queue.name in state.inactive:
        yield from out_of_service(state, queue)
