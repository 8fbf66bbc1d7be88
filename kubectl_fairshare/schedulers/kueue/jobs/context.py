"""What of a cluster shapes the workload that a job becomes."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from typing import Final, TypeAlias

from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.jobs.kinds.trainjob import RUNTIMES
from kubectl_fairshare.jobs.limits import LimitSummary, summarized
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.quantity_text import canonical
from kubectl_fairshare.model.selectors import LabelSelector, Requirement
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.kueue.jobs.grouping import group_name
from kubectl_fairshare.schedulers.kueue.jobs.requests import Resources
from kubectl_fairshare.schedulers.kueue.model.objects import Configuration, LocalQueue

NAMESPACE_NAME: Final = "kubernetes.io/metadata.name"
_SYSTEM_CLASSES: Final = {"system-cluster-critical": 2_000_000_000, "system-node-critical": 2_000_001_000}
_NOT_SYSTEM: Final = LabelSelector((Requirement(NAMESPACE_NAME, "NotIn", ("kube-system", "kueue-system")),))


@dataclass(frozen=True, slots=True)
class Context:
    """The surroundings of a job.

    ``default_created``, in nanoseconds since the epoch, is the creation of objects that do not tell
    theirs. ``overheads`` are amounts in 10⁻⁹ by RuntimeClass, ``overhead_texts`` the same as Kubernetes
    writes them. ``default_priority`` is the value of the PriorityClass that is the global default, None
    without one. ``default_queues`` are the namespaces with a running LocalQueue called ``default``. ``frameworks``
    None: nobody said which kinds Kueue manages, so all count. ``runtimes`` are those of TrainJobs; ``pod_groups``
    the pods, by namespace and name of their group.
    """

    configuration: Configuration = field(default_factory=Configuration)
    default_created: int = 0
    limit_ranges: Mapping[str, LimitSummary] = field(default_factory=dict)
    overheads: Mapping[str, Resources] = field(default_factory=dict)
    overhead_texts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    priority_classes: Mapping[str, int] = field(default_factory=lambda: dict(_SYSTEM_CLASSES))
    default_priority: int | None = None
    workload_priorities: Mapping[str, int] = field(default_factory=dict)
    namespace_labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    default_queues: frozenset[str] = frozenset()
    frameworks: frozenset[str] | None = None
    runtimes: Mapping[ObjectKey, Field] = field(default_factory=dict)
    pod_groups: Mapping[tuple[str, str], tuple[Field, ...]] = field(default_factory=dict)

    def manages_namespace(self, namespace: str) -> bool:
        """Whether Kueue manages jobs of the namespace; one that was not given has its name as only label."""
        selector = self.configuration.managed_namespaces or _NOT_SYSTEM
        return selector.matches({NAMESPACE_NAME: namespace, **self.namespace_labels.get(namespace, {})})


def context_of(
    manifests: Iterable[Manifest],
    configuration: Configuration,
    workload_priorities: Mapping[str, int],
    *,
    local_queues: Iterable[LocalQueue] = (),
    default_created: int = 0,
    configured: bool = True,
) -> Context:
    """The context that PriorityClasses, LimitRanges, RuntimeClasses and Namespaces among ``manifests`` give.

    Other kinds are passed over. ``configured`` False: the configuration is made of defaults, as none was
    given, so it does not tell which frameworks are on. Raises ``FairshareError`` with every field that
    could not be read.
    """
    found = _Found()
    problems: list[Problem] = []
    for manifest in sorted(manifests, key=lambda m: m.key):
        reader = _READERS.get((manifest.key.group, manifest.key.kind))
        if reader is not None:
            try:
                reader(found, root_of(manifest))
            except FairshareError as error:
                problems.extend(error.problems)
    limit_ranges = {n: _summary(ranges, problems) for n, ranges in found.limit_ranges.items()}
    if problems:
        raise FairshareError(*problems)
    return Context(
        configuration=configuration,
        default_created=default_created,
        limit_ranges=limit_ranges,
        overheads=found.overheads,
        overhead_texts=found.overhead_texts,
        priority_classes=_SYSTEM_CLASSES | found.priority_classes,
        default_priority=min(found.global_defaults, default=None),
        workload_priorities=dict(workload_priorities),
        namespace_labels=found.namespace_labels,
        default_queues=frozenset(q.namespace for q in local_queues if q.name == "default" and q.stop_policy == "None"),
        frameworks=frozenset(configuration.frameworks) if configured else None,
        runtimes=found.runtimes,
        pod_groups={name: tuple(pods) for name, pods in found.pod_groups.items()},
    )


def with_asked(context: Context, manifests: Iterable[Manifest]) -> Context:
    """The context with the runtimes and the pods of groups among what is asked about."""
    found = _Found(runtimes=dict(context.runtimes))
    asked = [root_of(manifest) for manifest in manifests]
    for root in asked:
        reader = _ALSO_ASKED.get((root.owner.group, root.owner.kind))
        if reader is not None:
            reader(found, root)
    new = {root.owner for root in asked}
    for name, pods in found.pod_groups.items():
        pods[:0] = [pod for pod in context.pod_groups.get(name, ()) if pod.owner not in new]
    groups = {**context.pod_groups, **{name: tuple(pods) for name, pods in found.pod_groups.items()}}
    return replace(context, runtimes=found.runtimes, pod_groups=groups)


@dataclass(slots=True)
class _Found:
    """What has been read so far; lives only while a context is made."""

    limit_ranges: dict[str, list[Field]] = field(default_factory=dict)
    overheads: dict[str, Resources] = field(default_factory=dict)
    overhead_texts: dict[str, dict[str, str]] = field(default_factory=dict)
    priority_classes: dict[str, int] = field(default_factory=dict)
    global_defaults: list[int] = field(default_factory=list)
    namespace_labels: dict[str, dict[str, str]] = field(default_factory=dict)
    runtimes: dict[ObjectKey, Field] = field(default_factory=dict)
    pod_groups: dict[tuple[str, str], list[Field]] = field(default_factory=dict)


def _limit_range(found: _Found, root: Field) -> None:
    found.limit_ranges.setdefault(root.owner.namespace, []).append(root)


def _summary(ranges: list[Field], problems: list[Problem]) -> LimitSummary:
    readable = []
    for limit_range in ranges:
        try:
            summarized((limit_range,))
        except FairshareError as error:
            problems.extend(error.problems)
        else:
            readable.append(limit_range)
    return summarized(readable)


def _runtime_class(found: _Found, root: Field) -> None:
    fixed = root.at("overhead", "podFixed")
    found.overheads[root.owner.name] = fixed.resources(native=True)
    found.overhead_texts[root.owner.name] = {name: canonical(value) for name, value in fixed.mapping().items()}


def _priority_class(found: _Found, root: Field) -> None:
    value = root.at("value").integer(0)
    found.priority_classes[root.owner.name] = value
    if root.at("globalDefault").flag():
        found.global_defaults.append(value)


def _namespace(found: _Found, root: Field) -> None:
    found.namespace_labels[root.owner.name] = root.at("metadata", "labels").texts()


def _runtime(found: _Found, root: Field) -> None:
    found.runtimes[root.owner] = root


def _pod(found: _Found, root: Field) -> None:
    name = group_name(root)
    if name:
        found.pod_groups.setdefault((root.owner.namespace, name), []).append(root)


_Reader: TypeAlias = Callable[[_Found, Field], None]
_ALSO_ASKED: Final[Mapping[tuple[str, str], _Reader]] = {("", "Pod"): _pod, **dict.fromkeys(RUNTIMES, _runtime)}
_READERS: Final[Mapping[tuple[str, str], _Reader]] = {
    **_ALSO_ASKED,
    ("", "LimitRange"): _limit_range,
    ("node.k8s.io", "RuntimeClass"): _runtime_class,
    ("scheduling.k8s.io", "PriorityClass"): _priority_class,
    ("", "Namespace"): _namespace,
}
