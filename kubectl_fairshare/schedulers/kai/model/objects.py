"""KAI-Scheduler's objects as typed values, in KAI's own units.

cpu in millicores, memory in bytes, GPUs in devices (fractions allowed), all as 64-bit floats. In quotas and limits −1
means unlimited. Moments and durations are nanoseconds.
Source: ``scheduling.run.ai/v2`` and ``v2alpha2``, ``kai.scheduler/v1``, of KAI-Scheduler v0.17.
Tested in ``tests/unit/schedulers/kai/reading/test_state.py``.
"""

from collections.abc import Mapping
from enum import Enum, StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple, NewType

from kubectl_fairshare.jobs.pod_surroundings import Surroundings
from kubectl_fairshare.model.absence import Absence
from kubectl_fairshare.model.json import FieldPath, JsonObject
from kubectl_fairshare.model.location import Moves, ObjectKey, Place, moved
from kubectl_fairshare.model.values import ComparedInPart, Value, field
from kubectl_fairshare.schedulers.kai.model.kinds import RESERVATION
from kubectl_fairshare.schedulers.kai.model.pod_admission import PodAdmission

if TYPE_CHECKING:
    from kubectl_fairshare.jobs.fields import Field
    from kubectl_fairshare.schedulers.kai.model.claims import DeviceClaim
    from kubectl_fairshare.schedulers.kai.model.usage import PastUsage

UNLIMITED: Final = -1.0
DEFAULT_SCHEDULER: Final = "kai-scheduler"
QUEUE_LABEL: Final = "kai.scheduler/queue"
OLD_LABEL: Final = "runai/queue"
"""The label of Run:ai that named a queue before KAI-Scheduler v0.6."""
"""The label by which jobs name their queue, unless KAI's Config names another."""
NODE_POOL_LABEL: Final = "kai.scheduler/node-pool"
DEFAULT_SUB_GROUP: Final = "default"


class Resources(NamedTuple):
    """An amount of each resource, in KAI's order."""

    cpu: float
    memory: float
    gpu: float


RESOURCES: Final = ("cpu", "memory", "gpu")
Allocated = NewType("Allocated", Resources)
"""What a queue and its descendants hold."""
Requested = NewType("Requested", Resources)
"""The request of a job, or of all jobs of a queue."""
Deserved = NewType("Deserved", Resources)
"""The quota of a queue; −1 is unlimited."""
MaxAllowed = NewType("MaxAllowed", Resources)
"""The limit of a queue; −1 is unlimited."""
FairShare = NewType("FairShare", Resources)
"""What the division gives a queue."""
Allocatable = NewType("Allocatable", Resources)
"""What a queue may hold before it counts as above its share; −1 is unlimited."""
NOTHING: Final = Resources(0.0, 0.0, 0.0)


class Charge(NamedTuple):
    """What a pod requests or holds. ``mig`` are the GPUs that its MIG slices count for."""

    cpu: float
    memory: float
    gpu: float
    mig: float = 0.0

    @property
    def total(self) -> Resources:
        """All GPUs together."""
        return Resources(self.cpu, self.memory, self.gpu + self.mig)


class Queue(Value, frozen=True):
    """A Queue; its name is its identity. ``created`` is 0 if unknown.

    ``pool`` is the value of the node pool label, None without it. ``stated`` says whether the object has
    ``spec.resources`` at all.
    """

    name: str
    parent: str
    priority: int
    created: int
    quota: Deserved
    limit: MaxAllowed
    weight: Resources
    display_name: str = ""
    pool: str | None = None
    preempt_min_runtime: int | None = None
    reclaim_min_runtime: int | None = None
    stated: bool = True
    key: ObjectKey | None = None


class SubGroup(Value, frozen=True):
    """A sub-group of a PodGroup, as written. ``parent`` is None for one directly below the PodGroup."""

    name: str
    parent: str | None
    min_member: int | None
    min_sub_group: int | None


class Ungrouped(NamedTuple):
    """Why a job has no PodGroup: KAI makes none of it; or, if not ``modelled``, it is not known which one it makes."""

    reason: str
    place: Place
    modelled: bool = True


class PodGroup(ComparedInPart, Value, frozen=True):
    """A PodGroup: the job that KAI schedules. ``preemptible`` is None if the object does not say.

    ``last_start`` and ``last_eviction`` are KAI's annotations. ``new``: KAI creates it now. ``backoff`` is
    ``schedulingBackoff``, ``condition_pool`` the node pool of the last scheduling condition, None without one.
    ``ungrouped`` says why it does not exist, for a job that KAI's pod grouper does not take. ``named_class`` is the
    PriorityClass that a new job names, if the input lacks it. ``copies``: the number of equal PodGroups that KAI makes
    of one job; this is the first. ``raw`` is the object as read.
    """

    UNCOMPARED = ("raw",)
    key: ObjectKey
    queue: str
    created: int
    min_member: int | None = None
    min_sub_group: int | None = None
    sub_groups: tuple[SubGroup, ...] = ()
    priority_class: str = ""
    preemptible: bool | None = None
    preemption_delay: int = 0
    last_start: int | None = None
    last_eviction: int | None = None
    new: bool = False
    pool: str | None = None
    backoff: int | None = None
    condition_pool: str | None = None
    ungrouped: Ungrouped | None = None
    named_class: str = ""
    copies: int = 1
    raw: JsonObject = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name; KAI finds a pod's PodGroup by this name alone."""
        return self.key.name


class GpuKind(Enum):
    """The way in which a pod requests GPUs."""

    WHOLE = "whole"
    FRACTION = "fraction"
    MEMORY = "memory"
    MIG = "mig"


class GpuRequest(NamedTuple):
    """A GPU request: a number of devices, and ``portion`` or ``memory`` (MiB) of each."""

    kind: GpuKind
    devices: int
    portion: float
    memory: int


class Phase(Enum):
    """The state of a pod, as KAI sees it."""

    PENDING = "Pending"
    GATED = "Gated"
    BINDING = "Binding"
    BOUND = "Bound"
    RUNNING = "Running"
    RELEASING = "Releasing"
    SUCCEEDED = "Succeeded"
    FAILED = "Failed"
    UNKNOWN = "Unknown"


class BindRequest(NamedTuple):
    """What a BindRequest has chosen for a pod: the node, and the shared GPUs on it."""

    node: str
    groups: tuple[str, ...] = ()


class Rank(NamedTuple):
    """The position of a pod in its gang, smaller first: roles, task priority, age, identity."""

    kubeflow: bool
    ray: bool
    stated: int
    priority: int
    created: int
    uid: str


class Pod(ComparedInPart, Value):
    """A pod; what was read never changes.

    ``group`` is the name of its PodGroup, "" without one; ``node`` is "" until it is bound. ``foreign``: another
    scheduler places it, and it is not one of KAI's own helper pods. ``raw`` is the object as read; a plan reads from it
    what only placement needs. ``claims``: it uses devices (DRA); ``claims_unknown``: and how many GPUs is not known;
    ``devices`` are the GPUs that its claims have got, by driver, pool and name.
    ``added`` is what an API server does to it when it is new, and is not reproduced. ``groups`` are the shared GPUs
    that it holds, or that a BindRequest has chosen for it.
    """

    UNCOMPARED = ("raw",)
    key: ObjectKey
    uid: str
    group: str
    sub_group: str
    node: str
    phase: Phase
    request: Charge
    gpu: GpuRequest
    rank: Rank
    foreign: bool = False
    claims: bool = False
    claims_unknown: bool = False
    devices: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    raw: JsonObject = field(default_factory=dict)

    @property
    def reserves(self) -> bool:
        """Whether it reserves a GPU that others share: the GPU is theirs, and its node counts no other for it."""
        labels = (self.raw.get("metadata") or {}).get("labels") or {}
        return labels.get("app") == RESERVATION


class Node(ComparedInPart, Value, frozen=True):
    """A node. ``unready`` is the reason why the totals do not count it, None if they do.

    ``gpu_memory`` is that of each GPU in MiB, cut to hundreds; 100 if the node does not state it. ``devices`` are its
    GPUs in ResourceSlices: ``allocatable`` counts them too, and no pod may use a part of a GPU there. ``raw`` is the
    object as read.
    """

    UNCOMPARED = ("raw",)
    name: str
    allocatable: Resources
    gpu_memory: int
    unready: str | None
    pool: str | None
    labels: frozenset[str]
    key: ObjectKey | None = None
    devices: int = 0
    raw: JsonObject = field(default_factory=dict)


class TimeAware(StrEnum):
    """The formula for past usage in the division: KAI's, with k, or the proposal's, without k."""

    KAI = "kai"
    PROPOSAL = "proposal"


class Shard(Value, frozen=True):
    """A SchedulingShard: one scheduler for the nodes of one pool, with all defaults filled in.

    ``pool`` is None for the shard of objects without a node pool label. ``k`` and ``multiplier`` are as the proportion
    plugin uses them; ``depths`` limits the jobs of each queue by action. ``spread_gpu``: pods spread over the GPUs of a
    node; ``scatter_gpu`` and ``scatter_cpu``: pods with and without GPUs spread over nodes. ``moves`` limits the jobs
    that consolidation tries (−1: no limit), ``signatures`` says whether a job is skipped after a similar one failed,
    ``staleness`` how many nanoseconds a gang may run below its minimum (negative: for ever). ``actions`` are those that
    are enabled, in their order. ``counts_usage``: KAI fetches past usage for it, and gets it.
    ``unmodelled`` are the fields of its spec that change where pods are placed, and that are not modelled; ``budgets``
    those that end the search for victims earlier than KAI's defaults; ``refused`` those below its spec for which the
    operator rejects the shard. ``key`` is the object, or what installs it, None without both;
    ``written_at`` has the moves of its fields.
    """

    name: str = "default"
    pool: str | None = None
    k: float = 1.0
    time_aware: TimeAware = TimeAware.KAI
    multiplier: float = 1.0
    preempt_min_runtime: int = 0
    reclaim_min_runtime: int = 0
    by_queue: bool = False
    protects: bool = True
    full_hierarchy: bool = True
    consolidating: bool = True
    restricted: bool = False
    depths: Mapping[str, int] = field(default_factory=dict)
    disabled: tuple[str, ...] = ()
    spread_gpu: bool = False
    scatter_gpu: bool = False
    scatter_cpu: bool = False
    moves: int = 16
    staleness: int = 60 * 10**9
    signatures: bool = True
    counts_usage: bool = False
    actions: tuple[str, ...] = ("allocate", "consolidation", "reclaim", "preempt")
    unmodelled: tuple[tuple[str, ...], ...] = ()
    budgets: tuple[tuple[str, ...], ...] = ()
    refused: tuple[FieldPath, ...] = ()
    key: ObjectKey | None = None
    written_at: Moves = field(default_factory=dict)

    def place(self, *path: str | int) -> Place:
        """Where a field of the shard is written. Raises ``ValueError`` for the defaults, which no object has."""
        if self.key is None:
            raise ValueError("no object has these settings")
        return moved(Place(self.key, path), self.written_at)


class PriorityClasses(Value, frozen=True):
    """Values by name, and the value for a PodGroup whose class does not exist.

    ``default_name`` is the class that an API server gives to new pods without one, "" if it gives none.
    """

    values: Mapping[str, int] = field(default_factory=dict)
    default: int = 50
    default_name: str = ""


class KindDefault(NamedTuple):
    """The defaults of a kind of jobs: a PriorityClass, and what a label would say about preemptibility."""

    priority_class: str
    preemptibility: str


class KaiState(Value, frozen=True):
    """KAI's part of a snapshot; everything is sorted by name.

    ``usage`` is the past usage of each queue, as fractions of the cluster's capacity, and ``past`` its source; ``now``
    is the moment of the question. All three are None if unknown. ``defaults`` are those of kinds of jobs, by
    ``Kind.group`` or ``Kind``. ``unread`` names the kinds of which not all objects could be read; ``asked`` is the
    shard of the question, None if it names none. ``config_maps`` are those in the input, by namespace and name;
    ``runtimes`` are the training runtimes of TrainJobs. ``complete``: the input has every Queue of the cluster.
    ``around`` is what completes new pods. ``device_resources`` are those that a DeviceClass provides; ``settings`` are
    the fields of KAI's Config that are not modelled. ``release`` is the one that runs, as far as the input says.
    ``admission`` are the settings for new pods; ``defaults_in`` is the ConfigMap that KAI's Config names for defaults.
    ``elsewhere`` are settings that an object which installs the scheduler
    has, and that cannot be read. ``absent`` has
    objects that certainly do not exist. ``scheduler`` is what KAI's pods name as theirs. ``unknown`` are fields and
    values that the reproduced release does not have. ``classes`` are RuntimeClasses that the input lacks and pods name;
    ``claims`` those of devices.
    """

    queues: Mapping[str, Queue] = field(default_factory=dict)
    pod_groups: tuple[PodGroup, ...] = ()
    pods: tuple[Pod, ...] = ()
    nodes: tuple[Node, ...] = ()
    shards: tuple[Shard, ...] = ()
    priorities: PriorityClasses = field(default_factory=PriorityClasses)
    usage: Mapping[str, Resources] = field(default_factory=dict)
    past: "PastUsage | None" = None
    now: int | None = None
    defaults: Mapping[str, KindDefault] = field(default_factory=dict)
    pool_label: str = NODE_POOL_LABEL
    queue_label: str = QUEUE_LABEL
    gpu_worker_label: str = "node-role.kubernetes.io/gpu-worker"
    cpu_worker_label: str = "node-role.kubernetes.io/cpu-worker"
    unread: tuple[str, ...] = ()
    asked: str | None = None
    config_maps: frozenset[tuple[str, str]] = frozenset()
    runtimes: Mapping[ObjectKey, "Field"] = field(default_factory=dict)
    complete: bool = True
    around: Surroundings = field(default_factory=Surroundings)
    device_resources: frozenset[str] = frozenset()
    settings: tuple[Place, ...] = ()
    release: str = ""
    admission: PodAdmission = field(default_factory=PodAdmission)
    defaults_in: ObjectKey | None = None
    elsewhere: tuple[Place, ...] = ()
    classes: Mapping[ObjectKey, tuple[Place, ...]] = field(default_factory=dict)
    absent: Absence = Absence()
    scheduler: str = DEFAULT_SCHEDULER
    unknown: tuple[Place, ...] = ()
    claims: "tuple[DeviceClaim, ...]" = ()

    def shard_of(self, pool: str | None) -> Shard | None:
        """The shard that serves a node pool; None without one."""
        found = next((shard for shard in self.shards if shard.pool == pool), None)
        return Shard() if found is None and pool is None and not self.shards else found

    @property
    def every_shard(self) -> tuple[Shard, ...]:
        """All shards, each of which is a scheduler of its own; the defaults without one."""
        return self.shards or (Shard(),)

    @property
    def shard(self) -> Shard:
        """The shard of the question: by name, else the one without a pool, else the first, else defaults."""
        named = next((shard for shard in self.shards if shard.name == self.asked), None)
        if named is not None:
            return named
        whole = (shard for shard in self.shards if shard.pool is None)
        return next(whole, self.every_shard[0])
