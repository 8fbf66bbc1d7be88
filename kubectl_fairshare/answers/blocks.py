"""What a house says on a screen, as data: `report` decides about lines, widths and colours.

Tested in ``tests/unit/report/test_shares.py``.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from kubectl_fairshare.answers.figures import Figure
from kubectl_fairshare.answers.shares import AnyQueue
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import Value

RemarkTone = Literal["", "wait", "dim", "strong"]


class Remark(Value, frozen=True):
    """A sentence, with the field that it is about; ``first`` and ``more`` indent its lines."""

    text: str
    tone: RemarkTone = ""
    place: Place | None = None
    first: str = "  "
    more: str = "    "


class Items(Value, frozen=True):
    """A label and what it lists, of which nothing is divided; nothing without items.

    ``narrow`` is left out by ``-o wide``, where a column has the same.
    """

    label: str
    items: Sequence[str]
    separator: str = ", "
    indent: str = "  "
    tone: RemarkTone = ""
    narrow: bool = False


class Grid(Value, frozen=True):
    """A table of texts that is not about the tree of queues; ``left`` are the titles of its words."""

    titles: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    left: frozenset[str] = frozenset()


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
    tone: RemarkTone = "dim"


Block = Remark | Items | Grid | Section


class Layout(Value, frozen=True):
    """A screen: what follows the release on its line, what follows that, then groups with a blank line before each."""

    opening: tuple[str, ...]
    groups: Sequence[Sequence[Block]]
    above: Sequence[Block] = ()


class CsvColumns(Value, frozen=True):
    """What CSV says of each queue, and of each of its resources; with ``pools`` also in which pool that is."""

    queue: tuple[Figure, ...]
    figures: tuple[Figure, ...]
    pools: bool = False
