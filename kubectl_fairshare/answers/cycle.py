"""One scheduling cycle, in the form that all schedulers' answers share."""

from typing import Generic, TypeVar

from kubectl_fairshare.answers.answer import Victim
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import dataclass

Detail_co = TypeVar("Detail_co", covariant=True)


@dataclass(frozen=True, slots=True)
class CycleEntry:
    """One workload that the cycle considers; entries are in the order of the decisions."""

    key: ObjectKey
    queue: str
    outcome: Outcome
    victims: tuple[Victim, ...] = ()


@dataclass(frozen=True, slots=True)
class Cycle(Generic[Detail_co]):
    """The effect of one cycle.

    ``behind`` are workloads in question that are not at the head of their queue; ``left_out`` are those without a
    queue. ``notes`` are for the user, next to the answer.
    """

    scheduler: str
    entries: tuple[CycleEntry, ...]
    fidelity: Fidelity
    detail: Detail_co
    behind: tuple[ObjectKey, ...] = ()
    left_out: tuple[ObjectKey, ...] = ()
    notes: tuple[Problem, ...] = ()

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The outcome of each workload; those behind others wait."""
        known = (e.outcome if self.fidelity.exact else _in_doubt(e.outcome) for e in self.entries)
        return (*known, *(Outcome.WAITS for _ in (*self.behind, *self.left_out)))


def _in_doubt(outcome: Outcome) -> Outcome:
    """An outcome that a feature that is not modelled can change: a yes becomes Unknown."""
    return Outcome.UNKNOWN if outcome in (Outcome.ADMITTED, Outcome.PREEMPTS) else outcome
