"""How far forecasts that were made at moments of a recorded past are from what happened then.

Moments are nanoseconds since the epoch, spans nanoseconds. Data only.
Tested in ``tests/unit/policy/forecast/test_calibration.py``.
"""

from collections.abc import Mapping
from typing import Annotated

from kubectl_fairshare.answers.dispersion import Dispersion
from kubectl_fairshare.answers.documents import COUNTS, SPREAD_SECONDS, AnswerPart, MeanSeconds, Seconds, Time
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.forecast import DurationSource
from kubectl_fairshare.model.values import field


class StartErrors(AnswerPart, frozen=True):
    """How far forecast starts are from recorded ones, in seconds; ``bias`` is their mean, above 0: too late.

    ``compared`` counts them; without any there is no ``distance``.
    """

    compared: int
    distances: Annotated[Dispersion, SPREAD_SECONDS] | None = field(name="distance")
    bias: MeanSeconds


class LeadFigures(AnswerPart, frozen=True):
    """The forecasts whose median is less than ``belowSeconds`` ahead, and not less than the row before; null: the rest.

    The recorded start is in the interval from 10 % to 90 % of the plays (``covered``), before it (``early``) or after
    it (``late``). A job that had not started when the trace ends counts as late where the interval had ended by then,
    and has no error.
    """

    DOCUMENT = ("below", "forecasts", "covered", "early", "late", "coverage", "errors")
    below: Seconds | None = field(name="belowSeconds")
    covered: int
    early: int
    late: int
    errors: StartErrors = field(name="errorSeconds")

    @property
    def forecasts(self) -> int:
        """How many forecasts there are."""
        return self.covered + self.early + self.late

    @property
    def coverage(self) -> float | None:
        """The part of them whose interval held the start, 0 to 1; None without any."""
        return self.covered / self.forecasts if self.forecasts else None


class ForecastCalibration(AnswerPart, frozen=True):
    """Forecasts made at moments of a trace, compared with what happened then.

    ``every`` has all forecasts with a time, ``leads`` the same by how far ahead. ``untimed`` have no time; ``noStart``
    said that the job does not start, which ``refuted`` of them did; ``unknown`` had not ended when the trace does.
    ``durationSources`` counts the durations on which the forecasts rest. ``recordedDurations`` are the errors with the
    durations that were recorded, ``recordedArrivals`` those with the later jobs as well. ``unread``: moments at which
    the trace does not say which jobs ran; ``displaced``: jobs that ran and that the policy of the input does not let
    run.
    """

    scheduler: str
    version: str
    fidelity: Fidelity
    start: Time
    end: Time
    moments: int
    unread: int
    plays: int
    jobs: int
    tolerance: Seconds = field(name="toleranceSeconds")
    every: LeadFigures
    leads: tuple[LeadFigures, ...]
    untimed: int
    unknown: int
    no_start: int
    refuted: int
    sources: Annotated[Mapping[DurationSource, int], COUNTS] = field(name="durationSources")
    recorded: StartErrors = field(name="recordedDurations")
    foreseen: StartErrors = field(name="recordedArrivals")
    displaced: int
    notes: tuple[str, ...] = ()
