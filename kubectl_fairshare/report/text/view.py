"""The view of a screen: its width, its colours, and the line of each cited place."""

from collections.abc import Mapping
from typing import Final

from kubectl_fairshare.answers.tables import Tone
from kubectl_fairshare.model.location import Location, Place
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.report.text.clean import printable
from kubectl_fairshare.report.text.colour import styled

WIDTH: Final = 80
MARGIN: Final = 2
"""Columns at the left in which an answer that is watched has marks."""
MOST: Final = 110
"""The widest line: longer ones are hard to read. Only `-o wide` shows wider tables."""


class View(Value, frozen=True):
    """What a screen depends on besides the answer.

    ``columns`` is what the terminal has, ``colour`` how many colours (rich's name for that, empty for none). ``wide``
    asks for every column of a table, however wide it becomes. ``now`` is the moment that ages count to, in nanoseconds
    since the epoch; None if it is not known. ``on_terminal``: a person reads it there. ``explained`` asks for what
    changed since the release by whose rules is answered.
    """

    columns: int = WIDTH
    colour: str = ""
    wide: bool = False
    places: Mapping[Place, Location] = field(default_factory=dict)
    now: int | None = None
    on_terminal: bool = False
    explained: bool = False

    @property
    def width(self) -> int:
        """The widest line, in columns."""
        return min(self.columns, MOST)

    def paint(self, tone: Tone, text: str) -> str:
        """``text`` in a tone."""
        text = printable(text)
        return text if not self.colour else styled(tone, text, self.colour)

    def cite(self, place: Place | None) -> str:
        """``source:line`` of a place, or its object and field in a long line; empty if it comes from no text."""
        location = self.places.get(place) if place is not None else None
        if location is None:
            return ""
        return printable(location.field or f"{location.source}:{location.line}")
