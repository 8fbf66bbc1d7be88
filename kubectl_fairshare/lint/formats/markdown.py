"""Findings as Markdown: a comment on a pull request.

It begins with a hidden comment by which a bot finds it, and is shorter than the limits of GitHub and GitLab.
"""

from collections.abc import Sequence
from typing import Final

from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.finding import Severity
from kubectl_fairshare.lint.findings.counts import Counts
from kubectl_fairshare.lint.findings.placed import Placed
from kubectl_fairshare.lint.formats import wording
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.report.markdown import code, prose
from kubectl_fairshare.report.text.clean import printable

_OWN: Final = "<!-- kubectl fairshare lint -->"
_MOST: Final = 60_000
"""Characters; GitHub accepts 65,536 in a comment."""
_SIGNS: Final = {Severity.ERROR: "🔴", Severity.WARNING: "🟡", Severity.INFO: "🔵"}


def markdown_comment(placed: Sequence[Placed], counts: Counts, unread: Sequence[Problem]) -> str:
    """A heading with the tally, and a table of the findings, the most severe first; omitted ones are counted."""
    lines = [_OWN, f"### kubectl fairshare lint: {wording.tally(counts)}", "", f"in {wording.extent_text(counts)}", ""]
    lines += [f"- ❌ not read: {_problem(problem)}" for problem in unread[:20]]
    if len(unread) > 20:
        lines.append(f"- and {count(len(unread) - 20, 'more problem')}")
    if unread:
        lines += ["", "This report covers the rest only.", ""]
    if placed:
        lines += ["| | where | rule | what |", "| --- | --- | --- | --- |"]
    size = sum(map(len, lines))
    ordered = sorted(placed, key=lambda p: p.reported.severity.rank)
    for number, each in enumerate(ordered):
        row = _row(each)
        size += len(row) + 1
        if size > _MOST:
            lines += ["", f"and {count(len(ordered) - number, 'more finding')}"]
            break
        lines.append(row)
    return "\n".join(lines).rstrip("\n") + "\n"


def _row(placed: Placed) -> str:
    reported = placed.reported
    what = "<br>".join([f"**{prose(wording.sentence(placed))}**", *map(prose, wording.notes(placed))])
    what += f"<br>help: {prose(wording.remedy(placed))}"
    sign = f"{_SIGNS[reported.severity]} {reported.severity.value}"
    return f"| {sign} | {code(str(placed.location))} | {reported.rule.id} {reported.rule.name} | {what} |"


def _problem(problem: Problem) -> str:
    where = f"{code(str(problem.place))} " if problem.place is not None else ""
    return where + prose(printable(problem.message))
