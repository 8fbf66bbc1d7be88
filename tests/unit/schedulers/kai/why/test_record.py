"""What the cluster wrote of a job."""

from kubectl_fairshare.jobs.events import notes_by_object
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.kai.model.objects import KaiState
from kubectl_fairshare.schedulers.kai.why.record import record_of, unschedulable
from tests.unit.schedulers.kai.build import group, snapshot_of

SNAPSHOT = snapshot_of("testdata/kai/why")
EVENTS = notes_by_object(SNAPSHOT.manifests.values())
SWEEP = ObjectKey("", "Pod", "ml", "sweep-0")


def test_conditions_reasons_pods_and_events_are_read() -> None:
    sweep = next(each for each in SNAPSHOT.part(KaiState).pod_groups if each.name == "sweep")
    record = record_of(sweep, [SWEEP], SNAPSHOT.manifests, EVENTS)
    condition = unschedulable(record)
    assert condition is not None
    assert (condition.reason, [each.reason for each in record.explanations]) == ("Unschedulable", ["OverLimit"])
    assert [(each.type, pods) for each, pods in record.unscheduled] == [("PodScheduled", 1)]
    assert [(note.reason, note.count) for note in record.notes] == [("Unschedulable", 240)]


def test_of_a_group_that_is_not_in_the_input_nothing_is_recorded() -> None:
    record = record_of(group("gone", "q", last_start=7), [], SNAPSHOT.manifests, EVENTS)
    assert (record.conditions, record.notes, record.last_start) == ((), (), 7)
    assert unschedulable(record) is None
