"""The answer to "why is this job where it is", as data."""

from enum import StrEnum

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.review import PossiblePreemptor
from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.jobs.events import Condition, Note
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.kai.explain.decision import Plan
from kubectl_fairshare.schedulers.kai.model.objects import KaiState
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.session.session import QueueAttributes
from kubectl_fairshare.trace import Fact


class Reason(StrEnum):
    """The dominant reason, in KAI's own word for it if KAI has one."""

    OVER_LIMIT = "OverLimit"
    OVER_QUOTA = "NonPreemptibleOverQuota"
    DELAYED = "PreemptionDelayNotElapsed"
    NO_QUEUE = "QueueDoesNotExist"
    UNSCHEDULABLE = "Unschedulable"
    NOT_READY = "NotReady"
    PIPELINED = "Pipelined"
    SCHEDULED = "Scheduled"
    EVICTED = "Evict"
    STALE = "StaleJob"
    INNER_QUEUE = "QueueIsNotLeaf"
    TRIED_ONCE = "SchedulingBackoff"
    NO_SHARD = "NoSchedulingShard"
    NO_POD_GROUP = "NoPodGroup"
    SUSPENDED = "Suspended"
    SCALED_TO_ZERO = "ScaledToZero"
    OTHER_SCHEDULER = "OtherScheduler"
    NEXT_CYCLE = "NextCycle"
    FINISHED = "Finished"
    NOT_MODELLED = "NotModelled"


class HoldingJob(Value, frozen=True):
    """A job that holds ``amount`` of the resource ``r`` in need. ``borrows``: its queue is over its quota."""

    job: Job
    r: int
    amount: float
    borrows: bool


class Turn(Value, frozen=True, rename="camel"):
    """The position of a job among the waiting jobs: in its queue, and in KAI's order over all queues of the shard.

    ``ahead`` are the earlier jobs of its queue. ``defined``: KAI's order is the same in every run.
    """

    position: int
    of: int
    taken_up: int
    waiting: int
    ahead: tuple[ObjectKey, ...]
    defined: bool = field(name="orderDefined")


class SafeUntil(Value, frozen=True):
    """A job that a minimum runtime protects; ``source`` is the queue that sets it, empty for the shard."""

    job: Job
    until: int
    source: str


class Explanation(Value, frozen=True):
    """One entry of ``reasons`` in a scheduling condition."""

    reason: str
    message: str


class JobRecord(Value, frozen=True):
    """What the cluster recorded about a job: conditions of its PodGroup and pods, and Events, oldest first.

    ``unscheduled`` are the PodScheduled conditions that are not True: one per message, with the number of pods.
    ``last_start`` and ``last_eviction`` are KAI's annotations.
    """

    conditions: tuple[Condition, ...] = ()
    explanations: tuple[Explanation, ...] = ()
    unscheduled: tuple[tuple[Condition, int], ...] = ()
    notes: tuple[Note, ...] = ()
    last_start: int | None = None
    last_eviction: int | None = None


class Why(Value, frozen=True):
    """Why one job is where it is.

    ``subject`` is the object in question, ``group`` its PodGroup, None if the input has none. ``facts`` are the fields
    behind the reason. ``plan`` is the decision on the state as read, for a waiting job. ``until`` is when the wait ends
    by itself, if known. ``grace`` is how long KAI leaves a job that runs fewer pods than its minimum; ``until`` is then
    its end. ``takers`` are the queues of which a newcomer could preempt a running job; without it its queue is
    ``left_below`` its own quota. Moments are nanoseconds since the epoch; ``now`` is the moment of the question.
    """

    verdict: Verdict
    reason: Reason
    subject: ObjectKey
    group: ObjectKey | None
    queue: str
    fidelity: Fidelity
    state: KaiState
    facts: tuple[Fact, ...] = ()
    chain: tuple[QueueAttributes, ...] = ()
    job: Job | None = None
    plan: Plan | None = None
    holding: tuple[HoldingJob, ...] = ()
    turn: Turn | None = None
    safe: tuple[SafeUntil, ...] = ()
    record: JobRecord = JobRecord()
    since: int | None = None
    until: int | None = None
    grace: int | None = None
    now: int | None = None
    takers: tuple[PossiblePreemptor, ...] = ()
    left_below: tuple[tuple[int, float], ...] = ()
