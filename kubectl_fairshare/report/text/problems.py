"""Why we could not look, as lines for standard error."""

import re
from collections.abc import Sequence
from typing import Final

from kubectl_fairshare.answers.tables import Tone
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.report.runner_commands import without_commands
from kubectl_fairshare.report.text.clean import printable
from kubectl_fairshare.report.text.view import View

_LOGIN: Final = re.compile(r"://[^\s`]*@")
"""The part of an address before its host: a user and a password of a server or a proxy."""
_BARE_LOGIN: Final = re.compile(r"\A[^\s/@:]+:[^\s/]*@")
"""The same where the name of a source begins with it, as an address does that lacks its scheme."""
_QUERIED: Final = re.compile(r"(?i)([?&;#][-.\w]*(?:token|pass|secret|key|auth|sig|cred)[-.\w]*=)[^\s`&;]+")
"""A credential in an address, by its name."""


def problem_lines(problems: Sequence[Problem], view: View, severity: str = "error") -> str:
    """Every problem with its place, its remedy and what it is related to, sorted by place."""
    lines = []
    for problem in sorted(problems, key=_order):
        place = problem.place
        name = _BARE_LOGIN.sub("…@", place) if isinstance(place, str) else str(place)
        where = f"{printable(name)}: " if place is not None else ""
        tone: Tone = "never" if severity == "error" else "wait"
        lines.append(f"{view.paint(tone, severity)}: {_lines(where + problem.message)}")
        lines += [_lines(f"  {printable(str(place))}: {text}") for text, place in problem.related]
        if problem.help:
            lines.append(f"  {view.paint('dim', 'help')}: {_lines(problem.help)}")
    return without_commands("".join(f"{_without_credentials(line)}\n" for line in lines))


def _without_credentials(line: str) -> str:
    return _QUERIED.sub(r"\1…", _LOGIN.sub("://…@", line))


def _order(problem: Problem) -> tuple[str, int, int, str]:
    place = problem.place
    if place is None or isinstance(place, str):
        return (place or "", 0, 0, problem.message)
    if isinstance(place, tuple):
        return (str(place), 0, 0, problem.message)
    return (place.source, place.line, place.column, problem.message)


def _lines(text: str) -> str:
    """A text of several lines, of which a terminal obeys none."""
    return "\n".join(map(printable, text.split("\n")))
