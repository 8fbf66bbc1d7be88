"""The first lines of every plan: the outcome of it, and the exit code that says so."""

from collections.abc import Mapping
from typing import Final

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.tables import Tone
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


def outcome_lines(outcome: Outcome, exit_code: int, verdict: str, computed: str, view: View) -> list[str]:
    """The verdict with its exit code at the right end; below one that is unknown what is ``computed``, if anything."""
    mark, tone = MARKS[outcome]
    code = f"exit {exit_code}"
    first, *more = folded(f"{mark} {verdict}", view.width - len(code) - 2, "  ")
    gap = " " * max(2, view.width - width(first) - len(code))
    lines = [view.paint(tone, first) + gap + view.paint("dim", code), *(view.paint(tone, line) for line in more)]
    return lines + (paragraph(computed, view) if outcome is Outcome.UNKNOWN and computed else [])
