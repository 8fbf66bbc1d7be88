"""Markdown for tickets, pull requests and chats: texts of others cannot change its form.

Tested in ``tests/unit/lint/formats/test_markdown.py`` and ``tests/unit/report/test_markdown.py``.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from kubectl_fairshare.report.text.clean import printable

Table = Sequence[str]
"""The titles of a table."""
_SPECIAL: Final = str.maketrans({c: f"\\{c}" for c in "\\*_{}[]<>#!|~@&"})


def md_table(titles: Table, rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a table; a column without a text is left out."""
    cells = [[printable(text) for text in row] for row in rows]
    kept = [i for i in range(len(titles)) if any(row[i] for row in cells)]
    lines = [[titles[i] for i in kept], ["---"] * len(kept), *([prose(row[i]) for i in kept] for row in cells)]
    return [f"| {' | '.join(line)} |" for line in lines]


def md_text(lines: Iterable[str]) -> str:
    """The lines as a text that starts with words, without a blank line after another."""
    found: list[str] = []
    for line in lines:
        if line or (found and found[-1]):
            found.append(line)
    return "\n".join(found) + "\n"


def code(text: str) -> str:
    """A text as code, also in a cell of a table."""
    text = printable(text).replace("|", "\\|")
    ticks = "`" * (1 + max((len(run) for run in _runs(text)), default=0))
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def _runs(text: str) -> list[str]:
    """The runs of backticks in a text."""
    return ["`" * len(run) for run in "".join(c if c == "`" else " " for c in text).split()]


def plain(text: str) -> str:
    """A text on one line in which every character means itself."""
    return printable(text).translate(_SPECIAL).replace("`", "\\`")


def prose(text: str) -> str:
    """A sentence with values in backticks, on one line; every other character means itself."""
    pieces = printable(text).split("`")
    if len(pieces) % 2 == 0:  # an unpaired backtick comes from the user
        return plain(text)
    return "".join(code(p) if i % 2 and p else p.translate(_SPECIAL) for i, p in enumerate(pieces))
