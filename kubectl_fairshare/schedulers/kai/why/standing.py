"""The answer to "why is this job where it is", as data."""

from enum import StrEnum

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.jobs.events import Condition, Note
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.kai.explain.decision import Plan
from kubectl_fairshare.schedulers.kai.model.objects import KaiState
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.session.session import QueueAttributes
from kubectl_fairshare.trace import Fact


class Reason(StrEnum):
    """The dominant reason: a reason that KAI writes into PodGroups or Events where it has one."""

    OVER_LIMIT = "OverLimit"
    OVER_QUOTA = "NonPreemptibleOverQuota"
    DELAYED = "PreemptionDelayNotElapsed"
    NO_QUEUE = "QueueDoesNotExist"
    UNSCHEDULABLE = "Unschedulable"
    NOT_READY = "NotReady"
    PIPELINED = "Pipelined"
    SCHEDULED = "Scheduled"
    EVICTED = "Evict"
    INNER_QUEUE = "QueueIsNotLeaf"
    TRIED_ONCE = "SchedulingBackoff"
    NO_SHARD = "NoSchedulingShard"
    NO_POD_GROUP = "NoPodGroup"
    OTHER_SCHEDULER = "OtherScheduler"
    NEXT_CYCLE = "NextCycle"
    FINISHED = "Finished"
    NOT_MODELLED = "NotModelled"


@dataclass(frozen=True, slots=True)
class HoldingJob:
    """A job that holds ``amount`` of the needed resource ``r``; ``borrows``: its queue is over its quota of it."""

    job: Job
    r: int
    amount: float
    borrows: bool


@dataclass(frozen=True, slots=True)
class Turn:
    """The place of a job among those that wait: in its queue, and in the order in which KAI takes up all of them.

    ``ahead`` are the jobs of its queue before it. ``defined``: KAI itself has one order.
    """

    position: int
    of: int
    taken_up: int
    waiting: int
    ahead: tuple[ObjectKey, ...]
    defined: bool


@dataclass(frozen=True, slots=True)
class SafeUntil:
    """A job that min-runtime protects until a moment, and the queue that says so; empty for the shard."""

    job: Job
    until: int
    source: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """One of the ``reasons`` of a scheduling condition."""

    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class Record:
    """What the cluster wrote of a job: conditions of its PodGroup and of its pods, and Events, oldest first.

    ``unscheduled`` are PodScheduled conditions of pods that are not True, one for each message, with how many pods have
    it. ``last_start`` and ``last_eviction`` are KAI's annotations.
    """

    conditions: tuple[Condition, ...] = ()
    explanations: tuple[Explanation, ...] = ()
    unscheduled: tuple[tuple[Condition, int], ...] = ()
    notes: tuple[Note, ...] = ()
    last_start: int | None = None
    last_eviction: int | None = None


@dataclass(frozen=True, slots=True)
class Why:
    """Why one job is where it is.

    ``subject`` is the object that was asked about, ``group`` its PodGroup, None where the input has none. ``facts`` are
    the fields that the reason rests on. ``plan`` is the decision on the state as it was read, for a job that waits.
    ``until`` is when what binds ends by itself, if that is known. Moments are nanoseconds since the epoch;
    ``now`` is that of asking.
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
    record: Record = Record()
    since: int | None = None
    until: int | None = None
    now: int | None = None
