"""How far forecasts that were made at moments of a recorded past are from what happened then.

Moments are nanoseconds since the epoch, spans nanoseconds. Data only.
Tested in ``tests/unit/policy/forecast/test_calibration.py``.
"""

from collections.abc import Mapping
from typing import NamedTuple

from kubectl_fairshare.answers.dispersion import Dispersion
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.forecast import DurationSource
from kubectl_fairshare.model.values import Value


class StartErrors(NamedTuple):
    """Forecast starts compared with recorded ones: their distances, and the mean with a sign, above 0: too late.

    ``compared`` counts them; without any there is no dispersion.
    """

    compared: int
    distances: Dispersion | None
    bias: float


class LeadFigures(Value, frozen=True):
    """The forecasts whose median was less than ``below`` ahead, and not less than that of the figures before.

    None: the rest, or all. The start of ``covered`` of them was in the interval from 10 % to 90 % of the plays; of
    ``early`` it was before it, of ``late`` after it. A job that had not started when the trace ends counts as late
    where the interval had ended by then, and has no error.
    """

    below: int | None
    covered: int
    early: int
    late: int
    errors: StartErrors

    @property
    def forecasts(self) -> int:
        """How many forecasts there are."""
        return self.covered + self.early + self.late

    @property
    def coverage(self) -> float | None:
        """The part of them whose interval held the start, 0 to 1; None without any."""
        return self.covered / self.forecasts if self.forecasts else None


class ForecastCalibration(Value, frozen=True):
    """Forecasts at ``moments`` moments between ``start`` and ``end`` of a trace, each over ``plays``.

    ``jobs`` counts the jobs that waited at one of them. ``every`` has all forecasts with a time, ``leads`` the same by
    how far ahead they were. The others: ``untimed`` have no time, ``unknown`` had not ended when the trace does,
    ``no_start`` said that the job does not start, which ``refuted`` of them did all the same. ``sources`` counts the
    durations on which the forecasts rest.

    ``recorded`` are the errors with the durations that were recorded, ``foreseen`` those with the jobs that came later
    as well: what is left is the engine's. ``unread`` moments were left out, because the trace does not say which jobs
    ran; at others, ``displaced`` jobs ran that the policy lets not run.
    """

    scheduler: str
    version: str
    start: int
    end: int
    moments: int
    plays: int
    jobs: int
    every: LeadFigures
    leads: tuple[LeadFigures, ...]
    untimed: int
    unknown: int
    no_start: int
    refuted: int
    sources: Mapping[DurationSource, int]
    recorded: StartErrors
    foreseen: StartErrors
    unread: int
    displaced: int
    tolerance: int
    fidelity: Fidelity
    notes: tuple[str, ...] = ()
