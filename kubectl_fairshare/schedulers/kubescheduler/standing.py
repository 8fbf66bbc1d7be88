"""The verdict and the reason of a waiting pod, from the scheduler's next attempt.

Decides nothing: it reads the result of the plugin's own cycle.
Tested in ``tests/unit/schedulers/elasticquota/why/test_standing.py`` and ``tests/unit/schedulers/koordinator``.
"""

from collections.abc import Collection
from enum import StrEnum
from typing import Final, TypeVar

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.schedulers.kubescheduler.plan import PluginPlan

_VERDICTS: Final = {
    Outcome.ADMITTED: Verdict.WAITING,
    Outcome.PREEMPTS: Verdict.WAITING,
    Outcome.WAITS: Verdict.NOT_NOW,
    Outcome.NEVER: Verdict.NEVER,
}
AnyReason = TypeVar("AnyReason", bound=StrEnum)


def standing_of(
    plan: PluginPlan, reason: AnyReason, profiles: Collection[str] | None, *, recorded: bool
) -> tuple[Verdict, AnyReason]:
    """The verdict and its reason, of a pod's next attempt; ``reason`` is that as far as it is modelled.

    ``recorded``: the scheduler has written why it did not place the pod. If a feature that is not modelled or a tie
    decides, such a record still proves that the pod cannot be placed now.
    """
    reasons, pod = type(reason), plan.pod
    if profiles is not None and pod.scheduler not in profiles:
        return Verdict.UNMANAGED, reasons["OTHER_SCHEDULER"]
    if pod.terminating:
        return Verdict.WAITING, reasons["LEAVING"]
    if pod.gated and plan.outcome is not Outcome.NEVER:
        return Verdict.WAITING, reasons["GATED"]
    if plan.outcome is Outcome.UNKNOWN:
        placed = plan.computed in (Outcome.ADMITTED, Outcome.PREEMPTS)
        return Verdict.NOT_NOW if recorded else Verdict.UNKNOWN, reasons["NOT_MODELLED"] if placed else reason
    if reason.name == "VICTIMS_LEAVING":
        return Verdict.WAITING, reason
    return _VERDICTS[plan.computed], reason
