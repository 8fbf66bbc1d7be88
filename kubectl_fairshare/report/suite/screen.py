"""Tests on a terminal: one line each, below a failure what was expected, what came out and what it rests on."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.answers.suite import Coverage, SuiteResult, TestResult, TestStatus
from kubectl_fairshare.answers.tables import Tone
from kubectl_fairshare.model.location import Location
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.report.text.paragraph import cited, ended, paragraph
from kubectl_fairshare.report.text.table import folded
from kubectl_fairshare.report.text.view import View

_MARKS: Final[Mapping[TestStatus, tuple[str, Tone]]] = {
    TestStatus.PASSED: ("✔", "good"),
    TestStatus.FAILED: ("✘", "never"),
    TestStatus.UNKNOWN: ("?", "wait"),
}
_FEW: Final = 4


def screen(suites: Sequence[SuiteResult], view: View) -> str:
    """How many tests passed; all files; how many tests passed."""
    lines = _verdict(tally(suites), suites, view)
    for suite in suites:
        if len(suites) > 1 or suite.units:
            lines.append(view.paint("strong", suite.title))
        for result in suite.results:
            lines += _result_lines(result, view)
        lines += _coverage_lines(suite.coverage, view)
    return "".join(f"{line}\n" for line in [*lines, *_closing(suites, view)])


def _result_lines(result: TestResult, view: View) -> Iterator[str]:
    mark, tone = _MARKS[result.status]
    notes = f" ({'; '.join(result.notes)})" if result.notes else ""
    first, *more = cited(f"{mark} {result.name}{notes}", place_text(result.at), view, "", "  ")
    yield view.paint(tone, first[:1]) + first[1:]
    yield from more
    if result.status is TestStatus.PASSED:
        return
    for mismatch in result.mismatches:
        yield from paragraph(f"expected {mismatch.expected}; got {mismatch.actual}", view, "    ", "      ")
    for doubt in result.doubts:
        yield from paragraph(f"not decided: {doubt}", view, "    ", "      ", "wait")
    for proof in result.proofs[: None if view.wide else _FEW]:
        yield from cited(proof.clause, place_text(proof.at), view, "    ", "      ")


def place_text(at: Location | None) -> str:
    """``source:line``, empty where there is no line."""
    return f"{at.source}:{at.line}" if at is not None and at.line else ""


def _coverage_lines(coverage: Coverage, view: View) -> Iterator[str]:
    parts = [
        _some("queue", coverage.queues, view),
        _some("quota that never bound:", coverage.limits, view),
        _some("rule", coverage.rules, view),
        "findings of lint" if coverage.lint is None else _some("rule of lint", coverage.lint, view),
    ]
    if any(parts):
        yield from paragraph(f"not covered: {'; '.join(filter(None, parts))}", view, "  ", "    ", "dim")


def _some(title: str, names: Sequence[str], view: View) -> str:
    if not names:
        return ""
    return f"{title} {some_of(names, len(names) if view.wide else _FEW)}"


def tally(suites: Sequence[SuiteResult]) -> str:
    """How many tests passed, and how many did not."""
    total = sum(len(suite.results) for suite in suites)
    passed, unknown = (
        sum(suite.count(status) for suite in suites) for status in (TestStatus.PASSED, TestStatus.UNKNOWN)
    )
    more = f", {unknown} not decided" if unknown else ""
    return f"{passed} of {count(total, 'test')} passed{more}"


def _closing(suites: Sequence[SuiteResult], view: View) -> list[str]:
    return _verdict(f"⇒ {tally(suites)}", suites, view)


def _verdict(text: str, suites: Sequence[SuiteResult], view: View) -> list[str]:
    failed = any(result.status is not TestStatus.PASSED for suite in suites for result in suite.results)
    tone: Tone = "never" if failed else "good"
    lines = [view.paint(tone, line) for line in folded(text, view.width - 8, "  ")]
    return ended(lines, f"exit {int(failed)}", "dim", view)
