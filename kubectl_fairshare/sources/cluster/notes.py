"""What an answer from a cluster cannot know, or should be taken with care for."""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.kueue import GROUP
from kubectl_fairshare.sources.cluster.lists import Listed
from kubectl_fairshare.sources.cluster.resources import QUEUES, Resource
from kubectl_fairshare.sources.extent import CONFIGURATION, Unread

_UNKNOWN: Final = {
    "AdmissionCheck": "which admission checks there are, and whether they work",
    "ClusterQueue": "the quotas, limits and policies of queues",
    "Cohort": "parents, quotas and weights of cohorts",
    CONFIGURATION: "whether preemption is fair or classical, and other settings of Kueue: its defaults are taken",
    "Event": "what events say",
    "LimitRange": "which requests pods get by default",
    "LocalQueue": "which LocalQueues there are, and where they lead",
    "Namespace": "the labels of namespaces",
    "Node": "which nodes there are",
    "PriorityClass": "the priorities that PriorityClasses give",
    "ResourceFlavor": "labels and taints of flavors",
    "RuntimeClass": "the overhead of pods",
    "Topology": "the levels of topologies",
    "Workload": "who holds quota and who waits",
    "WorkloadPriorityClass": "the priorities that WorkloadPriorityClasses give",
}
_SHOWN: Final = 3


def unknown(unread: Sequence[Unread], command: str) -> Iterator[Problem]:
    """A note for each kind that may not be read; the first tells what would help."""
    help: str | None = f"`kubectl fairshare rbac {command}` prints the role that permits it"
    for kind, namespace in unread:
        what = _UNKNOWN.get(kind, f"{kind} objects")
        if namespace:
            yield Problem(f"may be read in namespace `{namespace}` alone, so elsewhere is unknown: {what}", kind, help)
        else:
            yield Problem(f"may not be read, so unknown is: {what}", kind, help)
        help = None


def not_served(resources: Sequence[Resource]) -> Iterator[Problem]:
    """A note for kinds of Kueue's core that its API does not serve: another version, or a part of it."""
    names = [r.name for r in resources if r in QUEUES]
    if names:
        message = f"not served in a version that is understood, so taken as none: {', '.join(names)}"
        yield Problem(message, None, "see which there are: `kubectl api-resources --api-group=kueue.x-k8s.io`")


def without_configuration(namespace: str) -> tuple[Problem, ...]:
    """A note where Kueue's Configuration is not where it was looked for."""
    message = f"namespace `{namespace}` has no ConfigMap with Kueue's Configuration, so its defaults are taken"
    return (Problem(message, None, "say where the manager runs with `--kueue-namespace`"),)


def changed_meanwhile(lists: Sequence[Listed]) -> Iterator[Problem]:
    """A note where objects changed after the first list was taken, so that lists may not be of one moment.

    Looks at Kueue's objects alone: they lie in one store, where versions count up.
    """
    own = [each for each in lists if each.resource.group == GROUP and each.resource_version.isdigit()]
    first = min((int(each.resource_version) for each in own), default=0)
    changed = sorted(
        str(manifest.key)
        for each in own
        for manifest in each.manifests
        if int(manifest.data["metadata"].get("resourceVersion") or 0) > first
    )
    if changed:
        more = f" and {len(changed) - _SHOWN} more" if len(changed) > _SHOWN else ""
        message = f"changed while the lists were read: {', '.join(changed[:_SHOWN])}{more}"
        yield Problem(message, None, "the answer may mix two moments; ask again if it looks odd")
