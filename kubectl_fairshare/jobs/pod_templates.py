"""The pod of a manifest, or the next pod of its template, for schedulers of pods."""

import re
from collections.abc import Iterator
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

from kubectl_fairshare.jobs.fields import Field, root_of, wrong
from kubectl_fairshare.jobs.kinds import CARRIERS, UNKNOWN
from kubectl_fairshare.jobs.made_pods import made_spec
from kubectl_fairshare.jobs.node_demand import NodeDemand, read_demand
from kubectl_fairshare.model.errors import FairshareError, Problem, UnsupportedKindError
from kubectl_fairshare.model.json import FieldPath, Json, JsonObject, inside, mappings
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.packed import Packed
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.trace import Fact

REPLICATED: Final = ("Deployment", "ReplicaSet", "ReplicationController", "StatefulSet")
KUBERNETES_SCHEDULER: Final = "default-scheduler"
"""Kubernetes' own, which has no quotas: a pod starts with it as soon as a node has room."""
_NAMES_ANOTHER: Final = re.compile(rb'"schedulerName"\s*:\s*"(?!default-scheduler")')
_MAKES_NONE: Final = frozenset(
    {"ControllerRevision", "PodTemplate", "TrainingRuntime", "ClusterTrainingRuntime", "Workload"}
)
"""Kinds with templates from which others make pods."""
_OF_POD: Final[FieldPath] = ("spec", "schedulerName")
_ENDS: Final = ("Complete", "Succeeded", "Failed")
SKIPPING: Final = "the pods of these kinds are not known"
"""Why objects without a path are skipped next to others."""
Read = TypeVar("Read")
Read_co = TypeVar("Read_co", covariant=True)


class TemplatePod(NamedTuple, Generic[Read]):
    """A waiting pod as its scheduler reads it, the nodes that it may use, its place in an object, its spec as given.

    ``key`` is its name, or that of a new one.
    """

    pod: Read
    demand: NodeDemand
    written: Place
    spec: JsonObject
    key: ObjectKey


class ReadPod(Protocol[Read_co]):
    """Reads a pod; None for one that has ended. ``taken``: an API server holds it, and has completed it."""

    def __call__(self, key: ObjectKey, data: JsonObject, *, taken: bool) -> Read_co | None:
        """The pod. Raises ``FairshareError`` for an unreadable one."""


def pod_of(manifest: Manifest, read: ReadPod[Read]) -> TemplatePod[Read]:
    """The waiting pod: a Pod itself, or one more pod of a template.

    Raises ``UnsupportedKindError`` for other kinds, ``FairshareError`` for a pod that has ended and for fields of the
    wrong type.
    """
    kind = (manifest.key.group, manifest.key.kind)
    root = root_of(manifest)
    if kind == ("", "Pod"):
        return _template_pod(manifest.key, root, read, Place(manifest.key), taken=manifest.stored)
    if kind not in CARRIERS:
        known = ", ".join(["Pod", *sorted(name for _, name in CARRIERS)])
        message = f"the pod template of `{manifest.key.kind}` in `{manifest.api_version}` is not known"
        raise UnsupportedKindError(Problem(message, Place(manifest.key), f"known kinds: {known}"))
    template = root.at(*CARRIERS[kind])
    key = ObjectKey("", "Pod", manifest.key.namespace, f"{manifest.key.name}-{UNKNOWN}")
    try:
        return _template_pod(key, _made(root, template), read, template.place, taken=False)
    except FairshareError as error:
        raise FairshareError(
            *(_problem_as_written(problem, key, template.place) for problem in error.problems)
        ) from None


def template_field(template: TemplatePod[Any], maker: Manifest) -> Field:
    """The pod of ``maker``, or its template, with the spec that the pod gets."""
    written = root_of(maker).at(*map(str, template.written.path))
    return written._replace(value={**written.mapping(), "spec": template.spec})


def other_scheduler(manifest: Manifest) -> tuple[str, Place] | None:
    """The first scheduler but Kubernetes' own that a waiting pod, or an object that makes pods, names; and where."""
    if manifest.key.kind in _MAKES_NONE or not _may_name_another(manifest):
        return None
    data = manifest.passing_data
    if _has_ended(manifest, data):
        return None
    is_pod = manifest.key[:2] == ("", "Pod")
    for path, name in [(_OF_POD, inside(data, *_OF_POD))] if is_pod else _scheduler_names(data, ()):
        if isinstance(name, str) and name not in ("", KUBERNETES_SCHEDULER):
            return name, Place(manifest.key, path)
    return None


def _may_name_another(manifest: Manifest) -> bool:
    """Whether an object may name another scheduler; one that is packed is not decoded to see that."""
    held = manifest.held_data
    if not isinstance(held, Packed):
        return True
    return _NAMES_ANOTHER.search(memoryview(held.text)) is not None or held.mentions(b"\\u")


def _has_ended(manifest: Manifest, data: JsonObject) -> bool:
    """Whether a pod has a node or has ended, or another object reports its end."""
    if manifest.key[:2] == ("", "Pod"):
        return bool(inside(data, "spec", "nodeName")) or inside(data, "status", "phase") in ("Succeeded", "Failed")
    conditions = mappings(inside(data, "status", "conditions"))
    return any(each.get("type") in _ENDS and each.get("status") == "True" for each in conditions)


def _scheduler_names(value: Json, path: FieldPath) -> Iterator[tuple[FieldPath, Json]]:
    """The fields ``schedulerName`` of the object's own spec and of each pod's spec in it."""
    if isinstance(value, dict):
        if "schedulerName" in value and (path == ("spec",) or "containers" in value):
            yield (*path, "schedulerName"), value["schedulerName"]
        for key, each in value.items():
            if isinstance(each, (dict, list)):
                yield from _scheduler_names(each, (*path, key))
    elif isinstance(value, list):
        for number, each in enumerate(value):
            if isinstance(each, (dict, list)):
                yield from _scheduler_names(each, (*path, number))


def wanted_pods(manifest: Manifest) -> int:
    """The number of pods that the object wants now; 0 for kinds without a number, and for a Job that has ended."""
    is_job, is_made_later = manifest.key.kind == "Job", manifest.key.kind == "CronJob"
    suspended = is_job and root_of(manifest).at("spec", "suspend").flag()
    return 0 if suspended or is_made_later else pods_at_once(manifest)


def pods_at_once(manifest: Manifest) -> int:
    """The number of pods that the object wants at a time, a Job once it is made and resumed; 0 if it has no number."""
    spec = root_of(manifest).at("spec")
    if manifest.key.kind == "CronJob":
        spec = spec.at("jobTemplate", "spec")
    elif manifest.key.kind != "Job":
        return spec.at("replicas").natural(1) if manifest.key.kind in REPLICATED else 0
    if end_of(manifest) is not None:
        return 0
    parallel, completions = spec.at("parallelism").natural(1), spec.at("completions")
    left = completions.natural(1) - root_of(manifest).at("status", "succeeded").natural(0)
    return parallel if completions.value is None else max(0, min(parallel, left))


def end_of(manifest: Manifest) -> Fact | None:
    """The condition with which a Job reports its end."""
    for condition in root_of(manifest).at("status", "conditions").entries():
        kind = condition.at("type")
        if condition.at("status").value == "True" and kind.value in ("Complete", "Failed"):
            return Fact(kind.place, kind.text())
    return None


def _problem_as_written(problem: Problem, key: ObjectKey, template: Place) -> Problem:
    """A problem of a template's pod, at the field of the template."""
    place = problem.place
    if not isinstance(place, Place) or place.object != key:
        return problem
    return replace(problem, place=Place(template.object, (*template.path, *place.path)))


def _made(root: Field, template: Field) -> Field:
    """The template with what the controller of its object adds to a pod."""
    spec = template.at("spec").value
    if not isinstance(spec, dict):
        return template
    return template._replace(value={**template.value, "spec": made_spec(root, spec)})


def _template_pod(key: ObjectKey, pod: Field, read: ReadPod[Read], written: Place, *, taken: bool) -> TemplatePod[Read]:
    spec = pod.at("spec")
    if not isinstance(spec.value, dict):
        raise wrong(spec.place, "an object", spec.value)
    waiting = {**pod.value, "spec": {name: value for name, value in spec.value.items() if name != "nodeName"}}
    found = read(key, waiting, taken=taken)
    if found is None:
        raise FairshareError(Problem(f"{key} has ended", Place(key), "name a waiting pod"))
    return TemplatePod(found, read_demand(spec), written, spec.value, key)
