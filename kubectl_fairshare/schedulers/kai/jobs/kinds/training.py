"""The training jobs of Kubeflow's training operator and of the MPI operator.

Source: KAI-Scheduler v0.17, its pod groupers for ``kubeflow.org``; training-operator v1.9 and mpi-operator v0.6 for the
pods, their labels and the init containers that they add.
"""

from collections.abc import Callable, Iterator
from typing import Final

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.schedulers.kai.jobs.kinds.shape import (
    GangShape,
    PodRole,
    Shaped,
    Shapes,
    check_segments,
    rejected,
)
from kubectl_fairshare.schedulers.kai.model.objects import SubGroup

_GROUP: Final = "kubeflow.org"
_ROLE: Final = "training.kubeflow.org/job-role"
_MASTERS: Final = ("Chief", "Master")
_WAIT_FOR_MASTER: Final[JsonObject] = {
    "name": "init-pytorch",
    "resources": {"requests": {"cpu": "50m", "memory": "10Mi"}, "limits": {"cpu": "100m", "memory": "20Mi"}},
}
_DELIVERY: Final[JsonObject] = {
    "name": "kubectl-delivery",
    "resources": {"requests": {"cpu": "100m", "memory": "512Mi"}, "limits": {"cpu": "100m", "memory": "512Mi"}},
}


def _roles(specs: Field, leads: Callable[[str, Field], bool]) -> Iterator[PodRole]:
    """The pods of each replica type, the one that leads the job on its own."""
    for name in specs.mapping():
        entry = specs.at(name)
        count = entry.at("replicas").natural(1)
        first = 1 if count and leads(name, specs) else 0
        template, role = entry.at("template"), name.lower()
        if first:
            labels = {_ROLE: "launcher" if name == "Launcher" else "master"}
            many = count if name in (*_MASTERS, "Launcher") else first
            yield PodRole(role, many, template, labels=labels)
            count, role = count - many, f"{role}-other"
        if count:
            yield PodRole(role, count, template)


def _leads(name: str, specs: Field) -> bool:
    """Whether pods of a replica type, or its first, get the role of the master."""
    named = [each for each in _MASTERS if each in specs.mapping()]
    return name in named or (not named and name == "Worker")


def _never_leads(name: str, _specs: Field) -> bool:
    return name in ("Master", "Launcher")


def _total(job: Field, specs: Field, needed: tuple[str, ...]) -> int:
    """The minimum: stated in the scheduling policy, otherwise all pods. Raises ``UngroupedError`` where KAI fails."""
    stated = job.at("spec", "runPolicy", "schedulingPolicy", "minAvailable")
    if stated.value is not None:
        return stated.integer(0)
    for name in needed:
        if name not in specs.mapping():
            raise rejected(specs.place, f"KAI's pod grouper needs {name} replicas, and the job has none")
    for name in specs.mapping():
        replicas = specs.at(name, "replicas")
        if not replicas.integer(0):
            written = "0" if replicas.value is not None else "not set, and KAI does not know the default"
            raise rejected(replicas.place, f"KAI's pod grouper fails: the number of {name} replicas is {written}")
    return sum(specs.at(name, "replicas").integer(0) for name in specs.mapping())


def _flat(replicas: str, needed: tuple[str, ...], leads: Callable[[str, Field], bool]) -> Callable[[Field], GangShape]:
    """A job whose pods all start together, in one group."""

    def shape(job: Field) -> GangShape:
        specs = job.at("spec", replicas)
        return GangShape(tuple(_roles(specs, leads)), _total(job, specs, needed))

    return shape


def _of_pytorch(job: Field) -> GangShape:
    """A PyTorchJob: a sub-group of the master, one of the workers; an elastic policy lowers the minimum."""
    specs = job.at("spec", "pytorchReplicaSpecs")
    total = _total(job, specs, ())
    stated = job.at("spec", "runPolicy", "schedulingPolicy", "minAvailable")
    least = job.at("spec", "elasticPolicy", "minReplicas")
    if stated.value is None and least.value is not None:
        total = least.integer(0)
    check_segments(*(specs.at(name, "template") for name in specs.mapping()))
    masters = specs.at("Master", "replicas").natural(0)
    groups = [SubGroup("master", None, masters, None)] if masters else []
    if "Worker" in specs.mapping():
        groups.append(SubGroup("worker", None, max(0, total - masters), None))
    waits: dict[str, tuple[JsonObject, ...]] = {"initContainers": (_WAIT_FOR_MASTER,)}
    names = {group.name for group in groups}
    roles = (
        PodRole(
            each.name,
            each.count,
            each.template,
            each.name if each.name in names else "",
            each.labels,
            waits if _follows(each, specs) else {},
        )
        for each in _roles(specs, _never_leads)
    )
    return GangShape(tuple(roles), total, sub_groups=tuple(groups))


def _follows(role: PodRole, specs: Field) -> bool:
    """Whether the pods wait for a master in an init container."""
    return role.name == "worker" and "Master" in specs.mapping()


def _of_mpi(job: Field, *, delivered: bool) -> GangShape:
    """An MPIJob: the launcher is not counted while it waits for the workers, for it does not exist yet."""
    specs = job.at("spec", "mpiReplicaSpecs")
    total = _total(job, specs, ("Launcher", "Worker"))
    roles = [*_roles(specs, _never_leads)]
    if job.at("spec", "launcherCreationPolicy").text() == "WaitForWorkersReady":
        launchers = specs.at("Launcher", "replicas")
        if not launchers.integer(0):
            raise rejected(launchers.place, "KAI's pod grouper fails: the number of Launcher replicas is not set")
        total -= launchers.integer(0)
        roles = [each for each in roles if each.name != "launcher"]
    if delivered:
        added: dict[str, tuple[JsonObject, ...]] = {"initContainers": (_DELIVERY,)}
        roles = [
            PodRole(each.name, each.count, each.template, "", each.labels, added if each.name == "launcher" else {})
            for each in roles
        ]
    return GangShape(tuple(roles), total)


def _of_mpi_version(job: Field) -> GangShape:
    version = job.at("apiVersion").text()
    return _of_mpi(job, delivered=version.endswith("/v1"))


def _of_notebook(notebook: Field) -> GangShape:
    return GangShape((PodRole("notebook", 1, notebook.at("spec", "template")),))


_V1: Final = frozenset({"v1"})
TRAINING: Final[Shapes] = {
    (_GROUP, "PyTorchJob"): Shaped(_V1, _of_pytorch),
    (_GROUP, "TFJob"): Shaped(_V1, _flat("tfReplicaSpecs", (), _leads)),
    (_GROUP, "XGBoostJob"): Shaped(_V1, _flat("xgbReplicaSpecs", ("Master", "Worker"), _never_leads)),
    (_GROUP, "JAXJob"): Shaped(_V1, _flat("jaxReplicaSpecs", ("Worker",), _leads)),
    (_GROUP, "MPIJob"): Shaped(frozenset({"v1", "v2beta1"}), _of_mpi_version),
    (_GROUP, "Notebook"): Shaped(frozenset({"v1beta1"}), _of_notebook),
}
