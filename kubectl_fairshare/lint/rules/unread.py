"""Objects that could not be read."""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_fairshare.finding import Finding, Remedy
from kubectl_fairshare.lint.given import Given
from kubectl_fairshare.lint.house import Unreadable
from kubectl_fairshare.lint.protocol import error_rule
from kubectl_fairshare.model.errors import FIX_THE_FIELD
from kubectl_fairshare.model.location import ObjectKey, Place

_NOWHERE: Final = ObjectKey("", "", "", "")


@error_rule("M009")
def unreadable_object(given: Given) -> Iterator[Finding]:
    """One finding for each problem while reading, including jobs."""
    found: Sequence[Unreadable] = tuple(map(Unreadable, given.problems))
    for house in given.concerned:
        found = house.unreadable(given, found)
    for problem, severity in {(each.problem.place, each.problem.message): each for each in found}.values():
        place = problem.place if isinstance(problem.place, Place) else Place(_NOWHERE)
        remedy = Remedy(problem.help or FIX_THE_FIELD)
        yield Finding(place, problem.message, remedy, severity=severity)
