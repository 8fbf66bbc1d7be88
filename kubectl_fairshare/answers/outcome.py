"""The outcomes of a workload, the same for every scheduler."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final


class Outcome(StrEnum):
    """What happens to a workload.

    ADMITTED: now. PREEMPTS: after its victims are evicted. WAITS: it may get in when others end, something is resumed,
    or a node is in service again. NEVER: not with this configuration, even on an empty cluster whose nodes are all in
    service: ready, and not cordoned. UNMANAGED: the scheduler ignores it, so no quota applies. UNKNOWN: a feature that
    is not modelled can change the answer.
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
"""The exit code of the program for each outcome; an unmanaged job that starts has that of an admitted one."""
EXIT_USAGE: Final = 2
EXIT_UNREAD: Final = 3
"""The exit code if something could not be read."""


def exit_code(codes: Iterable[int]) -> int:
    """The code for several workloads of these codes: 0 if each starts; else 4 if one certainly does not, else 5."""
    found = {*codes}
    return next((code for code in (4, 5) if code in found), 0)
