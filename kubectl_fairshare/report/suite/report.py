"""Tests of policies in every form in which they are printed."""

from collections.abc import Iterable, Iterator, Sequence

from kubectl_fairshare.answers.details import Document, Places
from kubectl_fairshare.answers.suite import SuiteResult, TestReport, TestResult, TestStatus
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.report.csv_text import csv_text
from kubectl_fairshare.report.runner_commands import workflow_command, xml_text
from kubectl_fairshare.report.suite.screen import place_text, screen, tally
from kubectl_fairshare.report.text.clean import printable
from kubectl_fairshare.report.text.view import View


class SuitesReport(Value, frozen=True):
    """The answer to ``test``."""

    suites: tuple[SuiteResult, ...]

    @property
    def exit_code(self) -> int:
        """0 if every test passed, otherwise 1: what is not decided does not pass."""
        return TestReport(self.suites).exit_code

    def _results(self) -> Iterator[tuple[SuiteResult, TestResult]]:
        return ((each, result) for each in self.suites for result in each.results)

    def screen(self, view: View) -> str:
        """The answer as text for people."""
        return screen(self.suites, view)

    def document(self, places: Places) -> Document:
        """The answer as a document."""
        from kubectl_fairshare.report.documents.structs import ANSWERS

        return ANSWERS.document("TestReport", TestReport(self.suites), places)

    def names(self) -> Iterable[str]:
        """The tests that did not pass."""
        return dict.fromkeys(result.name for _, result in self._results() if result.status is not TestStatus.PASSED)

    def csv(self) -> str:
        """A line for each test."""
        rows = (
            (each.source, str(result.at.line), result.name, result.status, " ".join(each.units))
            for each, result in self._results()
        )
        return csv_text(("source", "line", "test", "status", "units"), rows)

    def junit(self) -> str:
        """The answer as a JUnit report: a suite for each file."""
        return junit(self.suites)

    def github(self) -> str:
        """The answer as workflow commands of GitHub Actions, which annotate lines."""
        lines = [_command(each, result) for each, result in self._results() if result.status is not TestStatus.PASSED]
        return "".join(f"{line}\n" for line in [*lines, tally(self.suites)])


def reason_text(result: TestResult) -> str:
    """Why a test did not pass, on lines of their own."""
    lines = [f"expected {m.expected}; got {m.actual}" for m in result.mismatches]
    lines += [f"not decided: {doubt}" for doubt in result.doubts]
    lines += [f"{proof.clause} {place_text(proof.at)}".rstrip() for proof in result.proofs]
    return "\n".join(map(printable, lines))


def junit(suites: Sequence[SuiteResult]) -> str:
    """A JUnit report, in the form that Jenkins, GitLab and GitHub's reporters read."""
    results = [result for each in suites for result in each.results]
    failures = sum(result.status is not TestStatus.PASSED for result in results)
    head = f'<testsuites name="kubectl fairshare test" tests="{len(results)}" failures="{failures}" errors="0">\n'
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{head}{"".join(map(_suite, suites))}</testsuites>\n'


def _suite(each: SuiteResult) -> str:
    failures = sum(result.status is not TestStatus.PASSED for result in each.results)
    name = xml_text(each.title)
    head = f'<testsuite name="{name}" tests="{len(each.results)}" failures="{failures}" errors="0">\n'
    return head + "".join(_case(result) for result in each.results) + "</testsuite>\n"


def _case(result: TestResult) -> str:
    where = xml_text(result.at.source)
    head = f'<testcase classname="{where}" name="{xml_text(result.name)}" file="{where}" line="{result.at.line}"'
    if result.status is TestStatus.PASSED:
        return f"{head}/>\n"
    text = reason_text(result)
    message = xml_text(text.partition("\n")[0])
    return f'{head}><failure type="{result.status}" message="{message}">{xml_text(text)}</failure></testcase>\n'


def _command(of: SuiteResult, result: TestResult) -> str:
    at = next((m.at for m in result.mismatches if m.at is not None), result.at)
    properties = {"file": printable(at.source), "line": at.line, "col": at.column, "title": printable(result.name)}
    units = f"in {', '.join(of.units)}:\n" if of.units else ""
    return workflow_command("error", properties, f"{printable(units)}{reason_text(result)}")
