"""The first lines of every plan: the outcome of it, and the exit code that says so."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.report.text.colour import Tone
from kubectl_fairshare.report.text.figures import count
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.table import folded, width
from kubectl_fairshare.report.text.view import View

MARKS: Final[Mapping[Outcome, tuple[str, Tone]]] = {
    Outcome.ADMITTED: ("✔", "good"),
    Outcome.PREEMPTS: ("✔", "good"),
    Outcome.WAITS: ("–", "wait"),
    Outcome.NEVER: ("✘", "never"),
    Outcome.UNMANAGED: ("–", "wait"),
    Outcome.UNKNOWN: ("?", "wait"),
}

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


def outcome_lines(outcome: Outcome, exit_code: int, verdict: str, computed: str, view: View) -> list[str]:
    """The verdict with its exit code at the right end; below one that is unknown what is ``computed``, if anything."""
    mark, tone = MARKS[outcome]
    code = f"exit {exit_code}"
    first, *more = folded(f"{mark} {verdict}", view.width - len(code) - 2, "  ")
    gap = " " * max(2, view.width - width(first) - len(code))
    lines = [view.paint(tone, first) + gap + view.paint("dim", code), *(view.paint(tone, line) for line in more)]
    return lines + (paragraph(computed, view) if outcome is Outcome.UNKNOWN and computed else [])
