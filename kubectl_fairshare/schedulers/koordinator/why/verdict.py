"""The answer to "why is this pod where it is", as data."""

from enum import StrEnum
from typing import Final

from kubectl_fairshare.answers.figures import Quantity
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.review import PossiblePreemptor
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.koordinator.explain.decision import Plan
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.quotas.state import State
from kubectl_fairshare.schedulers.koordinator.why.risks import EvictionRisk
from kubectl_fairshare.schedulers.kubescheduler.decision import CycleEnd
from kubectl_fairshare.schedulers.kubescheduler.why import PodWhy


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
    amount: Quantity
    borrows: bool


class Why(PodWhy, frozen=True):
    """Why one pod is where it is.

    ``risk`` is what may evict a placed pod next. ``takers`` are the quotas of which some new pod could; ``left_below``
    is how far its own is then below its min, in 10⁻⁹.
    """

    pod: Pod | None = None
    quota: str = ""
    plan: Plan | None = None
    state: State | None = None
    held: tuple[HeldBy, ...] = ()
    risk: EvictionRisk = EvictionRisk()
    takers: tuple[PossiblePreemptor, ...] = ()
    left_below: tuple[tuple[str, int], ...] = ()
    watched: bool = False


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
    if attempt.course is CycleEnd.ERROR:
        return Reason.SCHEDULER_FAILS
    return Reason.NO_ROOM if attempt.trials else Reason.NO_NODE
