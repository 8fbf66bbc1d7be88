"""A suppression: a comment or an annotation that names rules.

Tested in ``tests/unit/lint/suppression/test_suppressions.py``.
"""

from typing import NamedTuple

from kubectl_fairshare.model.location import Location, Origin, Place
from kubectl_fairshare.model.values import Value


class Suppression(Value, frozen=True):
    """Rules that are suppressed at some places. ``words`` are the rules as written, by id or by name.

    ``place`` is its own place. It covers everything at or below ``covers``, and findings on ``line`` of its source,
    counted from 1; 0 covers no line. ``malformed`` says why it covers nothing.
    """

    place: Place
    words: tuple[str, ...] = ()
    covers: tuple[Origin, ...] = ()
    line: int = 0
    malformed: str = ""

    def covers_place(self, at: Origin, location: Location) -> bool:
        """Whether a finding ``at`` a place of the input, reported at ``location``, is covered."""
        if self.line and self.covers and (self.covers[0].source, self.line) == (location.source, location.line):
            return True
        return any(
            (each.source, each.document) == (at.source, at.document) and at.path[: len(each.path)] == each.path
            for each in self.covers
        )


class Unused(NamedTuple):
    """A word of a suppression that had no effect."""

    suppression: Suppression
    word: str


def words_of(text: str) -> tuple[str, ...]:
    """The rules in a comma-separated list."""
    return tuple(word for word in (each.strip() for each in text.split(",")) if word)
