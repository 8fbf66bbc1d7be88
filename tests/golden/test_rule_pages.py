"""The pages in docs/rules are made from the rules and their examples; --rewrite-goldens writes them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from kubectl_fairshare.cli.commands.rule import examples_of
from kubectl_fairshare.cli.linting.rule_choice import known_rules
from kubectl_fairshare.lint.formats.rule_page import index_markdown, rule_markdown
from kubectl_fairshare.lint.protocol import Rule
from tests.screens import ROOT

PAGES = ROOT / "docs" / "rules"
INDEX = "README.md"
RULES = [pytest.param(rule, id=f"{rule.id}-{rule.name}") for rule in known_rules()]


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_has_its_page(rule: Rule, golden: Callable[[str, str], None]) -> None:
    golden(f"../../docs/rules/{rule.id}.md", rule_markdown(rule, examples_of(rule)))


def test_the_index_names_them_all(golden: Callable[[str, str], None]) -> None:
    golden(f"../../docs/rules/{INDEX}", index_markdown(known_rules()))


def test_no_page_is_left_of_a_rule_that_went(request: pytest.FixtureRequest) -> None:
    known = {INDEX, *(f"{rule.id}.md" for rule in known_rules())}
    strays = sorted(path for path in PAGES.glob("*") if path.name not in known)
    if request.config.getoption("--rewrite-goldens"):
        for path in strays:
            path.unlink()
        strays = []
    assert [path.name for path in strays] == []


def test_pages_are_the_ones_that_the_command_prints(run: Callable[[str], object]) -> None:
    printed = run("kubectl-fairshare help K041 -o markdown")
    assert getattr(printed, "stdout", "") == Path(PAGES, "K041.md").read_text(encoding="utf-8")
