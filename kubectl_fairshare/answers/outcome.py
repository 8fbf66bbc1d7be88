"""The outcomes of a workload, the same for every scheduler."""

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final

from kubectl_fairshare.answers.number_text import count


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


_ENDS: Final[Mapping[Outcome, str]] = {
    Outcome.ADMITTED: "it gets in",
    Outcome.PREEMPTS: "it gets in after preemption",
    Outcome.WAITS: "it waits",
    Outcome.NEVER: "it never gets in",
}
_COUNTED: Final[Mapping[Outcome, tuple[str, str]]] = {
    Outcome.ADMITTED: ("admits it", "admit it"),
    Outcome.WAITS: ("waits", "wait"),
    Outcome.NEVER: ("never admits it", "never admit it"),
}


def outcome_counts(outcomes: Iterable[Outcome], of: str = "possible outcome") -> str:
    """How many lead where: ``7 of 12 orders admit it, 5 wait``; ``of`` is one of them. Empty if all agree."""
    counted: Counter[Outcome] = Counter(Outcome.ADMITTED if each is Outcome.PREEMPTS else each for each in outcomes)
    if len(counted) < 2:
        return ""
    parts = [f"{times} {_COUNTED[o][times > 1]}" for o in _COUNTED if (times := counted[o])]
    first, *others = parts
    number_, _, verb = first.partition(" ")
    return ", ".join([f"{number_} of {count(counted.total(), of)} {verb}", *others])


def unknown_group(doubts: str, computed: Outcome) -> str:
    """Why outcomes are unknown, and what they are apart from that: the title of workloads for which both are equal."""
    return f"{doubts}; ignoring that: {_ENDS[computed]}" if computed in _ENDS else doubts


def before_clause(number: int, noun: str = "pod") -> str:
    """That so many get in first, at the end of a clause; empty for 0."""
    if not number:
        return ""
    return f", once {count(number, noun)} ahead of it {'has' if number == 1 else 'have'} got in"
