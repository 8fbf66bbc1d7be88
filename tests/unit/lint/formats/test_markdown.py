"""A comment on a pull request: a table that names cannot break, no longer than a comment may be."""

from kubectl_fairshare.finding import Severity
from kubectl_fairshare.lint.formats.markdown import markdown_comment
from kubectl_fairshare.report.markdown import code, prose
from tests.unit.lint.formats.findings import HOSTILE, UNREAD, counts, made, placed

COMMENT = """\
<!-- kubectl fairshare lint -->
### kubectl fairshare lint: 1 error

in 9 files (41 objects)

| | where | rule | what |
| --- | --- | --- | --- |
| 🔴 error | `org/speech.yaml:18:23` | K027 lending-limit-above-nominal | \
**`lendingLimit` is 4 more than there is to lend**<br>nominalQuota: 12\
<br>lendingLimit: 16<br>org/flavors.yaml:3:9: defined here<br>help: 12 or less |
"""


def comment(*findings: object, unread: object = ()) -> str:
    return markdown_comment(findings, counts(*findings), unread)  # type: ignore[arg-type]


def test_a_finding_is_a_row() -> None:
    assert comment(placed()) == COMMENT


def test_a_clean_result_has_no_table() -> None:
    assert comment().splitlines() == [
        "<!-- kubectl fairshare lint -->",
        "### kubectl fairshare lint: no findings",
        "",
        "in 9 files (41 objects)",
    ]


def test_the_worst_comes_first() -> None:
    text = comment(placed("mild", of=made(severity=Severity.INFO)), placed("grave"))
    assert text.index("grave") < text.index("mild")


def test_names_stay_in_their_cell() -> None:
    row = comment(placed(HOSTILE)).splitlines()[-1]
    assert row.replace("\\|", "").count("|") == 5
    assert "<script>" not in row.replace("\\<script\\>", "")


def test_values_in_backticks_are_code_and_the_rest_is_text() -> None:
    assert prose("`a*b|c` is *one* of #12 <b>") == "`a*b\\|c` is \\*one\\* of \\#12 \\<b\\>"
    assert prose("`a`b` is broken") == "\\`a\\`b\\` is broken"
    assert code("a`b``c") == "```a`b``c```"
    assert code("`a") == "`` `a ``"


def test_it_fits_into_a_comment_and_says_what_is_left_out() -> None:
    text = comment(*[placed(f"number {n} " + "x" * 200) for n in range(1000)])
    assert len(text) < 65_536
    shown = text.count("| 🔴 error |")
    assert text.splitlines()[-1] == f"and {1000 - shown} more findings"


def test_what_could_not_be_read_comes_first() -> None:
    text = comment(placed(), unread=UNREAD)
    assert text.index("not valid YAML") < text.index("| --- |")
    assert "This report covers the rest only." in text
