from typing import Any

import pytest

from kubectl_fairshare.schedulers.kueue.jobs import workload_name
from kubectl_fairshare.schedulers.kueue.jobs.ownership import JOB_UID, workloads_of
from tests.unit.schedulers.kueue.jobs.scenario import manifest

UID = "11111111-2222-3333-4444-555555555555"
OWNER = {"apiVersion": "batch/v1", "kind": "Job", "name": "train", "uid": UID, "controller": True}


def job(**metadata: Any) -> dict[str, Any]:
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"namespace": "a", **metadata}}


def workload(name: str, **metadata: Any) -> dict[str, Any]:
    return {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "Workload",
        "metadata": {"namespace": "a", "name": name, **metadata},
    }


def belongs(of: dict[str, Any], candidate: dict[str, Any]) -> bool:
    other = manifest(candidate)
    return workloads_of(manifest(of), [other, manifest(job(name="bystander"))]) == (other.key,)


NAMED = workload_name(manifest(job(name="train")).key, UID)


@pytest.mark.parametrize(
    ("of", "candidate", "same"),
    [
        (job(name="train", uid=UID), workload("w", ownerReferences=[OWNER]), True),
        (job(name="train"), workload("w", ownerReferences=[OWNER]), True),
        (job(name="train", uid="another"), workload("w", ownerReferences=[OWNER]), False),
        (job(name="other"), workload("w", ownerReferences=[OWNER]), False),
        (job(name="train", uid=UID), workload("w", ownerReferences=[{**OWNER, "kind": "CronJob"}]), False),
        (job(name="train", uid=UID), workload("w", labels={JOB_UID: UID}), True),
        (job(name="train", uid=UID), workload(NAMED, labels={JOB_UID: "another"}), False),
        (job(name="train", uid=UID), workload(NAMED), True),
        (job(name="train", uid=UID), workload("job-train-00000"), False),
        (job(name="train"), workload("job-train-00000"), True),
        (job(name="train"), workload("job-train-00000-00000"), False),
        (job(name="train", uid=UID), workload("w", namespace="b", ownerReferences=[OWNER]), False),
        (job(generateName="train-"), workload("job-train-00000"), False),
    ],
)
def test_whose_workload_it_is(of: dict[str, Any], candidate: dict[str, Any], same: bool) -> None:
    assert belongs(of, candidate) is same


def test_all_slices_of_a_job_are_found_in_order() -> None:
    found = workloads_of(
        manifest(job(name="train", uid=UID)),
        [manifest(workload(name, ownerReferences=[OWNER])) for name in ("two", "one")],
    )
    assert [key.name for key in found] == ["one", "two"]
