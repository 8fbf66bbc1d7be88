"""Findings as a JUnit report: a suite per file, with a case per finding.

A case fails if its finding makes lint end with 1; milder findings pass and appear in the case's output. An unread
input is an error. JUnit has no official schema; Jenkins, GitLab and GitHub's reporters read this form.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from kubectl_fairshare.finding import Severity
from kubectl_fairshare.lint.findings.placed import Placed
from kubectl_fairshare.lint.formats import wording
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.location import Location
from kubectl_fairshare.report.runner_commands import xml_text
from kubectl_fairshare.report.text.clean import printable

_SUITES: Final = "kubectl fairshare lint"


def junit_report(
    placed: Sequence[Placed], sources: Iterable[str], unread: Sequence[Problem], fails: Severity | None
) -> str:
    """``sources`` are all files. Findings at least as severe as ``fails`` are failures; None: none are."""
    found = {source: list(each) for source, each in groupby(placed, key=lambda p: p.location.source)}
    suites = [_suite(source, found.get(source, []), fails) for source in sorted({*sources, *found})]
    if unread:
        cases = "".join(map(_error, unread))
        suites.append(f'<testsuite name="not read" tests="{len(unread)}" failures="0" errors="{len(unread)}">\n')
        suites[-1] += f"{cases}</testsuite>\n"
    failures = sum(_fails(p, fails) for p in placed)
    empty = sum(source not in found for source in sources)
    tests = len(placed) + empty + len(unread)
    head = f'<testsuites name="{_SUITES}" tests="{tests}" failures="{failures}" errors="{len(unread)}">\n'
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + head + "".join(suites) + "</testsuites>\n"


def _suite(source: str, placed: Sequence[Placed], fails: Severity | None) -> str:
    failures = sum(_fails(p, fails) for p in placed)
    head = f'<testsuite name="{xml_text(source)}" tests="{max(len(placed), 1)}" failures="{failures}" errors="0">\n'
    clean = f'<testcase classname="{xml_text(source)}" name="no findings"/>\n'
    return head + ("".join(_case(p, fails) for p in placed) or clean) + "</testsuite>\n"


def _case(placed: Placed, fails: Severity | None) -> str:
    reported, where = placed.reported, placed.location
    at = f" {where.line}:{where.column}" if where.line else ""
    name = f"{reported.rule.id} {reported.rule.name}{at}"
    head = f'<testcase classname="{xml_text(where.source)}" name="{xml_text(name)}" file="{xml_text(where.source)}"'
    head += f' line="{where.line}">' if where.line else ">"
    text = xml_text(f"{where}: {reported.severity.value}: {wording.paragraph(placed)}")
    if _fails(placed, fails):
        message = xml_text(wording.sentence(placed))
        return f'{head}<failure type="{reported.rule.id}" message="{message}">{text}</failure></testcase>\n'
    return f"{head}<system-out>{text}</system-out></testcase>\n"


def _error(problem: Problem) -> str:
    where = problem.place.source if isinstance(problem.place, Location) else str(problem.place or "input")
    name, message = xml_text(str(problem.place or where)), xml_text(printable(problem.message))
    help_ = xml_text(printable(problem.help or ""))
    inner = f'<error type="not read" message="{message}">{help_}</error>'
    return f'<testcase classname="{xml_text(where)}" name="{name}">{inner}</testcase>\n'


def _fails(placed: Placed, fails: Severity | None) -> bool:
    return fails is not None and placed.reported.severity.rank <= fails.rank
