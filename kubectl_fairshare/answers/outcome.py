"""The one vocabulary for what becomes of a workload, whatever the scheduler."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final


class Outcome(StrEnum):
    """What becomes of a workload.

    ADMITTED now; PREEMPTS: admitted once its victims have left; WAITS: may get in when others leave or
    something is resumed; NEVER: not as things are configured, even with nobody else there; UNMANAGED: the
    scheduler leaves it alone, so no quota applies; UNKNOWN: a feature that is not modelled can touch the answer.
    """

    ADMITTED = "Admitted"
    PREEMPTS = "Preempts"
    WAITS = "Waits"
    NEVER = "Never"
    UNMANAGED = "Unmanaged"
    UNKNOWN = "Unknown"


EXIT_CODES: Final[Mapping[Outcome, int]] = {
    Outcome.ADMITTED: 0,
    Outcome.PREEMPTS: 0,
    Outcome.WAITS: 4,
    Outcome.NEVER: 4,
    Outcome.UNMANAGED: 4,
    Outcome.UNKNOWN: 5,
}
"""What the program exits with for each outcome."""


def exit_code(outcomes: Iterable[Outcome]) -> int:
    """0 when every workload gets in; else 4 when one surely does not, else 5."""
    codes = {EXIT_CODES[outcome] for outcome in outcomes}
    return next((code for code in (4, 5) if code in codes), 0)
