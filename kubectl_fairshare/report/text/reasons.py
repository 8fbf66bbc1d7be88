"""A table with a sentence below each row."""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.table import Column, Row, table
from kubectl_fairshare.report.text.view import View

_FOLDABLE: Final = ("QUEUE", "RULE")


def with_reasons(columns: Sequence[Column], rows: Sequence[Row], whys: Sequence[str], view: View) -> Iterator[str]:
    """The table with a reason below each row; queue and rule go there where lines would become too long."""
    lines = [f"  {line}" for line in table(columns, rows, view)]
    if max(map(len, lines)) > view.width and not view.wide:
        moved = [i for i, c in enumerate(columns) if c.title in _FOLDABLE]
        kept = [i for i in range(len(columns)) if i not in moved]
        narrow = [Row(tuple(r.cells[i] for i in kept)) for r in rows]
        lines = [f"  {line}" for line in table([columns[i] for i in kept], narrow, view)]
        openings = (", ".join(r.cells[i] for i in moved if r.cells[i]) for r in rows)
        whys = [f"{first}: {why}" if first else why for first, why in zip(openings, whys, strict=True)]
    return _reasoned(lines, whys, view)


def _reasoned(lines: Sequence[str], whys: Sequence[str], view: View) -> Iterator[str]:
    """A table's lines with the reason below each row; one that repeats is written at its first row only."""
    yield lines[0]
    last = ""
    for line, why in zip(lines[1:], whys, strict=True):
        yield line
        if why != last:
            yield from (view.paint("dim", part) for part in paragraph(why, view, "     ", "     "))
        last = why
