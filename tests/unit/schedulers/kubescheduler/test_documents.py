"""What a cluster recorded about a pod, in a document."""

from kubectl_fairshare.jobs.events import Condition, Note
from kubectl_fairshare.jobs.pod_record import PodRecord
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.report.documents.structs import Forms
from kubectl_fairshare.schedulers.kubescheduler.documents import HOOKS, PodRecordPart

SECOND = 10**9
POD = ObjectKey("", "Pod", "vision", "train")


def test_moments_are_texts_and_null_where_they_are_missing() -> None:
    condition = Condition("PodScheduled", "False", "Unschedulable", "no room", None, Place(POD))
    note = Note(POD, "Warning", "FailedScheduling", "no room", 2 * SECOND, 3, ObjectKey("", "Event", "vision", "e"))
    record = PodRecord("Pending", "n1", (condition,), (note,), SECOND, None)
    part: PodRecordPart = HOOKS[PodRecord](record)
    assert Forms().part(part, {}) == {
        "phase": "Pending",
        "nominatedNode": "n1",
        "created": "1970-01-01T00:00:01Z",
        "conditions": [
            {
                "type": "PodScheduled",
                "status": "False",
                "reason": "Unschedulable",
                "message": "no room",
                "since": None,
            }
        ],
        "events": [{"reason": "FailedScheduling", "message": "no room", "count": 3, "last": "1970-01-01T00:00:02Z"}],
    }
