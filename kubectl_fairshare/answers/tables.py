"""Tables as data: columns and rows; `report` decides what a screen has room for.

Tested in ``tests/unit/report/text/test_table.py``.
"""

from typing import Literal, TypeAlias

from kubectl_fairshare.model.values import Value

Tone: TypeAlias = Literal["", "good", "never", "wait", "dim", "strong"]
"""What a colour means: good goes, never is refused, wait is not now, dim is context, strong is a title; or nothing."""


class Column(Value, frozen=True):
    """A column; numbers are aligned ``right``. If the screen is too narrow, the highest ``rank`` is dropped first.

    Before any of these goes a column that says nothing: all of its cells are ``idle``, or have no value.
    Rank 0 always stays, unless it ``folds``: then it goes into the sentence below each row. A column in which no row
    has a text is left out, unless it is ``kept``. A ``note`` is the last column and takes what room is left: before
    anything else goes, its sentences are cut at their ends. Only screens of ``-o wide`` have one that is ``wide``.
    """

    title: str
    right: bool = True
    rank: int = 0
    kept: bool = True
    folds: bool = False
    note: bool = False
    wide: bool = False
    idle: str = ""


class Row(Value, frozen=True):
    """The cells of a row, the tone of all of them, and a sentence ``below``.

    Where the next rows have the same sentence, only the first shows it, with their number.
    """

    cells: tuple[str, ...]
    tone: Tone = ""
    below: str = ""
