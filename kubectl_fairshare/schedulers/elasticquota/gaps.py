"""Features of a snapshot that the engine does not reproduce, and whether they can change an answer."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.answers.fidelity import SCHEDULING_GATES, Fidelity, Gap, elsewhere_gaps, unread_gaps
from kubectl_fairshare.answers.missing_objects import missing_gaps
from kubectl_fairshare.input.unknown_fields import unknown_gaps
from kubectl_fairshare.jobs.pod_surroundings import LIMIT_RANGE
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.elasticquota.jobs.pods import POD_GROUP
from kubectl_fairshare.schedulers.elasticquota.model.kinds import READ
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuota, Pod
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.elasticquota.release import NAME, SCHEDULER, VERSION
from kubectl_fairshare.schedulers.other_schedulers import answers_for, other_scheduler_gap

WORDS: Final = {
    "DynamicResourceAllocation": "the devices of its resourceClaims",
    "EqualPods": "in which order equally important pods are considered: here, the order of their names",
    "FeatureGate": "feature gate {0} of the scheduler",
    "GangScheduling": "its scheduling group, whose pods are placed together",
    "HostPorts": "whether its host ports are free",
    "InputWaits": "pods of the input that wait: here, they stay without a node",
    "InterPodAffinity": "its affinity to other pods",
    "KoordinatorQuota": "ElasticQuotas of scheduling.sigs.k8s.io, which belong to Koordinator",
    "LimitRange": "the LimitRanges of its namespace: they reject the pod, so that it is not created",
    "LostNodes": "the outcome of jobs on a node that a change takes away: here, they run on",
    "NoNodes": "quotas alone decide this answer: the input has no nodes (see `--nodes`), so placement is not decided",
    "NodeScores": "which of several nodes that have room a pod gets: here, the first by name",
    "KoordinatorScheduler": "scheduler {0} is Koordinator's by its name, whose quotas the input has, too",
    "PluginPresumed": "scheduler {0} is assumed to run CapacityScheduling, but it placed no pod of a quota",
    "PodAntiAffinity": "pods that keep other pods off their nodes (podAntiAffinity)",
    "PodDeleting": "it is being deleted, and the scheduler does not place such a pod",
    "PodGroup": "its PodGroup, whose pods are placed together where the scheduler runs Coscheduling",
    "PodTopologySpread": "its topologySpreadConstraints",
    "ManyPodsAhead": "who of the many pods ahead of it gets in first: it is answered as if it were first",
    "PodsAhead": "whether pods ahead of it get in: their own answers are not exact",
    "ProfileAltered": "plugins that the profile of scheduler {0} adds to the default ones or disables",
    "ProfileWithoutPlugin": "scheduler {0} has no profile with CapacityScheduling",
    "QueueOrder": "in which order waiting pods of one priority are tried: here, the oldest first",
    "ReleaseNotMeasured": "what scheduler-plugins {0} decides differently: this release was not measured",
    "RuntimeClassScheduling": "the nodes that its RuntimeClass allows",
    SCHEDULING_GATES: "its schedulingGates: the scheduler ignores it until they are removed",
    "SeveralQuotas": "namespace {0} has several ElasticQuotas, and which of them counts is undefined",
    "VictimsLeave": "when the victims of pods ahead of it are gone, and which pods their jobs create: here, none",
    "Volumes": "the nodes that its volumes allow",
}
"""The features that are not modelled, in clauses; {0} is the subject."""
EQUAL_PODS: Final = (Gap("EqualPods", (), touches=True),)
"""Figures that rest on the order of equal pods."""
INPUT_WAITS: Final = (Gap("InputWaits", (), touches=True),)
"""The outcome of pods that arrive while others wait that are not tried."""
_KOORDINATOR: Final = "koord-scheduler"
"""The scheduler of Koordinator's chart. The input has quotas of both, and no configuration says which one runs what."""
_READ: Final = frozenset(kind for _, kind in READ)


def version(state: State) -> str:
    """The reproduced versions of the plugin and of Kubernetes."""
    return f"{VERSION} (Kubernetes {state.source.semantics})"


def state_gaps(state: State, *, figures: bool = False) -> Fidelity:
    """The gaps that can change the state. ``figures``: only those of quotas, which depend on no priority."""
    gaps = (*_of_state(state, figures=figures), *unknown_gaps(state.source.unknown))
    return Fidelity(SCHEDULER, version(state), gaps, WORDS).under(state.source.standing)


def plan_gaps(state: State, pod: Pod, *, admitted: bool, settled: bool) -> Fidelity:
    """The gaps of a pod. ``admitted``: filters of nodes decide. ``settled``: no node could change the answer."""
    gaps = [*_of_state(state, figures=False), *unknown_gaps(_unknown_for(state, pod))]
    where = (Place(pod.key),)
    known = {POD_GROUP} if state.source.profiles is not None else set()  # a profile with Coscheduling is altered
    own = (feature for feature in pod.unmodelled if feature not in known)
    gaps += [Gap(feature, where, touches=admitted or feature == LIMIT_RANGE) for feature in own]
    if pod.gated:
        gaps.append(Gap(SCHEDULING_GATES, where, touches=not settled))
    if pod.terminating:
        gaps.append(Gap("PodDeleting", where, touches=admitted))
    repelling = [Place(p.key) for p in state.source.pods if p.repelling and (p.node or p.nominated) in state.nodes]
    if repelling:
        gaps.append(Gap("PodAntiAffinity", tuple(repelling[:1]), touches=admitted))
    gaps += _of_profile(state, pod)
    if not state.nodes:
        gaps.append(Gap("NoNodes", (), touches=not settled))
    return Fidelity(SCHEDULER, version(state), tuple(gaps), WORDS).under(state.source.standing)


def _unknown_for(state: State, pod: Pod) -> Iterator[Place]:
    """What is unknown and counts for a pod: others that wait without a node hold nothing."""
    waiting = {other.key for other in state.source.pods if not (other.node or other.nominated)} - {pod.key}
    return (place for place in state.source.unknown if place.object not in waiting)


def _of_profile(state: State, pod: Pod) -> Iterator[Gap]:
    """Whether the pod's scheduler runs the plugin, and no other plugin that decides."""
    profiles, where = state.source.profiles, (Place(pod.key),)
    if profiles is None and state.source.foreign and pod.scheduler == _KOORDINATOR:
        yield Gap("KoordinatorScheduler", where, touches=True, subject=pod.scheduler)
    elif not answers_for(state.source.profiles, pod.scheduler, NAME):
        yield other_scheduler_gap(pod.scheduler, where, touches=True)
    elif profiles is None:
        if _is_odd(state, pod):
            yield Gap("PluginPresumed", where, touches=True, subject=pod.scheduler)
    elif pod.scheduler not in profiles:
        yield Gap("ProfileWithoutPlugin", where, touches=True, subject=pod.scheduler)
    elif pod.scheduler in state.source.altered:
        yield Gap("ProfileAltered", (state.source.altered[pod.scheduler],), touches=True, subject=pod.scheduler)


def _is_odd(state: State, pod: Pod) -> bool:
    """Whether the pod's scheduler places no pod of a quota, while another scheduler does."""
    placing = {p.scheduler for p in state.source.pods if p.node and state.ledger.has(p.namespace)}
    return bool(placing) and pod.scheduler not in placing


def _of_state(state: State, *, figures: bool) -> Iterator[Gap]:
    """Namespaces with several quotas: the order in which the scheduler saw them decides which one counts."""
    for namespace, others in state.source.others.items():
        first = state.source.quotas[namespace]
        places = (Place(first.key), *(Place(q.key) for q in others))
        yield Gap("SeveralQuotas", places, touches=any(not _alike(first, q) for q in others), subject=namespace)
    yield from unread_gaps(state.source.unread, _READ)
    yield from elsewhere_gaps(state.source.elsewhere)
    yield from missing_gaps(state.source.missing, figures=figures)
    for name, place in state.source.odd_gates.items():
        yield Gap("FeatureGate", (place,), touches=True, subject=name)
    if state.source.odd_release:
        yield Gap("ReleaseNotMeasured", (), touches=True, subject=state.source.odd_release)
    if state.source.foreign:
        yield Gap("KoordinatorQuota", state.source.foreign, touches=False)


def _alike(a: ElasticQuota, b: ElasticQuota) -> bool:
    return a.min == b.min and a.max == b.max
