"""How far a simulation of a trace is from what the cluster recorded. Durations are nanoseconds. Data only.

Tested in ``tests/unit/policy/simulation/test_calibration.py``.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Annotated

from kubectl_fairshare.answers.dispersion import Dispersion
from kubectl_fairshare.answers.documents import COUNTS, SPREAD_SECONDS, AnswerPart, MeanSeconds, Seconds, Time
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.model.values import field


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


CauseCounts = Annotated[Mapping[DifferenceCause, int], COUNTS]
"""How many differences have each cause."""


class Swap(AnswerPart, frozen=True):
    """Two jobs that the cluster admitted in the other order.

    ``cause``: a simulation from the state that was recorded shortly before has the recorded order, as it is
    (``earlier``), or with another value of what the trace does not record. null: none has it, or, if not ``examined``,
    none was made.
    """

    earlier: str
    later: str
    earlier_at: Time
    later_at: Time
    cause: DifferenceCause | None = None
    examined: bool = False


class EvictionDifference(AnswerPart, frozen=True):
    """An eviction that was recorded and not simulated within three seconds, or simulated and not recorded.

    ``cause`` and ``examined`` are as for two jobs in another order.
    """

    DOCUMENT = ("job", "at", "recorded", "cause", "examined")
    job: str
    at: Time
    recorded: bool
    by: str = ""
    """The job for which it was simulated."""
    cause: DifferenceCause | None = None
    examined: bool = False


class RecordedStep(AnswerPart, frozen=True):
    """A recorded admission, or eviction, of a job."""

    DOCUMENT = ("job", "at", "evicted")
    job: str
    at: Time
    evicted: bool
    cause: DifferenceCause | None = None
    """``EARLIER`` where a simulation from the state recorded before does the same as it is; None as for a ``Swap``."""
    examined: bool = False


class RecordedSteps(AnswerPart, frozen=True):
    """The recorded admissions and evictions, each looked at from the state that was recorded before it.

    ``causes`` counts them by what else the first simulation has that does it; those under "earlier" need nothing else.
    ``unexplained`` are those that none does, ``unexamined`` counts those for which none was made.
    """

    total: int
    causes: CauseCounts
    unexplained: tuple[RecordedStep, ...]
    unexamined: int


class Calibration(AnswerPart, frozen=True):
    """A replay of a trace compared with what the cluster recorded; durations are seconds.

    ``compared`` are the jobs with a recorded and a simulated first admission; ``unrecorded`` lack the former,
    ``unstarted`` the latter. ``pairs`` counts pairs of compared jobs whose recorded order is certain: their admissions
    are more than ``resolutionSeconds`` apart, and they did not arrive at one recorded moment with one priority.
    ``swapped`` of them are simulated in the other order; ``swaps`` are the first of these, those without a cause before
    the others. ``causes`` counts the swapped pairs by cause, ``unexplained`` those without one, ``unexamined`` those of
    which none was looked for.

    ``waitErrorSeconds`` are the distances between simulated and recorded waiting, ``waitBiasSeconds`` their mean with a
    sign (above 0: the simulation waits longer), ``relativeError`` their median as a part of ``medianRunSeconds``.
    ``evictedAlike`` counts the jobs that were evicted in both or in neither; ``evictions`` are those of one side alone,
    in order. ``shareError`` is the mean over time of what queues hold differently, as a part of all that is held
    (0 to 1), null where nothing is held.
    """

    DOCUMENT = (
        *("scheduler", "version", "exact", "jobs", "compared", "unrecorded", "unstarted", "resolution", "pairs"),
        *("swapped", "causes", "unexplained", "unexamined", "swaps", "errors", "bias", "median_run", "relative_error"),
        *("recorded_evictions", "simulated_evictions", "evicted_alike", "evictions", "unexplained_evictions", "steps"),
        *("share_error", "ties", "notes"),
    )
    scheduler: str
    version: str
    jobs: int
    compared: int
    unrecorded: int
    unstarted: int
    resolution: Seconds = field(name="resolutionSeconds")
    pairs: int
    swapped: int
    causes: CauseCounts
    unexamined: int
    swaps: tuple[Swap, ...]
    errors: Annotated[Dispersion, SPREAD_SECONDS] | None = field(name="waitErrorSeconds")
    bias: MeanSeconds = field(name="waitBiasSeconds")
    median_run: MeanSeconds = field(name="medianRunSeconds")
    recorded_evictions: int
    simulated_evictions: int
    evicted_alike: int
    evictions: tuple[EvictionDifference, ...]
    recorded_steps: tuple[RecordedStep, ...]
    share_error: float | None
    ties: int
    fidelity: Fidelity
    notes: tuple[str, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether the replay is exact."""
        return self.fidelity.exact

    @property
    def unexplained(self) -> int:
        """How many of the swapped pairs were examined, and have no cause."""
        return self.swapped - sum(self.causes.values()) - self.unexamined

    @property
    def eviction_causes(self) -> Mapping[DifferenceCause, int]:
        """The evictions of one side alone by cause."""
        return cause_counts(self.evictions)

    @property
    def unexplained_evictions(self) -> int:
        """How many evictions of one side alone were examined, and have no cause."""
        return sum(each.examined and each.cause is None for each in self.evictions)

    @property
    def steps(self) -> RecordedSteps:
        """All recorded admissions and evictions; none if there is no difference."""
        steps = self.recorded_steps
        unexplained = tuple(each for each in steps if each.examined and each.cause is None)
        return RecordedSteps(len(steps), cause_counts(steps), unexplained, sum(not each.examined for each in steps))

    @property
    def relative_error(self) -> float | None:
        """The median error of waiting as a part of the median run time; None without either."""
        return None if self.errors is None or not self.median_run else self.errors.median / self.median_run


def cause_counts(found: Iterable[Swap | EvictionDifference | RecordedStep]) -> Mapping[DifferenceCause, int]:
    """How many differences have each cause, in the order of their names."""
    return dict(sorted(Counter(each.cause for each in found if each.cause is not None).items()))
