"""Errors that reach a user; each has a remedy."""

from typing import Final

from kubectl_fairshare.model.location import Location, Place
from kubectl_fairshare.model.values import Value

FIX_THE_FIELD: Final = "fix the field, then run the command again"
"""The remedy for an object with a field that cannot be read."""


MISSING: Final = "a field is missing or has another type"
"""Why an object cannot be read, in a clause, where Python or a decoder says so."""


def misread(error: Exception) -> str:
    """Why a field cannot be read, in a clause; what Python says of a wrong type names no field, and is left out."""
    if isinstance(error, (AttributeError, TypeError, LookupError)):
        return MISSING
    return str(error)


class Problem(Value, frozen=True):
    """One thing that could not be read: what, where, and what to do.

    ``message`` and ``help`` are lower case, without a final period, with user values in backticks. ``place`` is a
    location in a source, a symbolic place that becomes one when it is printed, or the name of a source.
    """

    message: str
    place: Location | Place | str | None = None
    help: str | None = None
    related: tuple[tuple[str, Location], ...] = ()


class FairshareError(Exception):
    """Raised if unreadable input prevents an answer (exit code 3)."""

    def __init__(self, *problems: Problem) -> None:
        if not problems:
            raise ValueError("a FairshareError names at least one problem")
        super().__init__("; ".join(p.message for p in problems))
        self.problems = problems


class NoWorkloadError(FairshareError):
    """Raised for an object that makes no workload for a scheduler, such as a Deployment with 0 replicas."""


class UnsupportedKindError(NoWorkloadError):
    """Raised for an object of a kind or version that a scheduler does not manage, or whose pods are not known."""


class UsageError(FairshareError):
    """Raised for a wrong call: an option, a name that matches nothing (exit code 2)."""


class AbsentSubjectError(UsageError):
    """The input has no object of that name; another one of several inputs may have it."""
