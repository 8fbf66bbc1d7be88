"""The examples of the rules: what a selection of rules finds in a file."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

from kubectl_fairshare.cli.linting.linting import NEWEST
from kubectl_fairshare.cli.linting.rule_choice import chosen
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.lint.placed import Placed
from kubectl_fairshare.lint.protocol import Rule
from kubectl_fairshare.lint.reading.examine import examine
from kubectl_fairshare.lint.reading.findings import findings
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.releases import Release
from tests.screens import ROOT

EXAMPLES: Final = ROOT / "testdata" / "rules"
BAD: Final = "bad.yaml"
GOOD: Final = "good.yaml"


@cache
def found_in(path: Path, also: Rule | None = None) -> tuple[tuple[Placed, ...], tuple[Problem, ...]]:
    """What the rules of the default selection and one more find in a file, and what could not be read of it."""
    release = newest_of(also) if also is not None else NEWEST
    rules = chosen((), (), release)
    if also is not None and also not in rules:
        rules = (*rules, also)
    reading = read([str(path)])
    given = examine(reading, release)
    return findings(rules, reading, given).placed, given.problems


def newest_of(rule: Rule) -> Release:
    """The newest release that a rule holds for."""
    if rule.holds_for(NEWEST) or rule.until is None:
        return NEWEST
    return Release(rule.until.major, rule.until.minor - 1)


def said(placed: Iterable[Placed]) -> list[str]:
    """Findings as lines that a failing test can show."""
    return [f"{p.location.line}:{p.location.column} {p.reported.rule.id} {p.reported.finding.message}" for p in placed]
