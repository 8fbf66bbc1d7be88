"""What the cluster recorded of a pod."""

from typing import Any

import pytest

from kubectl_fairshare.jobs.events import notes_by_object
from kubectl_fairshare.jobs.pod_record import PodRecord, record_of
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.recording import manifests_of

POD = ObjectKey("", "Pod", "a", "p")


def record(**status: Any) -> PodRecord:
    data = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "a"}, "status": status}
    (manifest,) = manifests_of([data], "test")
    return record_of(manifest, ())


def event(name: str, last: str, **more: Any) -> dict[str, Any]:
    about = {"apiVersion": "v1", "kind": "Pod", "namespace": "a", "name": "p"}
    data = {"reason": "FailedScheduling", "message": name, "lastTimestamp": last, "involvedObject": about, **more}
    return {"apiVersion": "v1", "kind": "Event", "metadata": {"name": name, "namespace": "a"}, **data}


def test_what_the_scheduler_wrote_last_is_the_condition_with_a_message() -> None:
    condition = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "no room"}
    found = record(conditions=[{"type": "Ready", "status": "False"}, condition]).unscheduled
    assert found is not None
    assert (found.reason, found.message, found.moment) == ("Unschedulable", "no room", None)
    assert str(found.place) == "Pod a/p status.conditions[1]"


def test_a_placed_pod_is_not_unscheduled() -> None:
    assert record(conditions=[{"type": "PodScheduled", "status": "True", "message": "m"}]).unscheduled is None


def test_a_moment_that_is_none_is_passed_over() -> None:
    assert record(startTime="yesterday").started is None
    assert record(startTime="1970-01-01T00:00:01Z").started == 10**9


def test_fields_of_the_wrong_type_are_refused() -> None:
    with pytest.raises(FairshareError):
        record(conditions="none")


def test_events_are_listed_oldest_first_by_the_object_that_they_are_about() -> None:
    later, earlier = event("later", "2026-01-02T00:00:00Z", count=7), event("earlier", "2026-01-01T00:00:00Z")
    found = notes_by_object(manifests_of([later, earlier], "test"))[POD]
    assert [(each.message, each.count) for each in found] == [("earlier", 1), ("later", 7)]


def test_events_of_the_newer_api_are_read_too() -> None:
    about = {"apiVersion": "v1", "kind": "Pod", "namespace": "a", "name": "p"}
    data = {"regarding": about, "note": "n", "eventTime": "2026-01-01T00:00:00Z", "series": {"count": 3}}
    newer = {"apiVersion": "events.k8s.io/v1", "kind": "Event", "metadata": {"name": "e", "namespace": "a"}, **data}
    (found,) = notes_by_object(manifests_of([newer], "test"))[POD]
    assert (found.message, found.count) == ("n", 3)
