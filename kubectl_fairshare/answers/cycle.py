"""One scheduling cycle, in the form that all schedulers' answers share."""

from collections.abc import Iterable
from typing import Generic, TypeVar

from kubectl_fairshare.answers.answer import Victim
from kubectl_fairshare.answers.documents import AnswerPart
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value

Detail_co = TypeVar("Detail_co", covariant=True)


class CycleEntry(Value, frozen=True):
    """One workload that the cycle considers; entries are in the order of the decisions."""

    key: ObjectKey
    queue: str
    outcome: Outcome
    victims: tuple[Victim, ...] = ()


class PossibleEntry(AnswerPart, frozen=True):
    """A workload in one of the cycles that ties allow."""

    workload: ObjectKey
    queue: str
    outcome: Outcome
    victims: tuple[ObjectKey, ...]


class CycleSummary(AnswerPart, frozen=True):
    """What all schedulers say of a cycle; ``possible`` lists every cycle that ties allow, this one first.

    It is empty if there is only this one.
    """

    scheduler: str
    verdict: str
    possible: tuple[tuple[PossibleEntry, ...], ...]


class Cycle(Value, Generic[Detail_co], frozen=True):
    """The effect of one cycle.

    ``behind`` are workloads in question that are not at the head of their queue; ``left_out`` are those without a
    queue: ``open`` those of them whose queue may exist outside of the input, ``starting`` those that start outside of
    quota, ``never`` those that stay out before something is changed. ``notes`` are for the user, next to the answer.
    ``possible`` are the entries of each cycle that ties allow, this one first, if there are several.
    """

    scheduler: str
    entries: tuple[CycleEntry, ...]
    fidelity: Fidelity
    detail: Detail_co
    behind: tuple[ObjectKey, ...] = ()
    left_out: tuple[ObjectKey, ...] = ()
    notes: tuple[Problem, ...] = ()
    possible: tuple[tuple[CycleEntry, ...], ...] = ()
    open: frozenset[ObjectKey] = frozenset()
    starting: frozenset[ObjectKey] = frozenset()
    never: frozenset[ObjectKey] = frozenset()

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The outcome of each workload; those behind others wait."""
        return self._with_others(_in_doubt(e.outcome) if self._is_open(e) else e.outcome for e in self.entries)

    def summary(self, verdict: str) -> CycleSummary:
        """What documents have of it whatever the scheduler."""
        possible = (tuple(map(_possible_entry, entries)) for entries in self.possible)
        return CycleSummary(self.scheduler, verdict, tuple(possible))

    @property
    def first(self) -> tuple[Outcome, ...]:
        """The outcomes in the cycle that is shown, also where chance can change them."""
        return self._with_others(e.outcome for e in self.entries)

    def _with_others(self, known: Iterable[Outcome]) -> tuple[Outcome, ...]:
        return (*known, *(Outcome.WAITS for _ in self.behind), *map(self._left_out, self.left_out))

    def _left_out(self, key: ObjectKey) -> Outcome:
        if key in self.starting and self.fidelity.modelled:
            return Outcome.UNMANAGED
        if key in self.open or key in self.starting:
            return Outcome.UNKNOWN
        return Outcome.NEVER if key in self.never else Outcome.WAITS

    def _is_open(self, entry: CycleEntry) -> bool:
        """Whether a gap, or chance, can change the entry's outcome."""
        seen = {other.outcome for run in self.possible for other in run if other.key == entry.key}
        return not self.fidelity.modelled or not self.fidelity.all_outcomes or len(seen) > 1


def _possible_entry(of: CycleEntry) -> PossibleEntry:
    return PossibleEntry(of.key, of.queue, of.outcome, tuple(victim.key for victim in of.victims))


def _in_doubt(outcome: Outcome) -> Outcome:
    """An outcome that a feature that is not modelled can change: a yes becomes Unknown."""
    return Outcome.UNKNOWN if outcome in (Outcome.ADMITTED, Outcome.PREEMPTS) else outcome
