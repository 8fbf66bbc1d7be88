"""How far a simulation of a trace is from what the cluster recorded. Durations are nanoseconds. Data only.

Tested in ``tests/unit/policy/simulation/test_calibration.py``.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum

from kubectl_fairshare.answers.dispersion import Dispersion
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.model.values import Value


class DifferenceCause(StrEnum):
    """Why a simulation differs from the record: it does what was recorded if that alone is as it was, or may have been.

    ``EARLIER``: from the state that was recorded shortly before, so an earlier difference is the cause. The others are
    what a trace does not record: from that state, and with another value of it. ``ASIDE``: jobs that waited were looked
    at again a moment later than others.
    """

    EARLIER = "earlier"
    STOPPING = "stopping"
    RUN_LENGTH = "runLength"
    CHANCE = "chance"
    ASIDE = "aside"


class Swap(Value, frozen=True):
    """Two jobs that the cluster admitted in the other order, and when it did.

    ``cause`` is None where no simulation from a recorded state has the recorded order, or none was made: ``examined``.
    """

    earlier: str
    later: str
    earlier_at: int
    later_at: int
    cause: DifferenceCause | None = None
    examined: bool = False


class EvictionDifference(Value, frozen=True):
    """An eviction that was ``recorded`` and not simulated at about that moment, or the other way round.

    ``by`` is the job for which it was simulated. ``cause`` and ``examined`` as for a ``Swap``.
    """

    job: str
    at: int
    recorded: bool
    by: str = ""
    cause: DifferenceCause | None = None
    examined: bool = False


class RecordedStep(Value, frozen=True):
    """A recorded admission, or eviction, of a job.

    ``cause`` is ``EARLIER`` where a simulation from the state that was recorded before it does the same as it is, and
    what else differs in the first one that does; None where none does. ``examined`` as for a ``Swap``.
    """

    job: str
    at: int
    evicted: bool
    cause: DifferenceCause | None = None
    examined: bool = False


class Calibration(Value, frozen=True):
    """A replay of a trace compared with what happened.

    ``compared`` are the jobs with a recorded and a simulated first admission; ``unrecorded`` lack the former,
    ``unstarted`` the latter. ``pairs`` counts pairs of compared jobs whose recorded order is certain: their admissions
    are more than ``resolution`` apart, and they did not arrive at one recorded moment with one priority. ``swapped`` of
    them are simulated in the other order; ``swaps`` are the first of these, those without a cause before the others.
    ``causes`` counts the swapped pairs by cause, ``unexamined`` those of which none was looked for.

    ``errors`` are the distances between simulated and recorded waiting, ``bias`` their mean with a sign (above 0: the
    simulation waits longer), ``median_run`` the median run time of the compared jobs. ``recorded_evictions`` and
    ``simulated_evictions`` count evictions, ``evicted_alike`` the jobs that were evicted in both or in neither;
    ``evictions`` are those of one side alone, in order. ``steps`` are all recorded admissions and evictions, each
    looked at from the state recorded before it; none if there is no difference. ``share_error`` is the mean over time
    of what queues hold differently, as a part of all that is held (0 to 1), None where nothing is held.
    """

    scheduler: str
    version: str
    jobs: int
    compared: int
    unrecorded: int
    unstarted: int
    resolution: int
    pairs: int
    swapped: int
    causes: Mapping[DifferenceCause, int]
    unexamined: int
    swaps: tuple[Swap, ...]
    errors: Dispersion | None
    bias: float
    median_run: float
    recorded_evictions: int
    simulated_evictions: int
    evicted_alike: int
    evictions: tuple[EvictionDifference, ...]
    steps: tuple[RecordedStep, ...]
    share_error: float | None
    ties: int
    fidelity: Fidelity
    notes: tuple[str, ...] = ()

    @property
    def unexplained(self) -> int:
        """How many of the swapped pairs were examined, and have no cause."""
        return self.swapped - sum(self.causes.values()) - self.unexamined

    @property
    def eviction_causes(self) -> Mapping[DifferenceCause, int]:
        """The evictions of one side alone by cause."""
        return _causes(self.evictions)

    @property
    def step_causes(self) -> Mapping[DifferenceCause, int]:
        """The recorded admissions and evictions by what a simulation needs to do them."""
        return _causes(self.steps)

    @property
    def unexplained_evictions(self) -> int:
        """How many evictions of one side alone were examined, and have no cause."""
        return sum(each.examined and each.cause is None for each in self.evictions)

    @property
    def unexplained_steps(self) -> tuple[RecordedStep, ...]:
        """The recorded admissions and evictions that no simulation from the state before them does."""
        return tuple(each for each in self.steps if each.examined and each.cause is None)

    @property
    def relative_error(self) -> float | None:
        """The median error of waiting as a part of the median run time; None without either."""
        return None if self.errors is None or not self.median_run else self.errors.median / self.median_run


def _causes(found: Iterable[EvictionDifference | RecordedStep]) -> Mapping[DifferenceCause, int]:
    return Counter(each.cause for each in found if each.cause is not None)
