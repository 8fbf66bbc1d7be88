"""Random objects of every kind that Kueue manages, as somebody would submit them."""

from collections.abc import Callable, Sequence
from typing import Final

from tests.live.stage.derived_jobs import spark_application, train_job
from tests.live.stage.jobs import KUEUE, POD_CLASSES, Jobs, Made, whole
from tests.live.stage.server import Object

FRAMEWORKS: Final = (
    "batch/job",
    "jobset.x-k8s.io/jobset",
    "trainer.kubeflow.org/trainjob",
    *(f"kubeflow.org/{kind}job" for kind in ("mpi", "pytorch", "tf", "xgboost", "paddle", "jax")),
    "ray.io/rayjob",
    "ray.io/raycluster",
    "ray.io/rayservice",
    "workload.codeflare.dev/appwrapper",
    "sparkoperator.k8s.io/sparkapplication",
    "leaderworkerset.x-k8s.io/leaderworkerset",
    "pod",
    "deployment",
    "statefulset",
)


def make(jobs: Jobs, kind: str, number: int) -> Made:
    """What is to be created for the job of that kind and number."""
    jobs.begin(kind, number)
    return _MAKERS[kind](jobs)


def _job(jobs: Jobs) -> Made:
    spec, metadata = jobs.job_spec(), jobs.metadata()
    pods = min(spec.get("parallelism", 1), spec.get("completions", 99))
    if pods > 1 and jobs.some(0.3):
        metadata["annotations"] = {f"{KUEUE}/job-min-parallelism": str(jobs.count(1, pods - 1))}
    return Made("Job", whole("batch/v1", "Job", metadata, spec))


def _job_set(jobs: Jobs) -> Made:
    replicated = [_replicated(jobs, f"r{i}") for i in range(jobs.count(1, 3))]
    return Made("JobSet", whole("jobset.x-k8s.io/v1alpha2", "JobSet", jobs.metadata(), {"replicatedJobs": replicated}))


def _replicated(jobs: Jobs, name: str) -> Object:
    found: Object = {"name": name, "template": {"spec": jobs.job_spec()}}
    if jobs.some(0.6):
        found["replicas"] = jobs.count(0, 3)
    return found


def _kubeflow(kind: str, field: str, roles: Sequence[str], api: str = "kubeflow.org/v1") -> Callable[[Jobs], Made]:
    def make(jobs: Jobs) -> Made:
        chosen = [roles[0], *(role for role in roles[1:] if jobs.some(0.6))]
        replicas = {role: _replica(jobs, kind, alone=role != "Worker") for role in chosen}
        spec: Object = {field: replicas}
        if jobs.some(0.3):
            spec["runPolicy"] = {"schedulingPolicy": {"priorityClass": jobs.chance.choice(list(POD_CLASSES))}}
        return Made(kind, whole(api, kind, jobs.metadata(), spec))

    return make


def _replica(jobs: Jobs, kind: str, *, alone: bool) -> Object:
    main = {"PyTorchJob": "pytorch", "TFJob": "tensorflow", "XGBoostJob": "xgboost", "PaddleJob": "paddle"}
    found: Object = {"template": jobs.template(main.get(kind, "main"))}
    if jobs.some(0.7):
        found["replicas"] = 1 if alone else jobs.count()
    return found


def _ray_cluster_spec(jobs: Jobs) -> Object:
    groups = [_ray_group(jobs, f"group{i}") for i in range(jobs.count(0, 3))]
    spec: Object = {"headGroupSpec": {"rayStartParams": {}, "template": jobs.template("ray-head")}}
    if groups:
        spec["workerGroupSpecs"] = groups
    if jobs.some(0.2):
        spec["gcsFaultToleranceOptions"] = {"redisAddress": "redis:6379"}
    return spec


def _ray_group(jobs: Jobs, name: str) -> Object:
    group: Object = {"groupName": name, "rayStartParams": {}, "template": jobs.template("ray-worker")}
    if jobs.some(0.7):
        group["replicas"] = jobs.count(0, 4)
    group |= {"minReplicas": 0, "maxReplicas": 9}
    if jobs.some(0.3):
        group["numOfHosts"] = jobs.count(1, 3)
    return group


def _ray_cluster(jobs: Jobs) -> Made:
    return Made("RayCluster", whole("ray.io/v1", "RayCluster", jobs.metadata(), _ray_cluster_spec(jobs)))


def _ray_service(jobs: Jobs) -> Made:
    spec = {"rayClusterConfig": _ray_cluster_spec(jobs)}
    return Made("RayService", whole("ray.io/v1", "RayService", jobs.metadata(), spec))


def _ray_job(jobs: Jobs) -> Made:
    spec: Object = {
        "entrypoint": "true",
        "shutdownAfterJobFinishes": True,
        "rayClusterSpec": _ray_cluster_spec(jobs),
        "submissionMode": jobs.chance.choice(["K8sJobMode", "K8sJobMode", "HTTPMode", "SidecarMode"]),
    }
    if spec["submissionMode"] == "K8sJobMode" and jobs.some(0.4):
        spec["submitterPodTemplate"] = jobs.template("submit", restart="Never")
    return Made("RayJob", whole("ray.io/v1", "RayJob", jobs.metadata(), spec))


def _leader_worker_set(jobs: Jobs) -> Made:
    group: Object = {"size": jobs.count(), "workerTemplate": jobs.template()}
    if jobs.some(0.5):
        group["leaderTemplate"] = jobs.template("leader")
    spec = {"leaderWorkerTemplate": group, "replicas": jobs.count(1, 3), "rolloutStrategy": {"type": "RollingUpdate"}}
    return Made("LeaderWorkerSet", whole("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", jobs.metadata(), spec))


def _apps(kind: str) -> Callable[[Jobs], Made]:
    def make(jobs: Jobs) -> Made:
        template = {"metadata": {"labels": {"app": jobs.name}}, "spec": jobs.pod()}
        spec: Object = {"selector": {"matchLabels": {"app": jobs.name}}, "template": template}
        if jobs.some(0.7):
            spec["replicas"] = jobs.count()
        if kind == "StatefulSet":
            spec["serviceName"] = "none"
        return Made(kind, whole("apps/v1", kind, jobs.metadata(), spec))

    return make


def _pod(jobs: Jobs) -> Made:
    return Made("Pod", whole("v1", "Pod", jobs.metadata(), jobs.pod(restart="Never")))


def _pod_group(jobs: Jobs) -> Made:
    roles = [jobs.pod(restart="Never") for _ in range(jobs.count(1, 3))]
    sizes = [jobs.count(1, 3) for _ in roles]
    fast = jobs.some(0.15)
    if fast:
        roles, sizes = roles[:1], [1]
    total = sum(sizes) + (jobs.count(1, 3) if fast else 0)
    group, metadata = jobs.name, jobs.metadata()
    annotations = {f"{KUEUE}/pod-group-total-count": str(total)}
    if fast:
        annotations[f"{KUEUE}/pod-group-fast-admission"] = "true"
    if jobs.some(0.2):
        annotations[f"{KUEUE}/pod-group-serving"] = "true"
    by_label = jobs.some(0.5)
    pods = []
    for number, spec in enumerate(spec for spec, size in zip(roles, sizes, strict=True) for _ in range(size)):
        own = {**metadata, "name": f"{group}-{number}", "annotations": dict(annotations)}
        where = "labels" if by_label else "annotations"
        own[where] = {**own[where], f"{KUEUE}/pod-group-name": group}
        pods.append(whole("v1", "Pod", own, spec))
    return Made("PodGroup", *pods)


def _app_wrapper(jobs: Jobs) -> Made:
    components = [_component(jobs, i) for i in range(jobs.count(1, 3))]
    return Made(
        "AppWrapper",
        whole("workload.codeflare.dev/v1beta2", "AppWrapper", jobs.metadata(), {"components": components}),
    )


def _component(jobs: Jobs, number: int) -> Object:
    kinds = [
        "Job",
        "JobSet",
        "PyTorchJob",
        "RayCluster",
        "RayJob",
        "Pod",
        "Deployment",
        "StatefulSet",
        "Service",
        "Own",
    ]
    kind = jobs.chance.choice(kinds)
    if kind == "Service":
        wrapped = whole("v1", "Service", {}, {"ports": []})
    elif kind == "Own":
        wrapped = whole(
            "example.com/v1", "Thing", {}, {"parts": [{"pods": jobs.template()}, {"pods": jobs.template()}]}
        )
    else:
        wrapped = {**_MAKERS[kind](jobs).asked}
    wrapped["metadata"] = {"name": f"{jobs.name}-{number}"}
    found: Object = {"template": wrapped}
    if kind == "Own":
        paths = [{"path": f"template.spec.parts[{i}].pods", "replicas": jobs.count()} for i in range(2)]
        found["podSets"] = paths if jobs.some(0.8) else [{"path": "template.spec.parts[1].pods"}]
    return found


_MASTER: Final = ("Master", "Worker")
_MAKERS: Final[dict[str, Callable[[Jobs], Made]]] = {
    "Job": _job,
    "JobSet": _job_set,
    "TrainJob": train_job,
    "MPIJob": _kubeflow("MPIJob", "mpiReplicaSpecs", ("Launcher", "Worker"), "kubeflow.org/v2beta1"),
    "PyTorchJob": _kubeflow("PyTorchJob", "pytorchReplicaSpecs", _MASTER),
    "TFJob": _kubeflow("TFJob", "tfReplicaSpecs", ("Worker", "Chief", "PS", "Evaluator", "Master")),
    "XGBoostJob": _kubeflow("XGBoostJob", "xgbReplicaSpecs", _MASTER),
    "PaddleJob": _kubeflow("PaddleJob", "paddleReplicaSpecs", _MASTER),
    "JAXJob": _kubeflow("JAXJob", "jaxReplicaSpecs", ("Worker",)),
    "RayJob": _ray_job,
    "RayCluster": _ray_cluster,
    "RayService": _ray_service,
    "LeaderWorkerSet": _leader_worker_set,
    "Deployment": _apps("Deployment"),
    "StatefulSet": _apps("StatefulSet"),
    "Pod": _pod,
    "PodGroup": _pod_group,
    "AppWrapper": _app_wrapper,
    "SparkApplication": spark_application,
}
KINDS: Final = tuple(_MAKERS)
