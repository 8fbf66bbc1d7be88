"""Tables without lines: columns set apart by two blanks, names never cut."""

from collections.abc import Sequence
from typing import Final

from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.report.text.view import View

GAP: Final = "  "


@dataclass(frozen=True, slots=True)
class Column:
    """A column; numbers stand to the ``right``. Where the screen is too narrow, the highest ``rank`` goes first.

    Rank 0 always stays. A column in which no row has a text is left out, unless it is ``kept``.
    """

    title: str
    right: bool = True
    rank: int = 0
    kept: bool = True


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of a row, and the tone of all of them."""

    cells: tuple[str, ...]
    tone: str = ""


def table(columns: Sequence[Column], rows: Sequence[Row], view: View) -> list[str]:
    """The lines of the table: titles, then rows. Too wide a table loses columns of a rank, never a part of a cell."""
    shown = _shown(columns, rows, view)
    widths = {i: _width(columns, rows, i) for i in shown}
    titles = _line(columns, tuple(c.title for c in columns), widths)
    return [view.paint("dim", titles), *(view.paint(r.tone, _line(columns, r.cells, widths)) for r in rows)]


def _width(columns: Sequence[Column], rows: Sequence[Row], i: int) -> int:
    return max(len(columns[i].title), *(len(r.cells[i]) for r in rows), 0)


def _shown(columns: Sequence[Column], rows: Sequence[Row], view: View) -> list[int]:
    """The columns that fit, by index."""
    shown = [i for i, c in enumerate(columns) if c.kept or any(r.cells[i] for r in rows)]
    while not view.wide and sum(_width(columns, rows, i) + len(GAP) for i in shown) - len(GAP) > view.width:
        last = max(shown, key=lambda i: (columns[i].rank, i))
        if columns[last].rank == 0:
            break
        shown.remove(last)
    return shown


def _line(columns: Sequence[Column], cells: Sequence[str], widths: dict[int, int]) -> str:
    placed = (cells[i].rjust(w) if columns[i].right else cells[i].ljust(w) for i, w in widths.items())
    return GAP.join(placed).rstrip()


def wrapped(label: str, items: Sequence[str], width: int, separator: str = " · ", indent: str = "  ") -> list[str]:
    """``label`` and ``items`` on as many lines as it takes; no item is divided, further lines are indented."""
    lines = [label.rstrip()] if items else []
    gap = label[len(label.rstrip()) :]
    for left, item in zip(range(len(items), 0, -1), items, strict=True):
        room = width if left == 1 else width - len(separator.rstrip())
        if len(lines[-1]) + len(gap) + len(item) <= room:
            lines[-1] += gap + item
        else:
            lines[-1] += gap.rstrip()
            lines.append(indent + item)
        gap = separator
    return lines


def folded(text: str, width: int, indent: str = "") -> list[str]:
    """A sentence on lines of at most ``width``, broken at blanks only; a longer word keeps a line of its own."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines[-1] else indent * (len(lines) > 1) + word
        if lines[-1] and len(longer) > width:
            lines.append(indent + word)
        else:
            lines[-1] = longer
    return lines
