"""The objects of a cluster that complete any job's pods: namespaces, limit ranges, priority and runtime classes."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.jobs.limits import LimitSummary, chance_defaults, summarized
from kubectl_fairshare.model.absence import Absence
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.quantity_text import canonical
from kubectl_fairshare.model.values import Value, field

NAMESPACE_NAME: Final = "kubernetes.io/metadata.name"
SYSTEM_CLASSES: Final = {"system-cluster-critical": 2_000_000_000, "system-node-critical": 2_000_001_000}


class PodContext(Value, frozen=True):
    """The objects that complete pods.

    ``overheads`` are amounts in 10⁻⁹ by RuntimeClass, ``overhead_texts`` the same as Kubernetes writes them.
    ``default_priority`` is the value of the PriorityClass that is the global default, None without one.
    ``namespace_labels`` are the labels of each namespace; ``chance_defaults`` are the defaults of each namespace
    that LimitRanges set differently. ``absent`` are objects that certainly do not exist; None: all that it lacks.
    """

    limit_ranges: Mapping[str, LimitSummary] = field(default_factory=dict)
    overheads: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    overhead_texts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    priority_classes: Mapping[str, int] = field(default_factory=lambda: dict(SYSTEM_CLASSES))
    default_priority: int | None = None
    namespace_labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    chance_defaults: Mapping[str, Mapping[tuple[str, str, str], int]] = field(default_factory=dict)
    absent: Absence | None = None

    def may_exist(self, key: ObjectKey) -> bool:
        """Whether an object that the input lacks may exist."""
        return self.absent is not None and key not in self.absent

    def submitted_priority(self, named: str, own: int) -> int:
        """The priority of new pods whose class is ``named``, if it has one, and that had ``own`` elsewhere.

        As admission sets it: that of the class here, or their own where it is not here, or that of the global default.
        """
        found = self.priority_classes.get(named, own)
        return found if named or found else self.default_priority or 0


def pod_context(manifests: Iterable[Manifest], problems: list[Problem], absent: Absence | None = None) -> PodContext:
    """The context from ``manifests``, sorted by key. An unreadable one is added to ``problems`` and left out.

    Other kinds are ignored.
    """
    found = _Found()
    for manifest in manifests:
        reader = _READERS.get(manifest.key[:2])
        if reader is not None:
            try:
                reader(found, root_of(manifest))
            except FairshareError as error:
                problems.extend(error.problems)
    return PodContext(
        {namespace: summarized(ranges) for namespace, ranges in found.limit_ranges.items()},
        found.overheads,
        found.overhead_texts,
        SYSTEM_CLASSES | found.priority_classes,
        min(found.global_defaults, default=None),
        found.namespace_labels,
        {namespace: chance_defaults(ranges) for namespace, ranges in found.limit_ranges.items() if len(ranges) > 1},
        absent,
    )


class _Found(Value):
    """What has been read so far, while a context is built."""

    limit_ranges: dict[str, list[Field]] = field(default_factory=dict)
    overheads: dict[str, dict[str, int]] = field(default_factory=dict)
    overhead_texts: dict[str, dict[str, str]] = field(default_factory=dict)
    priority_classes: dict[str, int] = field(default_factory=dict)
    global_defaults: list[int] = field(default_factory=list)
    namespace_labels: dict[str, dict[str, str]] = field(default_factory=dict)


def _limit_range(found: _Found, root: Field) -> None:
    summarized((root,))  # an unreadable one is left out
    found.limit_ranges.setdefault(root.owner.namespace, []).append(root)


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
    """The labels of a Namespace. Its name is one of them, because every API server adds it.

    Source: Kubernetes 1.35, the strategy of Namespaces (``Canonicalize``).
    """
    name = root.owner.name
    found.namespace_labels[name] = {**root.at("metadata", "labels").texts(), NAMESPACE_NAME: name}


_READERS: Final[Mapping[tuple[str, str], Callable[[_Found, Field], None]]] = {
    ("", "LimitRange"): _limit_range,
    ("node.k8s.io", "RuntimeClass"): _runtime_class,
    ("scheduling.k8s.io", "PriorityClass"): _priority_class,
    ("", "Namespace"): _namespace,
}
RESOURCE_QUOTA: Final = ("", "ResourceQuota")
KINDS: Final = frozenset(_READERS) | {RESOURCE_QUOTA}
"""The kinds that complete or reject the pods of any scheduler, by API group and kind."""
