"""The input of CapacityScheduling: quotas, nodes, pods, disruption budgets.

Source: ``scheduling.x-k8s.io/v1alpha1`` and the core objects that the scheduler reads as well.
Tested in ``tests/unit/schedulers/elasticquota/reading/test_state.py``.
"""

from collections.abc import Mapping
from typing import Final

from kubectl_fairshare.answers.fidelity import Standing
from kubectl_fairshare.jobs.node_demand import DisruptionBudget, NodeDemand
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.elasticquota.model.semantics import Semantics
from kubectl_fairshare.schedulers.elasticquota.model.vector import FIXED, UNBOUNDED, ZERO, Vector
from kubectl_fairshare.schedulers.kubescheduler.bounds import PodBounds
from kubectl_fairshare.schedulers.kubescheduler.objects import PluginNode, PluginPod

DEFAULT_SCHEDULER: Final = "default-scheduler"


class ElasticQuota(Value, frozen=True):
    """The quota of one namespace.

    ``min`` and ``max`` are the lists as the scheduler converts them, ``None`` for a missing list (an empty one is not
    missing). ``written_min`` and ``written_max`` are the original lists. ``status_used`` is what the controller
    wrote; the scheduler never reads it.
    """

    key: ObjectKey
    min: Vector | None
    max: Vector | None
    written_min: Mapping[str, Json] = field(default_factory=dict)
    written_max: Mapping[str, Json] = field(default_factory=dict)
    status_used: Mapping[str, int] | None = None

    @property
    def namespace(self) -> str:
        """The namespace whose pods count."""
        return self.key.namespace

    @property
    def least(self) -> Vector:
        """The guarantee: 0 for a missing list and for resources that it does not name."""
        return ZERO if self.min is None else self.min

    @property
    def most(self) -> Vector:
        """The maximum: no bound for a missing list; 0 for a standard resource that the list does not name."""
        return UNBOUNDED if self.max is None else self.max

    def bound(self, resource: str) -> int | None:
        """The maximum of one resource; None without a bound."""
        if self.max is None or (resource not in FIXED and resource not in self.max.scalars):
            return None
        return self.max.of(resource)

    def place(self, name: str, resource: str = "") -> Place:
        """The place of ``min`` or ``max``, or of one amount in it; otherwise the nearest field that is set."""
        written = self.written_min if name == "min" else self.written_max
        if resource in written:
            return Place(self.key, ("spec", name, resource))
        present = self.min if name == "min" else self.max
        return Place(self.key, ("spec",) if present is None else ("spec", name))


class Pod(PluginPod[Vector]):
    """A pod that has not ended; the quota of its namespace counts it."""

    scheduler: str = DEFAULT_SCHEDULER


class Node(PluginNode[Vector], frozen=True):
    """A node."""


class Hard(Value, frozen=True):
    """A ResourceQuota: ``bounds`` by its own resource names; ``scoped`` ones limit only some pods."""

    key: ObjectKey
    bounds: Mapping[str, Json]
    scoped: bool
    path: tuple[str, ...] = ("spec", "hard")


class ElasticQuotaState(Value, frozen=True):
    """Everything that the scheduler decides on, as after a restart; every sequence and mapping is sorted by name.

    ``quotas`` are those that count, by namespace: the first by name. ``others`` are further ones of the same
    namespaces. ``pods`` are all that have not ended. ``priorities`` are the values of PriorityClasses. ``foreign`` are
    quotas of the same kind that belong to Koordinator. ``profiles`` are the names of the profiles that run the plugin,
    None without a configuration; ``altered`` are those that decide differently, with the place of the reason.
    ``unread`` names the kinds of which not all objects could be read. ``semantics`` is the version of Kubernetes that
    decides; ``standing`` is by whose rules a release that runs is answered, ``odd_release`` one that runs and is not
    reproduced. ``odd_gates`` are the scheduler's feature gates that are not modelled, by name and value.
    ``elsewhere`` are settings that an object which installs the scheduler has, and that cannot be read.
    ``missing`` are objects that others name and that the input lacks.
    ``unknown`` are fields and values that the reproduced release does not have.
    ``bounds`` are what ResourceQuotas still admit of new pods.
    """

    quotas: Mapping[str, ElasticQuota] = field(default_factory=dict)
    others: Mapping[str, tuple[ElasticQuota, ...]] = field(default_factory=dict)
    nodes: Mapping[str, Node] = field(default_factory=dict)
    pods: tuple[Pod, ...] = ()
    demands: Mapping[ObjectKey, NodeDemand] = field(default_factory=dict)
    budgets: tuple[DisruptionBudget, ...] = ()
    hards: tuple[Hard, ...] = ()
    bounds: PodBounds = PodBounds()
    priorities: Mapping[str, int] = field(default_factory=dict)
    foreign: tuple[Place, ...] = ()
    profiles: tuple[str, ...] | None = None
    altered: Mapping[str, Place] = field(default_factory=dict)
    unread: tuple[str, ...] = ()
    semantics: Semantics = Semantics.K8S_1_35
    odd_release: str = ""
    standing: Standing | None = None
    odd_gates: Mapping[str, Place] = field(default_factory=dict)
    elsewhere: tuple[Place, ...] = ()
    missing: Mapping[ObjectKey, tuple[Place, ...]] = field(default_factory=dict)
    unknown: tuple[Place, ...] = ()
