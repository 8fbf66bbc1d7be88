"""What manifests say of pods and their jobs."""

from typing import Any, NamedTuple

import pytest

from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.pod_standing import NoPodReason, PodManifests, groups_of
from kubectl_fairshare.schedulers.subjects import Nameable

POD = ObjectKey("", "Pod", "a", "p")
JOB = ObjectKey("batch", "Job", "a", "j")


def objects(*given: tuple[ObjectKey, dict[str, Any]]) -> PodManifests:
    return PodManifests({key: Manifest(key, "v1", data, Origin("", n)) for n, (key, data) in enumerate(given)})


def test_a_name_means_a_pod_or_its_owner() -> None:
    owner = {"kind": "Job", "apiVersion": "batch/v1", "name": "j", "uid": "u", "controller": True}
    found = objects(
        (POD, {"metadata": {"name": "p", "namespace": "a", "ownerReferences": [owner]}}),
        (JOB, {"metadata": {"name": "j", "namespace": "a", "uid": "u"}}),
    )
    subjects = found.subjects([("", "Node")])
    assert subjects.find(subjects.wanted("job/j", "a", anywhere=False)).workloads == (POD,)
    assert subjects.others == (("", "Node"),)
    assert found.owners.root(POD) == JOB


def test_gates_are_facts_of_the_pod() -> None:
    (gate,) = objects((POD, {"spec": {"schedulingGates": [{"name": "quota"}]}})).gates(POD)
    assert (str(gate.place), gate.value) == ("Pod a/p spec.schedulingGates[0]", "quota")


def test_what_is_not_in_the_input_has_no_record() -> None:
    assert objects().record(POD) is None
    assert objects((POD, {"metadata": {"creationTimestamp": "2026-01-01T00:00:00Z"}})).record(POD) is not None


ENDED = {"conditions": [{"type": "Complete", "status": "True"}]}


@pytest.mark.parametrize(
    ("data", "workloads", "expected"),
    [
        ({"spec": {"suspend": True}}, (), (Verdict.WAITING, NoPodReason.SUSPENDED, None, JOB)),
        ({"spec": {}, "status": ENDED}, (), (Verdict.FINISHED, NoPodReason.FINISHED, None, JOB)),
        ({"spec": {}}, (), (Verdict.WAITING, NoPodReason.NO_PODS, None, JOB)),
        ({"spec": {"suspend": True}}, (POD,), (Verdict.FINISHED, NoPodReason.FINISHED, POD, JOB)),
    ],
    ids=["suspended", "ended", "wants none", "its pods have ended"],
)
def test_why_a_job_has_no_pod(data: Any, workloads: tuple[ObjectKey, ...], expected: tuple[object, ...]) -> None:
    found = objects((JOB, data), (POD, {"status": {"phase": "Succeeded"}})).without_pod(Nameable(JOB, workloads))
    assert (found.verdict, found.reason, found.key, found.job) == expected


def test_a_pod_that_has_ended_is_no_job() -> None:
    found = objects((POD, {"status": {"phase": "Failed"}})).without_pod(Nameable(POD, (POD,)))
    assert (found.fact.value, found.key, found.job) == ("Failed", POD, None)


def test_a_job_that_is_not_in_the_input_wants_no_pods() -> None:
    assert objects().without_pod(Nameable(JOB)).reason is NoPodReason.NO_PODS


class Ranked(NamedTuple):
    key: ObjectKey
    priority: int = 0


def ranked(name: str, priority: int = 0) -> Ranked:
    return Ranked(ObjectKey("", "Pod", "a", name), priority)


def test_equal_pods_are_one_group_in_the_order_of_their_first() -> None:
    pods = [ranked("c", priority=1), ranked("a"), ranked("b", priority=1)]
    assert groups_of(pods, lambda pod: pod.priority) == [[pods[0], pods[2]], [pods[1]]]
