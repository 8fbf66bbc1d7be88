"""Screens in ASCII: every sign of ours has a form that says the same."""

import re
from typing import Final

FORMS: Final = {
    "⇒": "=>",
    "→": "->",
    "✔": "+",
    "✓": "+",
    "✘": "x",
    "✗": "x",
    "–": "-",
    "−": "-",
    "·": "|",
    "…": "...",
    "├": "|",
    "└": "`",
    "│": "|",
    "─": "-",
    "▲": "^",
    "▼": "v",
    "▸": ">",
    "≤": "<=",
    "≥": ">=",
    "÷": "/",
    "×": "x",
    "∞": "inf",
    "§": "section ",
    "Σ": "S",
    "⚠": "!",
    "\ufe0f": "",
    "▁": "_",
    "▂": ".",
    "▃": ":",
    "▄": "-",
    "▅": "=",
    "▆": "+",
    "▇": "*",
    "█": "#",
    "’": "'",
    "“": '"',
    "”": '"',
    "🔴": "!",
    "🟡": "?",
    "🔵": "i",
    "❌": "x",
}
"""The form of each sign. Signs in columns keep their width; a longer form takes its place from the next gap."""
_PART: Final = re.compile(r" {3,}|[^\x00-\x7f]")


def ascii_text(text: str) -> str:
    """The text with our signs in ASCII, with columns aligned; other characters stay."""
    return text if text.isascii() else "\n".join(map(_line, text.split("\n")))


def _line(line: str) -> str:
    if line.isascii():
        return line
    done, owed, end = "", 0, 0
    for match in _PART.finditer(line):
        done += line[end : match.start()]
        end = match.end()
        if match[0].startswith(" "):
            taken = min(owed, len(match[0]) - 2)
            done, owed = done + match[0][taken:], owed - taken
        else:
            form = FORMS.get(match[0], match[0])
            done, owed = done + form, owed + len(form) - 1
    return done + line[end:]
