"""What an answer from a cluster cannot know, or should be taken with care for."""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_fairshare.input.cluster.lists import Listed
from kubectl_fairshare.input.cluster.resources import ELASTICQUOTA, KAI, QUEUES, SCHEDULING, Resource
from kubectl_fairshare.input.extent import CONFIGURATION, Unread
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP

_UNKNOWN: Final = {
    "AdmissionCheck": "which admission checks there are, and whether they work",
    "BindRequest": "which pods KAI is about to place",
    "ClusterQueue": "the quotas, limits and policies of queues",
    "Cohort": "parents, quotas and weights of cohorts",
    "Config": "KAI's label of node pools, and the name of its scheduler: its defaults are taken",
    CONFIGURATION: "whether preemption is fair or classical, and other settings of Kueue: its defaults are taken",
    "ElasticQuota": "the guarantees and bounds of namespaces",
    "Event": "what events say",
    "LimitRange": "which requests pods get by default",
    "LocalQueue": "which LocalQueues there are, and where they lead",
    "Namespace": "the labels of namespaces",
    "Node": "which nodes there are",
    "Pod": "which pods run and wait",
    "PodDisruptionBudget": "which pods a budget protects",
    "PodGroup": "which jobs of KAI there are, and in which queues",
    "PriorityClass": "the priorities that PriorityClasses give",
    "Queue": "quotas, limits and weights of KAI's queues",
    "ResourceFlavor": "labels and taints of flavors",
    "ResourceQuota": "what else bounds the pods of a namespace",
    "ResourceSlice": "the GPUs of nodes that are devices (DRA)",
    "RuntimeClass": "the overhead of pods",
    "SchedulingShard": "how KAI divides, with which k and minimal runtimes: its defaults are taken",
    "Topology": "the levels of topologies",
    "Workload": "who holds quota and who waits",
    "WorkloadPriorityClass": "the priorities that WorkloadPriorityClasses give",
}
_SHOWN: Final = 3
_CORE: Final = frozenset((*QUEUES, *(r for r in (*KAI, *ELASTICQUOTA) if r.group in SCHEDULING)))


def unknown(unread: Sequence[Unread], command: str) -> Iterator[Problem]:
    """A note for each kind that may not be read, and one for all kinds of jobs; the first tells what would help."""
    help: str | None = f"`kubectl fairshare rbac {command}` prints the role that permits it"
    for kind, namespace in (each for each in unread if each.kind in _UNKNOWN):
        what = _UNKNOWN[kind]
        if namespace:
            yield Problem(f"may be read in namespace `{namespace}` alone, so elsewhere is unknown: {what}", kind, help)
        else:
            yield Problem(f"may not be read, so unknown is: {what}", kind, help)
        help = None
    others = [each for each in unread if each.kind not in _UNKNOWN]
    for namespace in sorted({each.namespace for each in others}):
        kinds = ", ".join(each.kind for each in others if each.namespace == namespace)
        where = f"may be read in namespace `{namespace}` alone" if namespace else "may not be read"
        yield Problem(f"{where}, so it is not known of all workloads and pods whose they are", kinds, help)
        help = None


def not_served(resources: Sequence[Resource]) -> Iterator[Problem]:
    """A note for kinds of a scheduler's core that its API does not serve: another version, or a part of it."""
    for group in sorted({r.group for r in resources if r in _CORE}):
        names = ", ".join(r.name for r in resources if r in _CORE and r.group == group)
        message = f"not served in a version that is understood, so taken as none: {names}"
        yield Problem(message, None, f"see which there are: `kubectl api-resources --api-group={group}`")


def without_configuration(namespace: str) -> tuple[Problem, ...]:
    """A note where Kueue's Configuration is not where it was looked for."""
    message = f"namespace `{namespace}` has no ConfigMap with Kueue's Configuration, so its defaults are taken"
    return (Problem(message, None, "say where the manager runs with `--kueue-namespace`"),)


def without_queues() -> tuple[Problem, ...]:
    """A note where no scheduler has anything to decide on: its API is served, and that is all."""
    message = "the cluster holds no queue of KAI and no ElasticQuota, and Kueue is not installed"
    return (Problem(message, None, "create one, or ask another cluster with `--context`"),)


def changed_meanwhile(lists: Sequence[Listed]) -> Iterator[Problem]:
    """A note where objects changed after the first list was taken, so that lists may not be of one moment.

    Looks at Kueue's objects alone: they lie in one store, where versions count up.
    """
    own = [each for each in lists if each.resource.group == GROUP and each.resource_version.isdecimal()]
    first = min((int(each.resource_version) for each in own), default=0)
    changed = sorted(str(manifest.key) for each in own for manifest in each.manifests if _version(manifest) > first)
    if changed:
        more = f" and {len(changed) - _SHOWN} more" if len(changed) > _SHOWN else ""
        message = f"changed while the lists were read: {', '.join(changed[:_SHOWN])}{more}"
        yield Problem(message, None, "the answer may mix two moments; ask again if it looks odd")


def _version(manifest: Manifest) -> int:
    """The version of an object, which counts up; 0 where it is of another make."""
    text = str(manifest.data["metadata"].get("resourceVersion") or "")
    return int(text) if text.isdecimal() else 0
