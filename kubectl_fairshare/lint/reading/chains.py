"""Cohorts above cohorts, or queues above queues, without end or nearly so."""

from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kai.model.objects import Queue
from kubectl_fairshare.schedulers.kueue.model.objects import Cohort

MAX_LEVELS: Final = 200
"""As for values inside values: whatever walks a tree stays in time, and far from the stack's end."""
_REMEDY: Final = "take levels out, or mend the circle if it is one: no organisation nests so deep"


def too_long(cohorts: Mapping[str, Cohort]) -> Iterator[Problem]:
    """The problem that the first cohort, by name, with more than ``MAX_LEVELS`` above it is; a small circle is none."""
    name = deepest({name: cohort.parent for name, cohort in cohorts.items()})
    if name is not None:
        place = Place(cohorts[name].key, ("spec", "parentName"))
        yield Problem(f"more than {MAX_LEVELS} cohorts stand above Cohort {name}", place, _REMEDY)


def queues_too_long(queues: Mapping[str, Queue]) -> Iterator[Problem]:
    """The same for KAI's queues."""
    name = deepest({name: queue.parent or None for name, queue in queues.items()})
    if name is not None:
        key = queues[name].key
        place = None if key is None else Place(key, ("spec", "parentQueue"))
        yield Problem(f"more than {MAX_LEVELS} queues stand above Queue {name}", place, _REMEDY)


def deepest(parents: Mapping[str, str | None]) -> str | None:
    """The first, by name, with more than ``MAX_LEVELS`` above it; None where none has."""
    return next((name for name in sorted(parents) if _above(name, parents) > MAX_LEVELS), None)


def _above(name: str, parents: Mapping[str, str | None]) -> int:
    """How many stand above one, counted up to one too many; 0 where they run in a circle."""
    seen = {name}
    at = parents[name]
    while at is not None and len(seen) <= MAX_LEVELS:
        if at in seen:
            return 0
        seen.add(at)
        at = parents.get(at)
    return len(seen) if at is not None else len(seen) - 1
