"""The training kinds of Kubeflow: a pod set for each type of replica that exists, in Kueue's own order.

Source: Kueue v0.19 integrations ``kubeflow.org/…``.
"""

from typing import Final

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.schedulers.kueue.jobs.kinds.kind import JobKind, Known, PodTemplate, pod_template

_SCHEDULING: Final = ("spec", "runPolicy", "schedulingPolicy", "priorityClass")
_MASTER_FIRST: Final = ("Master", "Worker")


def _kind(kind: str, field: str, order: tuple[str, ...], version: str = "v1") -> JobKind:
    """A kind whose replicas are below ``field``, by type."""

    def templates(job: Field, known: Known) -> tuple[PodTemplate, ...]:
        del known
        replicas = ((name, job.at("spec", field, name)) for name in order)
        return tuple(_replicas(name, specified) for name, specified in replicas if specified.value is not None)

    framework = f"kubeflow.org/{kind.lower()}"
    return JobKind("kubeflow.org", version, kind, framework, templates, native=False, priority_class=_SCHEDULING)


def _replicas(name: str, specified: Field) -> PodTemplate:
    return pod_template(name.lower(), specified.at("replicas").natural(1), specified.at("template"))


TRAINING_KINDS: Final = (
    _kind("MPIJob", "mpiReplicaSpecs", ("Launcher", "Worker"), version="v2beta1"),
    _kind("PyTorchJob", "pytorchReplicaSpecs", _MASTER_FIRST),
    _kind("TFJob", "tfReplicaSpecs", ("Chief", "Master", "PS", "Worker", "Evaluator")),
    _kind("XGBoostJob", "xgbReplicaSpecs", _MASTER_FIRST),
    _kind("PaddleJob", "paddleReplicaSpecs", _MASTER_FIRST),
    _kind("JAXJob", "jaxReplicaSpecs", ("Worker",)),
)
