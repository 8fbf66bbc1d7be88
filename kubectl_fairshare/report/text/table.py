"""Tables, lists and sentences on lines of a given width, counted in the cells that a terminal gives each character.

Columns are separated by two blanks. A table that is too wide drops columns, then shortens long names in the middle, and
says so; `-o wide` shows everything. Why these are not rich's tables is in docs/decisions/0005-what-rich-renders.md.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Final

from kubectl_fairshare.answers import tables
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.report.text.clean import printable
from kubectl_fairshare.report.text.view import View

Column = tables.Column
Row = tables.Row
GAP: Final = "  "
_BELOW: Final = " " * 5
_SHORTEST: Final = 16
"""The fewest cells of a shortened name."""
LEAST_NOTE: Final = 24
"""The fewest cells of a note that is cut."""
_IDLE: Final = 99
"""The rank of a column that says nothing."""
_NO_VALUE: Final = frozenset(("", "–"))
_ONE_CELL: Final = frozenset((*map(chr, range(32, 127)), *"⇒→✔✘–−·…├└│─▲▼▸≤≥÷×∞§’“”"))
"""Characters known to take one cell: most texts of ours have no others."""


def table(columns: Sequence[Column], rows: Sequence[Row], view: View, indent: str = "") -> list[str]:
    """The lines of the table: titles, then rows, then what is not shown, if the screen is too narrow for all."""
    cells = [tuple(map(printable, row.cells)) for row in rows]
    widths = _widths(columns, cells)
    room = 10**9 if view.wide else view.width - len(indent)
    shown = _narrowed(columns, _shown(_ranked(columns, cells), widths, room), room)
    folded_in = [i for i, column in enumerate(columns) if column.folds and i not in shown and i in widths]
    lines = [view.paint("dim", indent + _line(columns, tuple(c.title for c in columns), shown))]
    sentences = [_below(row, texts, folded_in) for row, texts in zip(rows, cells, strict=True)]
    for i, (row, texts) in enumerate(zip(rows, cells, strict=True)):
        lines.append(view.paint(row.tone, indent + _line(columns, texts, shown)))
        if sentences[i] and (i == 0 or sentences[i] != sentences[i - 1]):
            text = sentences[i] + _same_below(sentences[i:])
            lines += [view.paint("dim", _BELOW + line) for line in folded(text, view.width - len(_BELOW))]
    return [*lines, *(view.paint("dim", indent + line) for line in _omissions(columns, widths, shown, view))]


def fits(columns: Sequence[Column], rows: Sequence[Row], view: View, indent: str = "") -> bool:
    """Whether the screen has room for the table without shortening a name; columns may be dropped."""
    cells = [tuple(map(printable, row.cells)) for row in rows]
    widths = _widths(columns, cells)
    shown = _shown(_ranked(columns, cells), widths, view.width - len(indent))
    return view.wide or sum(shown.values()) + len(GAP) * (len(shown) - 1) <= view.width - len(indent)


def _below(row: Row, texts: Sequence[str], folded_in: Sequence[int]) -> str:
    """The sentence below a row, after the texts of columns that the screen has no room for."""
    return ": ".join(filter(None, (", ".join(filter(None, (texts[i] for i in folded_in))), row.below)))


def _same_below(sentences: Sequence[str]) -> str:
    """How many rows after the first one have its sentence, too, one after the other."""
    same = sum(1 for _ in takewhile(lambda each: each == sentences[0], sentences)) - 1
    return f" (also the next {same} rows)" if same > 1 else " (also the next row)" if same else ""


def _omissions(columns: Sequence[Column], widths: dict[int, int], shown: dict[int, int], view: View) -> list[str]:
    """What a narrow screen leaves out, and how to see it."""
    hidden = [columns[i].title or "places" for i in widths if i not in shown and not columns[i].folds]
    parts = [f"not shown: {', '.join(hidden)}"] if hidden else []
    cut = any(widths[i] > taken and not columns[i].note for i, taken in shown.items())  # a note ends with its sign
    parts += ["names are shortened"] if cut else []
    return folded(f"{'; '.join(parts)} (-o wide)", view.width - len(GAP), GAP) if parts else []


def _narrowed(columns: Sequence[Column], shown: dict[int, int], room: int) -> dict[int, int]:
    """The columns, with the widest names shortened as far as it takes, and as far as they can be read."""
    narrowed = dict(shown)
    while (over := sum(narrowed.values()) + len(GAP) * (len(narrowed) - 1) - room) > 0:
        least = {i: LEAST_NOTE if columns[i].note else _SHORTEST for i in narrowed}
        names = [i for i in narrowed if not columns[i].right and narrowed[i] > least[i]]
        if not names:
            break
        widest = max(names, key=lambda i: (columns[i].note, narrowed[i], -i))
        narrowed[widest] = max(least[widest], narrowed[widest] - over)
    return narrowed


def shortened(text: str, room: int) -> str:
    """The text in at most ``room`` cells: a long one without its middle."""
    if width(text) <= room:
        return text
    head = (room - 1) // 2
    return f"{text[:head]}…{text[len(text) - (room - 1 - head) :]}"


def cut_text(text: str, room: int) -> str:
    """The text in at most ``room`` cells: a long one without its end, cut at a blank where one is near."""
    if width(text) <= room:
        return text
    kept = text[: room - 1]
    while width(kept) > room - 1:
        kept = kept[:-1]
    head, blank, _ = kept.rpartition(" ")
    return f"{head if blank and len(head) > 2 * room // 3 else kept}…".replace(" …", "…")


def _widths(columns: Sequence[Column], cells: Sequence[Sequence[str]]) -> dict[int, int]:
    """The cells that each column takes, by index; without those that are left out."""
    kept = (i for i, column in enumerate(columns) if column.kept or any(texts[i] for texts in cells))
    return {i: max(width(columns[i].title), *(width(texts[i]) for texts in cells), 0) for i in kept}


def _ranked(columns: Sequence[Column], cells: Sequence[Sequence[str]]) -> list[Column]:
    """The columns, with the highest rank for those that say nothing."""
    return [
        replace(column, rank=_IDLE) if i and not column.folds and _is_idle(column, i, cells) else column
        for i, column in enumerate(columns)
    ]


def _is_idle(column: Column, i: int, cells: Sequence[Sequence[str]]) -> bool:
    return bool(cells) and {texts[i] for texts in cells} <= {column.idle, *_NO_VALUE}


def _shown(columns: Sequence[Column], widths: dict[int, int], room: int) -> dict[int, int]:
    """The columns that fit: without those of the highest ranks, and at last without all that fold."""
    shown = dict(widths)
    least = {i: min(taken, LEAST_NOTE) if columns[i].note else taken for i, taken in widths.items()}
    while sum(least[i] for i in shown) + len(GAP) * (len(shown) - 1) > room:
        last = max(shown, key=lambda i: (columns[i].rank, i))
        if columns[last].rank == 0:
            return {i: taken for i, taken in shown.items() if not columns[i].folds}
        del shown[last]
    return shown


def _line(columns: Sequence[Column], texts: Sequence[str], shown: dict[int, int]) -> str:
    parts = (
        ((cut_text if columns[i].note else shortened)(texts[i], taken), taken, columns[i].right)
        for i, taken in shown.items()
    )
    return GAP.join(_padded(text, taken, right=right) for text, taken, right in parts).rstrip()


def _padded(text: str, taken: int, *, right: bool) -> str:
    gap = " " * (taken - width(text))
    return gap + text if right else text + gap


def width(text: str) -> int:
    """The cells that a text takes."""
    return len(text) if text.isascii() or _ONE_CELL.issuperset(text) else _cells(text)


@lru_cache(maxsize=4096)
def _cells(text: str) -> int:
    from rich.cells import cell_len  # answers know their screens, but documents print none

    return cell_len(text)


def wrapped_items(label: str, items: Sequence[str], room: int, separator: str = " · ", indent: str = "  ") -> list[str]:
    """``label`` and ``items`` on as many lines as it takes; no item is divided, further lines are indented."""
    lines = [label.rstrip()] if items else []
    gap = label[len(label.rstrip()) :]
    for left, item in zip(range(len(items), 0, -1), map(printable, items), strict=True):
        end = 0 if left == 1 else len(separator.rstrip())
        if width(lines[-1] + gap + item) + end <= room:
            lines[-1] += gap + item
        else:
            lines[-1] += gap.rstrip()
            lines.append(indent + item)
        gap = separator
    return lines


def folded(text: str, room: int, indent: str = "") -> list[str]:
    """A sentence on lines of at most ``room`` cells, broken at blanks only; a longer word keeps a line of its own."""
    return filled(printable(text).split(), room, indent)


def filled(words: Iterable[str], room: int, indent: str = "") -> list[str]:
    """Words on lines of at most ``room`` cells; further lines are indented, a longer word keeps a line of its own."""
    lines = [""]
    for word in words:
        longer = f"{lines[-1]} {word}" if lines[-1] else indent * (len(lines) > 1) + word
        if lines[-1] and width(longer) > room:
            lines.append(indent + word)
        else:
            lines[-1] = longer
    return lines
