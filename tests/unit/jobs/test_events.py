"""Conditions and Events that a cluster wrote."""

import pytest

from kubectl_fairshare.jobs.events import condition_of, notes_about
from kubectl_fairshare.jobs.fields import root_of
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest

POD = ObjectKey("", "Pod", "ns", "p")
ABOUT: dict[str, Json] = {"apiVersion": "v1", "kind": "Pod", "namespace": "ns", "name": "p"}


def event(name: str, data: dict[str, Json], group: str = "") -> Manifest:
    return Manifest(ObjectKey(group, "Event", "ns", name), "v1", data, Origin("in", 0))


def test_events_of_both_apis_are_read_oldest_first() -> None:
    late = {"involvedObject": ABOUT, "reason": "Late", "message": "m", "lastTimestamp": "2026-01-02T00:00:00Z"}
    early = {"regarding": ABOUT, "reason": "Early", "note": "n", "eventTime": "2026-01-01T00:00:00Z"}
    other = {"regarding": {**ABOUT, "name": "q"}, "reason": "Other"}
    events = [event("a", late), event("b", early, "events.k8s.io"), event("c", other)]
    assert [(note.reason, note.message, note.count) for note in notes_about([POD], events)] == [
        ("Early", "n", 1),
        ("Late", "m", 1),
    ]


def test_a_condition_has_its_place_and_its_moment() -> None:
    written = {"type": "Ready", "status": "True", "lastTransitionTime": "1970-01-01T00:00:01Z"}
    manifest = Manifest(POD, "v1", {"status": {"conditions": [written]}}, Origin("in", 0))
    (entry,) = root_of(manifest).at("status", "conditions").entries()
    condition = condition_of(entry)
    assert (condition.holds, condition.moment) == (True, 10**9)
    assert condition.place.path == ("status", "conditions", 0)


def test_a_moment_that_is_none_is_refused_at_its_place() -> None:
    with pytest.raises(FairshareError) as caught:
        notes_about([POD], [event("a", {"lastTimestamp": "soon"})])
    assert "`lastTimestamp` is not a moment" in caught.value.problems[0].message
