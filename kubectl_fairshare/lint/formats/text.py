"""Findings as a screen: grouped by file on a terminal, otherwise each with its full place in front.

``file:line:col: error[K041] cohort-cycle: …`` is one line of any length, for grep and for editors; the lines after it
are indented. Nothing else differs. Advice that a file needs in several places has a line for each, and its help once.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final

from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.answers.tables import Tone
from kubectl_fairshare.finding import Severity
from kubectl_fairshare.lint.findings.counts import Counts
from kubectl_fairshare.lint.findings.placed import Placed
from kubectl_fairshare.lint.formats.excerpt import excerpt_lines
from kubectl_fairshare.lint.formats.wording import extent_text, notes, remedy, sentence, tally
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.report.text.clean import printable
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.table import folded, wrapped_items
from kubectl_fairshare.report.text.view import View

TONES: Final[Mapping[Severity, Tone]] = {Severity.ERROR: "never", Severity.WARNING: "wait", Severity.INFO: "dim"}
_INDENT: Final = "  "
_DETAIL: Final = "      "


def lint_screen(
    placed: Sequence[Placed], counts: Counts, unread: Sequence[Problem], view: View, *, grouped: bool
) -> str:
    """All findings, then the summary. ``grouped``: a heading per file instead of full places."""
    lines: list[str] = []
    for (unit, source), of_file in groupby(placed, key=lambda p: (_unit(p), p.location.source)):
        if grouped:
            lines.append(view.paint("strong", source if unit in ("", source) else f"{unit}: {source}"))
        for several in _with_equal_advice(of_file):
            lines += _lines_of(several, view, grouped=grouped)
            lines.append("")
    return "\n".join([*lines, *_summary(placed, counts, unread, view)]) + "\n"


def concise_lines(placed: Sequence[Placed], counts: Counts, unread: Sequence[Problem], view: View) -> str:
    """All findings, a line each, then the summary."""
    lines = [f"{line}{_releases(each)}{_mark(each)}" for each in placed for line in _line(each, view)]
    return "\n".join([*lines, *_summary(placed, counts, unread, view)]) + "\n"


def _releases(placed: Placed) -> str:
    return f" (in {', '.join(placed.releases)})" if placed.releases else ""


def finding_lines(placed: Placed, view: View, *, grouped: bool) -> list[str]:
    """One finding: its place, its message, and its details."""
    return _lines_of([placed], view, grouped=grouped)


def _with_equal_advice(of_file: Iterable[Placed]) -> list[list[Placed]]:
    """The findings of a file in order; advice with the notes and the help of an earlier one comes with that."""
    found: dict[object, list[Placed]] = {}
    for number, each in enumerate(of_file):
        advice = each.reported.severity is Severity.INFO
        said = (each.reported.rule.id, remedy(each), each.fixable, tuple(notes(each)))
        found.setdefault(said if advice else number, []).append(each)
    return list(found.values())


def _lines_of(several: Sequence[Placed], view: View, *, grouped: bool) -> list[str]:
    lines = [line for each in several for line in (_heading if grouped else _line)(each, view)]
    return [*lines, *_details(several[0], view, excerpt=len(several) == 1)]


def _line(placed: Placed, view: View) -> list[str]:
    reported = placed.reported
    said = f"{_label(placed, view)} {reported.rule.name}: {sentence(placed)}"
    unit = f"{printable(_unit(placed))}: " if placed.unit not in ("", placed.location.source) else ""
    return [f"{unit}{printable(str(placed.location))}: {said}"]


def _unit(placed: Placed) -> str:
    """The unit of a finding, and how many others have the same."""
    return f"{placed.unit} and {len(placed.also_in)} more" if placed.also_in else placed.unit


def _heading(placed: Placed, view: View) -> list[str]:
    at = placed.location
    where = f"{printable(at.field or f'{at.line}:{at.column}')}  " if at.line else ""
    head = f"{_INDENT}{where}{_label(placed, view)} {placed.reported.rule.name}"
    return [head, *paragraph(sentence(placed), view, _DETAIL, _DETAIL)]


def _label(placed: Placed, view: View) -> str:
    reported = placed.reported
    return f"{view.paint(TONES[reported.severity], reported.severity.value)}[{reported.rule.id}]"


def _details(placed: Placed, view: View, *, excerpt: bool) -> list[str]:
    lines = excerpt_lines(placed, view, _DETAIL) if excerpt else []
    for note in notes(placed if placed.also_in else replace(placed, unit="")):
        lines += paragraph(note, view, _DETAIL, _DETAIL + _INDENT, "dim")
    return [*lines, *paragraph(f"help: {remedy(placed)}{_mark(placed)}", view, _DETAIL, _DETAIL + _INDENT)]


def _mark(placed: Placed) -> str:
    return " [*] --fix" if placed.fixable else ""


def _summary(placed: Sequence[Placed], counts: Counts, unread: Sequence[Problem], view: View) -> list[str]:
    if placed:
        first = min(placed, key=lambda p: p.reported.severity.rank).reported.rule.id
        parts = [f"⇒ {tally(counts)} in {extent_text(counts)}"]
        if counts.fixable:
            parts.append(f"{counts.fixable} fixable with --fix")
        parts += _not_told(counts)
        lines = wrapped_items("", [*parts, f"rule {first}: kubectl fairshare help {first}"], view.width)
    else:
        verdict = f"✔ {tally(counts)}" if counts.judged and not unread else "– nothing judged"
        if counts.judged and unread:
            verdict = tally(counts)
        first, *more = wrapped_items("", [f"{verdict} in {extent_text(counts)}", *_not_told(counts)], view.width)
        lines = [first.replace("✔", view.paint("good", "✔"), 1), *more]
    if unread:
        rest = ": this report covers the rest only" if placed or counts.judged else ""
        lines += folded(f"{count(len(unread), 'problem')} while reading{rest}", view.width)
    return lines


def _not_told(counts: Counts) -> list[str]:
    """Counts of findings that are not printed, because they are fixed, suppressed or in the baseline."""
    kinds = ((counts.fixed, "fixed"), (counts.suppressed, "suppressed"), (counts.known, "in the baseline"))
    return [f"{number} {kind}" for number, kind in kinds if number]
