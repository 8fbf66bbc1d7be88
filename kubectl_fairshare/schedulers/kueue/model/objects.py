"""Kueue's objects with defaults applied, in the terms of v1beta2.

Source: Kueue v0.19 API ``kueue.x-k8s.io/v1beta2``.
Tested in ``tests/unit/schedulers/kueue/reading/test_exact_amounts.py``.
"""

from collections.abc import Mapping

from kubectl_fairshare.model.json import FieldPath
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.selectors import LabelSelector, Taint, Toleration
from kubectl_fairshare.model.values import ComparedInPart, Value, field
from kubectl_fairshare.schedulers.kueue.model.consumption import ExactQuantity
from kubectl_fairshare.schedulers.kueue.model.topology import PlacementLaws
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.release import DEFAULT, KueueRelease
from kubectl_fairshare.schedulers.kueue.release.writes import NEWEST, WriteLaws

GROUP = "kueue.x-k8s.io"
IMAGE = "kueue"
"""The image of Kueue's manager, without its registry."""
CHART = "kueue"
"""The Helm chart that installs Kueue."""
OPERATOR = ("kueue.openshift.io", "Kueue")
"""The kind by which a vendor's operator installs it."""
ELASTIC_JOB = f"{GROUP}/elastic-job"
"""The annotation of a job, or of its Workload, whose number of pods may change while it runs."""
USAGE_BASED = "UsageBasedAdmissionFairSharing"


def cluster_key(kind: str, name: str) -> ObjectKey:
    """The key of a cluster-scoped Kueue object."""
    return ObjectKey(GROUP, kind, "", name)


class Quota(Value, frozen=True):
    """The quota of one flavor-resource; None means without limit."""

    nominal: int
    borrowing_limit: int | None = None
    lending_limit: int | None = None


class ResourceGroup(Value, frozen=True):
    """Resources that come from one flavor together; flavors in order of preference."""

    covered: tuple[str, ...]
    flavors: tuple[str, ...]


QuotaTable = Mapping[FlavorResource, Quota]


class Cohort(Value, frozen=True):
    """A Cohort. ``paths`` are the fields of each flavor-resource's quota in the object."""

    name: str
    parent: str | None
    quotas: QuotaTable
    weight: float
    paths: Mapping[FlavorResource, FieldPath]

    @property
    def key(self) -> ObjectKey:
        """The object's identity."""
        return cluster_key("Cohort", self.name)


class Preemption(Value, frozen=True):
    """A ClusterQueue's preemption policies, in Kueue's words."""

    within_cluster_queue: str = "Never"
    reclaim_within_cohort: str = "Never"
    borrow_within_cohort: str = "Never"
    max_priority_threshold: int | None = None


class Fungibility(Value, frozen=True):
    """How Kueue tries flavors, in its words; ``preference`` None acts as BorrowingOverPreemption."""

    when_can_borrow: str = "MayStopSearch"
    when_can_preempt: str = "TryNextFlavor"
    preference: str | None = None


class AdmissionCheckUse(Value, frozen=True):
    """An admission check of a ClusterQueue; without ``on_flavors`` it applies to all flavors."""

    name: str
    on_flavors: tuple[str, ...] = ()


class ClusterQueue(Value, frozen=True):
    """A ClusterQueue. ``namespace_selector`` None selects no namespace at all.

    ``terminating``: it is deleted, but exists while its workloads hold quota.
    """

    name: str
    cohort: str | None
    groups: tuple[ResourceGroup, ...]
    quotas: QuotaTable
    weight: float
    preemption: Preemption
    fungibility: Fungibility
    queueing_strategy: str
    namespace_selector: LabelSelector | None
    stop_policy: str
    checks: tuple[AdmissionCheckUse, ...]
    admission_scope: str | None
    concurrent_admission: bool
    paths: Mapping[FlavorResource, FieldPath]
    terminating: bool = False

    @property
    def key(self) -> ObjectKey:
        """The object's identity."""
        return cluster_key("ClusterQueue", self.name)


class LocalQueue(Value, frozen=True):
    """A LocalQueue; ``cluster_queue`` None is one that never becomes active.

    ``consumed`` and ``sampled`` are what its status says of admission fair sharing: what it consumed, and when that
    was updated (nanoseconds since the epoch, None where the status says nothing). ``stored``: a server has it.
    ``terminating``: it is deleted, but exists while a finalizer keeps it.
    """

    namespace: str
    name: str
    cluster_queue: str | None
    stop_policy: str
    weight: float = 1.0
    consumed: Mapping[str, ExactQuantity] = field(default_factory=dict)
    sampled: int | None = None
    stored: bool = False
    terminating: bool = False

    @property
    def key(self) -> ObjectKey:
        """The object's identity."""
        return ObjectKey(GROUP, "LocalQueue", self.namespace, self.name)


class ResourceFlavor(Value, frozen=True):
    """A ResourceFlavor; ``topology`` names a Topology (then its quota is placed by topology)."""

    name: str
    node_labels: Mapping[str, str]
    node_taints: tuple[Taint, ...]
    tolerations: tuple[Toleration, ...]
    topology: str | None = None

    @property
    def key(self) -> ObjectKey:
        """The object's identity."""
        return cluster_key("ResourceFlavor", self.name)


class AdmissionCheck(Value, frozen=True):
    """An AdmissionCheck; ``active`` is its Active condition, None when no status was given."""

    name: str
    controller: str
    parameters: tuple[str, str, str] | None = None
    active: bool | None = None

    @property
    def key(self) -> ObjectKey:
        """The object's identity."""
        return cluster_key("AdmissionCheck", self.name)


INITIAL_SHARE = "LessThanInitialShare"
FINAL_SHARE = "LessThanOrEqualToFinalShare"


class Transformation(ComparedInPart, Value, frozen=True):
    """A resource transformation: ``outputs`` maps output resource to factor text; ``place`` is where it is written."""

    UNCOMPARED = ("place",)
    input: str
    strategy: str
    outputs: Mapping[str, str]
    multiply_by: str | None = None
    place: Place | None = None


class AdmissionSharing(Value, frozen=True):
    """Admission fair sharing: half-life and sampling interval in seconds, the weights of resources, and its laws."""

    half_life: float = 0.0
    sampling: float = 300.0
    weights: Mapping[str, float] = field(default_factory=dict)
    release: KueueRelease = DEFAULT


class PodsReadyPolicy(Value, frozen=True):
    """waitForPodsReady, in nanoseconds: after ``timeout`` without ready pods a workload is evicted.

    ``recovery`` is that for pods that were ready before; None: no time. ``base`` is the first backoff, doubled by each
    further eviction up to ``most``; after ``limit`` of them it is deactivated, None: never.
    """

    timeout: int = 1800 * 10**9
    recovery: int | None = 1800 * 10**9
    base: int = 60 * 10**9
    most: int = 3600 * 10**9
    limit: int | None = None

    def backoff(self, count: int) -> int | None:
        """How long a workload waits after its ``count``-th such eviction, from 1; None: it is deactivated instead.

        Kueue adds up to a ten-thousandth by chance. Source: Kueue v0.19, the reconciler of Workloads.
        """
        if self.limit is not None and count > self.limit:
            return None
        return min(self.base << min(count - 1, 62), self.most)


class Configuration(Value, frozen=True):
    """What of the manager can change an answer: its Configuration, and its release.

    ``strategies`` are the fair sharing strategies in order, None for classical preemption. ``admission_sharing`` None:
    admission fair sharing is off.
    ``external_frameworks`` are kinds that another controller serves, as ``Kind.version.group``.
    ``pods_ready``: when a workload whose pods are not ready is evicted; None: never.
    ``unmodelled`` names settings and feature gates that no engine here reproduces. The fields from
    ``reclaimable_pods`` on are feature gates by what they do; ``preemption_gates``: a closed preemption gate of a
    workload counts; ``recomputed_overlap``: a head whose targets leave for another one is nominated again;
    ``preemptors_first``: a head that others leave for is processed before all others, and always keeps its room;
    ``shared_hosts``: flavors of one host see each other's pods; ``recomputed_places``: a head whose place is taken
    meanwhile is nominated again;
    ``mixed_profile``: pods without a level of their own go to the domains with the least room first;
    ``device_resources`` maps a DeviceClass to the resource under which Kueue counts its devices, but for the
    ``sourced_classes``, which it counts by ResourceSlices; ``counts_devices``: pods' claims count;
    ``rejects_devices``: a workload with claims is never queued;
    ``finer_reasons``: conditions have the finer reasons; None before Kueue has them;
    ``default_class``: jobs that name no WorkloadPriorityClass get the one called ``default``;
    ``naming_annotations``: jobs name a Workload or a group of pods in an annotation, not in a label alone;
    ``requeue_seconds``: how long after a release of quota inadmissible workloads are eligible again;
    ``equal_together``: equal workloads are set aside together; ``slice_layers``: slices within slices count;
    ``lone_pods_stay``: a workload that one Pod owns stays where it is when its node is lost.
    ``elsewhere`` are fields of objects that install Kueue, with settings that cannot be read.
    ``writes``: what the API server and the webhooks of this release take.
    """

    strategies: tuple[str, ...] | None = None
    excluded_prefixes: tuple[str, ...] = ()
    transformations: tuple[Transformation, ...] = ()
    quota_check: str = "BlockUndeclared"
    requeuing_timestamp: str = "Eviction"
    managed_namespaces: LabelSelector | None = None
    manage_unlabelled: bool = False
    frameworks: tuple[str, ...] = ("batch/job",)
    external_frameworks: tuple[str, ...] = ()
    block_admission: bool = False
    preemptors_first: bool = False
    pods_ready: PodsReadyPolicy | None = PodsReadyPolicy()
    admission_sharing: AdmissionSharing | None = None
    unmodelled: tuple[str, ...] = ()
    reclaimable_pods: bool = True
    partial_admission: bool = True
    elastic_slices: bool = True
    topology: bool = True
    device_classes: bool = True
    device_resources: Mapping[str, str] = field(default_factory=dict)
    sourced_classes: frozenset[str] = frozenset()
    counts_devices: bool = True
    finer_reasons: bool | None = False
    rejects_devices: bool = False
    admission_gates: bool = True
    naming_annotations: bool = True
    preemption_gates: bool = False
    recomputed_overlap: bool = False
    shared_hosts: bool = True
    recomputed_places: bool = True
    mixed_profile: bool = True
    default_class: bool = False
    requeue_seconds: int = 1
    equal_together: bool = True
    slice_layers: bool = True
    lone_pods_stay: bool = True
    elsewhere: tuple[Place, ...] = ()
    release: KueueRelease = DEFAULT
    writes: WriteLaws = NEWEST

    @property
    def placement_laws(self) -> PlacementLaws:
        """How places are chosen for pods."""
        return PlacementLaws(
            self.mixed_profile, self.release.sure_leaders, self.release.absent_first, self.release.whole_domains
        )
