"""The answer to "why is this pod where it is", as data."""

from enum import StrEnum
from typing import Final

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.holds import CreationRefusal
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.review import PossiblePreemptor
from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.jobs.pod_record import PodRecord
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.koordinator.explain.decision import Plan
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.preemption.scheduling import AttemptEnd
from kubectl_fairshare.schedulers.koordinator.quotas.state import State
from kubectl_fairshare.schedulers.koordinator.why.risks import EvictionRisk
from kubectl_fairshare.trace import Fact


class Reason(StrEnum):
    """The one reason that decides."""

    OVER_RUNTIME = "OverRuntime"
    OVER_MIN = "OverMinNonPreemptible"
    PARENT_OVER = "ParentOverRuntime"
    PARENT_UNKNOWN = "ParentUnknown"
    IN_VAIN = "PreemptsInVain"
    NO_ROOM = "NoRoom"
    NO_NODE = "NoNode"
    NEVER_PREEMPTS = "NeverPreempts"
    SCHEDULER_FAILS = "SchedulerFails"
    VICTIMS_LEAVING = "VictimsLeaving"
    NEXT_ATTEMPT = "NextAttempt"
    NEXT_PREEMPTION = "NextPreemption"
    GATED = "SchedulingGated"
    OTHER_SCHEDULER = "OtherScheduler"
    NOT_MODELLED = "NotModelled"
    REFUSED = "RefusedByResourceQuota"
    SUSPENDED = "Suspended"
    NO_PODS = "NoPods"
    PLACED = "Placed"
    LEAVING = "Leaving"
    FINISHED = "Finished"


_UNQUEUED: Final = (Reason.GATED, Reason.OTHER_SCHEDULER, Reason.LEAVING)
_VERDICTS: Final = {
    Outcome.ADMITTED: Verdict.WAITING,
    Outcome.PREEMPTS: Verdict.WAITING,
    Outcome.WAITS: Verdict.NOT_NOW,
    Outcome.NEVER: Verdict.NEVER,
}
_TESTS: Final = {
    Law.OVER_RUNTIME: Reason.OVER_RUNTIME,
    Law.OVER_MIN: Reason.OVER_MIN,
    Law.PARENT_OVER: Reason.PARENT_OVER,
    Law.PARENT_UNKNOWN: Reason.PARENT_UNKNOWN,
}


class HeldBy(Value, frozen=True):
    """A pod that holds ``amount`` of what is short, in inner units, in ``quota``."""

    pod: Pod
    quota: str
    resource: str
    amount: int
    borrows: bool


class Why(Value, frozen=True):
    """Why one pod is where it is, together with the pods ``alike``, which have the same answer.

    ``pod`` is None for one that has ended or was never created; ``job`` is the object in question if it is not the pod.
    ``plan`` is the next attempt of a waiting pod, on ``state``. ``held`` are the holders of what is short. ``ahead``
    are the waiting pods that the scheduler tries first, ``equals`` counts those that it may try first, ``rivals`` all
    that wait for the same scheduler. ``before`` counts the pods that get in first, if the answer would be another
    without them. ``missing`` counts the pods of a job that are not created, for the ``refusals``. ``risk`` is what may
    evict a placed pod next. ``takers`` are the quotas of which some new pod could; ``left_below`` is how far its own is
    then below its min, in 10⁻⁹. ``gates`` are its scheduling gates.
    """

    verdict: Verdict
    reason: Reason
    facts: tuple[Fact, ...]
    fidelity: Fidelity
    pod: Pod | None = None
    key: ObjectKey | None = None
    job: ObjectKey | None = None
    quota: str = ""
    alike: tuple[ObjectKey, ...] = ()
    plan: Plan | None = None
    state: State | None = None
    refusals: tuple[CreationRefusal, ...] = ()
    missing: int = 0
    held: tuple[HeldBy, ...] = ()
    ahead: tuple[Pod, ...] = ()
    equals: int = 0
    before: int = 0
    rivals: int = 0
    risk: EvictionRisk = EvictionRisk()
    takers: tuple[PossiblePreemptor, ...] = ()
    left_below: tuple[tuple[str, int], ...] = ()
    watched: bool = False
    gates: tuple[str, ...] = ()
    record: PodRecord | None = None
    since: int | None = None
    now: int | None = None

    @property
    def queued(self) -> bool:
        """Whether the pod waits in the scheduler's queue, so that an attempt will come."""
        return self.plan is not None and self.reason not in _UNQUEUED and not self.plan.pod.gated


def standing(plan: Plan, profiles: tuple[str, ...] | None, *, recorded: bool) -> tuple[Verdict, Reason]:
    """The verdict and its reason. ``recorded``: the scheduler has written why it did not place the pod.

    If a feature that is not modelled decides, such a record still proves that the pod cannot be placed now.
    """
    if profiles is not None and plan.pod.scheduler not in profiles:
        return Verdict.UNMANAGED, Reason.OTHER_SCHEDULER
    if plan.pod.leaving:
        return Verdict.WAITING, Reason.LEAVING
    if plan.pod.gated and plan.outcome is not Outcome.NEVER:
        return Verdict.WAITING, Reason.GATED
    reason, placed = computed_reason(plan), plan.computed in (Outcome.ADMITTED, Outcome.PREEMPTS)
    if plan.outcome is Outcome.UNKNOWN:
        kept = Reason.NOT_MODELLED if placed else reason
        return (Verdict.NOT_NOW, kept) if recorded else (Verdict.UNKNOWN, kept)
    if reason is Reason.VICTIMS_LEAVING:
        return Verdict.WAITING, reason
    return _VERDICTS[plan.computed], reason


def computed_reason(plan: Plan) -> Reason:
    """The reason as far as it is modelled."""
    attempt = plan.attempt
    if plan.computed in (Outcome.ADMITTED, Outcome.PREEMPTS):
        return Reason.NEXT_ATTEMPT if plan.computed is Outcome.ADMITTED else Reason.NEXT_PREEMPTION
    if plan.in_vain:
        return Reason.IN_VAIN
    if attempt.eligible is Law.VICTIMS_LEAVING and plan.computed is not Outcome.NEVER:
        return Reason.VICTIMS_LEAVING
    refusal = attempt.gate.refusal
    if refusal is not None and not plan.node_bound:
        return _TESTS[refusal.law]
    if plan.barred is not None:
        return Reason.NO_NODE
    if attempt.eligible is Law.NEVER_PREEMPTS:
        return Reason.NEVER_PREEMPTS
    if attempt.end is AttemptEnd.ERROR:
        return Reason.SCHEDULER_FAILS
    return Reason.NO_ROOM if attempt.trials else Reason.NO_NODE
