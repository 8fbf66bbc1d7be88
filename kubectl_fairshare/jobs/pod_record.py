"""What the cluster recorded about a pod: its phase, conditions, nominated node and Events."""

from typing import Final

from kubectl_fairshare.jobs.events import Condition, Note, condition_of
from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.model.values import Value

SCHEDULED: Final = "PodScheduled"


class PodRecord(Value, frozen=True):
    """The status of a pod; ``created`` and ``started`` are moments."""

    phase: str
    nominated: str
    conditions: tuple[Condition, ...]
    events: tuple[Note, ...]
    created: int | None
    started: int | None

    @property
    def unscheduled(self) -> Condition | None:
        """The scheduler's last record about a pod that it did not place."""
        return next((c for c in self.conditions if c.type == SCHEDULED and c.status == "False" and c.message), None)


def record_of(manifest: Manifest, events: tuple[Note, ...]) -> PodRecord:
    """The status of a pod. Raises ``FairshareError`` for a field of the wrong type."""
    root = root_of(manifest)
    status = root.at("status")
    return PodRecord(
        status.at("phase").text(),
        status.at("nominatedNodeName").text(),
        tuple(condition_of(entry) for entry in status.at("conditions").entries()),
        events,
        _moment(root.at("metadata", "creationTimestamp")),
        _moment(status.at("startTime")),
    )


def _moment(field: Field) -> int | None:
    """A moment; None if it is missing or malformed."""
    try:
        return nanoseconds(field.text()) if field.text() else None
    except ValueError:
        return None
