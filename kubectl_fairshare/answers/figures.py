"""A figure: one quantity of queues, declared once for CSV and for screens; documents have it by its field's name.

Tested in ``tests/unit/report/test_shares.py``.
"""

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Annotated, Any, Final

from kubectl_fairshare.model.values import Value

QUANTITY: Final = "a quantity of the resource that the record is about"
NULL_IF_INFINITE: Final = "JSON has no infinite number"
OMITTED: Final = "screens need it, documents have it elsewhere"
Quantity = Annotated[int, QUANTITY]
"""An amount in the scheduler's units: documents have its canonical text next to the integer."""
Boundless = Annotated[float, NULL_IF_INFINITE]
"""A number that may be infinite, which is null in documents."""


def _plain(_: str, value: object) -> str:
    return str(value)


class Figure(Value, frozen=True):
    """One quantity of a queue, or of one resource of a queue: a column of CSV, of a table, or of both.

    ``key`` names it in CSV, and is the name of its field in documents unless ``read`` takes it from the record.
    ``title`` is its column on screens, None for no column; there, ``text`` is its value for people, given the
    resource, and ``none`` what a missing value looks like. ``rank``, ``kept`` and ``idle`` mean what they do for
    ``Column``. Only screens of ``-o wide`` have one that is ``wide``. One that is ``scarce`` is left out where all
    of its values are zero. A queue that is dim has no value of one that is ``live``.
    """

    key: str
    title: str | None = None
    text: Callable[[str, Any], str] = _plain
    read: Callable[[Any], object] | None = None
    csv: bool = True
    none: str = ""
    rank: int = 0
    right: bool = True
    kept: bool = True
    idle: str = ""
    wide: bool = False
    scarce: bool = False
    live: bool = False

    @property
    def value(self) -> Callable[[Any], object]:
        """What reads the figure from a record."""
        return self.read or _field(self.key)


@cache
def _field(key: str) -> Callable[[Any], object]:
    """What reads the field of a key: ``borrowing_limit`` for ``borrowingLimit``."""
    return attrgetter("".join(f"_{c.lower()}" if c.isupper() else c for c in key))
