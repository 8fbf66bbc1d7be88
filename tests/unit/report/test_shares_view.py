"""Answers of one screen and one document: the first line, the last, and what has no rows."""

import pytest

from kubectl_fairshare.answers.blocks import Doubts, Layout, Remark, unfolded
from kubectl_fairshare.answers.fidelity import Fidelity, Gap
from kubectl_fairshare.answers.shares_view import SharesView
from kubectl_fairshare.model.errors import UsageError
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.report.shares_view import SharesViewReport
from kubectl_fairshare.report.text.view import View

FIDELITY = Fidelity("Kueue", "v0.19", (Gap("Topology", (), touches=False),))
LAYOUT = Layout(("classical",), ([unfolded("cpu", indent="")], [Remark("free 4")]), [Doubts(FIDELITY)])
SHOWN = SharesView(
    "--explain", "Cohort all", "strong", FIDELITY, LAYOUT, lambda _: {"kind": "Derivation"}, ("classical",)
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
    assert (report.exit_code, report.document({})) == (0, {"kind": "Derivation"})
    for rows in (report.names, report.csv):
        with pytest.raises(UsageError, match="--explain"):
            rows()
