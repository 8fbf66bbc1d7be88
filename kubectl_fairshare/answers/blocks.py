"""What a house says on a screen, as data: `report` decides about lines, widths and colours.

Tested in ``tests/unit/report/test_shares.py``.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kubectl_fairshare.answers.figures import Figure
from kubectl_fairshare.answers.shares import AnyQueue
from kubectl_fairshare.answers.tables import Column, Row, Tone
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import Value


class Remark(Value, frozen=True):
    """A sentence, with the field that it is about; ``first`` and ``more`` indent its lines.

    One that does not fold is a title, or a text of others that a reader may search for: it stays on its line. The
    fields ``within`` are in brackets at its end; ``names`` are its last words, of many the first, ``between`` them.
    """

    text: str
    tone: Tone = ""
    place: Place | None = None
    first: str = "  "
    more: str = "    "
    folds: bool = True
    within: Sequence[Place] = ()
    names: Sequence[str] = ()
    between: str = ", "


def unfolded(text: str, tone: Tone = "", indent: str = "  ") -> Remark:
    """A line that is not folded."""
    return Remark(text, tone, first=indent, folds=False)


class Items(Value, frozen=True):
    """A label and what it lists, of which nothing is divided; nothing without items.

    ``narrow`` is left out by ``-o wide``, where a column has the same. A screen has the first items of a ``long`` one.
    """

    label: str
    items: Sequence[str]
    separator: str = ", "
    indent: str = "  "
    tone: Tone = ""
    narrow: bool = False
    long: bool = False


class Grid(Value, frozen=True):
    """A table of texts that is not about the tree of queues; ``left`` are the titles of its words."""

    titles: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    left: frozenset[str] = frozenset()


class Table(Value, frozen=True):
    """Columns and rows; ``below`` has the blocks that follow each row, if any; ``long`` as in ``Items``."""

    columns: Sequence[Column]
    rows: Sequence[Row]
    indent: str = ""
    long: bool = False
    below: Sequence[Sequence["Block"]] = ()


class Entries(Value, frozen=True):
    """A long list: what is ``said`` of an item is made for those that a screen shows; the others are counted."""

    items: Sequence[Any]
    said: Callable[[Any], Sequence["Block"]]


class Wide(Value, frozen=True):
    """What only ``-o wide`` has, made there alone, and what other screens have ``instead``."""

    said: Callable[[], Sequence["Block"]]
    instead: Sequence["Block"] = ()


class Indented(Value, frozen=True):
    """Blocks below others that they belong to."""

    blocks: Sequence["Block"]


class Section(Value, frozen=True):
    """A table of the queues: what they are, or what they have of one ``resource`` in one ``pool``.

    ``total`` is what the last row, ``total_label``, says by the key of a figure; without it there is no such row.
    """

    title: str
    trees: Sequence[AnyQueue]
    figures: tuple[Figure, ...]
    resource: str = ""
    pool: str = ""
    total: Mapping[str, str] | None = None
    total_label: str = "total"
    tone: Tone = "dim"


Block = Remark | Items | Grid | Section | Table | Entries | Wide | Indented
Group = Sequence[Block]
"""Blocks that belong together: a blank line is before them, unless they have no line."""


class Layout(Value, frozen=True):
    """A screen: what follows the release on its line, what follows that, then groups with a blank line before each."""

    opening: tuple[str, ...]
    groups: Sequence[Group]
    above: Sequence[Block] = ()


class CsvColumns(Value, frozen=True):
    """What CSV says of each queue, and of each of its resources; with ``pools`` also in which pool that is."""

    queue: tuple[Figure, ...]
    figures: tuple[Figure, ...]
    pools: bool = False
