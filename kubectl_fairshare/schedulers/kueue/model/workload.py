"""A workload as a queueing scheduler sees it: pod sets with requests, a priority, and an admission if there is one.

Tested in ``tests/unit/schedulers/kueue/topology/test_workloads.py``.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from kubectl_fairshare.model.json import FieldPath
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.selectors import NodeTerm, Requirement, Toleration
from kubectl_fairshare.model.values import Value, field, replace
from kubectl_fairshare.schedulers.kueue.model.topology import PlacedPods, TopologyAssignment, TopologyRequest


class FlavorResource(NamedTuple):
    """A flavor-resource pair, the unit of quota."""

    flavor: str
    resource: str


@lru_cache(maxsize=4096)
def pair_of(flavor: str, resource: str) -> FlavorResource:
    """The pair, the same object each time: ten thousand searches ask for a few."""
    return FlavorResource(flavor, resource)


Usage = Mapping[FlavorResource, int]


class PodSet(Value, frozen=True):
    """``count`` equal pods. ``requests`` is per pod, in the units of ``model.amounts``.

    ``count`` is as specified; ``reclaimable`` pods no longer need quota. ``min_count`` allows partial
    admission. ``group`` ties pod sets to one set of flavors (podSetGroupName). ``affinity`` None
    means that no node affinity is required; an empty tuple matches nothing. ``path`` is where the pod
    spec is in the object that the workload was read from. ``topology`` is what it asks of a topology, None for
    nothing at all; ``occupies`` what one pod takes of a node: its requests without exclusions and transformations.
    ``updated_selector`` and ``updated_tolerations`` are what ready admission checks add: they count for the place, not
    for the flavors. ``pod_level``: the pods have resources as a whole; noted for releases that were not measured.
    ``instead`` are other ``requests``, of which Kueue draws one each time; ``every_charge``: there are no more.
    ``least`` is the smallest request per pod that LimitRanges take, of the resources that they bound from below.
    """

    name: str
    count: int
    requests: Mapping[str, int]
    min_count: int | None = None
    reclaimable: int = 0
    group: str | None = None
    node_selector: tuple[Requirement, ...] = ()
    affinity: tuple[NodeTerm, ...] | None = None
    tolerations: tuple[Toleration, ...] = ()
    path: FieldPath = ()
    topology: TopologyRequest | None = None
    occupies: Mapping[str, int] = field(default_factory=dict)
    updated_selector: tuple[Requirement, ...] = ()
    updated_tolerations: tuple[Toleration, ...] = ()
    pod_level: bool = False
    instead: tuple[Mapping[str, int], ...] = ()
    every_charge: bool = True
    least: Mapping[str, int] = field(default_factory=dict)


class UnknownClass(Value, frozen=True):
    """A priority class or RuntimeClass that is named at a place and whose object the input lacks."""

    object: ObjectKey
    named_at: Place


class StatusBlock(Value, frozen=True):
    """A field of a Workload's status that keeps it out of its queue: a condition with its reason, or a backoff.

    ``until``, in nanoseconds since the epoch, is the end of a backoff after ``evictions``; None if no time ends it.
    """

    place: Place
    kind: str
    reason: str = ""
    evictions: int = 0
    until: int | None = None


class Pending(Value, frozen=True):
    """A workload that asks for quota.

    ``created`` and ``queued`` are nanoseconds since the epoch; ``queued`` orders the queue (the last
    eviction that counts, otherwise the creation). ``local_queue`` is the name in the workload's namespace.
    ``unmodelled`` names features that the workload asks for and that no engine here reproduces.
    ``source`` is the object that it was read from: the workload itself, or the job behind it. ``preempting``: by its
    conditions, other workloads were preempted for it last. ``gated_by``: an annotation that keeps it out of its
    queue. ``preemption_gated``: one of its preemption gates is closed. ``replaces`` is the slice of an elastic job
    that it takes the place of. ``unknown_class``: ``priority`` is not known. ``unknown_overheads``: nor are the
    overheads of pods of these RuntimeClasses. ``failed_checks``: an admission check is rejected, or is to be retried.
    ``blocks``: what of its status keeps it out of its queue. ``look_alikes``: without a queue name, the labels and
    annotations that look like it. ``carrier`` leads to the part of ``source`` that has the queue label in its
    metadata. ``one_of``: the source has this many pods, and each is such a workload; 0: it is one.
    ``undated``: it is a Workload without a moment that orders its queue, and ``queued`` is only later than all others.
    """

    key: ObjectKey
    uid: str
    local_queue: str
    priority: int
    created: int
    queued: int
    pod_sets: tuple[PodSet, ...]
    active: bool = True
    unmodelled: tuple[str, ...] = ()
    refusal: "Refusal | None" = None
    source: ObjectKey | None = None
    preempting: bool = False
    gated_by: str = ""
    preemption_gated: bool = False
    replaces: ObjectKey | None = None
    failed_checks: bool = False
    unknown_class: UnknownClass | None = None
    unknown_overheads: tuple[UnknownClass, ...] = ()
    blocks: tuple[StatusBlock, ...] = ()
    look_alikes: tuple[Place, ...] = ()
    carrier: FieldPath = ()
    one_of: int = 0
    undated: bool = False

    @property
    def name(self) -> str:
        """``namespace/name``, as Kueue writes it."""
        return f"{self.key.namespace}/{self.key.name}"

    @property
    def is_drawn(self) -> bool:
        """Whether chance decides what its pods request."""
        return any(pod_set.instead for pod_set in self.pod_sets)


class BoundViolation(Value, frozen=True):
    """One place of a workload whose resources break a bound: ``limits``, ``max`` or ``min``.

    ``field`` is the path in the Workload, as Kueue prints it; ``places`` are the fields in the user's objects that
    contain the amount and the bound.
    """

    field: FieldPath
    resources: tuple[str, ...]
    bound: str
    places: tuple[Place, ...] = ()


class Refusal(Value, frozen=True):
    """Why Kueue does not consider the workload (requests above limits, a LimitRange, no queue).

    ``law`` names the rule, ``operands`` are the texts that its message needs, ``violations`` what of
    the workload breaks it, ``places`` the fields that it rests on. ``suspended``: the job itself says that it must
    not start yet. ``later`` is the refusal that comes next, once this one is fixed.
    """

    law: str
    operands: tuple[str, ...] = ()
    violations: tuple[BoundViolation, ...] = ()
    places: tuple[Place, ...] = ()
    suspended: bool = False
    later: "Refusal | None" = None


class Holder(Value):
    """A workload that holds quota. ``reserved`` is in nanoseconds since the epoch, ``placements`` are by topology.

    ``admitted`` is when it became Admitted, None while it only holds quota. ``ready``: its pods are (PodsReady).
    ``dropped`` are the flavors of its pods that its ClusterQueue no longer has.

    Not frozen because its reader fills in some fields later; nothing changes one after that.
    """

    key: ObjectKey
    uid: str
    cluster_queue: str
    local_queue: str
    priority: int
    created: int
    queued: int
    reserved: int
    evicted: bool
    usage: Usage
    admitted: int | None = None
    ready: bool = True
    placements: tuple[PlacedPods, ...] = ()
    dropped: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """``namespace/name``, as Kueue writes it."""
        return f"{self.key.namespace}/{self.key.name}"

    @property
    def freed(self) -> tuple[PlacedPods, ...]:
        """The pods that a cycle takes off the nodes where the workload leaves: those in flavors of its ClusterQueue."""
        if not self.dropped:
            return self.placements
        kept = ((p, tuple(f for f in p.flavors if f not in self.dropped)) for p in self.placements)
        return tuple(p._replace(flavors=flavors) for p, flavors in kept if flavors)


class PodSetAdmission(Value, frozen=True):
    """What one pod set of a workload was given: flavors by resource, amounts for all pods, its place if it has one.

    ``delayed``: its place is still to be found, after the admission checks.
    """

    count: int
    flavors: Mapping[str, str]
    requests: Mapping[str, int]
    topology: TopologyAssignment | None = None
    delayed: bool = False

    def scaled(self, count: int) -> "PodSetAdmission":
        """The same for so many pods; pods that have a place keep it."""
        if self.topology is not None or self.count in (0, count):
            return self
        requests = {r: amount // self.count * count for r, amount in self.requests.items()}
        return replace(self, count=count, requests=requests)


class SecondPass(Value, frozen=True):
    """A workload that holds quota and asks for a place again: after its checks, or because a node was lost.

    ``admitted`` are its pod sets in order; ``unhealthy`` the lost nodes; ``sole_pod``: one Pod owns it, which cannot
    move. ``anew``: the gate TopologyAwareScheduling is off, so Kueue looks for quota once more, and for no place.
    """

    workload: Pending
    holder: Holder
    admitted: tuple[PodSetAdmission, ...]
    unhealthy: tuple[str, ...] = ()
    sole_pod: bool = False
    anew: bool = False
