"""Problems of reading, without those that Kueue's own rules report."""

from collections.abc import Iterator, Sequence

from kubectl_fairshare.finding import Severity
from kubectl_fairshare.lint.house import Unreadable
from kubectl_fairshare.model.json import FieldPath
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.schedulers.kueue.rules.configuration.text import gates_given_twice
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.rules.submissions import unreadable_jobs
from kubectl_fairshare.schedulers.kueue.rules.versions.later import stored_form_causes


def unreadable(given: KueueGiven, problems: Sequence[Unreadable]) -> tuple[Unreadable, ...]:
    """The problems, and those of jobs, that no rule of Kueue's reports.

    Kueue accepts and runs some Workloads that cannot be read here, for example with negative overhead: a warning.
    """
    jobs = map(Unreadable, unreadable_jobs(given.read_jobs.values()))
    in_configurations = frozenset(_configured_places(given))
    return tuple(
        each._replace(severity=Severity.WARNING) if _runs(given, each.problem.place) else each
        for each in (*problems, *jobs)
        if not (
            isinstance(each.problem.place, Place)
            and (_is_inside(each.problem.place, in_configurations) or _is_reported(given, each.problem.place))
        )
    )


def _configured_places(given: KueueGiven) -> Iterator[tuple[ObjectKey, FieldPath]]:
    """The places where Configurations begin, the problems of their texts, and gates that are given twice."""
    texts = (*(each.place for each in given.configured), *(each.place for each in given.unread))
    for place in (*texts, *gates_given_twice(given)):
        if isinstance(place, Place):
            yield place.object, place.path[:2]


def _is_inside(place: Place, configurations: frozenset[tuple[ObjectKey, FieldPath]]) -> bool:
    return (place.object, place.path[:2]) in configurations or (place.object, ()) in configurations


def _is_reported(given: KueueGiven, place: Place) -> bool:
    """Whether the object is stored although its schema rejects it."""
    each = given.examined.get(place.object)
    return each is not None and bool(stored_form_causes(each, given.configuration.writes))


def _runs(given: KueueGiven, place: object) -> bool:
    each = given.examined.get(place.object) if isinstance(place, Place) else None
    return each is not None and each.stored is not None and each.key.kind == "Workload"
