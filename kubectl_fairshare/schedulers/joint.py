"""Workloads that are asked about together: the only ones that wait, next to all that runs.

Tested in ``tests/unit/policy/test_together.py``.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from kubectl_fairshare.answers.answer import Answer
from kubectl_fairshare.answers.details import PlanDetail
from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.adoption import Adoption
from kubectl_fairshare.schedulers.question import PlanQuestion
from kubectl_fairshare.schedulers.replay import SchedulerReplay

IN_ORDER = "new jobs are created in the order given, one second apart"


class JointQuestion(Value, frozen=True):
    """What waits: the workloads of ``asked``, if there are any, and those of the input that ``kept`` names by key."""

    asked: PlanQuestion | None
    kept: frozenset[ObjectKey] = frozenset()


class AtRest(NamedTuple):
    """Why a unit still waits once nothing changes any more: its outcome, and what keeps it out, in a clause.

    ``outcome`` is Unknown where something that is not modelled can change what is ``computed``.
    """

    outcome: Outcome
    computed: Outcome
    reason: str
    gaps: Sequence[Gap] = ()


def waits_for(reason: str) -> AtRest:
    """A unit that waits for a reason that is known."""
    return AtRest(Outcome.WAITS, Outcome.WAITS, reason)


def at_rest(answer: Answer[PlanDetail]) -> AtRest:
    """Why a unit waits, as its plan says it. One that would get in if it were considered waits for others."""
    if answer.computed in (Outcome.ADMITTED, Outcome.PREEMPTS):
        return waits_for(answer.verdict)
    if answer.starts:
        return AtRest(Outcome.UNMANAGED, Outcome.UNMANAGED, answer.verdict)
    outcome, computed = (Outcome.WAITS if e is Outcome.UNMANAGED else e for e in (answer.outcome, answer.computed))
    reason = "; ".join(limit.clause for limit in answer.binding) or answer.verdict.partition(": ")[2]
    gaps = answer.fidelity.gaps if answer.outcome is not answer.computed or answer.computed is Outcome.NEVER else ()
    return AtRest(outcome, computed, reason or answer.verdict, gaps)


class JointWork(Value, frozen=True):
    """The work of the question: ``work`` has all that runs, and waiting jobs only if they are asked about.

    ``at_rest`` takes a replay of that work and a unit that waits in it. ``gaps`` are what else is in doubt.
    ``assumed`` are sentences, ``notes`` are for the user.
    """

    work: Adoption
    at_rest: Callable[[SchedulerReplay, str], AtRest]
    gaps: tuple[Gap, ...] = ()
    assumed: tuple[str, ...] = ()
    notes: tuple[Problem, ...] = ()
