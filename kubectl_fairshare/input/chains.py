"""Cohorts above cohorts, or queues above queues, without end or nearly so."""

from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.location import ObjectKey, Place

MAX_LEVELS: Final = 200
"""As for values inside values: whatever walks a tree stays in time, and far from the stack's end."""
_REMEDY: Final = "remove levels, or break the cycle if it is one"


def too_long(parents: Mapping[str, str | None], key: ObjectKey, field: str) -> Iterator[Problem]:
    """The problem of the first object, by name, with more than ``MAX_LEVELS`` above it; a short cycle is not one.

    ``key`` is like that of each object, but for the name; ``field`` of ``spec`` names the parent.
    """
    name = deepest(parents)
    if name is not None:
        message = f"{key.kind} {name} has more than {MAX_LEVELS} {key.kind.lower()}s above it"
        yield Problem(message, Place(key._replace(name=name), ("spec", field)), _REMEDY)


def deepest(parents: Mapping[str, str | None]) -> str | None:
    """The first, by name, with more than ``MAX_LEVELS`` above it; None where none has."""
    return next((name for name in sorted(parents) if _above(name, parents) > MAX_LEVELS), None)


def _above(name: str, parents: Mapping[str, str | None]) -> int:
    """The number of objects above one, counted up to the limit plus 1; 0 for a cycle."""
    seen = {name}
    at = parents[name]
    while at is not None and len(seen) <= MAX_LEVELS:
        if at in seen:
            return 0
        seen.add(at)
        at = parents.get(at)
    return len(seen) if at is not None else len(seen) - 1
