"""Cohorts above cohorts, without end or nearly so."""

from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.kueue import Cohort
from kubectl_fairshare.model.location import Place

MAX_LEVELS: Final = 200
"""As for values inside values: whatever walks a tree stays in time, and far from the stack's end."""
_REMEDY: Final = "take levels out, or mend the circle if it is one: no organisation nests so deep"


def too_long(cohorts: Mapping[str, Cohort]) -> Iterator[Problem]:
    """The problem that the first cohort, by name, with more than ``MAX_LEVELS`` above it is; a small circle is none."""
    for name in sorted(cohorts):
        above = _above(name, cohorts)
        if above > MAX_LEVELS:
            place = Place(cohorts[name].key, ("spec", "parentName"))
            yield Problem(f"more than {MAX_LEVELS} cohorts stand above Cohort {name}", place, _REMEDY)
            return


def _above(name: str, cohorts: Mapping[str, Cohort]) -> int:
    """How many cohorts stand above one, counted up to one too many; 0 where they run in a circle."""
    seen = {name}
    at = cohorts[name].parent
    while at is not None and len(seen) <= MAX_LEVELS:
        if at in seen:
            return 0
        seen.add(at)
        at = cohorts[at].parent if at in cohorts else None
    return len(seen) if at is not None else len(seen) - 1
