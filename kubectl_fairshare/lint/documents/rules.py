"""The rules of lint, as documents.

Tested in ``tests/unit/cli/commands/test_rule.py``.
"""

from collections.abc import Sequence
from typing import Literal, TypedDict

from kubectl_fairshare.lint.documents.report import FindingPart, finding_part
from kubectl_fairshare.lint.formats.rule_page import Examples
from kubectl_fairshare.lint.protocol import Rule
from kubectl_fairshare.report.documents import parts


class RulePart(TypedDict):
    """A rule. ``covers`` are tags of the mistakes that it finds; it applies from ``since`` to before ``until``."""

    id: str
    name: str
    severity: Literal["error", "warning", "info"]
    advice: bool
    summary: str
    why: str
    remedy: str
    covers: list[str]
    since: str | None
    until: str | None


class BadExamplePart(TypedDict):
    """A manifest with the mistake, and the findings for it."""

    text: str
    findings: list[FindingPart]


class GoodExamplePart(TypedDict):
    """A manifest without the mistake."""

    text: str


class RuleListDocument(TypedDict):
    """Rules, by id."""

    apiVersion: parts.ApiVersion
    kind: Literal["RuleList"]
    rules: list[RulePart]


class RuleDocument(TypedDict):
    """A rule with its examples."""

    apiVersion: parts.ApiVersion
    kind: Literal["Rule"]
    rule: RulePart
    bad: BadExamplePart
    good: GoodExamplePart


def rule_list_document(rules: Sequence[Rule]) -> RuleListDocument:
    """The rules, by id."""
    return {"apiVersion": parts.API_VERSION, "kind": "RuleList", "rules": [_rule(rule) for rule in rules]}


def rule_document(rule: Rule, examples: Examples) -> RuleDocument:
    """A rule with its examples."""
    return {
        "apiVersion": parts.API_VERSION,
        "kind": "Rule",
        "rule": _rule(rule),
        "bad": {"text": examples.bad, "findings": [finding_part(p) for p in examples.found]},
        "good": {"text": examples.good},
    }


def _rule(rule: Rule) -> RulePart:
    return {
        "id": rule.id,
        "name": rule.name,
        "severity": rule.severity.value,
        "advice": rule.advice,
        "summary": rule.summary,
        "why": rule.why,
        "remedy": rule.remedy,
        "covers": list(rule.covers),
        "since": None if rule.since is None else str(rule.since),
        "until": None if rule.until is None else str(rule.until),
    }
