"""What the cluster recorded of a pod: its phase, its conditions, the node kept for it, Events about it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.model.values import dataclass

_MOMENTS: Final = ("lastTimestamp", "eventTime", "firstTimestamp", "deprecatedLastTimestamp")
SCHEDULED: Final = "PodScheduled"


@dataclass(frozen=True, slots=True)
class PodCondition:
    """One condition of a pod; ``moment`` is its last change."""

    type: str
    status: str
    reason: str
    message: str
    moment: int | None
    place: Place


@dataclass(frozen=True, slots=True)
class PodEvent:
    """An Event about a pod or the object that makes it; ``moment`` is the latest of ``count``."""

    key: ObjectKey
    type: str
    reason: str
    message: str
    moment: int | None
    count: int


@dataclass(frozen=True, slots=True)
class PodRecord:
    """The status of a pod; ``created`` and ``started`` are moments."""

    phase: str
    nominated: str
    conditions: tuple[PodCondition, ...]
    events: tuple[PodEvent, ...]
    created: int | None
    started: int | None

    @property
    def unscheduled(self) -> PodCondition | None:
        """What the scheduler wrote last of a pod that it did not place."""
        return next((c for c in self.conditions if c.type == SCHEDULED and c.status == "False" and c.message), None)


def record_of(manifest: Manifest, events: tuple[PodEvent, ...]) -> PodRecord:
    """The status of a pod. Raises ``FairshareError`` for fields of the wrong type."""
    root = root_of(manifest)
    status = root.at("status")
    return PodRecord(
        status.at("phase").text(),
        status.at("nominatedNodeName").text(),
        tuple(_condition(field) for field in status.at("conditions").entries()),
        events,
        _moment(root.at("metadata", "creationTimestamp")),
        _moment(status.at("startTime")),
    )


def events_by_object(manifests: Iterable[Manifest]) -> Mapping[ObjectKey, tuple[PodEvent, ...]]:
    """The Events of the input by the object that they are about, oldest first."""
    by_object: dict[ObjectKey, list[PodEvent]] = defaultdict(list)
    for manifest in manifests:
        if manifest.key.kind == "Event" and manifest.key.group in ("", "events.k8s.io"):
            about, event = _event(root_of(manifest))
            by_object[about].append(event)
    return {key: tuple(sorted(events, key=lambda e: (e.moment or 0, e.key))) for key, events in by_object.items()}


def _condition(field: Field) -> PodCondition:
    kind, status, reason, message = (field.at(name).text() for name in ("type", "status", "reason", "message"))
    return PodCondition(kind, status, reason, message, _moment(field.at("lastTransitionTime")), field.place)


def _event(root: Field) -> tuple[ObjectKey, PodEvent]:
    regarding = root.at("regarding")
    about = root.at("involvedObject") if regarding.value is None else regarding
    group, _, _ = about.at("apiVersion").text().rpartition("/")
    key = ObjectKey(group, about.at("kind").text(), about.at("namespace").text(), about.at("name").text())
    moments = (_moment(root.at(name)) for name in _MOMENTS)
    return key, PodEvent(
        root.owner,
        root.at("type").text(),
        root.at("reason").text(),
        root.at("message").text() or root.at("note").text(),
        next((m for m in moments if m is not None), None),
        root.at("series", "count").integer(root.at("count").integer(1)),
    )


def _moment(field: Field) -> int | None:
    """A moment; None where there is none, or a text that is none."""
    try:
        return nanoseconds(field.text()) if field.text() else None
    except ValueError:
        return None
