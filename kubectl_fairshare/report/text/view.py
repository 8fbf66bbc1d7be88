"""How a screen is to look: its width, its colours, and where each cited place stands."""

from collections.abc import Mapping
from dataclasses import field
from typing import Final

from kubectl_fairshare.model.location import Location, Place
from kubectl_fairshare.model.values import dataclass

WIDTH: Final = 80
_RESET: Final = "\x1b[0m"
_CODES: Final = {"good": "32", "never": "31", "wait": "33", "dim": "2", "strong": "1"}


@dataclass(frozen=True, slots=True)
class View:
    """What a screen depends on besides the answer.

    ``width`` is in columns; ``wide`` asks for every column of a table, however wide it becomes.
    """

    width: int = WIDTH
    colour: bool = False
    wide: bool = False
    places: Mapping[Place, Location] = field(default_factory=dict)

    def paint(self, tone: str, text: str) -> str:
        """``text`` in a tone that means something: good goes, never is refused, wait is not now, dim is context."""
        if not self.colour or not tone or not text:
            return text
        return f"\x1b[{_CODES[tone]}m{text}{_RESET}"

    def cite(self, place: Place | None) -> str:
        """``source:line`` of a place; empty where it stands in no text."""
        location = self.places.get(place) if place is not None else None
        return f"{location.source}:{location.line}" if location is not None else ""
