"""What a cluster recorded about a pod, on a screen."""

from kubectl_fairshare.jobs.events import Condition, Note
from kubectl_fairshare.jobs.pod_record import PodRecord
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.report.text.pod_record import pod_record_lines
from kubectl_fairshare.report.text.view import View

SECOND = 10**9
AGO = "60s ago"
POD = ObjectKey("", "Pod", "vision", "train")
UNSCHEDULED = Condition("PodScheduled", "False", "Unschedulable", "no room", SECOND, Place(POD))
RECORD = PodRecord("Pending", "", (UNSCHEDULED,), (), SECOND, None)


def event(message: str, count: int = 1) -> Note:
    return Note(POD, "Warning", "FailedScheduling", message, SECOND, count, ObjectKey("", "Event", "vision", message))


def text(record: PodRecord | None) -> str:
    return "\n".join(pod_record_lines(record, View(200, now=61 * SECOND)))


def test_conditions_that_do_not_hold_come_with_reason_and_message() -> None:
    holds = replace(UNSCHEDULED, type="Initialized", status="True")
    assert text(replace(RECORD, conditions=(UNSCHEDULED, holds))).splitlines() == [
        "  the cluster recorded",
        f"    PodScheduled=False Unschedulable, {AGO}",
        "      no room",
    ]


def test_an_event_that_repeats_a_condition_is_left_out_and_the_newest_is_first() -> None:
    lines = text(replace(RECORD, events=(event("old"), event("no room"), event("new", 3)))).splitlines()
    assert lines[3:] == [f"    {AGO} FailedScheduling ×3: new", f"    {AGO} FailedScheduling: old"]


def test_the_nominated_node_is_named() -> None:
    assert "nominatedNodeName: n1" in text(replace(RECORD, nominated="n1"))


def test_nothing_recorded_is_no_line() -> None:
    assert text(None) == ""
    assert text(replace(RECORD, conditions=())) == ""
