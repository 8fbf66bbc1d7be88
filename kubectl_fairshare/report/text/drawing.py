"""Blocks of answers as lines: widths, colours, and what of a long list a screen shows are decided here.

Tested in ``tests/unit/report/text/test_drawing.py``.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from kubectl_fairshare.answers.blocks import Block, Entries, Grid, Indented, Items, Layout, Remark, Table, Wide
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.tables import Column, Row
from kubectl_fairshare.report.text.heading import gap_lines, release_lines
from kubectl_fairshare.report.text.listing import rest, shown_items
from kubectl_fairshare.report.text.paragraph import cited, paragraph
from kubectl_fairshare.report.text.table import table, wrapped_items
from kubectl_fairshare.report.text.view import View


def lines_of(blocks: Iterable[Block], view: View) -> list[str]:
    """The lines of blocks that follow one another."""
    return [line for block in blocks for line in _DRAWN[type(block)](block, view)]


def layout_lines(layout: Layout, fidelity: Fidelity, view: View) -> list[str]:
    """The lines of a screen between its first one and its last."""
    return [*release_lines(layout.opening, fidelity, view), *gap_lines(fidelity, view), *lines_below(layout, view)]


def lines_below(layout: Layout, view: View) -> list[str]:
    """The lines below that with the release: a blank one before each group that has any."""
    groups = (lines_of(group, view) for group in layout.groups)
    return [*lines_of(layout.above, view), *(line for found in groups if found for line in ("", *found))]


def _remark(of: Remark, view: View) -> list[str]:
    if not of.folds:
        where = view.cite(of.place)
        return [view.paint(of.tone, f"{of.first}{of.text}{f'  {where}' if where else ''}")]
    if of.place is not None:
        return cited(of.text, view.cite(of.place), view, of.first, of.more)
    where = ", ".join(filter(None, map(view.cite, of.within)))
    text = f"{of.text}{of.between.join(shown_items(of.names, view))}{f' ({where})' if where else ''}"
    return [*paragraph(text, view, of.first, of.more, of.tone), *rest(of.names, view)]


def _items(of: Items, view: View) -> list[str]:
    if of.narrow and view.wide:
        return []
    shown = shown_items(of.items, view) if of.long else of.items
    lines = wrapped_items(of.label, shown, view.width, of.separator, of.indent)
    painted = [view.paint(of.tone, line) for line in lines]
    return [*painted, *rest(of.items, view)] if of.long else painted


def _grid(of: Grid, view: View) -> list[str]:
    columns = [Column(title, right=title not in of.left) for title in of.titles]
    return table(columns, [Row(row) for row in of.rows], view)


def _table(of: Table, view: View) -> list[str]:
    kept = [i for i, column in enumerate(of.columns) if view.wide or not column.wide]
    rows = shown_items(of.rows, view) if of.long else of.rows
    cells = [Row(tuple(row.cells[i] for i in kept), row.tone, row.below) for row in rows]
    title, *lines = table([of.columns[i] for i in kept], cells, view, of.indent)
    if of.below:
        between = [[line, *lines_of(below, view)] for line, below in zip(lines, of.below, strict=False)]
        lines = [*(line for each in between for line in each), *lines[len(cells) :]]
    return [title, *lines, *(rest(of.rows, view) if of.long else ())]


def _entries(of: Entries, view: View) -> list[str]:
    lines = (line for item in shown_items(of.items, view) for line in lines_of(of.said(item), view))
    return [*lines, *rest(of.items, view)]


def _wide(of: Wide, view: View) -> list[str]:
    return lines_of(of.said() if view.wide else of.instead, view)


def _indented(of: Indented, view: View) -> list[str]:
    return [f"  {line}" for line in lines_of(of.blocks, view)]


_DRAWN: Final[Mapping[type, Callable[[Any, View], list[str]]]] = {
    Remark: _remark,
    Items: _items,
    Grid: _grid,
    Table: _table,
    Entries: _entries,
    Wide: _wide,
    Indented: _indented,
}
