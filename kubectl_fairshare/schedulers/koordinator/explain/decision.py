"""The answer to "what happens to this pod", with its proof. Types only."""

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.preemption.scheduling import PodAttempt
from kubectl_fairshare.schedulers.kubescheduler.plan import PluginPlan


class PossibleEnd(Value, frozen=True):
    """One of the outcomes that ties allow: the node of the evictions, and the victims."""

    outcome: Outcome
    node: str
    victims: tuple[Pod, ...]


class Plan(PluginPlan, frozen=True, kw_only=True):
    """The decision for one pod.

    ``message`` is the scheduler's own text about a pod that its quotas reject. ``in_vain``: preemption evicts pods, and
    the quota still rejects the pod. ``revoked`` are pods of its quota that the over-use revoker would evict if it ran;
    about ``revoked_perhaps`` a tie decides. ``moments`` are the outcomes at the moments that the input leaves open, if
    these differ.
    """

    attempt: PodAttempt
    message: str
    in_vain: bool
    revoked: tuple[Pod, ...]
    watched: bool
    possible: tuple[PossibleEnd, ...] = ()
    revoked_perhaps: tuple[Pod, ...] = ()
    moments: tuple[Outcome, ...] = ()
