"""Jobs that make no pods now: suspended ones, those that another controller manages, and those that want none.

The fields of a batch/v1 Job are not looked at here. Source: JobSet v0.10, Kubeflow Trainer v2.1,
training-operator v1.9, mpi-operator v0.6, KubeRay v1.4 and LeaderWorkerSet v0.7.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.schedulers.kai.jobs.kinds.shape import PodRole, rejected

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


def is_suspended(job: Field) -> bool:
    """Whether a job makes no pods until it is resumed. Raises ``FairshareError`` for another type."""
    return any(job.at(*path).flag() for path in _SUSPENDS.get(job.owner[:2], ()))


def is_scaled_down(job: Field) -> bool:
    """Whether a LeaderWorkerSet makes no groups of pods. Raises ``FairshareError`` for another type."""
    return job.owner.kind == "LeaderWorkerSet" and not job.at("spec", "replicas").natural(1)


def foreign_manager(job: Field) -> Field | None:
    """The field that names another controller, which makes the pods. Raises ``FairshareError`` for another type."""
    group = job.owner.group
    manager = job.at("spec", *(("runPolicy",) if group == "kubeflow.org" else ()), "managedBy")
    return manager if group in _MANAGERS and manager.text() not in ("", *_MANAGERS[group]) else None


def check_some(job: Field, roles: Iterable[PodRole]) -> None:
    """Raises ``UngroupedError`` for a job that wants no pods."""
    if not any(role.count for role in roles):
        raise rejected(job.place, "it wants no pods, so none is created")
