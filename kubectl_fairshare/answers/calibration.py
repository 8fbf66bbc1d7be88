"""How far a simulation of a trace is from what the cluster recorded. Durations are nanoseconds. Data only.

Tested in ``tests/unit/policy/simulation/test_calibration.py``.
"""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from kubectl_fairshare.answers.comparison import Dispersion
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.model.values import dataclass


class Unrecorded(StrEnum):
    """What a trace does not record, or not exactly, and an order of admissions may rest on."""

    STOPPING = "stopping"
    RUN_LENGTH = "runLength"
    CHANCE = "chance"


@dataclass(frozen=True, slots=True)
class Swap:
    """Two jobs that the cluster admitted in the other order, and when it did.

    ``cause``: with another value of that, the simulation has the recorded order; None if no value that was tried has.
    """

    earlier: str
    later: str
    earlier_at: int
    later_at: int
    cause: Unrecorded | None = None


@dataclass(frozen=True, slots=True)
class Calibration:
    """A replay of a trace compared with what happened.

    ``compared`` are the jobs with a recorded and a simulated first admission; ``unrecorded`` lack the former,
    ``unstarted`` the latter. ``pairs`` counts pairs of compared jobs whose recorded order is certain: their admissions
    are more than ``resolution`` apart, and they did not arrive at one recorded moment with one priority. ``swapped`` of
    them are simulated in the other order; ``swaps`` are the first of these. ``causes`` counts the swapped pairs that
    have the recorded order with another value of what a trace does not record. They come last in ``swaps``.

    ``errors`` are the distances between simulated and recorded waiting, ``bias`` their mean with a sign (above 0: the
    simulation waits longer), ``median_run`` the median run time of the compared jobs. ``recorded_evictions`` and
    ``simulated_evictions`` count evictions, ``evicted_alike`` the jobs that were evicted in both or in neither.
    ``share_error`` is the mean over time of what queues hold differently, as a part of all that is held (0 to 1), None
    where nothing is held.
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
    causes: Mapping[Unrecorded, int] = field(hash=False)
    swaps: tuple[Swap, ...]
    errors: Dispersion | None
    bias: float
    median_run: float
    recorded_evictions: int
    simulated_evictions: int
    evicted_alike: int
    share_error: float | None
    ties: int
    fidelity: Fidelity
    notes: tuple[str, ...] = ()

    @property
    def undetermined(self) -> int:
        """How many of the swapped pairs have an order that the trace does not determine."""
        return sum(self.causes.values())

    @property
    def relative_error(self) -> float | None:
        """The median error of waiting as a part of the median run time; None without either."""
        return None if self.errors is None or not self.median_run else self.errors.median / self.median_run
