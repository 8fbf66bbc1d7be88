"""The changes after which Kueue would consider a workload, and the outcome then: each change is simulated.

Tested in ``tests/unit/cli/test_why_reasons.py``.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.cycle.placing import with_pending
from kubectl_fairshare.schedulers.kueue.explain.decision import Plan
from kubectl_fairshare.schedulers.kueue.explain.planning import plan
from kubectl_fairshare.schedulers.kueue.jobs.laws import JobLaw
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.tree.state import State, state_of
from kubectl_fairshare.schedulers.kueue.why.evicted import owners_of
from kubectl_fairshare.schedulers.kueue.why.verdict import Lift

_MOST_QUEUES: Final = 3
_RUNNING: Final = "None"
_WITHOUT: Final = "Never"
_BEST_EFFORT: Final = "BestEffortFIFO"


def lifts(state: State, decided: Plan) -> tuple[Lift, ...]:
    """The changes after which Kueue considers the workload, with the outcome; empty if it considers it already."""
    refused, workload = decided.nomination.refused, decided.workload
    if refused is None:
        return ()
    if refused.law is Law.LOCAL_QUEUE_STOPPED:
        return tuple(_running_local_queue(state, workload))
    if refused.law is Law.QUEUE_INACTIVE:
        return tuple(_running_queue(state, decided))
    if refused.law is Law.SCHEDULER_CRASH:
        return (_living(state, decided, str(refused.operand("queue"))),)
    if refused.law is Law.WORKLOAD_INACTIVE:
        place = Place(workload.key, ("spec", "active"))
        asked = replace(workload, active=True)
        return (_lift_outcome(state.kueue, state, asked, Lift(place, "false", "true")),)
    unqueued = workload.refusal is not None and workload.refusal.law == JobLaw.NO_QUEUE_NAME
    queue_not_given = refused.law is Law.NOT_GIVEN and refused.operand("kind") == "LocalQueue"
    if refused.law is Law.LOCAL_QUEUE_MISSING or queue_not_given or unqueued:
        return tuple(_other_queues(state, workload))
    return ()


def without_head(state: State, decided: Plan) -> tuple[Lift, ...]:
    """The outcome of a workload behind the head of a StrictFIFO queue if the queue were BestEffortFIFO."""
    queue = state.kueue.cluster_queues[decided.nomination.cluster_queue]
    if queue.queueing_strategy == _BEST_EFFORT:
        return ()
    queues = {**state.kueue.cluster_queues, queue.name: replace(queue, queueing_strategy=_BEST_EFFORT)}
    lift = Lift(Place(queue.key, ("spec", "queueingStrategy")), queue.queueing_strategy, _BEST_EFFORT)
    kueue = replace(state.kueue, cluster_queues=queues)
    return (_lift_outcome(kueue, state, decided.workload, lift),)


def _living(state: State, decided: Plan, name: str) -> Lift:
    """The queue whose head stops the manager without preemption: then it has no candidates that do not suffice."""
    queue = state.kueue.cluster_queues[name]
    preemption = replace(queue.preemption, within_cluster_queue=_WITHOUT)
    queues = {**state.kueue.cluster_queues, name: replace(queue, preemption=preemption)}
    place = Place(queue.key, ("spec", "preemption", "withinClusterQueue"))
    lift = Lift(place, queue.preemption.within_cluster_queue, _WITHOUT)
    return _lift_outcome(replace(state.kueue, cluster_queues=queues), state, decided.workload, lift)


def _running_local_queue(state: State, workload: Pending) -> Iterator[Lift]:
    key = (workload.key.namespace, workload.local_queue)
    local = state.kueue.local_queues[key]
    queues = {**state.kueue.local_queues, key: replace(local, stop_policy=_RUNNING)}
    lift = Lift(Place(local.key, ("spec", "stopPolicy")), local.stop_policy, _RUNNING)
    yield _lift_outcome(replace(state.kueue, local_queues=queues), state, workload, lift)


def _running_queue(state: State, decided: Plan) -> Iterator[Lift]:
    queue = state.kueue.cluster_queues[decided.nomination.cluster_queue]
    if queue.stop_policy != _RUNNING:
        queues = {**state.kueue.cluster_queues, queue.name: replace(queue, stop_policy=_RUNNING)}
        lift = Lift(Place(queue.key, ("spec", "stopPolicy")), queue.stop_policy, _RUNNING)
        kueue = replace(state.kueue, cluster_queues=queues)
        yield _lift_outcome(kueue, state, decided.workload, lift)


def _other_queues(state: State, workload: Pending) -> Iterator[Lift]:
    """The workload in each of the first LocalQueues of its namespace; the field is the job's, which Kueue copies."""
    source = owners_of([workload.key], state.snapshot.manifests).get(workload.key, workload.source or workload.key)
    carrier = workload.carrier if source == workload.source else ()
    itself = (source.group, source.kind) == (GROUP, "Workload")
    path = ("spec", "queueName") if itself else (*carrier, "metadata", "labels", f"{GROUP}/queue-name")
    names = sorted(name for namespace, name in state.kueue.local_queues if namespace == workload.key.namespace)
    refused = workload.refusal
    unqueued = refused is not None and refused.law == JobLaw.NO_QUEUE_NAME
    refused = refused.later if refused is not None and unqueued else refused
    for name in islice(names, _MOST_QUEUES) if refused is None else ():  # else the next check refuses it in each queue
        lift = Lift(Place(source, path), workload.local_queue, name)
        moved = replace(workload, local_queue=name, refusal=None)
        yield _lift_outcome(state.kueue, state, moved, lift)


def _lift_outcome(kueue: KueueState, state: State, workload: Pending, lift: Lift) -> Lift:
    replaced: tuple[ObjectKey, ...] = (workload.key,)
    changed = state_of(with_pending(state.snapshot.with_part(kueue), [workload], replaced))
    found = plan(changed, workload, remedied=False)
    return replace(lift, outcome=found.outcome, victims=len(found.targets))
