"""The catalogue of mistakes in ``testdata/rules/rows.txt`` is covered: every row has a rule, or a reason why not."""

from collections import Counter

from kubectl_fairshare.cli.linting.rule_choice import known_rules
from tests.meta.repository import ROOT

ROWS = ROOT / "testdata" / "rules" / "rows.txt"


def rows() -> list[list[str]]:
    """The id of each row, its gist, and where there is one the reason why it has no rule."""
    lines = ROWS.read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def test_the_rows_are_well_formed() -> None:
    assert [row for row in rows() if len(row) not in (2, 3) or not all(row)] == []
    assert [name for name, number in Counter(row[0] for row in rows()).items() if number > 1] == []


def test_every_row_has_a_rule_or_a_reason_to_have_none() -> None:
    covered = {row for rule in known_rules() for row in rule.covers}
    assert [f"{row[0]}: {row[1]}" for row in rows() if row[0] not in covered and len(row) == 2] == []


def test_a_row_with_a_rule_needs_no_excuse() -> None:
    covered = {row for rule in known_rules() for row in rule.covers}
    assert [row[0] for row in rows() if row[0] in covered and len(row) == 3] == []


def test_rules_cover_rows_of_the_catalogue() -> None:
    known = {row[0] for row in rows()}
    kueue = [rule for rule in known_rules() if rule.id[0] in "KM"]
    assert [f"{rule.id} {row}" for rule in kueue for row in rule.covers if row not in known] == []
