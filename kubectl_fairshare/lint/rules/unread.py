"""What could not be read."""

from collections.abc import Iterator

from kubectl_fairshare.finding import Finding, Remedy, Severity
from kubectl_fairshare.jobs.kinds.templates import MIN_PARALLELISM
from kubectl_fairshare.lint.given import Given
from kubectl_fairshare.lint.later import stored_form_causes
from kubectl_fairshare.lint.protocol import rule
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.schedulers.kueue.jobs.grouping import TOTAL_COUNT
from kubectl_fairshare.schedulers.kueue.rules.submissions import unreadable

_NOWHERE = ObjectKey("", "", "", "")


@rule(
    "M009",
    "unreadable-object",
    Severity.ERROR,
    summary="an object that cannot be understood",
    why=(
        "a field of the object does not have the form that its kind asks for, so nobody can tell what the object "
        "amounts to: it is left out of everything else that is said here."
    ),
    remedy="mend the field, then ask again",
)
def unreadable_object(given: Given) -> Iterator[Finding]:
    """One finding for each problem that reading met, jobs included."""
    found = (*given.problems, *unreadable(given.snapshot, given.context))
    for problem in {(each.place, each.message): each for each in found}.values():
        if isinstance(problem.place, Place) and _is_told_elsewhere(given, problem.place):
            continue
        place = problem.place if isinstance(problem.place, Place) else Place(_NOWHERE)
        # Kueue takes, and runs, Workloads that nobody can reason about: with negative overhead, say.
        taken = given.examined.get(place.object)
        runs = taken is not None and taken.stored is not None and taken.key.kind == "Workload"
        severity = Severity.WARNING if runs else None
        yield Finding(
            place, problem.message, Remedy(problem.help or "mend the field, then ask again"), severity=severity
        )


def _is_told_elsewhere(given: Given, place: Place) -> bool:
    """Whether the object is stored against its own schema, or Kueue's webhook refuses the job."""
    if place.path[-1:] in ((MIN_PARALLELISM,), (TOTAL_COUNT,)):
        return isinstance(_value(given, place), str | None)
    each = given.examined.get(place.object)
    return each is not None and bool(stored_form_causes(each))


def _value(given: Given, place: Place) -> Json:
    """What stands there; None where nothing does."""
    value: Json = given.snapshot.manifests[place.object].data
    for part in place.path:
        value = value.get(part) if isinstance(value, dict) else None
    return value
