"""The parts of a cluster that shape the workload of a job."""

from collections.abc import Iterable, Mapping
from typing import Final

from kubectl_fairshare.jobs.context import NAMESPACE_NAME, PodContext
from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.model.absence import Absence
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.selectors import LabelSelector, Requirement
from kubectl_fairshare.model.values import field, replace
from kubectl_fairshare.schedulers.kueue.jobs.grouping import group_name
from kubectl_fairshare.schedulers.kueue.jobs.kinds.runtimes import RUNTIMES
from kubectl_fairshare.schedulers.kueue.model.objects import Configuration, LocalQueue

DEVICE_CLASS: Final = ("resource.k8s.io", "DeviceClass")
CLAIM_TEMPLATE: Final = ("resource.k8s.io", "ResourceClaimTemplate")
_POD: Final = ("", "Pod")
_NOT_SYSTEM: Final = LabelSelector((Requirement(NAMESPACE_NAME, "NotIn", ("kube-system", "kueue-system")),))


class Context(PodContext, frozen=True):
    """The objects around a job, and Kueue's settings for jobs.

    ``default_created``, in nanoseconds since the epoch, is the creation of objects that do not have one.
    ``default_queues`` are the namespaces with a running LocalQueue ``default``. ``frameworks`` None: the kinds
    that Kueue manages are unknown, so all count. ``runtimes`` are those of TrainJobs; ``pod_groups`` the pods, by
    namespace and name of their group. ``extended_resources`` are those that a DeviceClass provides;
    ``claim_templates`` are the ResourceClaimTemplates, by which pods claim devices.
    ``complete``: an object that is not in the input does not exist; ``absent`` has objects that surely do not exist.
    """

    configuration: Configuration = field(default_factory=Configuration)
    default_created: int = 0
    workload_priorities: Mapping[str, int] = field(default_factory=dict)
    default_queues: frozenset[str] = frozenset()
    frameworks: frozenset[str] | None = None
    runtimes: Mapping[ObjectKey, Field] = field(default_factory=dict)
    pod_groups: Mapping[tuple[str, str], tuple[Field, ...]] = field(default_factory=dict)
    extended_resources: frozenset[str] = frozenset()
    claim_templates: Mapping[ObjectKey, Field] = field(default_factory=dict)
    complete: bool = True
    absent: Absence = Absence()

    def manages_namespace(self, namespace: str) -> bool:
        """Whether Kueue manages jobs of the namespace; if the input lacks it, its name is its only label."""
        selector = self.configuration.managed_namespaces or _NOT_SYSTEM
        return selector.matches({NAMESPACE_NAME: namespace, **self.namespace_labels.get(namespace, {})})


def kueue_context(
    pods: PodContext,
    configuration: Configuration,
    workload_priorities: Mapping[str, int],
    local_queues: Iterable[LocalQueue],
    default_created: int,
    *,
    configured: bool,
) -> Context:
    """The context of jobs from that of pods, still without runtimes and groups of pods."""
    return Context(
        **{name: getattr(pods, name) for name in PodContext.__struct_fields__},
        configuration=configuration,
        default_created=default_created,
        workload_priorities=dict(workload_priorities),
        default_queues=frozenset(q.namespace for q in local_queues if q.name == "default" and q.stop_policy == "None"),
        frameworks=frozenset(configuration.frameworks) if configured else None,
    )


def with_asked(context: Context, manifests: Iterable[Manifest]) -> Context:
    """The context with the runtimes and the pods of groups among the objects of the question."""
    runtimes = dict(context.runtimes)
    pod_groups: dict[tuple[str, str], list[Field]] = {}
    templates = dict(context.claim_templates)
    asked = list(manifests)
    extended = set(context.extended_resources)
    for manifest in asked:
        kind = (manifest.key.group, manifest.key.kind)
        if kind == DEVICE_CLASS and context.configuration.device_classes:
            extended.add(root_of(manifest).at("spec", "extendedResourceName").text())
        if kind == CLAIM_TEMPLATE:
            templates[manifest.key] = root_of(manifest)
        if kind in RUNTIMES:
            runtimes[manifest.key] = root_of(manifest)
        elif kind == _POD and (name := group_name(root_of(manifest))):
            pod_groups.setdefault((manifest.key.namespace, name), []).append(root_of(manifest))
    new = {manifest.key for manifest in asked} if pod_groups else frozenset()
    groups = dict(context.pod_groups)
    for group, pods in pod_groups.items():
        groups[group] = (*(pod for pod in groups.get(group, ()) if pod.owner not in new), *pods)
    provided = frozenset(extended - {""})
    return replace(
        context, runtimes=runtimes, pod_groups=groups, extended_resources=provided, claim_templates=templates
    )
