"""A TrainJob: the pods that its training runtime renders for it, rendered as Kueue does to count them.

Source: Kueue v0.19 integration ``trainer.kubeflow.org/trainjob`` with Kubeflow Trainer v2.2, and v0.20 with v2.3: a pod
set for each replicated job of the runtime, with the TrainJob's patches, its number of nodes and its resources per node.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.request_parts import Addition
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.kueue.jobs.kinds.kind import (
    JobKind,
    Known,
    PodTemplate,
    RuntimeMissingError,
    named,
    pod_template,
)
from kubectl_fairshare.schedulers.kueue.jobs.kinds.runtime_patches import FLUX, apply_patches
from kubectl_fairshare.schedulers.kueue.jobs.kinds.runtimes import CLUSTER_WIDE, NAMESPACED, RUNTIMES, TRAINER_GROUP

_STEP: Final = f"{TRAINER_GROUP}/trainjob-ancestor-step"
_TRAINER: Final = "trainer"
_NODE: Final = "node"
_ONE_REPLICA: Final = frozenset({"dataset-initializer", "model-initializer", _TRAINER})
_POLICIES: Final = ("torch", "mpi", "jax", "xgboost", "flux")
_INSTALLER: Final[JsonObject] = {"name": FLUX}


def _of_train_job(job: Field, known: Known) -> tuple[PodTemplate, ...]:
    runtime = _runtime(job, known).at("spec")
    policy = runtime.at("mlPolicy")
    rendering = _Rendering(job.at("spec", "trainer"), policy, _policy(policy), known.release.per_node_merges)
    jobs = [
        _Replicated(entry, apply_patches(entry.at("template"), entry.at("name").text(), job, stored=known.stored))
        for entry in runtime.at("template", "spec", "replicatedJobs").entries()
    ]
    rendering.check(jobs)
    nodes = rendering.nodes_of(jobs)
    return tuple(rendering.pod_set(each, nodes.get(i)) for i, each in enumerate(jobs))


def _runtime(job: Field, known: Known) -> Field:
    """The runtime that the TrainJob names. Raises ``RuntimeMissingError`` if it is not in the input."""
    reference = job.at("spec", "runtimeRef")
    group, kind = reference.at("apiGroup").text(TRAINER_GROUP), reference.at("kind").text(CLUSTER_WIDE)
    name = reference.at("name")
    if not name.text():
        raise FairshareError(Problem("it names no training runtime", reference.place, "write `runtimeRef: {name: …}`"))
    if (group, kind) not in RUNTIMES:
        remedy = f"name a {CLUSTER_WIDE} or a {NAMESPACED}"
        raise FairshareError(Problem(f"Kueue does not know runtimes of kind `{kind}.{group}`", reference.place, remedy))
    namespace = job.owner.namespace if kind == NAMESPACED else ""
    runtime = ObjectKey(group, kind, namespace, name.text())
    found = known.runtimes.get(runtime)
    if found is None:
        raise RuntimeMissingError(runtime, name.place)
    return found


def _policy(policy: Field) -> str:
    """The framework of the runtime; empty for plain training."""
    named = [name for name in policy.mapping() if name != "numNodes" and policy.at(name).value is not None]
    unknown = [name for name in named if name not in _POLICIES]
    if unknown or len(named) > 1:
        what = f"`{unknown[0]}` is not modelled" if unknown else f"`{named[0]}` and `{named[1]}` exclude each other"
        raise FairshareError(Problem(f"training policy: {what}", policy.at(named[0]).place))
    return named[0] if named else ""


class _Replicated(Value, frozen=True):
    """One replicated job of the runtime, and its job template with the TrainJob's patches."""

    entry: Field
    template: Field

    @property
    def name(self) -> str:
        """Its name within the runtime."""
        return self.entry.at("name").text()

    @property
    def step(self) -> str:
        """The part of training that it does."""
        return self.template.at("metadata", "labels").at(_STEP).text()


class _Rendering(Value, frozen=True):
    """What decides in addition to the templates: the TrainJob's ``trainer``, the runtime's policy and framework.

    ``merges``: the release merges resources per node with those of the runtime (``KueueRelease.per_node_merges``).
    """

    trainer: Field
    policy: Field
    framework: str
    merges: bool = False

    def check(self, jobs: list[_Replicated]) -> None:
        """Raises ``FairshareError`` if Kueue fails to render."""
        if self.framework == "jax" and not self.merges and all(each.step != _TRAINER for each in jobs):
            message = f"none of the runtime's replicated jobs has the label `{_STEP}: {_TRAINER}`"
            raise FairshareError(
                Problem(message, self.policy.place, "add the label; Kueue rejects a TrainJob with such a runtime")
            )
        if self.framework == "flux" and self.trainer.value is None:
            message = "a runtime for Flux needs the field `trainer`"
            raise FairshareError(
                Problem(message, self.trainer.place, "write `trainer: {}`; Kueue rejects the TrainJob as it is")
            )

    def nodes_of(self, jobs: list[_Replicated]) -> dict[int, int]:
        """The number of pods of the replicated job that the TrainJob's ``numNodes`` sets, with its place."""
        asked = self.trainer.at("numNodes")
        if asked.value is None:
            return {}
        nodes = asked.natural(1)
        if self.framework == "mpi":
            if self._launcher_is_node:
                nodes = max(nodes - 1, 1)
            return {i: nodes for i, each in list(enumerate(jobs))[::-1] if each.name == _NODE}
        meant = [i for i, each in enumerate(jobs) if each.step == _TRAINER][:1]
        return dict.fromkeys(meant, nodes)

    def pod_set(self, job: _Replicated, nodes: int | None) -> PodTemplate:
        """The pod set of a replicated job; ``nodes`` None: the runtime says how many pods it has."""
        replicas = 1 if job.step in _ONE_REPLICA else job.entry.at("replicas").natural(1)
        pods = self._pods(job) if nodes is None else nodes
        pod = job.template.at("spec", "template")
        spec = {**pod.at("spec").mapping(), **self._containers(job, pod.at("spec"))}
        rendered = pod._replace(value={**pod.mapping(), "spec": spec})
        template = pod_template(job.name.lower(), replicas * pods, rendered)
        return replace(template, additions=dict(self._additions(job, pod.at("spec"))))

    def _additions(self, job: _Replicated, spec: Field) -> Iterator[tuple[tuple[str | int, ...], Addition]]:
        """The containers whose resources the TrainJob states."""
        asked = self.trainer.at("resourcesPerNode")
        if self._is_node(job) and any(asked.at(name).value is not None for name in ("limits", "requests")):
            for i, entry in enumerate(spec.at("containers").entries()):
                if entry.at("name").text() == _NODE:
                    yield ("containers", i), Addition("the TrainJob's resourcesPerNode", asked.place)

    def _is_node(self, job: _Replicated) -> bool:
        """Whether pods of the replicated job train, and so get the resources per node."""
        trains = job.step == _TRAINER and not (self.merges and self.policy.value is None)
        return trains or (self._launcher_is_node and job.name == _NODE)

    def _pods(self, job: _Replicated) -> int:
        """The pods that run at the same time, at least one: the completions are overwritten."""
        if job.step == _TRAINER and self.policy.value is not None:
            return max(1, self.policy.at("numNodes").natural(1))
        return max(1, job.template.at("spec", "parallelism").natural(1))

    def _containers(self, job: _Replicated, spec: Field) -> dict[str, Json]:
        """What is rendered into the pod spec: resources per node, the container that installs Flux."""
        found: dict[str, Json] = {}
        if self._is_node(job):
            found["containers"] = [self._container(entry) for entry in spec.at("containers").entries()]
        if self.framework == "flux" and job.name == _NODE:
            found["initContainers"] = [*(e.value for e in spec.at("initContainers").entries()), _INSTALLER]
        return found

    def _container(self, container: Field) -> dict[str, Json]:
        """The container ``node`` gets the resources per node instead of its own."""
        value: dict[str, Json] = {**container.mapping()}
        asked = self.trainer.at("resourcesPerNode")
        given: dict[str, Json] = {n: asked.at(n).value for n in ("limits", "requests") if asked.at(n).value is not None}
        if given and container.at("name").text() == _NODE:
            own = container.at("resources") if self.merges else None
            value["resources"] = given if own is None else {**own.mapping(), **_merged(own, asked, given)}
        return value

    @property
    def _launcher_is_node(self) -> bool:
        return self.framework == "mpi" and self.policy.at("mpi", "runLauncherAsNode").flag()


def _merged(own: Field, asked: Field, given: Iterable[str]) -> dict[str, Json]:
    """The limits or requests of both, where both have them: those of the TrainJob win, and one that is null goes."""
    both = {name: {**own.at(name).mapping(), **asked.at(name).mapping()} for name in given}
    return {name: {r: amount for r, amount in found.items() if amount is not None} for name, found in both.items()}


TRAIN_JOB: Final = JobKind(*named(TRAINER_GROUP, "TrainJob"), _of_train_job, native=False)
