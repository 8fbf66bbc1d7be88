"""Features of a snapshot that the engine does not reproduce, and whether they can change an answer.

Tested in ``tests/unit/schedulers/koordinator/test_house.py``.
"""

from collections.abc import Collection, Iterator
from typing import Final

from kubectl_fairshare.answers.fidelity import SCHEDULING_GATES, Fidelity, Gap, elsewhere_gaps, unread_gaps
from kubectl_fairshare.answers.missing_objects import missing_gaps, missing_objects
from kubectl_fairshare.input.unknown_fields import unknown_gaps
from kubectl_fairshare.jobs.pod_surroundings import LIMIT_RANGE
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.model.names import PROFILE_KIND, QUOTA_NAME
from kubectl_fairshare.schedulers.koordinator.model.objects import DEFAULT_SCHEDULER, Pod, QuotaGroup
from kubectl_fairshare.schedulers.koordinator.preemption.default_preemption import nodes_of_default_preemption
from kubectl_fairshare.schedulers.koordinator.preemption.gate import QuotaGate
from kubectl_fairshare.schedulers.koordinator.preemption.scheduling import PodAttempt
from kubectl_fairshare.schedulers.koordinator.quotas.state import State
from kubectl_fairshare.schedulers.koordinator.reading.arguments import LOAD_AWARE
from kubectl_fairshare.schedulers.koordinator.reading.missing import named_quota
from kubectl_fairshare.schedulers.koordinator.reading.state import QUOTA, READ
from kubectl_fairshare.schedulers.koordinator.reading.unmodelled import (
    COLOCATION,
    DEVICE,
    KINDS,
    LOAD,
    NUMA,
    RESERVATION,
)
from kubectl_fairshare.schedulers.koordinator.release import NAME, SCHEDULER, VERSION, Rounding
from kubectl_fairshare.schedulers.other_schedulers import answers_for, other_scheduler_gap

DEFAULT_PREEMPTION: Final = "DefaultPreemption"
NO_MOMENT: Final = "NoMoment"
WORDS: Final = {
    "ColocationProfile": "what ClusterColocationProfiles change in new pods: labels, priority, scheduler or resources",
    DEFAULT_PREEMPTION: "DefaultPreemption, which runs after ElasticQuota and may evict lower priorities of any quota",
    "DeviceShare": "the devices that Koordinator gives to the pod: amounts of nodes alone are compared",
    "Devices": "the Devices of nodes, from which Koordinator takes the GPUs of pods",
    "DynamicResourceAllocation": "the devices of its resourceClaims",
    "FeatureGate": "feature gate {0} of the scheduler",
    "EvictedInVain": "pods that are evicted for one that the quotas still reject: here, they stay",
    "EqualVictims": "which of equally important pods are evicted: here, the first by name stay",
    "GangScheduling": "its gang, whose pods are placed together",
    "HookPlugins": "the hook plugins {0} of ElasticQuotaArgs, which may reject pods",
    "HostPorts": "whether its host ports are free",
    "InputWaits": "pods of the input that wait: here, they stay without a node",
    "InterPodAffinity": "its affinity to other pods",
    "LimitRange": "the LimitRanges of its namespace: they reject the pod, so that it is not created",
    "ListedTwice": "several quotas list namespace {0}, and which of them takes its pods is undefined",
    "LostNodes": "the outcome of jobs on a node that a change takes away: here, they run on",
    "NodeScores": "which of several nodes that have room a pod gets: here, the first by name",
    NO_MOMENT: "whether pods that are being deleted still count: the input knows no moment after their deletion",
    "NodeLoad": "the load of nodes: the filter LoadAwareScheduling compares it with thresholds",
    "NodeNUMAResource": "the CPUs and NUMA nodes that Koordinator gives to the pod",
    "NumaNode": "the NUMA policies of nodes: amounts of whole nodes alone are compared",
    "NodeDeleting": "nodes that are being deleted: a scheduler that runs counts them until they are gone",
    "NoNodes": "the input has no nodes (see `--nodes`), so runtime quotas and placement are not known",
    "ParentRefusesPods": "the webhook, which rejects new pods of quota {0} because the quota is a parent",
    "PluginPresumed": "whether scheduler {0} runs the plugin ElasticQuota: the input has another scheduler, too",
    "PodAntiAffinity": "pods that keep other pods off their nodes (podAntiAffinity)",
    "PodDeleting": "it is being deleted, and the scheduler does not place such a pod",
    "PodTopologySpread": "its topologySpreadConstraints",
    "PodWebhook": "the webhook, which may reject new pods for their {0}",
    "ManyPodsAhead": "who of the many pods ahead of it gets in first: it is answered as if it were first",
    "PodsAhead": "whether pods ahead of it get in: their own answers are not exact",
    "ProfileAltered": "plugins that the profile of scheduler {0} adds to the usual ones or disables",
    "ProfileWithoutPlugin": "scheduler {0} has no profile with the plugin ElasticQuota",
    "QuotaAdmission": "the webhook, which may reject new pods of quota {0} (gate EnableQuotaAdmission)",
    "QuotaDeleting": "quotas that are being deleted: a scheduler that runs counts them until they are gone",
    "QuotaTwice": "several ElasticQuotas are called {0}, and which of them counts is undefined",
    "QueueOrder": "in which order waiting pods of one priority are tried: here, the oldest first",
    "ReleaseNotMeasured": "what Koordinator {0} decides differently: this release was not measured",
    "ReplacedResources": "resources that an annotation replaces: pod.koordinator.sh/replace-resources",
    "Reservation": "the reservations that it may use",
    "Reservations": "Reservations, which hold resources of nodes and quotas",
    "RuntimeClassScheduling": "the nodes that its RuntimeClass allows",
    "SchedulerNameLabel": "the scheduler that its label scheduling.koordinator.sh/scheduler-name names",
    "Revoking": "which pods of quotas that use more than their runtime are evicted, and when (monitorAllQuotas)",
    "SchedulerPluginsQuota": "ElasticQuotas of scheduling.x-k8s.io, which decide for pods of scheduler-plugins only",
    SCHEDULING_GATES: "its schedulingGates: the scheduler ignores it until they are removed",
    "SchedulingHint": "the nodes that a scheduling hint names",
    "SeveralArguments": "several profiles have different ElasticQuotaArgs",
    "TreeProfile": "the node selector that ElasticQuotaProfile {0} gives to new pods of its tree",
    "TwoRoots": "tree {0} has several roots, and which of their totals counts is undefined",
    "VictimsLeave": "when the victims of pods ahead of it are gone, and which pods their jobs create: here, none",
    "Volumes": "the nodes that its volumes allow",
}
"""The features that are not modelled, in clauses; {0} is the subject."""
EQUAL_VICTIMS: Final = (Gap("EqualVictims", (), touches=True),)
"""Figures that rest on a choice among equal pods."""
INPUT_WAITS: Final = (Gap("InputWaits", (), touches=True),)
"""The outcome of pods that arrive while others wait that are not tried."""
IN_VAIN: Final = (Gap("EvictedInVain", (), touches=True),)
"""Evictions after which the quotas still reject the pod, again and again."""
_FIGURES: Final = frozenset(kind for _, kind in READ - KINDS) | {RESERVATION[1]}
"""The kinds that the figures rest on. The other ones matter where a pod is placed."""
_PLUGINS: Final = {
    "DeviceShare": "DeviceShare",
    "Devices": "DeviceShare",
    "NodeNUMAResource": "NodeNUMAResource",
    "Reservation": "Reservation",
}
"""The plugins that decide on a requirement of a pod."""
_ANYWHERE: Final = (LIMIT_RANGE, "SchedulerNameLabel")
"""Requirements that decide more than the node."""
_OF_FIGURES: Final = ("NodeDeleting", "QuotaDeleting", "ReplacedResources", "Reservations")
_UNTRIED: Final = (Law.NO_VICTIMS, Law.DOES_NOT_FIT)


def version(state: State) -> str:
    """The reproduced release."""
    return VERSION if state.source.rounding is Rounding.EACH else f"{state.source.rounding} (main of 2026-05)"


def state_gaps(state: State, *, figures: bool = False) -> Fidelity:
    """The gaps that can change the state. ``figures``: only those of quotas, which depend on no priority."""
    needed = state.source.arguments.uses_runtime and not state.source.nodes
    gaps = [*_of_state(state, figures=figures), *unknown_gaps(state.source.unknown)]
    gaps += [Gap("NoNodes", (), touches=True)] if needed else []
    return Fidelity(SCHEDULER, version(state), tuple(gaps), WORDS).under(state.source.standing)


def plan_gaps(state: State, attempt: PodAttempt, *, admitted: bool, settled: bool) -> Fidelity:
    """The gaps of a pod. ``admitted``: it gets a node. ``settled``: no node could change the answer."""
    pod, gate = attempt.pod, attempt.gate
    placing = admitted or _filters_decide(attempt)
    gaps = [
        gap
        for gap in _of_state(state, figures=False)
        if gap.feature != "QuotaTwice" or _concerns(state, gate, gap.subject)
    ]
    where = (Place(pod.key),)
    gaps += unknown_gaps(place for place in state.source.unknown if _counts(state, gate, place.object))
    gaps += _of_pod(state, pod, placing=placing)
    gaps += () if pod.created else _of_creation(state, pod, gate)
    if pod.gated:
        gaps.append(Gap(SCHEDULING_GATES, where, touches=placing or not settled))
    if pod.terminating:
        gaps.append(Gap("PodDeleting", where, touches=placing))
    gaps += _of_nodes(state, pod, placing=placing)
    if state.source.arguments.hooks:
        hooks = ", ".join(state.source.arguments.hooks)
        places = tuple(p for p in (state.source.arguments.place,) if p is not None)
        gaps.append(Gap("HookPlugins", places, touches=admitted, subject=hooks))
    if next(nodes_of_default_preemption(state, attempt), None) is not None:
        gaps.append(Gap(DEFAULT_PREEMPTION, where, touches=True))
    gaps += _of_profile(state, pod)
    gaps += _of_tree_profiles(state, gate, placing=placing)
    if not state.nodes:
        gaps.append(Gap("NoNodes", (), touches=not settled))
    return Fidelity(SCHEDULER, version(state), tuple(gaps), WORDS).under(state.source.standing)


def _filters_decide(attempt: PodAttempt) -> bool:
    """Whether a further filter could change the end of a pod that is not admitted.

    It can where victims were tried: one that makes a pod leave, or that rejects the node, changes them; and where the
    pod waits for its nominated node, which such a filter may take from it.
    """
    tried = any(each.rejected not in _UNTRIED for each in attempt.trials.values())
    return tried or (attempt.eligible is Law.VICTIMS_LEAVING and attempt.gate.admits)


def _idles(state: State, pod: Pod, plugin: str) -> bool:
    """Whether one of Koordinator's filters does not run for the pod. Without a configuration the usual ones run."""
    return plugin in state.source.idle_filters.get(pod.scheduler, ())


def _of_pod(state: State, pod: Pod, *, placing: bool) -> Iterator[Gap]:
    """The requirements of the pod that no filter here reproduces."""
    marks = state.source.unmodelled
    for feature in pod.unmodelled:
        if feature in _PLUGINS and _idles(state, pod, _PLUGINS[feature]):
            continue
        if feature != "Devices":
            yield Gap(feature, (Place(pod.key),), touches=placing or feature in _ANYWHERE)
        elif feature in marks or DEVICE[1] in state.source.unread:
            yield Gap(feature, marks.get(feature, ()), touches=placing)


def _of_creation(state: State, pod: Pod, gate: QuotaGate) -> Iterator[Gap]:
    """What Koordinator's webhooks do to a pod that no API server has yet, and the quota that it alone names."""
    source = state.source
    yield from missing_gaps(missing_objects(source.absent, named_quota(source, pod)))
    if "ColocationProfile" in source.unmodelled:
        yield Gap("ColocationProfile", source.unmodelled["ColocationProfile"], touches=True)
    yield from unread_gaps(source.unread, [COLOCATION[1]])
    quota = state.quotas.get(gate.quota)
    if quota is None or gate.member.law in (Law.BY_DEFAULT, Law.UNKNOWN_NAME) or not source.gates.validates_pods:
        return
    if quota.is_parent and not source.gates.parents_take_pods:
        yield Gap("ParentRefusesPods", (Place(quota.key),), touches=True, subject=quota.name)
    if source.gates.admits_by_quota:
        yield Gap("QuotaAdmission", (Place(quota.key),), touches=True, subject=quota.name)


def _of_nodes(state: State, pod: Pod, *, placing: bool) -> Iterator[Gap]:
    """What other plugins decide on nodes: their load, their NUMA nodes, pods that keep others off."""
    source, marks = state.source, state.source.unmodelled
    repelling = [Place(p.key) for p in state.repelling if (p.node or p.nominated) in state.nodes]
    if repelling:
        yield Gap("PodAntiAffinity", tuple(repelling[:1]), touches=placing)
    aligned = (*marks.get("NumaNode", ()), *marks.get("NumaTopology", ()))
    if not _idles(state, pod, "NodeNUMAResource") and any(pod.request.values()):
        yield from [Gap("NumaNode", aligned, touches=placing)] if aligned else ()
        yield from _unread([NUMA[1]], source.unread, touches=placing)
    if _load_decides(state, pod):
        yield from [Gap("NodeLoad", marks["NodeLoad"], touches=placing)] if "NodeLoad" in marks else ()
        yield from _unread([LOAD[1]], source.unread, touches=placing)


def _unread(kinds: Collection[str], unread: Collection[str], *, touches: bool) -> Iterator[Gap]:
    """A gap for each of the kinds that could not be read, which matters where ``touches``."""
    return (replace(gap, touches=touches) for gap in unread_gaps(unread, kinds))


def _load_decides(state: State, pod: Pod) -> bool:
    """Whether the filter of load has thresholds: in its arguments, on nodes, or as in the chart.

    Source: the chart ``koordinator`` 1.8.0, whose ``koord-scheduler-config`` has 65 % of cpu and 95 % of memory.
    """
    if "UsageThresholds" in state.source.unmodelled or state.source.profiles is None:
        return True
    return not _idles(state, pod, LOAD_AWARE)


def _concerns(state: State, gate: QuotaGate, name: str) -> bool:
    """Whether a quota takes part in what decides about the pod: it is in the same tree."""
    return not gate.quota or state.tree_of.get(name) == state.tree_of[gate.quota]


def _counts(state: State, gate: QuotaGate, key: ObjectKey) -> bool:
    """Whether an object takes part in what decides about the pod."""
    if key[:2] == QUOTA:
        return _concerns(state, gate, key.name)
    return key.kind != PROFILE_KIND or state.source.gates.multi_tree


def is_refused_by_spec(state: State, gate: QuotaGate) -> bool:
    """Whether a quota's min or max alone rejects the pod, whatever nodes there are."""
    refusal = gate.refusal
    if refusal is None:
        return False
    return refusal.law in (Law.OVER_MIN, Law.PARENT_UNKNOWN) or not state.source.arguments.uses_runtime


def _of_profile(state: State, pod: Pod) -> Iterator[Gap]:
    """Whether the pod's scheduler runs the plugin, and no other plugin that decides."""
    profiles, where = state.source.profiles, (Place(pod.key),)
    if not answers_for(state.source.profiles, pod.scheduler, NAME):
        yield other_scheduler_gap(pod.scheduler, where, touches=True)
    elif profiles is None and pod.scheduler != DEFAULT_SCHEDULER:
        shared = bool(state.source.foreign) and QUOTA_NAME not in pod.labels
        if shared or _is_odd(state, pod):
            yield Gap("PluginPresumed", where, touches=True, subject=pod.scheduler)
    elif profiles is not None and pod.scheduler not in profiles:
        yield Gap("ProfileWithoutPlugin", where, touches=True, subject=pod.scheduler)
    elif pod.scheduler in state.source.altered:
        yield Gap("ProfileAltered", (state.source.altered[pod.scheduler],), touches=True, subject=pod.scheduler)


def _is_odd(state: State, pod: Pod) -> bool:
    """Whether another scheduler has Koordinator's usual name, or only other ones placed pods."""
    if any(other.scheduler == DEFAULT_SCHEDULER for other in state.source.pods):
        return True
    placing = {other.scheduler for other in state.source.pods if other.node}
    return bool(placing) and pod.scheduler not in placing


def _of_tree_profiles(state: State, gate: QuotaGate, *, placing: bool) -> Iterator[Gap]:
    """The profile of the pod's tree: the webhook adds its node selector to new pods."""
    if not gate.quota or not state.source.gates.multi_tree:
        return
    tree = state.quotas[gate.quota].tree
    for profile in state.source.tree_profiles:
        if tree and profile.tree == tree:
            yield Gap("TreeProfile", (Place(profile.key),), touches=placing, subject=profile.key.name)


def _of_state(state: State, *, figures: bool) -> Iterator[Gap]:
    source = state.source
    yield from elsewhere_gaps(source.elsewhere)
    yield from (Gap("FeatureGate", (place,), touches=True, subject=name) for name, place in source.odd_gates.items())
    yield from missing_gaps(source.missing, figures=figures)
    for name, doubles in source.doubles.items():
        counted = source.quotas[name]
        places = tuple(Place(quota.key) for quota in (counted, *doubles))
        yield Gap("QuotaTwice", places, touches=any(not _alike(counted, quota) for quota in doubles), subject=name)
    yield from _of_listed(state)
    yield from _of_roots(state)
    if source.several_arguments is not None:
        yield Gap("SeveralArguments", (source.several_arguments,), touches=True)
    if source.gates.ignores_ended and not source.gates.ignores_leaving and source.moment is None:
        leaving = next((pod for pod in source.pods if pod.terminating), None)
        if leaving is not None:
            yield Gap(NO_MOMENT, (Place(leaving.key),), touches=True)
    if source.odd_release:
        yield Gap("ReleaseNotMeasured", (), touches=True, subject=source.odd_release)
    yield from unread_gaps(source.unread, _FIGURES)
    for feature in _OF_FIGURES:
        if feature in source.unmodelled:
            yield Gap(feature, source.unmodelled[feature], touches=True)
    if source.foreign:
        yield Gap("SchedulerPluginsQuota", source.foreign, touches=False)


def _of_listed(state: State) -> Iterator[Gap]:
    """Namespaces that several quotas list, and that have pods whose quota depends on it."""
    for namespace, listing in state.members.listed.items():
        if len(listing) < 2 or namespace in state.members.own:
            continue
        using = [p for p in state.source.pods if p.namespace == namespace and state.quota_of[p.key].law is Law.LISTED]
        places = tuple(Place(state.quotas[name].key) for name in listing if name in state.quotas)
        yield Gap("ListedTwice", places, touches=bool(using), subject=namespace)


def _of_roots(state: State) -> Iterator[Gap]:
    """Trees with several roots that have different totals."""
    if not state.source.gates.multi_tree:
        return
    roots: dict[str, list[QuotaGroup]] = {}
    for quota in state.source.quotas.values():
        if quota.is_root and quota.tree and quota.total is not None:
            roots.setdefault(quota.tree, []).append(quota)
    for tree, each in sorted(roots.items()):
        if any(quota.total != each[0].total for quota in each):
            yield Gap("TwoRoots", tuple(Place(quota.key) for quota in each), touches=True, subject=tree)


def _alike(a: QuotaGroup, b: QuotaGroup) -> bool:
    names = ("parent", "is_parent", "lends", "tree", "is_root", "min", "max", "weight", "total")
    return all(getattr(a, name) == getattr(b, name) for name in names)
