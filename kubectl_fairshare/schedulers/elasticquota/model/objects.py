"""What CapacityScheduling of scheduler-plugins decides on: quotas, nodes, pods, disruption budgets.

Source: ``scheduling.x-k8s.io/v1alpha1`` and the core objects that the scheduler reads beside it.
"""

from collections.abc import Mapping
from dataclasses import field
from typing import Final

from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.selectors import LabelSelector, NodeTerm, Requirement, Taint, Toleration
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.elasticquota.model.scaled import LARGEST
from kubectl_fairshare.schedulers.elasticquota.model.semantics import Semantics
from kubectl_fairshare.schedulers.elasticquota.model.vector import FIXED, UNBOUNDED, ZERO, Vector

GROUP: Final = "scheduling.x-k8s.io"
KIND: Final = "ElasticQuota"
KOORDINATOR_GROUP: Final = "scheduling.sigs.k8s.io"
DEFAULT_SCHEDULER: Final = "default-scheduler"
CONFIGURATION: Final = ("kubescheduler.config.k8s.io", "KubeSchedulerConfiguration")
READ: Final = frozenset(
    {
        (GROUP, KIND),
        CONFIGURATION,
        ("policy", "PodDisruptionBudget"),
        *(("", kind) for kind in ("Pod", "Node", "ResourceQuota")),
    }
)
"""The kinds that answers about ElasticQuotas rest on, beside those that shape every pod."""


@dataclass(frozen=True, slots=True)
class ElasticQuota:
    """The quota of one namespace.

    ``min`` and ``max`` are the amounts that the scheduler makes of the lists as written, ``None`` for one that
    is absent (an empty one is not). ``written`` are the lists themselves, ``status_used`` is what the controller
    wrote; the scheduler never reads that.
    """

    key: ObjectKey
    min: Vector | None
    max: Vector | None
    written_min: Mapping[str, Json] = field(default_factory=dict)
    written_max: Mapping[str, Json] = field(default_factory=dict)
    status_used: Mapping[str, int] | None = None

    @property
    def namespace(self) -> str:
        """The namespace whose pods are charged."""
        return self.key.namespace

    @property
    def least(self) -> Vector:
        """What is guaranteed: nothing where the list is absent, or does not name a resource."""
        return ZERO if self.min is None else self.min

    @property
    def most(self) -> Vector:
        """What may be used: no bound where the list is absent; of a fixed resource it does not name, nothing."""
        return UNBOUNDED if self.max is None else self.max

    def bound(self, resource: str) -> int | None:
        """The most that may be used of one resource; None without a bound."""
        if self.max is None or (resource not in FIXED and resource not in self.max.scalars):
            return None
        return self.max.of(resource)

    def place(self, name: str, resource: str = "") -> Place:
        """Where ``min`` or ``max`` stands, or one amount of it that is written; else the nearest field that is."""
        written = self.written_min if name == "min" else self.written_max
        if resource in written:
            return Place(self.key, ("spec", name, resource))
        present = self.min if name == "min" else self.max
        return Place(self.key, ("spec",) if present is None else ("spec", name))


@dataclass(slots=True)
class Pod:
    """A pod that has not ended.

    ``charge`` is what it costs its quota, ``request`` what it takes of a node: two different sums of the same
    containers; ``bare`` is the charge without overhead. ``started`` is in nanoseconds since the epoch, None before
    the start. ``nominated`` is the node that a preemption has kept for it. ``gated``: scheduling gates hold it
    back. ``repelling``: it keeps other pods off its node. ``unmodelled`` names what it asks for that is not
    reproduced here.
    Not frozen for the sake of load time alone (fifty thousand are read at once); nothing changes one.
    """

    key: ObjectKey
    uid: str
    labels: Mapping[str, str]
    priority: int
    charge: Vector
    request: Vector
    bare: Vector
    node: str = ""
    nominated: str = ""
    started: int | None = None
    running: bool = False
    terminating: bool = False
    scheduler: str = DEFAULT_SCHEDULER
    preempts: bool = True
    gated: bool = False
    repelling: bool = False
    unmodelled: tuple[str, ...] = ()

    @property
    def namespace(self) -> str:
        """The namespace, whose quota is charged."""
        return self.key.namespace

    @property
    def name(self) -> str:
        """``namespace/name``."""
        return f"{self.key.namespace}/{self.key.name}"

    @property
    def start(self) -> int:
        """The moment of the start; later than any other for a pod that has not started."""
        return LARGEST if self.started is None else self.started


@dataclass(frozen=True, slots=True)
class Demand:
    """Where a pod may go: what it asks of nodes beside amounts.

    ``affinity`` None means that none is required; an empty tuple matches nothing.
    """

    selector: tuple[Requirement, ...] = ()
    affinity: tuple[NodeTerm, ...] | None = None
    tolerations: tuple[Toleration, ...] = ()


@dataclass(frozen=True, slots=True)
class Node:
    """A node; ``allocatable.pods`` is how many pods it takes."""

    key: ObjectKey
    labels: Mapping[str, str]
    taints: tuple[Taint, ...]
    unschedulable: bool
    allocatable: Vector

    @property
    def name(self) -> str:
        """The node's name."""
        return self.key.name


@dataclass(frozen=True, slots=True)
class DisruptionBudget:
    """A PodDisruptionBudget; ``selector`` None matches nothing. ``disrupted`` are pods already on their way out."""

    key: ObjectKey
    selector: LabelSelector | None
    allowed: int
    disrupted: frozenset[str] = frozenset()

    def covers(self, pod: Pod) -> bool:
        """Whether the budget counts a disruption of the pod."""
        selector = self.selector
        return (
            self.key.namespace == pod.key.namespace
            and selector is not None
            and bool(selector.requirements)
            and selector.matches(pod.labels)
            and pod.key.name not in self.disrupted
        )


@dataclass(frozen=True, slots=True)
class Hard:
    """A ResourceQuota: ``bounds`` by its own names of resources; ``scoped`` ones bound only some of the pods."""

    key: ObjectKey
    bounds: Mapping[str, Json]
    scoped: bool
    path: tuple[str, ...] = ("spec", "hard")


@dataclass(frozen=True, slots=True)
class ElasticQuotaState:
    """All that the scheduler decides on, as after a restart; every sequence and mapping is sorted by name.

    ``quotas`` are those that count, by namespace: the first by name. ``others`` are further ones of the same
    namespaces. ``pods`` are all that have not ended. ``priorities`` are the values of PriorityClasses.
    ``foreign`` are quotas of the same kind that belong to Koordinator. ``profiles`` are the names of the profiles
    in which the scheduler runs the plugin, None without a configuration; ``altered`` are those that decide in
    another way, with the place that says so. ``unread`` names the kinds of which
    not all could be read. ``semantics`` is the version of Kubernetes that decides.
    """

    quotas: Mapping[str, ElasticQuota] = field(default_factory=dict)
    others: Mapping[str, tuple[ElasticQuota, ...]] = field(default_factory=dict)
    nodes: Mapping[str, Node] = field(default_factory=dict)
    pods: tuple[Pod, ...] = ()
    demands: Mapping[ObjectKey, Demand] = field(default_factory=dict)
    budgets: tuple[DisruptionBudget, ...] = ()
    hards: tuple[Hard, ...] = ()
    priorities: Mapping[str, int] = field(default_factory=dict)
    foreign: tuple[Place, ...] = ()
    profiles: tuple[str, ...] | None = None
    altered: Mapping[str, Place] = field(default_factory=dict)
    unread: tuple[str, ...] = ()
    semantics: Semantics = Semantics.K8S_1_35
