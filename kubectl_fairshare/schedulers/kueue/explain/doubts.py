"""What of one plan is in doubt: features that are not modelled, and objects that are not in the input.

Tested in ``tests/unit/cli/test_plan_cases.py``.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.answers.fidelity import NOT_GIVEN, TAKEN_AS_MISSING, Gap, not_given, unread_gaps
from kubectl_fairshare.answers.missing_objects import missing_gaps
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.json import rows
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination
from kubectl_fairshare.schedulers.kueue.cycle.refusal import missing_runtime
from kubectl_fairshare.schedulers.kueue.cycle.stopping import stopping_head, uncertain_head
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Mode, Token
from kubectl_fairshare.schedulers.kueue.gaps import (
    DECIDING,
    MAY_CRASH,
    NO_DOMAIN,
    SHORT_ADMISSION,
    SHORT_SEARCH,
    SLICE_PLACES,
    changed_for,
    deleted_queues,
    device_gaps,
    ground_gaps,
    large_groups,
    local_queue_gaps,
    queue_gaps,
    release_gaps,
    selects_by_label,
    shared_hosts,
)
from kubectl_fairshare.schedulers.kueue.jobs.features import RECHARGED, UNQUEUED
from kubectl_fairshare.schedulers.kueue.jobs.laws import JobLaw
from kubectl_fairshare.schedulers.kueue.jobs.management import DEFAULT_QUEUE
from kubectl_fairshare.schedulers.kueue.jobs.priority import class_key
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP, ClusterQueue, cluster_key
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.tree.later_uses import later_release_gaps
from kubectl_fairshare.schedulers.kueue.tree.presuming import namespace_key
from kubectl_fairshare.schedulers.kueue.tree.references import missing_cluster_queues
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.schedulers.kueue.tree.unknown import unknown_for_workload
from kubectl_fairshare.trace import Fact, Step

_SEVERAL: Final = 2
"""Flavors that were tried, where the second may be chosen since the first is short of what a cohort may lend."""


def plan_gaps(state: State, nomination: Nomination, computed: Outcome) -> tuple[Gap, ...]:
    """What is not modelled, or not in the input, and concerns one workload; ``computed`` is the outcome by quota."""
    workload, queue = nomination.workload, nomination.queue
    admitted = computed in (Outcome.ADMITTED, Outcome.PREEMPTS)
    where = workload.source or workload.key
    unsure = RECHARGED | (UNQUEUED if computed is Outcome.WAITS else frozenset())
    gaps = [Gap(f, (Place(where),), touches=admitted or f in unsure) for f in workload.unmodelled]
    gaps += [Gap(feature, (), touches=True) for feature in state.configuration.unmodelled]
    gaps += release_gaps(state.configuration)
    gaps += later_release_gaps(state.kueue)
    gaps += changed_for(state, workload, None if queue is None else state.forest.nodes[queue].queue)
    gaps += unread_gaps(state.kueue.unread, DECIDING)
    gaps += unknown_for_workload(state, workload, queue, placed=nomination.placed)
    gaps += device_gaps(state, workload)
    gaps += large_groups(state, workload, touches=admitted and nomination.placed)
    gaps += short_admission(nomination)
    gaps += chance_crash(nomination)
    gaps += () if computed is Outcome.NEVER else chance_stop(state, nomination)
    gaps += slice_places(nomination)
    gaps += local_queue_gaps(state, workload, touches=admitted)
    gaps += deleted_queues(state)
    if queue is not None:
        gaps += queue_gaps(state, state.forest.nodes[queue].queue)
    if nomination.without_domain and computed is Outcome.PREEMPTS:
        gaps.append(Gap(NO_DOMAIN, (Place(where),), touches=True))
    if nomination.placed:
        gaps += ground_gaps(state.kueue, admitted=admitted)
    if nomination.placed and queue is not None:
        gaps += shared_hosts(state, (state.forest.nodes[queue].queue,))
    return (*gaps, *_absent(state, nomination, computed))


def stop_gaps(state: State) -> tuple[Gap, ...]:
    """What is not certain of the head that stops the manager."""
    head = stopping_head(state)
    return () if head is None else tuple(gap for gap in plan_gaps(state, head, Outcome.WAITS) if gap.touches)


def short_admission(nomination: Nomination) -> Iterator[Gap]:
    """Kueue ends at a pod set that requests only what its queue does not count: later ones and places are missing.

    It crashes where it looks for victims then: the search takes all pod sets to be there.
    """
    workload, assignment = nomination.workload, nomination.assignment
    if assignment is None or not assignment.ended_uncounted or nomination.mode is Mode.NO_FIT:
        return
    short = len(assignment.pod_sets) < len(workload.pod_sets)
    if short or nomination.placed:
        feature = SHORT_SEARCH if short and nomination.mode is Mode.PREEMPT else SHORT_ADMISSION
        place = Place(workload.source or workload.key)
        yield Gap(feature, (place,), touches=True, subject=assignment.pod_sets[-1].name)


def chance_crash(nomination: Nomination) -> Iterator[Gap]:
    """The order of resources in a Go map decides whether Kueue's manager crashes of the workload."""
    workload = nomination.workload
    if nomination.assignment is not None and nomination.assignment.may_crash:
        yield Gap(MAY_CRASH, (Place(workload.source or workload.key),), touches=True, subject=workload.name)


def chance_stop(state: State, nomination: Nomination) -> Iterator[Gap]:
    """The same of the head of another queue: nothing is scheduled if the manager crashes."""
    head = uncertain_head(state)
    if head is not None and nomination.refused is None and head.key != nomination.workload.key:
        yield Gap(MAY_CRASH, (Place(head.source or head.key),), touches=True, subject=head.name)


def slice_places(nomination: Nomination) -> Iterator[Gap]:
    """A slice that replaces another one, needs victims, and has pods that a topology places."""
    search = nomination.search
    if nomination.replaced is not None and nomination.placed and search is not None and search.targets:
        yield Gap(SLICE_PLACES, (Place(nomination.workload.source or nomination.workload.key),), touches=True)


def _absent(state: State, nomination: Nomination, computed: Outcome) -> Iterator[Gap]:
    """What the workload or its queue names and the input lacks.

    A flavor that is presumed may have labels and taints, which only take away: nothing comes of it where even
    quota says never. A priority that is not known decides who preempts whom.
    """
    workload, queue, refused = nomination.workload, nomination.queue, nomination.refused
    if refused is not None and refused.law is Law.NOT_GIVEN:
        places = tuple(fact.place for fact in refused.rests_on if isinstance(fact, Fact))
        yield Gap(NOT_GIVEN, places, touches=True, subject=f"{refused.operand('kind')} {refused.operand('name')}")
    if refused is not None:
        yield from _inferred(state, workload, refused)
    yield from _default_queue(state, workload)
    if workload.unknown_class is not None:
        by_priority = refused is None and computed in (Outcome.PREEMPTS, Outcome.WAITS)
        yield not_given(workload.unknown_class.object, (workload.unknown_class.named_at,), touches=by_priority)
    for each in workload.unknown_overheads:
        bounded = workload.refusal is not None and workload.refusal.law == JobLaw.LIMIT_RANGE
        yield not_given(
            each.object,
            (each.named_at,),
            touches=bounded or (refused is None and computed is not Outcome.NEVER),
        )
    if queue is None:
        return
    spec = state.forest.nodes[queue].queue
    namespace = namespace_key(workload.key.namespace)
    if namespace in state.snapshot.presumed:
        place = Place(spec.key, ("spec", "namespaceSelector"))
        yield not_given(namespace, (place,), touches=selects_by_label(spec))
    yield from _absent_references(state, spec, computed)
    if not is_alone(state, nomination, computed):
        yield from missing_gaps(missing_cluster_queues(state))


def is_alone(state: State, nomination: Nomination, computed: Outcome) -> bool:
    """Whether no queue that the input lacks can change the answer, even if it is in the same cohort, if there is one.

    It adds quota, and uses what its workloads in the input hold. None of that matters to a workload that no flavor
    matches, nor to one that the first flavor serves from its queue's own quota, if none holds any.
    """
    assignment = nomination.assignment
    if assignment is None or nomination.queue is None or assignment.token is Token.NO_MATCHING_FLAVOR:
        return True
    if not state.forest.nodes[nomination.queue].queue.cohort:
        return True
    if computed is not Outcome.ADMITTED or assignment.borrowing:
        return False
    first = all(len(pod_set.attempts) < _SEVERAL for pod_set in assignment.pod_sets)
    return first and state.kueue.knows_queues_of_holders


def _default_queue(state: State, workload: Pending) -> Iterator[Gap]:
    """The LocalQueue that a new job without a queue's name would get if it exists."""
    if workload.refusal is None or workload.refusal.law != JobLaw.NO_QUEUE_NAME:
        return
    source = state.snapshot.manifests.get(workload.source) if workload.source is not None else None
    queue = ObjectKey(GROUP, "LocalQueue", workload.key.namespace, DEFAULT_QUEUE)
    if not state.snapshot.excludes(queue) and not (source is not None and source.stored):
        yield Gap(TAKEN_AS_MISSING, (), touches=False, subject=f"LocalQueue {queue.namespace}/{queue.name}")


def _inferred(state: State, workload: Pending, refused: Step) -> Iterator[Gap]:
    """What a dump lacks of a kind that it lists: exact only where the cluster recorded the same."""
    recorded = " ".join(_messages(state, workload.key))
    for key in _lacking(state, workload, refused):
        if state.snapshot.infers_absence(key):
            yield not_given(key, (), touches=key.name not in recorded)


def _lacking(state: State, workload: Pending, refused: Step) -> Iterator[ObjectKey]:
    """The objects for whose lack a workload is refused."""
    name = str(refused.operand("cluster queue")) if refused.law in (Law.QUEUE_MISSING, Law.QUEUE_INACTIVE) else ""
    if refused.law is Law.LOCAL_QUEUE_MISSING:
        yield ObjectKey(GROUP, "LocalQueue", workload.key.namespace, workload.local_queue)
    elif refused.law is Law.QUEUE_MISSING:
        yield cluster_key("ClusterQueue", name)
    elif refused.law is Law.QUEUE_INACTIVE:
        queue = state.kueue.cluster_queues[name]
        yield from (
            cluster_key("ResourceFlavor", f) for g in queue.groups for f in g.flavors if f not in state.kueue.flavors
        )
        yield from (cluster_key("AdmissionCheck", c.name) for c in queue.checks if c.name not in state.kueue.checks)
    elif workload.refusal is not None and workload.refusal.law == JobLaw.PRIORITY_CLASS_MISSING:
        kind, missing = (str(operand) for operand in workload.refusal.operands)
        yield class_key(kind, missing)
    elif (runtime := missing_runtime(workload)) is not None:
        yield runtime


def _messages(state: State, workload: ObjectKey) -> Iterator[str]:
    """What the cluster wrote on the workload, and on the queues that are not active."""
    queues = (queue.key for queue in state.kueue.cluster_queues.values() if queue.name in state.inactive)
    for key in (workload, *queues):
        manifest = state.snapshot.manifests.get(key)
        if manifest is not None:
            yield from (str(each.get("message", "")) for each in rows(manifest.data, "status", "conditions"))


def _absent_references(state: State, queue: ClusterQueue, computed: Outcome) -> Iterator[Gap]:
    """The flavors, topologies and checks of a queue that are presumed."""
    presumed = state.snapshot.presumed
    for i, group in enumerate(queue.groups):
        for j, name in enumerate(group.flavors):
            key, place = cluster_key("ResourceFlavor", name), ("spec", "resourceGroups", i, "flavors", j, "name")
            if key in presumed:
                yield not_given(key, (Place(queue.key, place),), touches=computed is not Outcome.NEVER)
            flavor = state.kueue.flavors.get(name)
            if flavor is not None and flavor.topology and cluster_key("Topology", flavor.topology) in presumed:
                at = Place(flavor.key, ("spec", "topologyName"))
                yield not_given(cluster_key("Topology", flavor.topology), (at,), touches=computed is not Outcome.NEVER)
    for i, check in enumerate(queue.checks):
        key = cluster_key("AdmissionCheck", check.name)
        if key in presumed:
            path = ("spec", "admissionChecksStrategy", "admissionChecks", i, "name")
            yield not_given(key, (Place(queue.key, path),), touches=computed is not Outcome.NEVER)
