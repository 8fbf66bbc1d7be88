"""The kinds of objects that make pods: one row each, from which everything that knows kinds is derived.

A new kind is a row here and, where its pods are not those of one template, a function in each house that reads it.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

UNKNOWN: Final = "xxxxx"
"""A placeholder for the five characters that an API server appends to the names of what these make."""
_TEMPLATE: Final = ("spec", "template")
_MASTER_FIRST: Final = ("Master", "Worker")


class PodMaker(NamedTuple):
    """A kind that makes pods, and the ``version`` of its group in which it is read.

    ``template`` leads to its pod template where all of its pods are made of one. ``framework`` is its name among the
    integrations of a controller that admits whole jobs, empty for none. ``grouped``: a pod grouper makes gangs of its
    pods. ``replicas`` is the field of ``spec`` with a pod template for each of the ``roles``, in the order of pod sets.
    """

    group: str
    version: str
    kind: str
    plural: str
    framework: str = ""
    template: tuple[str, ...] = ()
    grouped: bool = False
    replicas: str = ""
    roles: tuple[str, ...] = ()

    @property
    def name(self) -> tuple[str, str]:
        """Its group and kind."""
        return self.group, self.kind


def _training(
    kind: str, replicas: str, roles: tuple[str, ...], *, version: str = "v1", grouped: bool = True
) -> PodMaker:
    """A kind of Kubeflow's training operators."""
    name = kind.lower()
    framework = f"kubeflow.org/{name}"
    return PodMaker("kubeflow.org", version, kind, f"{name}s", framework, (), grouped, replicas, roles)


POD_MAKERS: Final = (
    PodMaker("batch", "v1", "Job", "jobs", "batch/job", _TEMPLATE, grouped=True),
    PodMaker("batch", "v1", "CronJob", "cronjobs", "batch/job", ("spec", "jobTemplate", "spec", "template"), True),
    PodMaker("jobset.x-k8s.io", "v1alpha2", "JobSet", "jobsets", "jobset.x-k8s.io/jobset", grouped=True),
    PodMaker(
        "trainer.kubeflow.org", "v1alpha1", "TrainJob", "trainjobs", "trainer.kubeflow.org/trainjob", grouped=True
    ),
    _training("MPIJob", "mpiReplicaSpecs", ("Launcher", "Worker"), version="v2beta1"),
    _training("PyTorchJob", "pytorchReplicaSpecs", _MASTER_FIRST),
    _training("TFJob", "tfReplicaSpecs", ("Chief", "Master", "PS", "Worker", "Evaluator")),
    _training("XGBoostJob", "xgbReplicaSpecs", _MASTER_FIRST),
    _training("PaddleJob", "paddleReplicaSpecs", _MASTER_FIRST, grouped=False),
    _training("JAXJob", "jaxReplicaSpecs", ("Worker",)),
    PodMaker("ray.io", "v1", "RayJob", "rayjobs", "ray.io/rayjob", grouped=True),
    PodMaker("ray.io", "v1", "RayCluster", "rayclusters", "ray.io/raycluster", grouped=True),
    PodMaker("ray.io", "v1", "RayService", "rayservices", "ray.io/rayservice", grouped=True),
    PodMaker(
        "leaderworkerset.x-k8s.io",
        "v1",
        "LeaderWorkerSet",
        "leaderworkersets",
        "leaderworkerset.x-k8s.io/leaderworkerset",
        grouped=True,
    ),
    PodMaker("workload.codeflare.dev", "v1beta2", "AppWrapper", "appwrappers", "workload.codeflare.dev/appwrapper"),
    PodMaker(
        "sparkoperator.k8s.io",
        "v1beta2",
        "SparkApplication",
        "sparkapplications",
        "sparkoperator.k8s.io/sparkapplication",
        grouped=True,
    ),
    PodMaker("apps", "v1", "Deployment", "deployments", "deployment", _TEMPLATE, grouped=True),
    PodMaker("apps", "v1", "StatefulSet", "statefulsets", "statefulset", _TEMPLATE, grouped=True),
    PodMaker("apps", "v1", "ReplicaSet", "replicasets", template=_TEMPLATE, grouped=True),
    PodMaker("apps", "v1", "DaemonSet", "daemonsets", template=_TEMPLATE),
    PodMaker("", "v1", "ReplicationController", "replicationcontrollers", template=_TEMPLATE),
    PodMaker("grove.io", "v1alpha1", "PodCliqueSet", "podcliquesets", grouped=True),
    PodMaker("kubeflow.org", "v1beta1", "Notebook", "notebooks", grouped=True),
)
BY_NAME: Final[Mapping[tuple[str, str], PodMaker]] = {each.name: each for each in POD_MAKERS}
CARRIERS: Final[Mapping[tuple[str, str], tuple[str, ...]]] = {
    each.name: each.template for each in POD_MAKERS if each.template
}
"""The path of the pod template in each kind whose pods are made of one."""
