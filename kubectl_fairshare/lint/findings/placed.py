"""A finding with its places looked up: what renderers get."""

from typing import NamedTuple

from kubectl_fairshare.lint.run import Reported
from kubectl_fairshare.model.location import Location
from kubectl_fairshare.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Placed:
    """A finding at its line. ``end`` is the column after what is meant, on the same line; ``excerpt`` that line.

    Of a very long line ``excerpt`` is the piece around the place, from ``excerpt_column`` on. ``fingerprint``
    stays the same when lines move: it tells rule, object and field. ``related`` are texts with their
    locations. ``template`` names the file of a Helm chart that the object came from, where the stream says so.
    """

    reported: Reported
    location: Location
    end: int
    excerpt: str
    fingerprint: str
    related: tuple[tuple[str, Location], ...] = ()
    excerpt_column: int = 1
    template: str = ""


class Replacement(NamedTuple):
    """``text`` replaces the characters from ``start`` to before ``end``, both in one source."""

    start: Location
    end: Location
    text: str
