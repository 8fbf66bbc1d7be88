"""The known findings as a document; it does not change when lines move.

Tested in ``tests/unit/cli/linting/test_settings.py``.
"""

from collections.abc import Iterable
from typing import Literal, TypedDict

from kubectl_fairshare.lint.findings.placed import Placed
from kubectl_fairshare.model.json import field_text
from kubectl_fairshare.report.documents import parts


class KnownFindingPart(TypedDict):
    """A finding. Its fingerprint identifies it; the other fields are for the reader."""

    fingerprint: str
    rule: str
    object: str
    field: str


class LintBaselineDocument(TypedDict):
    """Every known finding."""

    apiVersion: parts.FileVersion
    kind: Literal["LintBaseline"]
    findings: list[KnownFindingPart]


def baseline_document(placed: Iterable[Placed]) -> LintBaselineDocument:
    """The findings by object, field and rule."""
    found = [_known(each) for each in placed]
    return {
        "apiVersion": parts.FILE_VERSION,
        "kind": "LintBaseline",
        "findings": sorted(found, key=lambda f: (f["object"], f["field"], f["rule"], f["fingerprint"])),
    }


def _known(placed: Placed) -> KnownFindingPart:
    place = placed.reported.finding.place
    return {
        "fingerprint": placed.fingerprint,
        "rule": placed.reported.rule.id,
        "object": str(place.object),
        "field": field_text(place.path),
    }
