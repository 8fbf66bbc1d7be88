"""The examples of the rules: what a selection of rules finds in a file."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

from kubectl_fairshare.cli.commands.rule import newest_for
from kubectl_fairshare.cli.linting.rule_choice import rules_to_run
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.lint.examine import examine
from kubectl_fairshare.lint.findings.findings import findings
from kubectl_fairshare.lint.findings.placed import Placed
from kubectl_fairshare.lint.protocol import Rule
from kubectl_fairshare.schedulers import known_schedulers, lint_houses
from tests.screens import ROOT

EXAMPLES: Final = ROOT / "testdata" / "rules"
BAD: Final = "bad.yaml"
GOOD: Final = "good.yaml"


@cache
def found_in(path: Path, also: Rule | None = None) -> tuple[Placed, ...]:
    """What the rules of the default selection and one more find in a file."""
    rules = rules_to_run((), (), newest_for(also) if also is not None else {})
    if also is not None and also not in rules:
        rules = (*rules, also)
    reading = read([str(path)], schedulers=known_schedulers())
    given = examine(reading, lint_houses())
    return findings(rules, reading, given).placed


def said(placed: Iterable[Placed]) -> list[str]:
    """Findings as lines that a failing test can show."""
    return [f"{p.location.line}:{p.location.column} {p.reported.rule.id} {p.reported.finding.message}" for p in placed]
