"""The features of a snapshot that Kueue's engine does not model, and whether they can affect an answer.

Quota decides first, and a feature that is not modelled can only restrict more: a workload that quota keeps out stays
out. So for most features only an admission is uncertain.

Tested in ``tests/unit/cli/test_plan_cases.py``.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

from kubectl_fairshare.answers.fidelity import NO_QUEUES, Fidelity, Gap, elsewhere_gaps, not_given, unread_gaps
from kubectl_fairshare.answers.missing_objects import missing_gaps
from kubectl_fairshare.jobs.context import NAMESPACE_NAME
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP, ClusterQueue, Configuration, cluster_key
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import Pending, UnknownClass
from kubectl_fairshare.schedulers.kueue.release import SCHEDULER
from kubectl_fairshare.schedulers.kueue.tree.activity import MULTIKUEUE
from kubectl_fairshare.schedulers.kueue.tree.later_uses import LATER_WORDS, later_release_gaps
from kubectl_fairshare.schedulers.kueue.tree.presuming import namespace_key
from kubectl_fairshare.schedulers.kueue.tree.references import missing_queues
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.schedulers.kueue.tree.unknown import unknown_in_backlog, unknown_in_figures, unknown_in_policy

MALFORMED_TOPOLOGY: Final = "MalformedTopologyRequest"
LARGE_GROUP: Final = "TopologyGroup"
NO_NODES: Final = "TopologyNodes"
NO_DOMAIN: Final = "TopologyNoDomain"
FEWER_PODS: Final = "TopologyFewerPods"
NO_ORDER: Final = "CreationTimestamps"
EARLIER_PREEMPTOR: Final = "EarlierPreemptor"
NO_PODS: Final = "TopologyPods"
FULL_NODES: Final = "TopologySaturation"
UNPLACED: Final = "TopologyUnplaced"
QUEUE_DELETION: Final = "ClusterQueueDeletion"
SHARED_HOSTS: Final = "SharedHostNames"
SHORT_ADMISSION: Final = "ShortAdmission"
SLICE_PLACES: Final = "SlicePlaces"
TRANSFORMED_TWICE: Final = "TransformedTwice"
TRANSFORMED: Final = "TransformedRequests"
MAY_CRASH: Final = "MayCrash"
SHORT_SEARCH: Final = "ShortSearch"
REPEATED_SCAN: Final = (Gap("RepeatedScan", (), touches=True),)
"""What follows a scan of flavors that went round and round."""
RUNNING_SUBSETS: Final = "RunningSubsets"
LATER_CYCLES: Final = "LaterCycles"
EQUAL_CHOICES: Final = (Gap("EqualChoices", (), touches=True),)
"""Figures that rest on ties, which Kueue leaves to chance."""
WORDS: Final = {
    "AdmissionCheckStateUnknown": "the state of AdmissionCheck {0} is not in the input",
    "AdmissionChecksOverTime": "how long admission checks take, and which of them retry or reject",
    "AdmissionScopeOverTime": "when Kueue orders by an `admissionScope` that changes: once its manager starts again",
    "AdmissionFairSharing": "past usage that only Kueue's manager knows: {0} could go either way",
    "AdmissionFairSharingTie": "past usage does not define the order of the victims of {0}",
    "ConcurrentAdmission": "concurrent admission",
    "ConfigurationOverTime": "what Kueue's manager forgets when it starts again with another Configuration",
    "ChangedAdmissionFairSharing": "how Kueue {0} counts past usage",
    "ChangedElasticJobsViaWorkloadSlices": "how Kueue {0} admits slices of elastic jobs",
    "ChangedEmptyPodSets": "how Kueue {0} serves pod sets without pods",
    "ChangedFlavorScans": "with which flavor Kueue {0} goes on once quota is given back",
    MAY_CRASH: "whether Kueue's manager crashes of {0}: the order of resources, which is random, decides",
    TRANSFORMED: "what Kueue charges for pods that request {0}, which it transforms or excludes",
    TRANSFORMED_TWICE: "which requests count: a transformation makes what pods request, and Kueue counts one or both",
    "ChangedExcludedInputs": "how Kueue {0} transforms resources that it excludes",
    "ChangedPodGroups": "how Kueue {0} orders the pod sets of a group of pods",
    "ChangedPodSetGroups": "how Kueue {0} adds up pod sets of one group that are not side by side",
    "ChangedPreemptorFirst": (
        "which Workload Kueue {0} tries first if a preemptor, its victims gone, is still not admitted"
    ),
    "ChangedSparkApplication": "what Kueue {0} counts for a SparkApplication",
    "ChangedTopologyAwareScheduling": "how Kueue {0} places pods",
    **LATER_WORDS,
    "DeactivationTarget": "its deactivation, which Kueue has decided but not carried out",
    "DynamicResourceAllocation": "the devices that its resourceClaims request",
    "EqualChoices": "the order of equal heads, or the victims of equal cohorts, which Kueue leaves to chance",
    "ElasticJobsViaWorkloadSlices": "whether the elastic job already has a slice that this one replaces",
    "EndlessSamples": "who comes first by past usage after 10,000 samples without anything else, or 300,000 in all",
    "FinishOrphanedWorkloads": "when Kueue finishes it: it has the UID of a job, but no owner",
    "MalformedNodeAffinity": "which flavors Kueue looks at: the required node affinity cannot be matched",
    "KueueDRAIntegrationExtendedResource": "an extended resource that a DeviceClass provides",
    "TrainJob.podTemplateOverrides": (
        "the pods of a TrainJob with `podTemplateOverrides`, which the Trainer that Kueue v0.19 is built with lacks"
    ),
    "TrainJob.trainer": (
        "the pods of the TrainJob: the Trainer that this release of Kueue is built with renders Flux, or "
        "`runtimePatches`, otherwise than v2.2"
    ),
    "LostLocalQueue": "Kueue's scheduler, which stops: {0} has quota where past usage orders, and no LocalQueue",
    MALFORMED_TOPOLOGY: "whether Kueue makes a Workload with an annotation that no webhook checks: {0}",
    "LocalQueueDeletion": "whether Kueue still admits from a LocalQueue that is being deleted",
    "JobSet.replicas=0": "a replicated job of 0 replicas, which has 1 once Kueue starts its JobSet",
    "WorkloadIdentifierAnnotations=false": "an annotation that names a Workload or a group, where only labels do",
    LATER_CYCLES: "what the cycles after the next one do where {0}",
    "ManagerStops": "what Kueue schedules once its manager dies of a head, again after each restart (rule K212)",
    "MutualEvictions": "how often Workloads evict each other at one moment: here they pause for 1s before they go on",
    "PrioritizePreemptorWorkloads": "which units of a backlog are tried first because others leave for them",
    "MultiKueue": "what MultiKueue does with it once it has quota here",
    LARGE_GROUP: "Kueue's scheduler, which crashes when three pod sets of one group fit (rule K183)",
    FEWER_PODS: "the admission, which the API server rejects: it has fewer pods than the Workload holds quota for",
    NO_NODES: (
        "which nodes have room for its pods: the input has no Nodes "
        "(see `kubectl get nodes,pods -A -o json`, or `--nodes`)"
    ),
    NO_DOMAIN: "the admission, which the API server rejects: fewer pods than a slice get a place without a domain",
    EARLIER_PREEMPTOR: (
        "which workload of {0} Kueue tries first: its manager may remember an earlier preemptor among them"
    ),
    NO_ORDER: "which workload of {0} comes first: the input lacks their `creationTimestamp`, or their UIDs",
    NO_QUEUES: "any quota: the input has no ClusterQueue and no Cohort, so nothing was judged",
    NO_PODS: "what other pods take of the nodes: the input has no Pods (see `kubectl get pods -A -o json`)",
    FULL_NODES: "which nodes are full first: a topology places the pods of some queues, which quota does not show",
    UNPLACED: "the nodes of work that the test assumes to be running in flavor {0}, which has a topology",
    "RepeatedScan": ("which flavor Kueue tries next: it rescans the flavors of a Workload that fits in none"),
    SHORT_ADMISSION: (
        "whether its job starts: pod set {0} requests only what its queue does not count, so Kueue admits it without "
        "flavors for later pod sets, and without places for its pods"
    ),
    SHORT_SEARCH: (
        "Kueue's scheduler, which crashes when it looks for victims: pod set {0} requests only what its queue does not "
        "count"
    ),
    SLICE_PLACES: "in which domains a slice of an elastic job gets its pods where others are preempted for it",
    "PodsEndApart": "when further pods of running work end before the others, and release their quota",
    "NodesOverTime": (
        "what Kueue does once nodes change, or what other pods take of them: when it tries Workloads again, and which "
        "of them it moves or evicts"
    ),
    "PodNotManaged": 'a pod without the label `kueue.x-k8s.io/managed: "true"`, at which Kueue does not look',
    QUEUE_DELETION: "ClusterQueue {0}, which Kueue keeps until the work that holds quota in it has ended",
    RUNNING_SUBSETS: "whether it gets in once some of the running work has ended: too many ends are possible",
    "ReleaseNotMeasured": "what Kueue {0} decides differently: this release was not measured",
    "ReleaseNotSaid": "which release of Kueue runs: {0}",
    "WaitForPodsReady": "which pods are not ready in time, so that waitForPodsReady.blockAdmission makes others wait",
    "WorkloadDeletion": "its deletion, which is under way",
    "WaitForPodsReady.blockAdmission": "which cohort tree is admitted from first: one workload is, at a time",
    SHARED_HOSTS: "in which domain nodes are that share a host name, or have a domain's: Kueue leaves that to chance",
}
"""What is not modelled, in a clause; {0} is what it is about."""
_PAIR: Final = 2
_DEDUCED: Final = "(the newest release that knows every name in the input)"
_CHANGED: Final = "Changed"
"""Before the name of a feature: the release changed it in a way that is not reproduced."""
_FIGURES = frozenset({"ClusterQueue", "Cohort", "ResourceFlavor", "Workload"})
_AROUND = frozenset({"AdmissionCheck", "Configuration", "LimitRange", "PriorityClass", "RuntimeClass", "Topology"})
_REFERENCES = frozenset({"AdmissionCheck", "ResourceFlavor", "Topology"})
DECIDING = _FIGURES | _AROUND | {"WorkloadPriorityClass"}
"""The kinds that a plan rests on."""


def fidelity_of(configuration: Configuration, gaps: Iterable[Gap]) -> Fidelity:
    """The fidelity of an answer with these gaps."""
    release = configuration.release
    return Fidelity(
        SCHEDULER,
        release.text,
        tuple(gaps),
        WORDS,
        rules_of=release.rules_of,
        later=release.later,
        assumed=release.assumed,
    )


def release_gaps(configuration: Configuration) -> Iterator[Gap]:
    """What is in doubt because of the release alone."""
    if not (configuration.release.measured or configuration.release.rules_of):
        release = configuration.release
        subject = f"{release.text} {_DEDUCED}" if release.deduced else release.text
        if release.sign:
            yield Gap("ReleaseNotSaid", (), touches=True, subject=release.sign)
        else:
            yield Gap("ReleaseNotMeasured", (), touches=True, subject=subject)
    yield from elsewhere_gaps(configuration.elsewhere)
    excluded = tuple(configuration.excluded_prefixes)
    used = (name for each in configuration.transformations for name in (each.input, each.multiply_by or ""))
    if excluded and any(name.startswith(excluded) for name in used):
        yield from _changed(configuration, "ExcludedInputs", ())


def transformed_gaps(configuration: Configuration, request: Iterable[str]) -> tuple[Gap, ...]:
    """A gap where pods with these requests are charged for something else: the amounts are taken as charged."""
    excluded, rules = tuple(configuration.excluded_prefixes), configuration.transformations
    inputs = {rule.input: (rule.place,) if rule.place is not None else () for rule in rules}
    named = [name for name in request if name in inputs or (excluded and name.startswith(excluded))]
    return tuple(Gap(TRANSFORMED, inputs.get(name, ()), touches=True, subject=name) for name in named)


def changed_for(state: State, workload: Pending, queue: ClusterQueue | None) -> Iterator[Gap]:
    """The features that a workload uses, and that the release changed in a way that is not reproduced."""
    where = workload.source or workload.key
    features = {
        "ElasticJobsViaWorkloadSlices": workload.replaces is not None,
        "EmptyPodSets": any(p.count <= p.reclaimable for p in workload.pod_sets),
        "SparkApplication": where.kind == "SparkApplication",
        "PodSetGroups": _has_scattered_group(workload),
        "PodGroups": where.kind == "Pod" and len(workload.pod_sets) > 1,
        "AdmissionFairSharing": state.past is not None and queue is not None and queue.name in state.past.scoped,
    }
    every = all(p.every_charge for p in workload.pod_sets)
    if workload.is_drawn or not every:  # where all draws are tried, the figures are in doubt, but not the decision
        yield Gap(TRANSFORMED_TWICE, (Place(where),), touches=not every)
    for feature in (name for name, used in features.items() if used):
        yield from _changed(state.configuration, feature, (Place(where),))
    if queue is not None:
        placing = [state.kueue.flavors.get(f) for group in queue.groups for f in group.flavors]
        places = tuple(Place(f.key, ("spec", "topologyName")) for f in placing if f is not None and f.topology)
        if places:
            yield from _changed(state.configuration, "TopologyAwareScheduling", places)


def drawn_gaps(workloads: Iterable[Pending]) -> Iterator[Gap]:
    """The workloads of which chance draws what they request, where one draw alone is looked at."""
    places = tuple(Place(each.source or each.key) for each in workloads if each.is_drawn)
    if places:
        yield Gap(TRANSFORMED_TWICE, places, touches=True)


def _changed(configuration: Configuration, feature: str, places: tuple[Place, ...]) -> Iterator[Gap]:
    if feature in configuration.release.changed_features:
        yield Gap(f"{_CHANGED}{feature}", places, touches=True, subject=configuration.release.text)


def first_kept_gaps(configuration: Configuration) -> Iterator[Gap]:
    """A Workload that others left for stays first, though it is not admitted: a later release puts it back."""
    return _changed(configuration, "PreemptorFirst", ())


def _has_scattered_group(workload: Pending) -> bool:
    """Whether pod sets of one group have another pod set between them."""
    groups = [group for group, _ in groupby(p.group for p in workload.pod_sets) if group is not None]
    return len(groups) != len(set(groups))


def large_groups(state: State, workload: Pending, *, touches: bool) -> Iterator[Gap]:
    """A workload with three pod sets in one group, where topologies count: the scheduler crashes."""
    sizes = Counter(pod_set.group for pod_set in workload.pod_sets if pod_set.group is not None)
    if state.configuration.topology and any(size > _PAIR for size in sizes.values()):
        yield Gap(LARGE_GROUP, (Place(workload.source or workload.key),), touches=touches)


def device_gaps(state: State, workload: Pending) -> Iterator[Gap]:
    """DeviceClasses that may not be read, where a workload requests what one of them could provide."""
    requested = (resource for pod_set in workload.pod_sets for resource in pod_set.occupies)
    if state.configuration.device_classes and any("/" in resource for resource in requested):
        yield from unread_gaps(state.kueue.unread, frozenset({"DeviceClass"}))


def local_queue_gaps(state: State, workload: Pending, *, touches: bool) -> Iterator[Gap]:
    """A LocalQueue that is being deleted: Kueue admits from it, and takes the quota back at once."""
    local = state.kueue.local_queues.get((workload.key.namespace, workload.local_queue))
    if local is not None and local.terminating:
        yield Gap("LocalQueueDeletion", (Place(local.key, ("metadata", "deletionTimestamp")),), touches=touches)


def queue_deletion(name: str) -> Gap:
    """A ClusterQueue that is taken away while workloads hold quota in it: Kueue keeps it, with its quota."""
    return Gap(QUEUE_DELETION, (Place(cluster_key("ClusterQueue", name)),), touches=True, subject=name)


def deleted_queues(state: State) -> Iterator[Gap]:
    """The ClusterQueues that the question takes away, and in which workloads hold quota."""
    deleted = {key.name for key in state.snapshot.absent.deleted if key[:2] == (GROUP, "ClusterQueue")}
    if deleted:
        yield from map(queue_deletion, sorted(deleted.intersection(h.cluster_queue for h in state.kueue.holders)))


def snapshot_gaps(state: KueueState) -> tuple[Gap, ...]:
    """All features in the state that are not modelled; shares and usage are touched by none but unread objects."""
    gaps = [Gap(feature, (), touches=False) for feature in state.configuration.unmodelled]
    gaps += release_gaps(state.configuration)
    gaps += later_release_gaps(state)
    gaps += unread_gaps(state.unread, _FIGURES)
    queues = tuple(state.cluster_queues.values())
    variants = tuple(Place(q.key, ("spec", "concurrentAdmissionPolicy")) for q in queues if q.concurrent_admission)
    if variants:
        gaps.append(Gap("ConcurrentAdmission", variants, touches=False))
    gaps += _remote(state, queues)
    gaps += unknown_in_figures(state)
    return tuple(gaps)


def _remote(state: KueueState, queues: Iterable[ClusterQueue]) -> Iterable[Gap]:
    """Queues whose workloads move to other clusters once they have quota here: those clusters are not modelled."""
    used = {c.name for queue in queues for c in queue.checks}
    found = [state.checks[name] for name in sorted(used) if name in state.checks]
    places = tuple(Place(c.key, ("spec", "controllerName")) for c in found if c.controller == MULTIKUEUE)
    if places:
        yield Gap("MultiKueue", places, touches=False)


def reference_gaps(state: State, *, alone: bool = False) -> Iterator[Gap]:
    """What queues and workloads name and the input lacks: a queue is not active without it, or a cohort counts less.

    ``alone``: what is asked is the same whatever quota a missing ClusterQueue adds to a cohort.
    """
    for key in sorted(state.snapshot.presumed):
        if key.kind in _REFERENCES:
            yield not_given(key, (), touches=True)
    missing = missing_queues(state)
    queues = {key: places for key, places in missing.items() if key.kind == "ClusterQueue"}
    yield from (replace(gap, touches=not alone) for gap in missing_gaps(queues))
    yield from missing_gaps({key: places for key, places in missing.items() if key not in queues})


def no_queues(state: KueueState) -> Iterator[Gap]:
    """The gap of an input in which there is nothing to judge."""
    if not (state.cluster_queues or state.cohorts):
        yield Gap(NO_QUEUES, (), touches=True)


def deciding_gaps(state: KueueState) -> tuple[Gap, ...]:
    """The same where cycles decide: a feature gate that is not modelled can change what they do."""
    idle = {"MultiKueue", "ConcurrentAdmission"} - {*state.configuration.unmodelled}
    found = (replace(gap, touches=gap.feature not in idle) for gap in snapshot_gaps(state))
    return (*found, *unknown_in_policy(state))


def cycle_gaps(state: State, *, placed: bool = False, alone: bool = False) -> tuple[Gap, ...]:
    """What is not modelled and can change what a cycle does; ``placed``: a topology is to place some pods.

    ``alone`` as in ``reference_gaps``.
    """
    gaps = [*deciding_gaps(state.kueue), *deleted_queues(state)]
    gaps += unread_gaps(state.kueue.unread, (DECIDING | {"LocalQueue"}) - _FIGURES)
    gaps += unknown_in_backlog(state.kueue, placed=placed)
    workloads = [w for w in state.kueue.pending if w.unmodelled]
    for feature in sorted({f for w in workloads for f in w.unmodelled}):
        places = tuple(Place(w.source or w.key) for w in workloads if feature in w.unmodelled)
        gaps.append(Gap(feature, places, touches=True))
    for each in state.kueue.pending:
        gaps += device_gaps(state, each)
        gaps += large_groups(state, each, touches=placed)
        gaps += local_queue_gaps(state, each, touches=True)
    if placed:
        gaps += ground_gaps(state.kueue, admitted=True)
        gaps += shared_hosts(state, state.kueue.cluster_queues.values())
    if state.configuration.release.changed_features:
        for each in state.kueue.pending:
            gaps += changed_for(state, each, state.kueue.cluster_queues.get(state.cluster_queue_of(each)))
    gaps += reference_gaps(state, alone=alone)
    labelled = set(_namespaces_by_label(state))
    for key in sorted(state.snapshot.presumed):
        gaps.append(not_given(key, (), touches=key.kind in _REFERENCES or key in labelled))
    for gap in (not_given(each.object, (each.named_at,), touches=True) for each in _unknown_classes(state)):
        gaps.append(gap)
    return tuple(dict.fromkeys(gaps))


def selects_by_label(queue: ClusterQueue) -> bool:
    """Whether the labels of a namespace decide, next to its name, if the ClusterQueue takes its workloads."""
    selector = queue.namespace_selector
    return selector is not None and any(each.key != NAMESPACE_NAME for each in selector.requirements)


def _namespaces_by_label(state: State) -> Iterator[ObjectKey]:
    """The namespaces of workloads that wait for a ClusterQueue that selects namespaces by label."""
    for each in state.kueue.pending:
        queue = state.kueue.cluster_queues.get(state.cluster_queue_of(each))
        if queue is not None and selects_by_label(queue):
            yield namespace_key(each.key.namespace)


def motion_gaps(state: State, happened: Iterable[str]) -> Iterator[Gap]:
    """What Kueue does over time and a simulation does not; ``happened`` are features that the simulation met."""
    yield from (Gap(feature, (), touches=True) for feature in happened)
    if any(len(group.flavors) > 1 for queue in state.kueue.cluster_queues.values() for group in queue.groups):
        yield from _changed(state.configuration, "FlavorScans", ())
    queues = state.kueue.cluster_queues.values()
    checked = tuple(Place(queue.key, ("spec", "admissionChecksStrategy")) for queue in queues if queue.checks)
    if checked:
        yield Gap("AdmissionChecksOverTime", checked, touches=True)


def _unknown_classes(state: State) -> Iterator[UnknownClass]:
    for each in state.kueue.pending:
        yield from (each.unknown_class,) if each.unknown_class is not None else ()
        yield from each.unknown_overheads


def ground_gaps(state: KueueState, *, admitted: bool) -> Iterable[Gap]:
    """What is not known of the nodes. What does not fit without the other pods on them does not fit with them."""
    yield from unread_gaps(state.unread, frozenset({"Node", "Pod"}))
    if not state.nodes and "Node" not in state.unread:
        yield Gap(NO_NODES, (), touches=admitted)
    elif not state.pods_given and "Pod" not in state.unread:
        yield Gap(NO_PODS, (), touches=admitted)
    for holder in state.holders:
        if holder.placements and holder.cluster_queue not in state.cluster_queues:  # Kueue counts no pods of these
            queue = cluster_key("ClusterQueue", holder.cluster_queue)
            yield not_given(queue, (Place(holder.key, ("status", "admission", "clusterQueue")),), touches=True)


def shared_hosts(state: State, queues: Iterable[ClusterQueue]) -> Iterator[Gap]:
    """Host names that several nodes of a flavor carry: which of them gives the leaf its place is left to chance."""
    flavors = {name for queue in queues for group in queue.groups for name in group.flavors}
    trees = [state.occupancy.landscape.tree(name) for name in sorted(flavors)]
    shared = (each for tree in trees if tree is not None and tree.shared for each in tree.nodes if len(each) > 1)
    places = tuple(node.key for nodes in shared for node in nodes)
    if not state.configuration.release.domains_apart:
        places += tuple(node.key for tree in trees if tree is not None for node in tree.namesakes)
    if places:
        yield Gap(SHARED_HOSTS, tuple(Place(key, ("metadata", "labels")) for key in places), touches=True)


def queue_gaps(state: State, queue: ClusterQueue) -> Iterable[Gap]:
    """What is not modelled of a queue."""
    if queue.concurrent_admission:
        touches = "ConcurrentAdmission" in state.configuration.unmodelled
        yield Gap("ConcurrentAdmission", (Place(queue.key, ("spec", "concurrentAdmissionPolicy")),), touches=touches)
    yield from _remote(state.kueue, (queue,))
    unknown = [
        c.name for c in queue.checks if c.name in state.kueue.checks and state.kueue.checks[c.name].active is None
    ]
    for name in unknown:
        yield Gap("AdmissionCheckStateUnknown", (Place(state.kueue.checks[name].key),), touches=False, subject=name)
