"""The one vocabulary for what becomes of a workload, whatever the scheduler."""

from enum import StrEnum


class Outcome(StrEnum):
    """What becomes of a workload.

    ADMITTED now; PREEMPTS: admitted once its victims have left; WAITS: may get in when others leave or
    something is resumed; NEVER: not as things are configured, even with nobody else there; UNKNOWN: a
    feature that is not modelled can touch the answer.
    """

    ADMITTED = "Admitted"
    PREEMPTS = "Preempts"
    WAITS = "Waits"
    NEVER = "Never"
    UNKNOWN = "Unknown"
