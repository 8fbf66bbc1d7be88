"""The JSON Schemas of lint's documents.

Tested in ``tests/meta/test_schemas.py``.
"""

from collections.abc import Iterator

from kubectl_fairshare.lint.documents.baseline import LintBaselineDocument
from kubectl_fairshare.lint.documents.report import LintReportDocument, with_versions
from kubectl_fairshare.lint.documents.rules import RuleDocument, RuleListDocument
from kubectl_fairshare.lint.house import Houses
from kubectl_fairshare.report.documents.schema import Schema, schemas_of


def documents(houses: Houses) -> Iterator[tuple[str, Schema]]:
    """The schema of every lint document, with its path below ``schemas/``."""
    versions = [house.releases.document_field for house in houses if house.releases is not None]
    for path, schema in schemas_of((LintReportDocument,)):
        properties = with_versions(schema["properties"], {field: {"type": "string"} for field in versions})
        yield path, {**schema, "required": list(properties), "properties": properties}
    yield from schemas_of((LintBaselineDocument, RuleListDocument, RuleDocument))
