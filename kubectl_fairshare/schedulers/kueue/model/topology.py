"""Topologies, what pods ask of them, the nodes below them, and where pods are placed.

Tested in ``tests/unit/schedulers/kueue/topology/test_placement.py``.
Source: Kueue v0.19 API ``kueue.x-k8s.io/v1beta2``; Nodes of ``v1``.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from kubectl_fairshare.jobs.node_demand import CORDON_TAINT, PASSING_TAINTS
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.selectors import Taint
from kubectl_fairshare.model.values import Value, replace

HOSTNAME = "kubernetes.io/hostname"
PODS = "pods"
PREFIX = "kueue.x-k8s.io/podset-"
"""How the annotations of a pod template that ask for a topology begin."""


class AnnotatedPods(NamedTuple):
    """A pod template of a new job: its name, number of pods, place, and annotations."""

    name: str
    pods: int
    template: Place
    annotations: Mapping[str, str]


class SliceLayer(NamedTuple):
    """One layer of slices: each slice of ``size`` pods stays in one domain of ``level``."""

    level: str
    size: int


class TopologyRequest(Value, frozen=True):
    """What a pod set asks of the topology; levels are node labels, ``layers`` of slices the widest first.

    ``explicit``: some field requests a placement, even if it is ``unconstrained: false``.
    """

    required: str | None = None
    preferred: str | None = None
    unconstrained: bool = False
    layers: tuple[SliceLayer, ...] = ()
    explicit: bool = False

    @property
    def slices_only(self) -> bool:
        """Whether slices are all that is asked for."""
        return self.required is None and self.preferred is None and bool(self.layers)


class PlacementLaws(NamedTuple):
    """How places are chosen. ``mixed``: unconstrained units take the domains with the least free room first.

    ``sure_leaders``, ``absent_first``, ``whole_domains``: see ``KueueRelease``.
    """

    mixed: bool = True
    sure_leaders: bool = True
    absent_first: bool = False
    whole_domains: bool = True


LATEST: Final = PlacementLaws()
"""How places are chosen in the newest release that was measured in whole."""


class Topology(Value, frozen=True):
    """A Topology: node labels, the widest level first; none where they are not known."""

    name: str
    levels: tuple[str, ...]

    @property
    def of_hosts(self) -> bool:
        """Whether the lowest level is the host."""
        return self.levels[-1:] == (HOSTNAME,)


class Node(Value, frozen=True):
    """A Node: ``allocatable`` in the units of ``model.amounts``; ``ready`` by condition, ``cordoned`` by spec."""

    name: str
    labels: Mapping[str, str]
    taints: tuple[Taint, ...]
    allocatable: Mapping[str, int]
    ready: bool
    cordoned: bool

    @property
    def key(self) -> ObjectKey:
        """The object's identity."""
        return ObjectKey("", "Node", "", self.name)

    @property
    def counts(self) -> bool:
        """Whether the node is part of any topology."""
        return self.ready and not self.cordoned

    @property
    def absence(self) -> str:
        """Why the node is part of no topology; empty if it is."""
        return "" if self.counts else "cordoned" if self.cordoned else "not ready"

    @property
    def in_service(self) -> "Node":
        """The node once it is ready and not cordoned: without the taints that say otherwise, and pass by themselves."""
        taints = tuple(taint for taint in self.taints if taint.key not in PASSING_TAINTS)
        changed = not self.counts or len(taints) < len(self.taints)
        return replace(self, ready=True, cordoned=False, taints=taints) if changed else self

    @property
    def uncordoned(self) -> "Node":
        """The node without its cordon, which is a field and a taint."""
        taints = tuple(taint for taint in self.taints if taint.key != CORDON_TAINT)
        return replace(self, cordoned=False, taints=taints)


class DomainPods(NamedTuple):
    """How many ``pods`` are in the domain of ``values``: the host name alone, or one value for each level."""

    values: tuple[str, ...]
    pods: int

    @property
    def id(self) -> str:
        """The values in one text, as Kueue joins them."""
        return ",".join(self.values)


class TopologyAssignment(Value, frozen=True):
    """Where the pods of a pod set go: ``levels`` are what ``values`` of the domains are of."""

    levels: tuple[str, ...]
    domains: tuple[DomainPods, ...]


class PlacedPods(NamedTuple):
    """The pods of one pod set where they are: each takes ``request`` and one of ``pods``, booked to ``flavors``."""

    flavors: tuple[str, ...]
    request: Mapping[str, int]
    domains: tuple[DomainPods, ...]
