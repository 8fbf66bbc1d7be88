"""Findings as a Code Quality report of GitLab. Source: GitLab's documentation, "Code Quality report format"."""

from collections.abc import Sequence
from typing import Any, Final

from kubectl_fairshare.finding import Severity
from kubectl_fairshare.lint.findings.placed import Placed
from kubectl_fairshare.lint.formats import file_to_fix, wording
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.location import Location
from kubectl_fairshare.report.text.clean import printable

_SEVERITIES: Final = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.INFO: "info"}
_UNREAD: Final = "not-read"


def gitlab_report(placed: Sequence[Placed], unread: Sequence[Problem]) -> list[dict[str, Any]]:
    """An entry for each finding and each unread input; fingerprints are unique in the report."""
    return [*map(_finding, placed), *(_problem(number, problem) for number, problem in enumerate(unread))]


def _finding(placed: Placed) -> dict[str, Any]:
    reported = placed.reported
    in_file = file_to_fix.stands_in_file(placed)
    where = f"in {', '.join(placed.releases)}: " if placed.releases else ""
    text = f"{where}{wording.sentence(placed)} ({wording.remedy(placed)})"
    return {
        "description": text if in_file else f"{placed.location}: {text}",
        "check_name": f"{reported.rule.id} {reported.rule.name}",
        "fingerprint": placed.fingerprint,
        "severity": _SEVERITIES[reported.severity],
        "location": {"path": file_to_fix.path(placed), "lines": {"begin": placed.location.line if in_file else 1}},
    }


def _problem(number: int, problem: Problem) -> dict[str, Any]:
    place = problem.place
    path, line = (place.source, place.line) if isinstance(place, Location) else (str(place or "-"), 1)
    return {
        "description": printable(problem.message),
        "check_name": _UNREAD,
        "fingerprint": f"{_UNREAD}-{number}",
        "severity": "blocker",
        "location": {"path": path, "lines": {"begin": line}},
    }
