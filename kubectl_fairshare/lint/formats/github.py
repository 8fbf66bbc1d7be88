"""Findings as workflow commands of GitHub Actions, which annotate lines.

The runner shows ten of each severity per step; the log has the rest.
Source: GitHub's documentation of workflow commands.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_fairshare.finding import Severity
from kubectl_fairshare.lint.findings.counts import Counts
from kubectl_fairshare.lint.findings.placed import Placed
from kubectl_fairshare.lint.formats import file_to_fix, wording
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.location import Location
from kubectl_fairshare.report.runner_commands import workflow_command
from kubectl_fairshare.report.text.clean import printable

_COMMANDS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def github_commands(placed: Sequence[Placed], counts: Counts, unread: Sequence[Problem]) -> str:
    """A command for each finding and each unread input, and a line for the log that counts them."""
    lines = [*map(_finding, placed), *_unread(unread), f"{wording.tally(counts)} in {wording.extent_text(counts)}"]
    return "".join(f"{line}\n" for line in lines)


def _finding(placed: Placed) -> str:
    reported = placed.reported
    properties: dict[str, object] = {"file": _path(file_to_fix.path(placed))}
    if file_to_fix.stands_in_file(placed):
        where = placed.location
        properties |= {"line": where.line, "endLine": where.line, "col": where.column, "endColumn": placed.end}
    properties["title"] = f"{reported.rule.id} {reported.rule.name}"
    text = wording.paragraph(placed)
    if not file_to_fix.stands_in_file(placed):
        text = f"{printable(str(placed.location))}: {text}"
    return workflow_command(_COMMANDS[reported.severity], properties, text)


def _unread(unread: Sequence[Problem]) -> Iterator[str]:
    for problem in unread:
        place = problem.place
        properties: dict[str, object] = {}
        if isinstance(place, Location):
            properties = {"file": _path(place.source), "line": place.line, "col": place.column}
        elif place is not None:
            properties = {"file": _path(str(place))}
        yield workflow_command("error", {**properties, "title": "not read"}, printable(problem.message))


def _path(path: str) -> str:
    """A path with its line ends, which are escaped, and nothing else that the log's reader obeys."""
    return "\n".join(map(printable, path.split("\n")))
