"""Conditions and Events that a cluster wrote about objects.

Source: core/v1 and events.k8s.io/v1; conditions as ``metav1.Condition`` and its older forms.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_fairshare.answers.documents import Moment
from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.trace import Fact

_MOMENTS: Final = ("lastTimestamp", "eventTime", "firstTimestamp", "deprecatedLastTimestamp")


class Condition(Value, frozen=True):
    """One condition; ``moment`` is its last change of status, in nanoseconds since the epoch."""

    type: str
    status: str
    reason: str
    message: str
    moment: Moment = field(name="at")
    place: Place

    @property
    def holds(self) -> bool:
        """Whether the status is True."""
        return self.status == "True"

    @property
    def reason_fact(self) -> Fact:
        """Its field ``reason``."""
        return Fact(Place(self.place.object, (*self.place.path, "reason")), self.reason)

    @property
    def message_fact(self) -> Fact:
        """Its field ``message``."""
        return Fact(Place(self.place.object, (*self.place.path, "message")), self.message)


class Note(Value, frozen=True):
    """An Event; ``moment`` is its last occurrence in nanoseconds since the epoch."""

    about: ObjectKey
    type: str
    reason: str
    message: str
    moment: int | None
    count: int
    key: ObjectKey


def condition_of(entry: Field) -> Condition:
    """One entry of ``status.conditions``. Raises ``FairshareError`` for a wrong type or moment."""
    return Condition(
        entry.at("type").text(),
        entry.at("status").text(),
        entry.at("reason").text(),
        entry.at("message").text(),
        entry.at("lastTransitionTime").moment(),
        entry.place,
    )


def notes_about(keys: Iterable[ObjectKey], manifests: Iterable[Manifest]) -> tuple[Note, ...]:
    """The Events among ``manifests`` about one of ``keys``, oldest first."""
    wanted = frozenset(keys)
    notes = (note_of(root_of(event)) for event in events_of(manifests))
    return tuple(sorted((note for note in notes if note.about in wanted), key=by_moment))


def notes_by_object(manifests: Iterable[Manifest]) -> dict[ObjectKey, tuple[Note, ...]]:
    """The Events among ``manifests`` by their object, oldest first."""
    found: dict[ObjectKey, list[Note]] = {}
    for event in events_of(manifests):
        note = note_of(root_of(event))
        found.setdefault(note.about, []).append(note)
    return {about: tuple(sorted(notes, key=by_moment)) for about, notes in found.items()}


def by_moment(note: Note) -> tuple[int, ObjectKey]:
    """The order of Events: the oldest first."""
    return note.moment or 0, note.key


def events_of(manifests: Iterable[Manifest]) -> Iterator[Manifest]:
    """The Events among objects, of either API."""
    return (m for m in manifests if m.key.kind == "Event" and m.key.group in ("", "events.k8s.io"))


def note_of(event: Field) -> Note:
    """The contents of an Event, in either API."""
    regarding = event.at("regarding")
    about = event.at("involvedObject") if regarding.value is None else regarding
    group, _, _ = about.at("apiVersion").text().rpartition("/")
    moments = (event.at(name).moment() for name in _MOMENTS)
    return Note(
        ObjectKey(group, about.at("kind").text(), about.at("namespace").text(), about.at("name").text()),
        event.at("type").text(),
        event.at("reason").text(),
        event.at("message").text() or event.at("note").text(),
        next((m for m in moments if m is not None), event.at("metadata", "creationTimestamp").moment()),
        event.at("series", "count").integer(event.at("count").integer(1)),
        event.owner,
    )


def moments_of(event: Field) -> tuple[int, ...]:
    """The moments at which an Event occurred, as far as it says: the first, and the last of a series."""
    series = event.at("series", "lastObservedTime").moment()
    found = (*(event.at(name).moment() for name in (*_MOMENTS, "deprecatedFirstTimestamp")), series)
    return tuple(sorted({moment for moment in found if moment is not None}))
