"""The answer to "why is this pod where it is", as data.

Tested in ``tests/unit/schedulers/elasticquota/test_house.py``.
"""

from enum import StrEnum

from kubectl_fairshare.answers.figures import Quantity
from kubectl_fairshare.answers.review import PossiblePreemptor
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.elasticquota.explain.decision import Plan
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.model.vector import Excess
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.kubescheduler.why import PodWhy


class Reason(StrEnum):
    """The one reason that decides."""

    OVER_MAX = "OverMax"
    OVER_POOL = "OverSumMin"
    NO_ROOM = "NoRoom"
    NO_NODE = "NoNode"
    SCATTERED = "NoSingleNode"
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


class HeldBy(Value, frozen=True):
    """A pod that holds ``amount`` of what is short. ``borrows``: its namespace is above its min of it."""

    pod: Pod
    resource: str
    amount: Quantity
    borrows: bool


class NextPreemptor(Value, frozen=True):
    """A waiting pod whose next attempt preempts this one; ``certain`` unless the scheduler may choose another node."""

    pod: Pod
    node: str
    certain: bool


class Exposed(Value, frozen=True):
    """Who can preempt a placed pod.

    ``borrowed`` is what its namespace uses above its min. ``takers`` are the namespaces of which some new pod does, its
    own first; ``lenders`` are those of them with an unused min of something that this one borrows. ``now`` are the
    waiting pods whose next attempt does. ``left_below`` is how far its namespace falls below its min without it.
    """

    borrowed: tuple[Excess, ...]
    lenders: tuple[tuple[str, str, int], ...]
    takers: tuple[PossiblePreemptor, ...]
    now: tuple[NextPreemptor, ...]
    left_below: tuple[tuple[str, int], ...] = ()

    @property
    def by_own(self) -> bool:
        """Whether higher-priority pods of its own namespace, which has a quota, can."""
        return any(each.law == Law.OWN_LOWER for each in self.takers)

    @property
    def others(self) -> tuple[str, ...]:
        """The other namespaces whose pods can, within their min."""
        return tuple(each.queue for each in self.takers if each.law == Law.BORROWER)


class Why(PodWhy, frozen=True):
    """Why one pod is where it is; ``holding`` is who can preempt a placed one."""

    pod: Pod | None = None
    plan: Plan | None = None
    state: State | None = None
    held: tuple[HeldBy, ...] = ()
    holding: Exposed | None = None
