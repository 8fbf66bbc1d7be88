"""Why we could not look, as lines for standard error.

Tested in ``tests/unit/report/text/test_problems.py``.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_fairshare.answers.tables import Tone
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.report.runner_commands import without_commands
from kubectl_fairshare.report.text.clean import printable
from kubectl_fairshare.report.text.table import filled, width
from kubectl_fairshare.report.text.view import View

_LOGIN: Final = re.compile(r"://[^\s`]*@")
"""The part of an address before its host: a user and a password of a server or a proxy."""
_BARE_LOGIN: Final = re.compile(r"\A[^\s/@:]+:[^\s/]*@")
"""The same where the name of a source begins with it, as an address does that lacks its scheme."""
_QUERIED: Final = re.compile(r"(?i)([?&;#][-.\w]*(?:token|pass|secret|key|auth|sig|cred)[-.\w]*=)[^\s`&;]+")
"""A credential in an address, by its name."""
_WORD: Final = re.compile(r"(?:`[^`]*`|[^\s`]|`)+")
"""A word, or what is code, with its blanks."""


def problem_lines(problems: Sequence[Problem], view: View, severity: str = "error") -> str:
    """Every problem with its place, its remedy and what it is related to, sorted by place.

    On a terminal no line is wider than it, and no command is divided; for other programs a text is one line.
    """
    lines: list[str] = []
    for problem in sorted(problems, key=_order):
        place = problem.place
        name = _BARE_LOGIN.sub("…@", place) if isinstance(place, str) else str(place)
        where = f"{printable(name)}: " if place is not None else ""
        tone: Tone = "never" if severity == "error" else "wait"
        lines += _labelled(severity, tone, where + problem.message, view)
        for text, related in problem.related:
            lines += _fitted(f"  {printable(str(related))}: {text}", view)
        if problem.help:
            lines += _labelled("  help", "dim", problem.help, view)
    return without_commands("".join(f"{line}\n" for line in lines))


def _labelled(label: str, tone: Tone, text: str, view: View) -> Iterator[str]:
    """``error: text``, the label in its tone."""
    first, *more = _fitted(f"{label}: {text}", view)
    indent, word = label[: -len(label.lstrip())], label.lstrip()
    yield f"{indent}{view.paint(tone, word)}{first[len(label) :]}"
    yield from more


def _fitted(text: str, view: View) -> Iterator[str]:
    """The lines of a text, of which a terminal obeys none, each folded where the terminal has no room for it."""
    for line in map(_without_credentials, map(printable, text.split("\n"))):
        if not view.on_terminal or width(line) <= view.columns:
            yield line
            continue
        indent = line[: len(line) - len(line.lstrip())]
        folds = filled(_WORD.findall(line), view.columns - len(indent), "  ")
        yield from (indent + fold for fold in folds)


def _without_credentials(line: str) -> str:
    return _QUERIED.sub(r"\1…", _LOGIN.sub("://…@", line))


def _order(problem: Problem) -> tuple[str, int, int, str]:
    place = problem.place
    if place is None or isinstance(place, str):
        return (place or "", 0, 0, problem.message)
    if isinstance(place, tuple):
        return (str(place), 0, 0, problem.message)
    return (place.source, place.line, place.column, problem.message)
