"""Rules whose edges the examples do not show."""

from kubectl_fairshare.cli.linting.rule_choice import known_rules
from kubectl_fairshare.schedulers.koordinator.linting import LINTED
from tests.screens import ROOT
from tests.unit.lint.examples import found_in

RULES = ROOT / "testdata" / "rules"


def test_every_row_of_the_catalogue_has_a_rule() -> None:
    covered = {tag for rule in known_rules() if rule.id.startswith("Q") for tag in rule.covers}
    assert covered == {f"L{i}" for i in range(1, 29)}


def test_a_finding_has_the_words_of_the_webhook() -> None:
    (placed,) = found_in(RULES / "Q003" / "bad.yaml", also=next(r for r in known_rules() if r.id == "Q003"))
    words = "checkMinQuotaSum all children's MinQuota > current MinQuota, current: org"
    assert words in placed.reported.finding.message


def test_the_house_has_a_structure_for_its_kind_only() -> None:
    assert [rule.id for rule in LINTED.rules] == [f"Q{i:03}" for i in range(1, 31)]
