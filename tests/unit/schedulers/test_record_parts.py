"""Events, in documents."""

from kubectl_fairshare.jobs.events import Note
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.record_parts import EventPart, event_part


def test_an_event_names_its_object() -> None:
    note = Note(
        ObjectKey("batch", "Job", "a", "b"), "Warning", "Failed", "no room", 5, 3, ObjectKey("", "Event", "a", "e")
    )
    assert event_part(note) == EventPart("Job a/b", "Warning", "Failed", "no room", 3, 5)
