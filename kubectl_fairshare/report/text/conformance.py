"""How far recorded decisions and ours agree, as a screen.

Tested in ``tests/unit/cli/commands/test_conformance.py``.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.answers.tables import Column, Row, Tone
from kubectl_fairshare.report.documents.conformance import DifferencePart
from kubectl_fairshare.report.text.closing import SIGN
from kubectl_fairshare.report.text.paragraph import ended, unfolded
from kubectl_fairshare.report.text.table import folded, table
from kubectl_fairshare.report.text.view import View

_LONGEST: Final = 400
_INDENT: Final = "     "


def conformance_screen(
    engine: str,
    agreement: tuple[int, int],
    fields: Mapping[str, tuple[int, int]],
    differences: tuple[int, Sequence[DifferencePart]],
    view: View,
    tags: Mapping[str, tuple[int, int]] = MappingProxyType({}),
) -> str:
    """``agreement``, each of ``fields`` and of ``tags``: in how many cases, of how many.

    ``differences``: number, and the first.
    """
    agree, cases = agreement
    total, first = differences
    tone: Tone = "good" if agree == cases else "never"
    lines = [*ended([f"{engine} · {count(cases, 'case')}"], _verdict(agree, cases), tone, view), ""]
    lines += _counts("FIELD", fields, view)
    lines += ["", *_counts("TAG", tags, view)] if tags else []
    if total:
        shown = "" if total == len(first) else f", the first {len(first)}" if len(first) > 1 else ", the first"
        lines += ["", f"{count(total, 'difference')}{shown}"]
    for difference in first:
        lines += _difference(difference, view)
    last = folded(f"{SIGN} {_verdict(agree, cases)} · {count(cases, 'case')} of {engine}", view.width, "  ")
    return "\n".join([*lines, "", *(view.paint(tone, line) for line in last)]) + "\n"


def _counts(title: str, counts: Mapping[str, tuple[int, int]], view: View) -> list[str]:
    columns = (Column(title, right=False), Column("AGREE"), Column("OF"))
    rows = [Row((name, str(same), str(of)), "" if same == of else "never") for name, (same, of) in counts.items()]
    return table(columns, rows, view)


def _verdict(agree: int, cases: int) -> str:
    return "all agree" if agree == cases else f"{_says(agree, 'agree')}, {_says(cases - agree, 'differ')}"


def _says(number: int, verb: str) -> str:
    return f"{number} {verb}{'s' if number == 1 else ''}"


def _difference(of: DifferencePart, view: View) -> list[str]:
    return [
        unfolded(f"{of.case}  {of.field}"),
        unfolded(f"recorded  {_cut(of.expected)}", _INDENT),
        f"{_INDENT}ours      {view.paint('never', _cut(of.got))}",
    ]


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"
