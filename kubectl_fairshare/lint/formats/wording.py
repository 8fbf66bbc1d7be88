"""The words that all formats share.

Tested in ``tests/unit/lint/formats/test_text.py``.
"""

from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.lint.findings.counts import Counts
from kubectl_fairshare.lint.findings.placed import Placed
from kubectl_fairshare.lint.protocol import Rule
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.report.text.clean import printable

_SHOWN = 3
"""Units that a finding names."""


def tally(counts: Counts) -> str:
    """``1 error, 2 warnings``; ``no findings``."""
    kinds = ((counts.errors, "error"), (counts.warnings, "warning"), (counts.infos, "info"))
    return ", ".join(count(number, kind) for number, kind in kinds if number) or "no findings"


def extent_text(counts: Counts) -> str:
    """``9 files (41 objects)``, after the units if there are several; for a cluster, the objects only."""
    if not counts.files:
        return count(counts.objects, "object")
    units = f"{count(counts.units, 'unit')}, " if counts.units else ""
    return f"{units}{count(counts.files, 'file')} ({count(counts.objects, 'object')})"


def sentence(placed: Placed) -> str:
    """The message on one line."""
    return printable(placed.reported.finding.message)


def notes(placed: Placed) -> list[str]:
    """The details: releases, numbers, the origin of the object, the missing object that would resolve the finding."""
    finding = placed.reported.finding
    found = [f"unit: {placed.unit}"] if placed.unit and not placed.also_in else []
    found += [f"in {len(placed.units)} units: {some_of(placed.units, _SHOWN)}"] if placed.also_in else []
    found += [f"in {', '.join(placed.releases)}"] if placed.releases else []
    found += [f"{name}: {value}" for name, value in finding.evidence]
    found += [f"{where}: {text}" for text, where in placed.related]
    if placed.template:
        found.append(f"rendered from {placed.template}")
    if placed.patches:
        found.append(f"patched by {', '.join(placed.patches)}")
    if placed.reported.doubtful:
        only = f"{placed.reported.severity.value} only"
        found.append(f"{only}: {finding.elsewhere} may be defined elsewhere; with --complete it is missing")
    return [printable(note) for note in found]


def remedy(placed: Placed) -> str:
    """The fix on one line."""
    return printable(placed.reported.finding.remedy.text)


def paragraph(placed: Placed) -> str:
    """The whole finding as lines of plain text."""
    return "\n".join([sentence(placed), *notes(placed), f"help: {remedy(placed)}"])


def releases(rule: Rule) -> str:
    """The releases of the scheduler that a rule applies to; empty for all."""
    if rule.since is None and rule.until is None:
        return ""
    if rule.until is None:
        return f"from {rule.since}"
    return f"before {rule.until}" if rule.since is None else f"from {rule.since}, before {rule.until}"
