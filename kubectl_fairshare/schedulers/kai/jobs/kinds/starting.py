"""Jobs of which no pod exists: suspended ones, and those that another controller manages.

The fields of a batch/v1 Job are not looked at here. Source: JobSet v0.10, Kubeflow Trainer v2.1,
training-operator v1.9, mpi-operator v0.6, KubeRay v1.4 and LeaderWorkerSet v0.7.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.schedulers.kai.jobs.kinds.shape import PodRole, rejected, unmodelled

_SPEC: Final = ("spec", "suspend")
_RUN: Final = ("spec", "runPolicy", "suspend")
_SUSPENDS: Final[Mapping[tuple[str, str], tuple[tuple[str, ...], ...]]] = {
    ("jobset.x-k8s.io", "JobSet"): (_SPEC,),
    ("trainer.kubeflow.org", "TrainJob"): (_SPEC,),
    ("ray.io", "RayCluster"): (_SPEC,),
    ("ray.io", "RayJob"): (_SPEC, ("spec", "rayClusterSpec", "suspend")),
    ("ray.io", "RayService"): (("spec", "rayClusterConfig", "suspend"),),
    **{("kubeflow.org", kind): (_RUN,) for kind in ("PyTorchJob", "TFJob", "XGBoostJob", "JAXJob", "MPIJob")},
}
_MANAGERS: Final = {
    "jobset.x-k8s.io": ("jobset.sigs.k8s.io/jobset-controller",),
    "trainer.kubeflow.org": ("trainer.kubeflow.org/trainjob-controller",),
    "ray.io": ("ray.io/kuberay-operator",),
    "kubeflow.org": ("kubeflow.org/training-operator", "kubeflow.org/mpi-operator"),
}
"""The controllers that make pods of the jobs of a group, as ``managedBy`` names them."""


def check_started(job: Field) -> None:
    """Raises ``UngroupedError`` for a job that makes no pods now, or whose pods another controller makes."""
    group, kind = job.owner.group, job.owner.kind
    for path in _SUSPENDS.get((group, kind), ()):
        if job.at(*path).flag():
            raise rejected(job.at(*path).place, "it is suspended, so no pod is created")
    if kind == "LeaderWorkerSet" and not job.at("spec", "replicas").natural(1):
        raise rejected(job.at("spec", "replicas").place, "its number of replicas is 0, so no pod is created")
    manager = job.at("spec", *(("runPolicy",) if group == "kubeflow.org" else ()), "managedBy")
    if group in _MANAGERS and manager.text() not in ("", *_MANAGERS[group]):
        raise unmodelled(manager.place, f"the pods of a job that another controller manages ({manager.text()[:64]})")


def check_some(job: Field, roles: Iterable[PodRole]) -> None:
    """Raises ``UngroupedError`` for a job that wants no pods."""
    if not any(role.count for role in roles):
        raise rejected(job.place, "it wants no pods, so none is created")
