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
    """One workload that the cycle considers, in the order in which they are decided."""

    key: ObjectKey
    queue: str
    outcome: Outcome
    victims: tuple[Victim, ...] = ()


@dataclass(frozen=True, slots=True)
class Cycle(Generic[Detail_co]):
    """What one cycle does.

    ``behind`` are workloads that were asked about and whose turn does not come, ``left_out`` those that stand in no
    queue. ``notes`` are worth telling beside it.
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
        """What becomes of each workload; of those behind others, that they wait."""
        known = (e.outcome if self.fidelity.exact else _in_doubt(e.outcome) for e in self.entries)
        return (*known, *(Outcome.WAITS for _ in (*self.behind, *self.left_out)))


def _in_doubt(outcome: Outcome) -> Outcome:
    """An outcome that something that is not modelled can touch: a yes is none any more."""
    return Outcome.UNKNOWN if outcome in (Outcome.ADMITTED, Outcome.PREEMPTS) else outcome
