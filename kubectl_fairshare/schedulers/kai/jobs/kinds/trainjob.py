"""TrainJobs: the JobSet that Kubeflow Trainer renders of a training runtime, grouped as a JobSet.

Source: KAI-Scheduler v0.17, which skips the TrainJob and groups its JobSet; Kubeflow Trainer v2.1 for the JobSet: its
number of nodes, and its resources per node, replace those of the runtime.
"""

from collections.abc import Mapping
from typing import Final

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.jobs.kinds.sets import of_job_set
from kubectl_fairshare.schedulers.kai.jobs.kinds.shape import GangShape, replaced, unmodelled

TRAINER: Final = "trainer.kubeflow.org"
NAMESPACED: Final = "TrainingRuntime"
CLUSTER_WIDE: Final = "ClusterTrainingRuntime"
_STEP: Final = f"{TRAINER}/trainjob-ancestor-step"
_ONE_REPLICA: Final = frozenset({"dataset-initializer", "model-initializer", "trainer"})
_PLAIN: Final = frozenset({"numNodes", "torch"})
_CHANGES: Final = ("podTemplateOverrides", "runtimePatches", "initializer")


def of_train_job(job: Field, runtimes: Mapping[ObjectKey, Field]) -> GangShape:
    """The gang of the JobSet. Raises ``UngroupedError`` for a missing runtime, or one that is not modelled."""
    for name in _CHANGES:
        entry = job.at("spec", name)
        if entry.value:
            raise unmodelled(entry.place, f"`{name}` of a TrainJob (plan its JobSet)")
    runtime = _runtime(job, runtimes).at("spec")
    policy = runtime.at("mlPolicy")
    other = sorted(name for name in policy.mapping() if name not in _PLAIN and policy.at(name).value is not None)
    if other:
        raise unmodelled(policy.place, f"training runtimes with the policy {other[0]} (plan the JobSet)")
    job_set = _job_set(job, runtime)
    return replace(of_job_set(job_set), owner=job_set)


def _runtime(job: Field, runtimes: Mapping[ObjectKey, Field]) -> Field:
    """The runtime that the TrainJob names."""
    reference = job.at("spec", "runtimeRef")
    kind, name = reference.at("kind").text(CLUSTER_WIDE), reference.at("name").text()
    namespace = job.owner.namespace if kind == NAMESPACED else ""
    found = runtimes.get(ObjectKey(reference.at("apiGroup").text(TRAINER), kind, namespace, name))
    if found is None:
        raise unmodelled(reference.place, f"its runtime, {kind} `{name}`, which is not in the input (add it with `-f`)")
    return found


def _job_set(job: Field, runtime: Field) -> Field:
    """The JobSet, with the labels and annotations of the runtime, and those of the TrainJob's spec before them.

    KAI adds the annotations of the TrainJob itself where the JobSet has none.
    """
    template = runtime.at("template")
    entries = template.at("spec", "replicatedJobs").entries()
    spec = {**template.at("spec").mapping(), "replicatedJobs": [_entry(job, runtime, each) for each in entries]}
    labels, annotations = (
        {**template.at("metadata", name).texts(), **job.at("spec", name).texts()} for name in ("labels", "annotations")
    )
    metadata = {"labels": labels, "annotations": {**job.at("metadata", "annotations").texts(), **annotations}}
    return replaced(template, {"metadata": metadata, "spec": spec})


def _entry(job: Field, runtime: Field, entry: Field) -> Json:
    """A replicated job as Trainer renders it."""
    step = entry.at("template", "metadata", "labels").texts().get(_STEP, "")
    value = {**entry.mapping()}
    if step in _ONE_REPLICA:
        value["replicas"] = 1
    if step != "trainer":
        return value
    nodes = job.at("spec", "trainer", "numNodes")
    if nodes.value is None:
        nodes = runtime.at("mlPolicy", "numNodes")
    template = entry.at("template")
    spec = {**template.at("spec").mapping()}
    if nodes.value is not None:
        spec["parallelism"] = spec["completions"] = nodes.natural(1)
    spec["template"] = _with_resources(template.at("spec", "template"), job.at("spec", "trainer", "resourcesPerNode"))
    return {**value, "template": {**template.mapping(), "spec": spec}}


def _with_resources(pod: Field, resources: Field) -> Json:
    """The pod template; the container ``node`` has the resources per node, if the TrainJob states some."""
    containers = [
        {**each.mapping(), "resources": resources.value}
        if resources.mapping() and each.at("name").text() == "node"
        else each.value
        for each in pod.at("spec", "containers").entries()
    ]
    return {**pod.mapping(), "spec": {**pod.at("spec").mapping(), "containers": containers}}
