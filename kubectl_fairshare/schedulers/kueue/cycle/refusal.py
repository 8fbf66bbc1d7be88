"""Why a workload is not considered, with the fields that it rests on.

Source: ``nominate`` in https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/scheduler.go.
Tested in ``tests/unit/cli/test_plan_cases.py``.
"""

from collections.abc import Iterator

from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.cycle.nominate import refusal
from kubectl_fairshare.schedulers.kueue.cycle.queues import blocking_step, waiting
from kubectl_fairshare.schedulers.kueue.jobs.kinds.runtimes import CLUSTER_WIDE, TRAINER_GROUP
from kubectl_fairshare.schedulers.kueue.jobs.laws import JobLaw
from kubectl_fairshare.schedulers.kueue.jobs.management import keys_of
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.gates import GATED_BY
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP, ClusterQueue, cluster_key
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.tree.activity import NOT_SYNCED, Inactivity
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.trace import Fact, Operand, Step

QUEUE_LABEL = f"{GROUP}/queue-name"


def with_facts(state: State, workload: Pending, refused: Step) -> Step:
    """The rejection with the facts behind it; for an inactive queue, also with its reasons.

    A missing queue may be outside of the input: unless the input is complete, the rejection is not known.
    """
    operands = refused.operands
    if refused.law is Law.QUEUE_INACTIVE:
        reason = inactivity(state, str(refused.operand("cluster queue")))
        operands = (*operands, ("reasons", ", ".join(reason.reasons)), ("objects", ", ".join(reason.objects)))
    if refused.law is Law.LOCAL_QUEUE_MISSING and workload.look_alikes:
        operands = (*operands, ("not read", keys_of(workload.look_alikes)))
    facts = (_with_value(state, fact) for fact in _facts(state, workload, refused))
    found = replace(refused, operands=operands, rests_on=tuple(facts))
    missing = _missing_object(workload, found)
    if missing is None or state.snapshot.excludes(missing):
        return found
    name = f"{missing.namespace}/{missing.name}" if missing.namespace else missing.name
    return Step(Law.NOT_GIVEN, (("kind", missing.kind), ("name", name)), holds=False, rests_on=found.rests_on)


def _missing_object(workload: Pending, refused: Step) -> ObjectKey | None:
    """The queue or runtime for whose lack a workload is refused; None where it is for another reason, or names none."""
    if refused.law is Law.WORKLOAD_REFUSED and workload.refusal is not None:
        return missing_runtime(workload)
    if refused.law is Law.LOCAL_QUEUE_MISSING and workload.local_queue:
        return ObjectKey(GROUP, "LocalQueue", workload.key.namespace, workload.local_queue)
    if refused.law is Law.QUEUE_MISSING and refused.operand("cluster queue"):
        return cluster_key("ClusterQueue", str(refused.operand("cluster queue")))
    return None


def missing_runtime(workload: Pending) -> ObjectKey | None:
    """The training runtime for whose lack Kueue makes no Workload; None where that is not so."""
    if workload.refusal is None or workload.refusal.law != JobLaw.RUNTIME_MISSING:
        return None
    kind, name = (str(operand) for operand in workload.refusal.operands)
    namespace = "" if kind == CLUSTER_WIDE else workload.key.namespace
    return ObjectKey(TRAINER_GROUP, kind, namespace, name)


def _with_value(state: State, fact: Fact) -> Fact:
    """A fact with the value of its field, if that is a number or a text."""
    manifest = state.snapshot.manifests.get(fact.place.object)
    if fact.value is not None or manifest is None or not fact.place.path:
        return fact
    found: Json = manifest.data
    for step in fact.place.path:
        if isinstance(found, dict) and isinstance(step, str):
            found = found.get(step)
        elif isinstance(found, list) and isinstance(step, int) and step < len(found):
            found = found[step]
        else:
            return fact
    return Fact(fact.place, found) if isinstance(found, str | int) else fact


def workloads_left_out(state: State) -> tuple[tuple[Pending, Step], ...]:
    """The pending workloads that are in no queue, by key, each with the reason."""
    queued = {w.key for queue in waiting(state).values() for w in queue}
    absent = (workload for workload in state.kueue.pending if workload.key not in queued)
    reasons = ((workload, _left_out_because(state, workload)) for workload in absent)
    return tuple((workload, reason) for workload, reason in reasons if reason is not None)


def _left_out_because(state: State, workload: Pending) -> Step | None:
    refused = refusal(state, workload)
    return blocking_step(state, workload) if refused is None else with_facts(state, workload, refused)


def inactivity(state: State, name: str) -> Inactivity:
    """Why a ClusterQueue is inactive; for a cohort cycle, the cohorts that lead to it and form it."""
    found = state.inactive.get(name, Inactivity((), ()))
    if name not in state.forest.cyclic_queues:
        return found
    return Inactivity(("CohortCycle",), _way_up(state, state.kueue.cluster_queues[name]))


def _way_up(state: State, queue: ClusterQueue) -> tuple[str, ...]:
    """The cohorts above a queue, up to and including the first repetition."""
    way: list[str] = []
    at = queue.cohort
    while at is not None:
        way.append(at)
        if at in way[:-1]:
            break
        at = state.kueue.cohorts[at].parent if at in state.kueue.cohorts else None
    return tuple(way)


def _facts(state: State, workload: Pending, refused: Step) -> Iterator[Fact]:
    local = state.kueue.local_queues.get((workload.key.namespace, workload.local_queue))
    if refused.law is Law.ADMISSION_GATED:
        yield Fact(Place(workload.source or workload.key, ("metadata", "annotations", GATED_BY)), None)
    elif refused.law is Law.WORKLOAD_INACTIVE:
        yield Fact(Place(workload.key, ("spec", "active")), value=False)
    elif refused.law is Law.CHECKS_FAILED:
        yield Fact(Place(workload.key, ("status", "admissionChecks")), None)
    elif refused.law is Law.WORKLOAD_REFUSED and workload.refusal is not None:
        refusal = workload.refusal
        places = (*refusal.places, *(p for v in refusal.violations for p in v.places))
        missing_class = refusal.operands[-1] if refusal.law == JobLaw.PRIORITY_CLASS_MISSING else None
        yield from (Fact(place, missing_class) for place in dict.fromkeys(places))
    elif refused.law is Law.LOCAL_QUEUE_MISSING:
        yield from _asked_queue(workload)
    elif refused.law is Law.LOCAL_QUEUE_STOPPED and local is not None:
        yield Fact(Place(local.key, ("spec", "stopPolicy")), local.stop_policy)
    elif refused.law is Law.QUEUE_MISSING and local is not None:
        yield Fact(Place(local.key, ("spec", "clusterQueue")), local.cluster_queue)
    elif refused.law is Law.NAMESPACE_NOT_SELECTED:
        yield from _selection(state, workload, str(refused.operand("cluster queue")))
    elif refused.law is Law.QUEUE_INACTIVE:
        yield from out_of_service(state, state.kueue.cluster_queues[str(refused.operand("cluster queue"))])


def _asked_queue(workload: Pending) -> Iterator[Fact]:
    """The field in which the workload, or the job behind it, names its LocalQueue."""
    if workload.source is not None:
        itself = workload.source.group == GROUP
        path = ("spec", "queueName") if itself else ("metadata", "labels", QUEUE_LABEL)
        yield Fact(Place(workload.source, path), workload.local_queue)
        yield from (Fact(place, None) for place in workload.look_alikes)


def _selection(state: State, workload: Pending, name: str) -> Iterator[Fact]:
    namespace = workload.key.namespace
    labels = state.snapshot.namespaces.get(namespace, {})
    yield Fact(Place(state.kueue.cluster_queues[name].key, ("spec", "namespaceSelector")), None)
    text = ",".join(f"{key}={value}" for key, value in sorted(labels.items()))
    yield Fact(Place(ObjectKey("", "Namespace", "", namespace), ("metadata", "labels")), text)


def out_of_service(state: State, queue: ClusterQueue) -> Iterator[Fact]:
    """The fields that make a ClusterQueue inactive."""
    why = inactivity(state, queue.name)
    objects: frozenset[str] = frozenset(why.objects)
    if "Terminating" in why.reasons:
        yield Fact(Place(queue.key, ("metadata", "deletionTimestamp")), None)
        return
    if "Stopped" in why.reasons:
        yield Fact(Place(queue.key, ("spec", "stopPolicy")), queue.stop_policy)
    if "CohortCycle" in why.reasons:
        yield Fact(Place(queue.key, ("spec", "cohortName")), queue.cohort)
        cohorts = (state.kueue.cohorts[c] for c in dict.fromkeys(why.objects) if c in state.kueue.cohorts)
        yield from (Fact(Place(c.key, ("spec", "parentName")), c.parent) for c in cohorts)
    for i, group in enumerate(queue.groups):
        for j, name in enumerate(group.flavors):
            flavor = state.kueue.flavors.get(name)
            if flavor is None:
                yield Fact(Place(queue.key, ("spec", "resourceGroups", i, "flavors", j, "name")), name)
            elif name in objects and not {"TopologyNotFound", NOT_SYNCED}.isdisjoint(why.reasons):
                yield Fact(Place(flavor.key, ("spec", "topologyName")), flavor.topology)
    if any("Check" in reason or "MultiKueue" in reason for reason in why.reasons):
        names: Operand = ",".join(c.name for c in queue.checks if c.name in objects)
        yield Fact(Place(queue.key, ("spec", "admissionChecksStrategy", "admissionChecks")), names)
