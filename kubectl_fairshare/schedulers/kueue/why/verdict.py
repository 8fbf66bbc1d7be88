"""The answer to "why does this workload wait, run, or never start", as data."""

from collections.abc import Mapping
from enum import StrEnum

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.jobs.events import Note
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.kueue.explain.decision import Binding, Plan
from kubectl_fairshare.schedulers.kueue.jobs.record import Assigned, Record
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder, Pending
from kubectl_fairshare.schedulers.kueue.tree.activity import Inactivity
from kubectl_fairshare.trace import Fact, Step


class Inquiry(Value, frozen=True):
    """The subject of a question.

    ``workload`` is the Workload in v1beta2 form, None if the input has none; ``job`` is the object behind it.
    ``pending`` is what it requests, read from the Workload, else from the job. ``ended`` is the job's own condition
    that says that it has finished: its type and place.
    """

    pending: Pending
    workload: Manifest | None = None
    job: ObjectKey | None = None
    ended: Fact | None = None


class Reason(StrEnum):
    """The dominant reason, with the name from KEP-10852 if that has one."""

    NO_MATCHING_FLAVOR = "NoMatchingFlavor"
    EXCEEDS_MAX_QUOTA = "ExceedsMaxQuota"
    WAITING_FOR_QUOTA = "WaitingForQuota"
    TOPOLOGY_PLACEMENT_FAILED = "TopologyPlacementFailed"
    WAITING_FOR_PREEMPTED = "WaitingForPreemptedWorkloads"
    BLOCKED_ON_GATES = "BlockedOnPreemptionGates"
    MISCONFIGURED = "Misconfigured"
    SUSPENDED = "Suspended"
    PENDING_EVALUATION = "PendingEvaluation"
    WAITING_FOR_PODS_READY = "WaitingForPodsReady"
    DEACTIVATED = "Deactivated"
    ON_HOLD = "OnHold"
    ADMISSION_GATED = "AdmissionGated"
    CHECKS = "UnsatisfiedAdmissionChecks"
    EVICTED = "Evicted"
    BACKOFF = "Backoff"
    ADMITTED = "Admitted"
    FINISHED = "Finished"
    UNMANAGED = "Unmanaged"
    NOT_MODELLED = "NotModelled"
    NOT_GIVEN = "NotInInput"


class HeldBy(Value, frozen=True):
    """A workload that holds ``amount`` of what is missing; ``borrows``: its queue uses more than its own quota."""

    holder: Holder
    pair: FlavorResource
    amount: int
    borrows: bool


class RecordedPreemptor(Value, frozen=True):
    """The preemptor for which a workload was preempted, as far as the message and the input say.

    ``uid`` and ``job_uid`` are the UIDs of the preemptor's Workload and job. ``path`` and ``own_path`` lead from the
    root to the ClusterQueues of the preemptor and of the victim. Each is empty if it is not recorded.
    """

    uid: str
    job_uid: str
    rule: str
    path: str
    own_path: str
    workload: ObjectKey | None = None
    job: ObjectKey | None = None


class RecordedEviction(Value, frozen=True):
    """The last eviction that is recorded; ``rule`` is the reason of the condition Preempted, if that exists."""

    reason: str
    message: str
    moment: int | None
    place: Place
    rule: str = ""
    preemptor: RecordedPreemptor | None = None


class Taker(Value, frozen=True):
    """A queue whose workloads could preempt this one, by ``law``; ``policy`` is the value of the field at ``place``.

    ``own`` is the workload's own ClusterQueue. Other queues may preempt it only while the workload's queue borrows:
    ``over`` says what, of what the workload holds, and how much.
    """

    queue: str
    policy: str
    own: bool
    over: tuple[tuple[FlavorResource, int], ...]
    place: Place
    law: Law


class Holding(Value, frozen=True):
    """What an admitted workload holds: ``assigned`` of the ``asked`` pods.

    ``borrowed`` is what its queue uses beyond its own quota of that. ``out_of_service`` is why the queue is inactive,
    None if it is active. ``left_below`` is how far a queue that borrows falls below its own quota without the workload.
    ``stop`` is why nothing is scheduled, None where the manager lives.
    """

    holder: Holder
    assigned: tuple[Assigned, ...]
    asked: int
    borrowed: tuple[tuple[FlavorResource, int], ...]
    takers: tuple[Taker, ...]
    out_of_service: Inactivity | None = None
    left_below: tuple[tuple[FlavorResource, int], ...] = ()
    stop: Step | None = None


class Lift(Value, frozen=True):
    """A simulated change after which Kueue considers a workload: ``outcome`` is the outcome then."""

    place: Place
    before: str
    after: str
    outcome: Outcome = Outcome.UNKNOWN
    victims: int = 0


class Moved(Value, frozen=True):
    """The newest change in the workload's tree after the record: which workload, when, and what happened."""

    workload: ObjectKey
    moment: int
    event: str


class Why(Value, frozen=True):
    """Why one workload waits, runs, or never starts.

    ``job`` is the object of the question if that is not the Workload itself; ``workload`` is None if the input has no
    Workload. ``because`` is the dominant reason with the facts that it rests on; ``facts`` are all facts behind the
    answer. ``plan`` is the decision on the state as it was read, for a workload that waits; ``then`` that on the state
    that those leave which get in before it, where these take what it needs.
    ``head`` is the workload that blocks it in its queue, ``head_bindings`` are the limits that the head waits for.
    ``leaving`` are victims that are being evicted for it. ``moved``: the state is newer than what the cluster recorded
    about the workload. ``since`` is the moment since which the answer is true, as far as it is recorded.
    ``displaced`` are the workloads that were last evicted for this one. ``notes`` are Events. ``jobs`` maps the
    Workloads of the answer to their jobs, if these are known. ``now`` is the moment of the question, if known.
    Moments are nanoseconds since the epoch.
    """

    verdict: Verdict
    reason: Reason
    because: Step
    facts: tuple[Fact, ...]
    fidelity: Fidelity
    job: ObjectKey | None = None
    workload: ObjectKey | None = None
    asking: Pending | None = None
    cluster_queue: str = ""
    plan: Plan | None = None
    then: Plan | None = None
    head: Pending | None = None
    head_bindings: tuple[Binding, ...] = ()
    held: tuple[HeldBy, ...] = ()
    leaving: tuple[Holder, ...] = ()
    lifts: tuple[Lift, ...] = ()
    holding: Holding | None = None
    record: Record = field(default_factory=Record)
    eviction: RecordedEviction | None = None
    displaced: tuple[ObjectKey, ...] = ()
    notes: tuple[Note, ...] = ()
    since: int | None = None
    until: int | None = None
    moved: Moved | None = None
    jobs: Mapping[ObjectKey, ObjectKey] = field(default_factory=dict)
    now: int | None = None
