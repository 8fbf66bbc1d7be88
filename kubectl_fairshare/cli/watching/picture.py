"""One answer of many, and where they are shown.

Tested in ``tests/unit/cli/watching/test_watching.py``.
"""

from collections.abc import Sequence
from typing import Protocol

from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.values import Value


class Picture(Value, frozen=True):
    """An answer with the notes next to it, as of a moment: nanoseconds since the epoch."""

    answer: str
    notes: str
    moment: int


class Showing(Protocol):
    """What shows one picture after another."""

    def show(self, picture: Picture, *, resized: bool = False) -> None:
        """Shows a picture; a ``resized`` one is the last one over again."""

    def excuse(self, problems: Sequence[Problem], since: int, again: int) -> None:
        """Shows why there is no newer answer, since when, and when the next attempt is."""

    def rest(self, seconds: float) -> bool:
        """Waits; True as soon as the last picture is wanted anew."""
