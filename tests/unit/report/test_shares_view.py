"""Answers of one screen and one document: the first line, the last, and what has no rows."""

import pytest
from jsonschema import Draft202012Validator

from kubectl_fairshare.answers.blocks import Layout, Remark, unfolded
from kubectl_fairshare.answers.documents import DocumentKind, DocumentPart, WrittenAnswer
from kubectl_fairshare.answers.fidelity import Fidelity, Gap
from kubectl_fairshare.answers.shares_view import SharesView
from kubectl_fairshare.model.errors import UsageError
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.report.documents.parts import API_VERSION
from kubectl_fairshare.report.documents.schema import schema_of
from kubectl_fairshare.report.documents.structs import document_type
from kubectl_fairshare.report.shares_view import SharesViewReport
from kubectl_fairshare.report.text.view import View


class Derived(DocumentPart, frozen=True):
    """A document."""

    node_name: str


KIND = DocumentKind("Derivation", Derived)
FIDELITY = Fidelity("Kueue", "v0.19", (Gap("Topology", (), touches=False),))
LAYOUT = Layout(("classical",), ([unfolded("cpu", indent="")], [Remark("free 4")]))
SHOWN = SharesView(
    "--explain", "Cohort all", "strong", FIDELITY, LAYOUT, WrittenAnswer(KIND, Derived("all")), ("classical",)
)


def test_the_release_is_first_and_the_title_last() -> None:
    first, gap, *groups, last = SharesViewReport(SHOWN).screen(View(60)).splitlines()
    assert first.startswith("Kueue v0.19 · classical")
    assert gap.startswith("not modelled, cannot change this answer: ")
    assert groups == ["", "cpu", "", "  free 4", ""]
    assert last == "⇒ Cohort all · exact (Kueue v0.19, classical)"


def test_a_verdict_is_the_first_line_too() -> None:
    first, second, *_, last = SharesViewReport(replace(SHOWN, verdict=True)).screen(View(60)).splitlines()
    assert first.startswith("Cohort all")
    assert second == "Kueue v0.19 · classical"
    assert last.startswith("⇒ Cohort all")


def test_it_has_no_rows_and_the_error_names_its_option() -> None:
    report = SharesViewReport(SHOWN)
    assert report.exit_code == 0
    for rows in (report.names, report.csv):
        with pytest.raises(UsageError, match="--explain"):
            rows()


def test_its_document_is_its_struct() -> None:
    document = {"apiVersion": API_VERSION, "kind": "Derivation", "nodeName": "all"}
    assert SharesViewReport(SHOWN).document({}) == document
    validator = Draft202012Validator(schema_of(document_type(KIND)))
    assert validator.is_valid(document)
    assert not validator.is_valid({**document, "nodeName": 3})
