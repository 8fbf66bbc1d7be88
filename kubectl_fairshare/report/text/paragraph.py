"""Indented sentences: folded at blanks only, with a cited place at the right end."""

from typing import Final

from kubectl_fairshare.report.text.table import folded
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.trace import Fact

_LONG: Final = 60


def paragraph(text: str, view: View, first: str = "  ", more: str = "    ") -> list[str]:
    """A sentence, its first line indented by ``first``, all others by ``more``."""
    head, *tail = folded(text, view.width - len(first), more[len(first) :])
    return [first + head, *(first + line for line in tail)]


def fact_text(fact: Fact) -> str:
    """A field with its value, where that is short."""
    value = fact.value
    told = isinstance(value, int) or (isinstance(value, str) and 0 < len(value) < _LONG)
    return f"{fact.place}: {str(value).lower() if isinstance(value, bool) else value}" if told else str(fact.place)


def cited(text: str, where: str, view: View, first: str = "  ", more: str = "    ") -> list[str]:
    """A sentence with its place at the right end, or on a line of its own where there is no room."""
    lines = paragraph(text, view, first, more)
    room = view.width - len(lines[-1]) - len(where)
    if where and room >= 2:
        lines[-1] += " " * room + view.paint("dim", where)
    elif where:
        lines.append(more + " " * max(0, view.width - len(more) - len(where)) + view.paint("dim", where))
    return lines
