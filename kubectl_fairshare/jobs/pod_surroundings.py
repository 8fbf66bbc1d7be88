"""What of a cluster completes a pod, as kube-scheduler holds it: priority, overhead, and what is not reproduced.

The functions are fast, because a question may load fifty thousand pods. A field of the wrong type raises one of
``WRONG_SHAPE``; ``check_pod`` then finds its place.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from kubectl_fairshare.jobs.context import PodContext
from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.limits import bounds_of, is_outside_limits
from kubectl_fairshare.jobs.pod_check import check_pod
from kubectl_fairshare.jobs.requests import Stated, completed, completed_whole, spec_requests
from kubectl_fairshare.model.errors import FIX_THE_FIELD, FairshareError, Problem, misread
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.quantity import QuantityError
from kubectl_fairshare.model.values import Value, field

PRIORITY_CLASS: Final = ("scheduling.k8s.io", "PriorityClass")
RUNTIME_CLASS: Final = ("node.k8s.io", "RuntimeClass")
LIMIT_RANGE: Final = "LimitRange"
"""The feature of a new pod that the LimitRanges of its namespace reject."""
ENDED: Final = ("Succeeded", "Failed")
WRONG_SHAPE: Final = (AttributeError, KeyError, TypeError, IndexError, QuantityError, ValueError)
_PLACED_VOLUMES: Final = (
    *("persistentVolumeClaim", "ephemeral", "gcePersistentDisk", "awsElasticBlockStore", "azureDisk", "cinder"),
    *("azureFile", "iscsi", "portworxVolume", "rbd", "vsphereVolume"),
)
"""Volumes that limit the nodes of a pod."""
_BEYOND: Final = 1 << 31
_NOTHING: Final[JsonObject] = {}


class Surroundings(Value, frozen=True):
    """The objects of a cluster that complete a pod: ``never`` are the PriorityClasses whose pods never preempt.

    ``default_never``: the global default is one of these. ``placing`` are the RuntimeClasses that choose nodes.
    """

    context: PodContext = field(default_factory=PodContext)
    never: frozenset[str] = frozenset()
    default_never: bool = False
    placing: frozenset[str] = frozenset()

    def priority(self, spec: Field) -> tuple[int, bool]:
        """The priority, and whether the pod can preempt; from its class if it sets none.

        A class that the input lacks counts as 0. Raises ``FairshareError`` for one that does not exist.
        """
        value, name, policy = (spec.value.get(n) for n in ("priority", "priorityClassName", "preemptionPolicy"))
        if value is not None:
            if value.__class__ is not int or not -_BEYOND <= value < _BEYOND:
                raise ValueError("`priority` must be a whole number of 32 bits")
            return value, policy != "Never"
        if not name:
            never = policy == "Never" if policy else self.default_never
            return self.context.default_priority or 0, not never
        found = self.context.priority_classes.get(name)
        if found is None and self.context.may_exist(ObjectKey(*PRIORITY_CLASS, "", name)):
            return 0, policy != "Never"
        if found is None:
            message = f"PriorityClass `{name}` is not in the input"
            remedy = f"add it to the input: `kubectl get priorityclass {name} -o yaml` prints it"
            raise FairshareError(Problem(message, spec.at("priorityClassName").place, remedy))
        return found, not (policy == "Never" if policy else name in self.never)

    def overhead(self, spec: JsonObject) -> tuple[tuple[str, str], ...]:
        """What the RuntimeClass adds to the pod, by resource; nothing if the pod has its overhead already."""
        name = spec.get("runtimeClassName")
        if name is None or spec.get("overhead"):
            return ()
        return tuple((r, f"{amount}n") for r, amount in self.context.overheads.get(name, {}).items())

    def added(self, spec: JsonObject, namespace: str, *, taken: bool) -> Iterator[str]:
        """What an API server does to a new pod and is not reproduced: fields that it adds, and LimitRanges."""
        if taken:
            return
        if spec.get("runtimeClassName") in self.placing:
            yield "RuntimeClassScheduling"
        limits = self.context.limit_ranges.get(namespace)
        if limits and is_outside_limits(completed_spec(spec, namespace, self), limits):
            yield LIMIT_RANGE


def completed_spec(spec: JsonObject, namespace: str, around: Surroundings) -> JsonObject:
    """The spec of a new pod with what an API server adds to its amounts: requests and overhead.

    A missing request is the limit; without a limit, what a LimitRange of the namespace has as default. The pod as a
    whole gets its requests before LimitRanges add theirs. As for an API server, an amount that is null is 0.
    """
    limits = around.context.limit_ranges.get(namespace) or {}
    default = {r: bound.text for r, bound in bounds_of(limits, "Container", "defaultRequest").items()}
    found = _filled_containers(spec, default)
    whole = spec.get("resources")
    if whole and whole.get("limits"):
        together = spec_requests({**_filled_containers(spec, {}), "resources": None}, overhead=False)
        own = Stated(_written(whole.get("requests")), _written(whole["limits"]))
        found["resources"] = {**whole, "requests": completed_whole(own, {r: f"{v}n" for r, v in together.items()})}
    overhead = dict(around.overhead(spec))
    return {**found, "overhead": overhead} if overhead else found


def _filled_containers(spec: JsonObject, default: JsonObject) -> dict[str, Json]:
    found = dict(spec)
    for field_ in ("containers", "initContainers"):
        containers = [container or {} for container in spec.get(field_) or ()]
        found[field_] = [{**c, "resources": _filled(c.get("resources") or {}, default)} for c in containers]
    return found


def _filled(resources: JsonObject, default: JsonObject) -> JsonObject:
    own = Stated(_written(resources.get("requests")), _written(resources.get("limits")))
    return {**resources, "requests": completed(own, Stated(default, {}))}


def _written(amounts: JsonObject | None) -> JsonObject:
    return {resource: "0" if amount is None else amount for resource, amount in (amounts or {}).items()}


def surroundings(manifests: Iterable[Manifest], context: PodContext) -> Surroundings:
    """The context, plus the PriorityClasses and RuntimeClasses among ``manifests``."""
    by_kind: dict[tuple[str, str], list[JsonObject]] = {PRIORITY_CLASS: [], RUNTIME_CLASS: []}
    for manifest in manifests:
        kind = (manifest.key.group, manifest.key.kind)
        if kind in by_kind:
            by_kind[kind].append(manifest.data)
    never = [c for c in by_kind[PRIORITY_CLASS] if c.get("preemptionPolicy") == "Never"]
    placing = [c for c in by_kind[RUNTIME_CLASS] if c.get("scheduling")]
    return Surroundings(
        context,
        frozenset(map(_name, never)),
        any(data.get("globalDefault") is True for data in never),
        frozenset(map(_name, placing)),
    )


def _name(data: JsonObject) -> str:
    return str((data.get("metadata") or _NOTHING).get("name"))


def unreadable(key: ObjectKey, data: JsonObject, error: Exception) -> FairshareError:
    """The error for a pod whose reading ended in one of ``WRONG_SHAPE``; raises a better one if the field is found."""
    check_pod(Field(key, (), data))
    return FairshareError(Problem(f"{key} cannot be read: {misread(error)}", Place(key), FIX_THE_FIELD))


def text_of(value: Json) -> str:
    """A text, empty for none. Raises ``ValueError`` for another type."""
    if value is not None and value.__class__ is not str:
        raise ValueError(f"`{value}` is not a text")
    return value or ""


def gates_of(spec: JsonObject) -> tuple[str, ...]:
    """The names of the scheduling gates of a pod. Raises one of ``WRONG_SHAPE`` for a field of another type."""
    gates = spec.get("schedulingGates")
    return tuple(text_of(gate.get("name")) for gate in gates) if gates else ()


def labels_of(value: Json) -> Mapping[str, str]:
    """Labels. Raises ``ValueError`` for values of another type."""
    if not value:
        return {}
    if value.__class__ is not dict or any(text.__class__ is not str for text in value.values()):
        raise ValueError("labels must be text")
    labels: Mapping[str, str] = value
    return labels


def is_repelling(spec: JsonObject) -> bool:
    """Whether the pod keeps other pods off its node, which is not reproduced."""
    affinity = spec.get("affinity")
    if not affinity:
        return False
    against = affinity.get("podAntiAffinity") or _NOTHING
    return bool(against.get("requiredDuringSchedulingIgnoredDuringExecution"))


def unmodelled_filters(spec: JsonObject) -> Iterator[str]:
    """Requirements of a pending pod that only filters of the scheduler that are not reproduced decide."""
    affinity = spec.get("affinity") or _NOTHING
    for kind in ("podAffinity", "podAntiAffinity"):
        if (affinity.get(kind) or _NOTHING).get("requiredDuringSchedulingIgnoredDuringExecution"):
            yield "InterPodAffinity"
    if any(c.get("whenUnsatisfiable") == "DoNotSchedule" for c in spec.get("topologySpreadConstraints") or ()):
        yield "PodTopologySpread"
    if any(v.get(kind) for v in spec.get("volumes") or () for kind in _PLACED_VOLUMES):
        yield "Volumes"
    if spec.get("resourceClaims"):
        yield "DynamicResourceAllocation"
    if spec.get("schedulingGroup") or spec.get("workloadRef"):
        yield "GangScheduling"
    containers = (*(spec.get("containers") or ()), *(spec.get("initContainers") or ()))
    ports = [port for c in containers for port in c.get("ports") or ()]
    if any(port.get("hostPort") for port in ports) or (spec.get("hostNetwork") and ports):
        yield "HostPorts"
