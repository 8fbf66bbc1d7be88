"""The answer to "why is this pod where it is", as far as it is the same with all plugins.

Decides nothing: it has types only.
Tested in ``tests/unit/schedulers/elasticquota/why/test_explainer.py``.
"""

from enum import StrEnum
from typing import Any, Final, TypeVar

from kubectl_fairshare.answers.fidelity import INVALID, Fidelity, Gap
from kubectl_fairshare.answers.holds import CreationRefusal
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.jobs.pod_record import PodRecord
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kubescheduler.creation import MissingPods
from kubectl_fairshare.schedulers.kubescheduler.plan import PluginPlan
from kubectl_fairshare.schedulers.kubescheduler.refusals import is_uncreated
from kubectl_fairshare.schedulers.pod_standing import NoPod
from kubectl_fairshare.trace import Fact, facts_of

_UNQUEUED: Final = ("GATED", "OTHER_SCHEDULER", "LEAVING", "REFUSED")
_VERDICTS: Final = {Outcome.NEVER: Verdict.NEVER, Outcome.WAITS: Verdict.NOT_NOW, Outcome.UNKNOWN: Verdict.UNKNOWN}


class PodWhy(Value, frozen=True):
    """Why one pod is where it is, together with the pods ``alike``, which have the same answer.

    ``pod`` is None for one that has ended or was never created; ``job`` is the object in question if it is not the pod.
    ``plan`` is the next attempt of a waiting pod, on ``state``. ``held`` are the holders of what is short. ``ahead``
    are the waiting pods that the scheduler tries first, ``equals`` counts those that it may try first, ``rivals`` all
    that wait for the same scheduler, including this one. ``before`` counts the pods that get in first, if the answer
    would be another without them. ``missing`` counts the pods of a job that are not created, for the ``refusals``.
    ``gates`` are its scheduling gates. Moments are nanoseconds since the epoch.
    """

    verdict: Verdict
    reason: StrEnum
    facts: tuple[Fact, ...]
    fidelity: Fidelity
    pod: Any = None
    key: ObjectKey | None = None
    job: ObjectKey | None = None
    alike: tuple[ObjectKey, ...] = ()
    plan: Any = None
    state: Any = None
    refusals: tuple[CreationRefusal, ...] = ()
    missing: int = 0
    held: tuple[Any, ...] = ()
    ahead: tuple[Any, ...] = ()
    equals: int = 0
    before: int = 0
    rivals: int = 0
    gates: tuple[str, ...] = ()
    record: PodRecord | None = None
    since: int | None = None
    now: int | None = None

    @property
    def queued(self) -> bool:
        """Whether the pod waits in the scheduler's queue, so that an attempt will come."""
        return self.plan is not None and self.reason.name not in _UNQUEUED and not self.plan.pod.gated


AnyPodWhy = TypeVar("AnyPodWhy", bound=PodWhy)


def why_missing(
    made: type[AnyPodWhy], missing: MissingPods, reason: StrEnum, plan: PluginPlan, state: Any, now: int | None
) -> AnyPodWhy:
    """The pods of a job that are not created; ``plan`` is that of the next one, ``reason`` what its scheduler says.

    The reason is that ResourceQuotas reject them, unless the scheduler never places one.
    """
    refused = is_uncreated(plan.computed, plan.refusals)
    return made(
        _VERDICTS[plan.outcome],
        type(reason)["REFUSED"] if refused else reason,
        missing.facts if refused else facts_of(plan.proof),
        plan.fidelity,
        job=missing.job,
        plan=plan,
        state=state,
        refusals=missing.refusals if refused else (),
        missing=missing.number,
        now=now,
    )


def why_unread(
    made: type[AnyPodWhy],
    missing: MissingPods,
    reason: StrEnum,
    error: FairshareError,
    fidelity: Fidelity,
    now: int | None,
) -> AnyPodWhy:
    """The pods of a job of which the next one cannot be read."""
    clause = "; ".join(problem.message for problem in error.problems)
    invalid = fidelity.with_gaps([Gap(INVALID, (Place(missing.job),), touches=True, subject=clause)])
    return made(Verdict.UNKNOWN, reason, missing.facts, invalid, job=missing.job, missing=missing.number, now=now)


def why_none(
    made: type[AnyPodWhy], found: NoPod, reason: StrEnum, fidelity: Fidelity, record: PodRecord | None, now: int | None
) -> AnyPodWhy:
    """An object without a waiting or running pod; ``record`` is what its pod says of its past."""
    return made(
        found.verdict,
        reason,
        (found.fact,),
        fidelity,
        key=found.key,
        job=found.job,
        record=record,
        since=None if record is None else record.started,
        now=now,
    )
