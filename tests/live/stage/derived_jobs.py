"""Random TrainJobs with their runtimes, and SparkApplications: jobs whose pods are derived from little."""

from collections.abc import Iterator, Sequence

from tests.live.stage.jobs import POD_CLASSES, Jobs, Made, whole
from tests.live.stage.server import Object


def train_job(jobs: Jobs) -> Made:
    kind = jobs.chance.choice(["TrainingRuntime", "ClusterTrainingRuntime"])
    metadata: Object = {"name": f"runtime-{jobs.name}"}
    if kind == "TrainingRuntime":
        metadata["namespace"] = jobs.namespace
    policy = jobs.chance.choice(["", "", "torch", "mpi", "jax", "xgboost", "plain"])
    steps = list(_steps(jobs, policy))
    template = {"spec": {"replicatedJobs": steps}}
    spec: Object = {"template": template}
    if policy:
        of_policy: Object = {} if policy == "plain" else {policy: {}}
        if policy == "mpi":
            of_policy = {"mpi": {"mpiImplementation": "OpenMPI", "runLauncherAsNode": jobs.some(0.5)}}
        if jobs.some(0.7) or policy == "plain":
            of_policy["numNodes"] = jobs.count(1, 4)
        spec["mlPolicy"] = of_policy
    runtime = whole("trainer.kubeflow.org/v1alpha1", kind, metadata, spec)
    job: Object = {"runtimeRef": {"name": metadata["name"], "kind": kind}}
    if kind == "ClusterTrainingRuntime" and jobs.some(0.5):
        del job["runtimeRef"]["kind"]
    if jobs.some(0.7):
        job["trainer"] = _trainer(jobs)
    if jobs.some(0.4):
        job["runtimePatches"] = [{"manager": "me.example/x", "trainingRuntimeSpec": _runtime_patch(jobs, steps)}]
    train = whole("trainer.kubeflow.org/v1alpha1", "TrainJob", jobs.metadata(), job)
    return Made("TrainJob", runtime, train)


def _steps(jobs: Jobs, policy: str) -> Iterator[Object]:
    step = "trainer.kubeflow.org/trainjob-ancestor-step"
    if jobs.some(0.3):
        yield _step(jobs, "dataset-initializer", {step: "dataset-initializer"}, "dataset-initializer")
    if policy == "mpi":
        yield _step(jobs, "launcher", {step: "trainer"}, "node")
        yield _step(jobs, "node", {}, "node")
    else:
        yield _step(jobs, "node", {step: "trainer"}, "node")
    if jobs.some(0.3):
        yield _step(jobs, "evaluator", {}, "evaluate")


def _step(jobs: Jobs, name: str, labels: Object, container: str) -> Object:
    spec: Object = {"template": {"spec": jobs.pod(container, restart="Never")}}
    for each in ("parallelism", "completions"):
        if jobs.some(0.3):
            spec[each] = jobs.count()
    found: Object = {"name": name, "template": {"metadata": {"labels": labels}, "spec": spec}}
    if jobs.some(0.3) and not labels:
        found["replicas"] = jobs.count(1, 3)
    return found


def _trainer(jobs: Jobs) -> Object:
    found: Object = {}
    if jobs.some(0.7):
        found["numNodes"] = jobs.count()
    if jobs.some(0.3):
        found["numProcPerNode"] = jobs.count()
    if jobs.some(0.5):
        found["resourcesPerNode"] = jobs.resources()
    return found


def _runtime_patch(jobs: Jobs, steps: Sequence[Object]) -> Object:
    patches = []
    for step in steps:
        pod = jobs.placement()
        names = [c["name"] for c in step["template"]["spec"]["template"]["spec"]["containers"]]
        if jobs.some(0.3):
            pod["containers"] = [{"name": jobs.chance.choice([*names, "another"])}]
        if jobs.some(0.2):
            pod["initContainers"] = [{"name": "prepare"}]
        patches.append({"name": step["name"], "template": {"spec": {"template": {"spec": pod}}}})
    return {"template": {"spec": {"replicatedJobs": patches}}}


def spark_application(jobs: Jobs) -> Made:
    spec: Object = {
        "type": "Scala",
        "mode": "cluster",
        "sparkVersion": "3.5.0",
        "mainApplicationFile": "local:///x.jar",
        "driver": _spark_role(jobs),
        "executor": _spark_role(jobs),
    }
    if jobs.some(0.8):
        spec["executor"]["instances"] = jobs.count()
    return Made("SparkApplication", whole("sparkoperator.k8s.io/v1beta2", "SparkApplication", jobs.metadata(), spec))


def _spark_role(jobs: Jobs) -> Object:
    choose = jobs.chance.choice
    found: Object = {"cores": jobs.count(), **jobs.placement()}
    for name, amounts in (
        ("coreRequest", ["1", "500m", "0.2", "2"]),
        ("memory", ["512m", "2g", "1024mb", "1Gi", "800000k", "512"]),
        ("coreLimit", ["4", "2500m"]),
        ("memoryLimit", ["4g", "8192mb"]),
        ("memoryOverhead", ["1g"]),
        ("priorityClassName", list(POD_CLASSES)),
    ):
        if jobs.some(0.5):
            found[name] = choose(amounts)
    if jobs.some(0.2):
        found["gpu"] = {"name": "nvidia.com/gpu", "quantity": jobs.count(1, 4)}
    if jobs.some(0.3):
        found["sidecars"] = [jobs.container(name) for name in choose([["log"], ["log", "executor"], ["log", "log"]])]
    if jobs.some(0.3):
        more: dict[str, str] = choose([{}, {"restartPolicy": "Always"}])
        found["initContainers"] = [jobs.container("fetch", **more)]
    if jobs.some(0.3):
        found["template"] = {"spec": jobs.pod()}
    return found
