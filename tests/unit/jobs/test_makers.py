"""What makes pods is a job; what stands beside it in a file is not."""

from typing import Any

import pytest

from kubectl_fairshare.jobs.makers import jobs_among, makes_pods
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest


def manifest(group: str, kind: str, **data: Any) -> Manifest:
    return Manifest(ObjectKey(group, kind, "team", "x"), "v1", data, Origin("x", 0))


JOB = manifest("batch", "Job", spec={"template": {"spec": {"containers": []}}})
SERVICE = manifest("", "Service", spec={"ports": [{"port": 80}]})


@pytest.mark.parametrize(
    ("each", "makes"),
    [
        (JOB, True),
        (manifest("", "Pod"), True),
        (manifest("trainer.kubeflow.org", "TrainJob", spec={"runtimeRef": {"name": "torch"}}), True),
        (manifest("kubeflow.org", "PyTorchJob", spec={"pytorchReplicaSpecs": {"Worker": {"template": {}}}}), True),
        (SERVICE, False),
        (manifest("", "PersistentVolume", spec={"csi": {"driver": "x"}}), False),
        (manifest("apps", "DaemonSet", spec={"template": {}}), False),
        (manifest("", "ConfigMap", data={"template": "x"}), False),
        (manifest("karpenter.sh", "NodePool", spec={"template": {}}), False),
    ],
)
def test_what_describes_pods_makes_pods(each: Manifest, makes: bool) -> None:
    assert makes_pods(each) is makes


def test_others_are_left_out_beside_a_job_only() -> None:
    assert jobs_among([SERVICE, JOB]) == ([JOB], [SERVICE])
    assert jobs_among([SERVICE]) == ([SERVICE], [])
