"""A JUnit report that any reader of XML takes, with its sums right."""

from xml.etree import ElementTree

import pytest

from kubectl_fairshare.finding import Severity
from kubectl_fairshare.lint.findings.placed import Placed
from kubectl_fairshare.lint.formats.junit import junit_report
from tests.unit.lint.formats.findings import HOSTILE, UNREAD, made, placed

FOUND = [
    placed(source="a.yaml"),
    placed(source="a.yaml", of=made("K059", "cohort-misnamed", Severity.WARNING)),
    placed(source="b.yaml", of=made("K077", "namespace-selector-key", Severity.INFO)),
]
SOURCES = ["a.yaml", "b.yaml", "clean.yaml"]


def report(found: list[Placed], fails: Severity | None = Severity.ERROR, unread: bool = False) -> ElementTree.Element:
    return ElementTree.fromstring(junit_report(found, SOURCES, UNREAD if unread else (), fails))


@pytest.mark.parametrize(
    ("fails", "failures"), [(None, 0), (Severity.ERROR, 1), (Severity.WARNING, 2), (Severity.INFO, 3)]
)
def test_what_makes_lint_fail_is_a_failure(fails: Severity | None, failures: int) -> None:
    root = report(FOUND, fails)
    assert int(root.attrib["failures"]) == failures == len(root.findall(".//failure"))
    assert len(root.findall(".//system-out")) == 3 - failures


@pytest.mark.parametrize("unread", [False, True])
def test_sums_are_those_of_the_cases(unread: bool) -> None:
    root = report(FOUND, unread=unread)
    for each in [root, *root]:
        assert int(each.attrib["tests"]) == len(each.findall(".//testcase"))
        assert int(each.attrib["failures"]) == len(each.findall(".//failure"))
        assert int(each.attrib["errors"]) == len(each.findall(".//error"))


def test_a_clean_file_is_a_case_that_passes() -> None:
    suite = report(FOUND).find("testsuite[@name='clean.yaml']")
    assert suite is not None
    (case,) = suite
    assert (case.attrib["name"], list(case)) == ("no findings", [])


def test_a_failure_says_where_and_what() -> None:
    case = report(FOUND).find(".//testcase")
    assert case is not None
    assert (case.attrib["file"], case.attrib["line"]) == ("a.yaml", "18")
    failure = case.find("failure")
    assert failure is not None
    assert failure.attrib == {"type": "K027", "message": "`lendingLimit` is 4 more than there is to lend"}
    assert (failure.text or "").splitlines()[0].startswith("a.yaml:18:23: error: ")


def test_names_cannot_break_out_of_the_document() -> None:
    failure = report([placed(HOSTILE, source=HOSTILE)]).find(".//failure")
    assert failure is not None
    assert failure.attrib["message"].startswith("a|b <script> `tick`")


def test_what_could_not_be_read_is_an_error() -> None:
    errors = report([], unread=True).findall(".//error")
    assert [error.attrib["message"] for error in errors] == [problem.message for problem in UNREAD]
