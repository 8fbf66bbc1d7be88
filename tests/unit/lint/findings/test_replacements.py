"""The fixes in a SARIF report, made as a program would make them that knows nothing but the report."""

import json
from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.cli.linting.rule_choice import known_rules
from tests.sampling import sampled
from tests.screens import ROOT, shown

EXAMPLES = ROOT / "testdata" / "rules"


def results(path: Path, rule: str) -> list[Any]:
    """What lint finds in the file by one rule."""
    report = json.loads(shown(f"kubectl-fairshare lint {path} --select {rule} -o sarif").stdout)
    found: list[Any] = report["runs"][0]["results"]
    return found


def made(text: str, fixes: list[Any], ends: str) -> str:
    """The text after the one change that a fix makes of it."""
    lines = text.split(ends)
    starts = [sum(len(line) + len(ends) for line in lines[:number]) for number in range(len(lines))]
    (change,) = fixes[0]["artifactChanges"]
    for each in reversed(change["replacements"]):
        where = each["deletedRegion"]
        start = starts[where["startLine"] - 1] + where["startColumn"] - 1
        end = starts[where["endLine"] - 1] + where["endColumn"] - 1
        text = text[:start] + each.get("insertedContent", {}).get("text", "") + text[end:]
    return text


@pytest.mark.parametrize("rule", sampled((rule.id for rule in known_rules()), 4))
def test_a_fix_of_the_report_is_the_one_that_lint_makes(rule: str, tmp_path: Path) -> None:
    """With line ends of Windows, too, where there is a fix."""
    if are_alike(rule, tmp_path, "\n"):
        assert are_alike(rule, tmp_path, "\r\n")


def are_alike(rule: str, folder: Path, ends: str) -> bool:
    """Whether the report has a fix; it is then what lint makes of the file, and lint makes nothing otherwise."""
    text = (EXAMPLES / rule / "bad.yaml").read_text(encoding="utf-8").replace("\n", ends)
    path = folder / "a.yaml"
    path.write_bytes(text.encode())
    found = [fixes for result in results(path, rule) if (fixes := result.get("fixes"))]
    shown(f"kubectl-fairshare lint {path} --select {rule} --fix --unsafe-fixes")
    after = path.read_bytes().decode()
    assert after == (made(text, found[0], ends) if found else text)
    return bool(found)
