"""What all schedulers say in one way, on a screen."""

from kubectl_fairshare.jobs.events import Condition, Note
from kubectl_fairshare.jobs.pod_record import PodRecord
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.report.text.drawing import lines_of
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.shared_words import (
    elsewhere_blocks,
    event_blocks,
    node_reason_blocks,
    pod_record_blocks,
    too_large_clause,
)

SECOND = 10**9
AGO = "60s ago"
POD = ObjectKey("", "Pod", "vision", "train")
UNSCHEDULED = Condition("PodScheduled", "False", "Unschedulable", "no room", SECOND, Place(POD))
RECORD = PodRecord("Pending", "", (UNSCHEDULED,), (), SECOND, None)


def event(message: str, count: int = 1) -> Note:
    return Note(POD, "Warning", "FailedScheduling", message, SECOND, count, ObjectKey("", "Event", "vision", message))


def text(record: PodRecord | None) -> str:
    return "\n".join(lines_of(pod_record_blocks(record, 61 * SECOND), View(200)))


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


def test_events_are_counted_and_a_wide_screen_has_them_newest_first() -> None:
    blocks = event_blocks((event("old"), event("new")), 61 * SECOND)
    assert lines_of(blocks, View(200)) == ["    2 events (-o wide shows them)"]
    assert lines_of(blocks, View(200, wide=True)) == [
        "    events",
        f"     {AGO} FailedScheduling: new",
        f"     {AGO} FailedScheduling: old",
    ]
    assert event_blocks((), None) == []


def test_reasons_that_differ_in_the_node_alone_share_a_line() -> None:
    reasons = {"n2": "n2 is full", "n1": "n1 is full", "n3": "n3 is cordoned"}
    assert lines_of(node_reason_blocks(reasons, placed=False), View(80)) == [
        "  nodes",
        "    n1 is full (also 1 other node)",
        "    n3 is cordoned",
    ]


def test_the_title_says_whether_the_pod_gets_another_node() -> None:
    assert lines_of(node_reason_blocks({"n1": "n1 is full"}, placed=True), View(80))[0] == "  other nodes"


def test_no_reason_is_no_line() -> None:
    assert node_reason_blocks({}, placed=True) == []


def test_other_nodes_for_a_nominated_pod_are_named() -> None:
    assert elsewhere_blocks(()) == []
    first, *_ = lines_of(elsewhere_blocks(("n1", "n2")), View(80))
    assert first.startswith("  n1, n2 have room, too: ")


def test_a_pod_that_is_larger_than_every_node_has_its_numbers_if_all_lack_the_same_resource() -> None:
    both = too_large_clause([{"cpu": (16000, 8000), "memory": (5, 4)}, {"cpu": (16000, 4000)}])
    assert both == "no single node is large enough for it: it needs 16 cpu, the largest has 8"
    assert too_large_clause([{"cpu": (16000, 8000)}, {"memory": (5, 4)}]) == "no single node is large enough for it"
    assert too_large_clause([{"cpu": (16000, 8000)}, {}]) == too_large_clause([])
