"""An AppWrapper: the pods of the objects that it wraps, in their order.

Source: Kueue v0.19 integration ``workload.codeflare.dev/appwrapper`` with AppWrapper v1.2: pod sets are declared, or
known by the kind of the wrapped object. Kueue reads only a part of a pod's spec: sidecars count as init containers, and
pod-level resources, resource claims and the RuntimeClass do not count.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from kubectl_fairshare.jobs.fields import Field, wrong
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.schedulers.kueue.jobs.kinds.kind import JobKind, Known, PodTemplate, group_of, named

_GROUP: Final = "workload.codeflare.dev"
_TAKEN_OVER: Final = ("nodeSelector", "affinity", "tolerations", "priorityClassName", "overhead")
_LONGEST_NAME: Final = 63


class _Wrapped(NamedTuple):
    """A number of pods of one template inside a component."""

    template: Field
    pods: int


_Inference: TypeAlias = Callable[[Field], Iterator[_Wrapped]]


def _of_wrapper(wrapper: Field, known: Known) -> tuple[PodTemplate, ...]:
    del known
    components = wrapper.at("spec", "components").entries()
    settled = wrapper.at("status", "componentStatus").entries()
    declaring = settled if len(settled) == len(components) else components
    found = [
        each
        for component, declares in zip(components, declaring, strict=True)
        for each in _pod_sets(component.at("template"), declares.at("podSets"), settled=declaring is settled)
    ]
    return tuple(_taken_over(_name(wrapper, i), each) for i, each in enumerate(found))


def _pod_sets(template: Field, declared: Field, *, settled: bool) -> Iterator[_Wrapped]:
    """The pod sets of one component; ``settled`` by its controller, which writes all down that there are."""
    for entry in declared.entries():
        yield _Wrapped(at_path(template, entry.at("path")), entry.at("replicas").natural(1))
    if not declared.entries() and not settled:
        infer = _INFERRED.get((template.at("apiVersion").text(), template.at("kind").text()))
        for each in infer(template) if infer is not None else ():
            each.template.at("spec").mapping()
            yield each


def _name(wrapper: Field, number: int) -> str:
    """The name of a pod set. Raises ``FairshareError`` if no Workload can have it."""
    metadata = wrapper.at("metadata")
    name = f"{metadata.at('name').text() or metadata.at('generateName').text() + 'xxxxx'}-{number}".lower()
    if len(name) > _LONGEST_NAME or "." in name:
        message = f"`{name}` is not a valid name for its pod sets, so Kueue can make no Workload"
        remedy = f"choose a name without dots, of at most {_LONGEST_NAME - len(str(number)) - 1} characters"
        raise FairshareError(Problem(message, metadata.at("name").place, remedy))
    return name


def _taken_over(name: str, wrapped: _Wrapped) -> PodTemplate:
    spec = wrapped.template.at("spec")
    value: dict[str, Json] = {each: spec.at(each).value for each in _TAKEN_OVER}
    value |= {each: _containers(spec.at(each)) for each in ("initContainers", "containers")}
    written = wrapped.template.at("metadata", "annotations").mapping()
    annotations = {key: text for key, text in written.items() if isinstance(text, str)}
    labels = wrapped.template.at("metadata", "labels").mapping()
    return PodTemplate(name, wrapped.pods, spec._replace(value=value), annotations, labels, group=group_of(annotations))


def _containers(containers: Field) -> list[Json]:
    return [
        {
            "name": entry.at("name").value,
            "resources": {n: entry.at("resources", n).value for n in ("requests", "limits")},
        }
        for entry in containers.entries()
    ]


def _running(job: Field) -> int:
    """The pods of a Job's spec that run at the same time."""
    parallelism = job.at("parallelism").natural(1)
    return min(parallelism, job.at("completions").natural(parallelism))


def _of_job(job: Field) -> Iterator[_Wrapped]:
    yield _Wrapped(job.at("spec", "template"), _running(job.at("spec")))


def _of_job_set(job_set: Field) -> Iterator[_Wrapped]:
    for entry in job_set.at("spec", "replicatedJobs").entries():
        job = entry.at("template", "spec")
        if entry.at("template").value is not None:
            yield _Wrapped(job.at("template"), entry.at("replicas").natural(1) * _running(job))


def _of_pytorch_job(job: Field) -> Iterator[_Wrapped]:
    for role in ("Master", "Worker"):
        yield from _where_given(job.at("spec", "pytorchReplicaSpecs", role))


def _of_ray(cluster: Field) -> Iterator[_Wrapped]:
    yield _Wrapped(cluster.at("headGroupSpec", "template"), 1)
    for group in cluster.at("workerGroupSpecs").entries():
        yield from _where_given(group)


def _of_replicated(owner: Field) -> Iterator[_Wrapped]:
    yield from _where_given(owner.at("spec"))


def _where_given(group: Field) -> Iterator[_Wrapped]:
    if group.at("template").value is not None:
        yield _Wrapped(group.at("template"), group.at("replicas").natural(1))


_INFERRED: Final[Mapping[tuple[str, str], _Inference]] = {
    ("v1", "Pod"): lambda pod: iter((_Wrapped(pod, 1),)),
    ("apps/v1", "Deployment"): _of_replicated,
    ("apps/v1", "StatefulSet"): _of_replicated,
    ("batch/v1", "Job"): _of_job,
    ("jobset.x-k8s.io/v1alpha2", "JobSet"): _of_job_set,
    ("kubeflow.org/v1", "PyTorchJob"): _of_pytorch_job,
    ("ray.io/v1", "RayCluster"): lambda ray: _of_ray(ray.at("spec")),
    ("ray.io/v1", "RayJob"): lambda ray: _of_ray(ray.at("spec", "rayClusterSpec")),
}

APP_WRAPPER: Final = JobKind(*named(_GROUP, "AppWrapper"), _of_wrapper)


_PATH: Final = re.compile(r"template((?:\.[^.\[]+|\[\d{1,9}\])*)", re.ASCII)
_PART: Final = re.compile(r"\.([^.\[]+)|\[(\d+)\]", re.ASCII)


def at_path(template: Field, path: Field) -> Field:
    """The field of a component that ``path`` points to. Raises ``FairshareError`` if there is no such field."""
    found = _PATH.fullmatch(path.text())
    if found is None:
        message = f"`{path.text()}` is not a path within a component"
        raise FairshareError(Problem(message, path.place, "write it like `template.spec.workers[0].template`"))
    at = template
    for key, index in _PART.findall(found.group(1)):
        at = at.at(key) if key else _element(at, int(index))
        if at.value is None:
            raise FairshareError(Problem(f"the component has no field `{path.text()}`", path.place))
    if not isinstance(at.value, dict) or not isinstance(at.value.get("spec"), dict):
        raise FairshareError(Problem(f"`{path.text()}` is not a pod template", path.place, "it needs a `spec`"))
    return at


def _element(at: Field, index: int) -> Field:
    if not isinstance(at.value, list):
        raise wrong(at.place, "a list", at.value)
    return at.entries()[index] if index < len(at.value) else at._replace(value=None)
