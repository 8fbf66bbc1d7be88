"""The kinds that can be asked for in a cluster, and which of them each command needs.

What ``rbac`` prints and what is read come from the same table.
"""

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum
from typing import Final

from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.elasticquota.model import objects as elasticquota
from kubectl_fairshare.schedulers.kai.model import objects as kai
from kubectl_fairshare.schedulers.kueue.model import objects as kueue

MANAGED: Final = f"{kueue.GROUP}/managed"
QUEUE_NAME: Final = f"{kueue.GROUP}/queue-name"
KUEUE_VERSIONS: Final = ("v1beta2", "v1beta1")


class Scheduler(Enum):
    """Whose objects they are; what all rest on belongs to none."""

    KUEUE = "kueue"
    KAI = "kai"
    ELASTICQUOTA = "elasticquota"


@dataclass(frozen=True, slots=True)
class Resource:
    """One list. ``versions`` are those that are understood, the preferred first.

    ``labels`` and ``fields`` are selectors. With ``at_home`` only the namespace that is asked about is listed.
    """

    group: str
    versions: tuple[str, ...]
    plural: str
    kind: str
    namespaced: bool = True
    of: Scheduler | None = None
    labels: str = ""
    fields: str = ""
    at_home: bool = False

    @property
    def name(self) -> str:
        """``clusterqueues.kueue.x-k8s.io``, as kubectl names it."""
        return f"{self.plural}.{self.group}" if self.group else self.plural

    def path(self, version: str, namespace: str = "") -> str:
        """The path of the list, in all namespaces or one."""
        root = f"/apis/{self.group}/{version}" if self.group else f"/api/{version}"
        return f"{root}/namespaces/{namespace}/{self.plural}" if namespace else f"{root}/{self.plural}"


def _kueue(plural: str, kind: str, namespaced: bool = False) -> Resource:
    return Resource(kueue.GROUP, KUEUE_VERSIONS, plural, kind, namespaced, Scheduler.KUEUE)


def _core(plural: str, kind: str, namespaced: bool = True, of: Scheduler | None = None) -> Resource:
    return Resource("", ("v1",), plural, kind, namespaced, of)


def _job(group: str, version: str, plural: str, kind: str) -> Resource:
    return Resource(group, (version,), plural, kind, of=Scheduler.KUEUE)


NAMESPACES: Final = _core("namespaces", "Namespace", namespaced=False)
QUEUES: Final = (
    _kueue("resourceflavors", "ResourceFlavor"),
    _kueue("cohorts", "Cohort"),
    _kueue("clusterqueues", "ClusterQueue"),
    _kueue("localqueues", "LocalQueue", namespaced=True),
    _kueue("workloads", "Workload", namespaced=True),
    _kueue("workloadpriorityclasses", "WorkloadPriorityClass"),
    _kueue("admissionchecks", "AdmissionCheck"),
    _kueue("topologies", "Topology"),
)
_AROUND: Final = (
    NAMESPACES,
    _core("limitranges", "LimitRange"),
    Resource("scheduling.k8s.io", ("v1",), "priorityclasses", "PriorityClass", namespaced=False),
    Resource("node.k8s.io", ("v1",), "runtimeclasses", "RuntimeClass", namespaced=False),
)
KAI: Final = (
    Resource(kai.QUEUE_GROUP, ("v2",), "queues", "Queue", False, Scheduler.KAI),
    Resource(kai.QUEUE_GROUP, ("v2alpha2",), "podgroups", "PodGroup", True, Scheduler.KAI),
    Resource(kai.QUEUE_GROUP, ("v1alpha2",), "bindrequests", "BindRequest", True, Scheduler.KAI),
    Resource(kai.CONFIG_GROUP, ("v1",), "schedulingshards", "SchedulingShard", False, Scheduler.KAI),
    Resource(kai.CONFIG_GROUP, ("v1",), "configs", "Config", False, Scheduler.KAI),
    _core("pods", "Pod", of=Scheduler.KAI),
    _core("nodes", "Node", namespaced=False, of=Scheduler.KAI),
    Resource(kai.SLICE_GROUP, ("v1", "v1beta2", "v1beta1"), "resourceslices", "ResourceSlice", False, Scheduler.KAI),
)
ELASTICQUOTA: Final = (
    Resource(elasticquota.GROUP, ("v1alpha1",), "elasticquotas", elasticquota.KIND, True, Scheduler.ELASTICQUOTA),
    _core("pods", "Pod", of=Scheduler.ELASTICQUOTA),
    _core("nodes", "Node", namespaced=False, of=Scheduler.ELASTICQUOTA),
    _core("resourcequotas", "ResourceQuota", of=Scheduler.ELASTICQUOTA),
    Resource("policy", ("v1",), "poddisruptionbudgets", "PodDisruptionBudget", True, Scheduler.ELASTICQUOTA),
)
_STATE: Final = (*QUEUES, *_AROUND, *KAI, *ELASTICQUOTA)
_JOBS: Final = (
    _job("batch", "v1", "jobs", "Job"),
    _job("batch", "v1", "cronjobs", "CronJob"),
    _job("jobset.x-k8s.io", "v1alpha2", "jobsets", "JobSet"),
    _job("trainer.kubeflow.org", "v1alpha1", "trainjobs", "TrainJob"),
    _job("kubeflow.org", "v2beta1", "mpijobs", "MPIJob"),
    *(_job("kubeflow.org", "v1", f"{k.lower()}s", k) for k in ("PyTorchJob", "TFJob", "XGBoostJob", "PaddleJob")),
    _job("kubeflow.org", "v1", "jaxjobs", "JAXJob"),
    *(_job("ray.io", "v1", f"{k.lower()}s", k) for k in ("RayJob", "RayCluster", "RayService")),
    _job("leaderworkerset.x-k8s.io", "v1", "leaderworkersets", "LeaderWorkerSet"),
    _job("workload.codeflare.dev", "v1beta2", "appwrappers", "AppWrapper"),
    _job("sparkoperator.k8s.io", "v1beta2", "sparkapplications", "SparkApplication"),
    _job("apps", "v1", "deployments", "Deployment"),
    _job("apps", "v1", "statefulsets", "StatefulSet"),
    Resource("", ("v1",), "pods", "Pod", of=Scheduler.KUEUE, labels=MANAGED),
)
_RUNTIMES: Final = (
    _job("trainer.kubeflow.org", "v1alpha1", "trainingruntimes", "TrainingRuntime"),
    replace(
        _job("trainer.kubeflow.org", "v1alpha1", "clustertrainingruntimes", "ClusterTrainingRuntime"), namespaced=False
    ),
)
_TRACES: Final = (
    Resource("", ("v1",), "pods", "Pod", of=Scheduler.KUEUE, at_home=True),
    Resource("apps", ("v1",), "replicasets", "ReplicaSet", of=Scheduler.KUEUE, labels=QUEUE_NAME),
    Resource("", ("v1",), "events", "Event", of=Scheduler.KUEUE, fields="involvedObject.kind=Workload"),
)
_REMOTE: Final = (
    _kueue("multikueueclusters", "MultiKueueCluster"),
    _kueue("multikueueconfigs", "MultiKueueConfig"),
    _kueue("provisioningrequestconfigs", "ProvisioningRequestConfig"),
)
_MACHINES: Final = (_core("nodes", "Node", namespaced=False, of=Scheduler.KUEUE),)

NEEDS: Final[dict[str, tuple[Resource, ...]]] = {
    "shares": _STATE,
    "plan": (*_STATE, *_RUNTIMES),
    "why": (*_STATE, *_JOBS, *_RUNTIMES, *_TRACES),
    "cycle": _STATE,
    "lint": (*_STATE, *_JOBS, *_REMOTE, *_MACHINES),
    "snapshot": (*_STATE, *_JOBS, *_RUNTIMES, *_TRACES, *_REMOTE, *_MACHINES),
}
"""By command, all that it reads where it is installed."""
INSTALLED_BY: Final = {
    Scheduler.KUEUE: kueue.GROUP,
    Scheduler.KAI: kai.QUEUE_GROUP,
    Scheduler.ELASTICQUOTA: elasticquota.GROUP,
}
"""The API group that is served where a scheduler is installed."""
SCHEDULING: Final = frozenset((*INSTALLED_BY.values(), kai.CONFIG_GROUP))
"""The API groups of schedulers."""


def needs(command: str, schedulers: Sequence[Scheduler]) -> tuple[Resource, ...]:
    """What a command reads where these schedulers are installed; lists that another holds in whole are left out."""
    wanted = [r for r in NEEDS.get(command, NEEDS["snapshot"]) if r.of is None or r.of in schedulers]
    whole = {r.name for r in wanted if not (r.labels or r.fields or r.at_home)}
    partial = [r for r in wanted if r.name not in whole or not (r.labels or r.fields or r.at_home)]
    named: dict[tuple[str, str, str, bool], Resource] = {}
    for resource in partial:
        named.setdefault((resource.name, resource.labels, resource.fields, resource.at_home), resource)
    return tuple(named.values())
