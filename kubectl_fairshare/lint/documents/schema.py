"""The JSON Schemas of lint's documents."""

from collections.abc import Iterator

from kubectl_fairshare.lint.documents.baseline import LintBaselineDocument
from kubectl_fairshare.lint.documents.report import LintReportDocument
from kubectl_fairshare.lint.documents.rules import RuleDocument, RuleListDocument
from kubectl_fairshare.report.documents.schema import Schema, schemas_of


def documents() -> Iterator[tuple[str, Schema]]:
    """The schema of every document of lint, with its path below ``schemas/``."""
    return schemas_of((LintReportDocument, LintBaselineDocument, RuleListDocument, RuleDocument))
