"""Reads pods as the scheduler holds them; fast, because a question may load fifty thousand of them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from typing import Final

from kubectl_fairshare.jobs.context import PodContext
from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.nodes import node_selector, required_affinity, tolerations
from kubectl_fairshare.jobs.pod_check import check_pod
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.model.quantity import QuantityError
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.elasticquota.jobs.amounts import Items, amounts_of, shape_of
from kubectl_fairshare.schedulers.elasticquota.model.objects import DEFAULT_SCHEDULER, Demand, Pod

PRIORITY_CLASS: Final = ("scheduling.k8s.io", "PriorityClass")
RUNTIME_CLASS: Final = ("node.k8s.io", "RuntimeClass")
ENDED: Final = ("Succeeded", "Failed")
_WRONG_SHAPE: Final = (AttributeError, KeyError, TypeError, IndexError, QuantityError, ValueError)
_PLACED_VOLUMES: Final = (
    *("persistentVolumeClaim", "ephemeral", "gcePersistentDisk", "awsElasticBlockStore", "azureDisk", "cinder"),
    *("iscsi", "rbd"),
)
"""Volumes that limit the nodes of a pod."""
_BEYOND: Final = 1 << 31
_NOTHING: Final[JsonObject] = {}


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The objects of a cluster that complete a pod: ``never`` are the PriorityClasses whose pods never preempt.

    ``default_never``: the global default is one of these. ``placing`` are the RuntimeClasses that choose nodes.
    """

    context: PodContext = field(default_factory=PodContext)
    never: frozenset[str] = frozenset()
    default_never: bool = False
    placing: frozenset[str] = frozenset()


def surroundings(manifests: Iterable[Manifest], context: PodContext) -> Surroundings:
    """The context, plus the PriorityClasses and RuntimeClasses among ``manifests``."""
    by_kind: dict[tuple[str, str], list[JsonObject]] = {}
    for manifest in manifests:
        by_kind.setdefault((manifest.key.group, manifest.key.kind), []).append(manifest.data)
    never = [c for c in by_kind.get(PRIORITY_CLASS, ()) if c.get("preemptionPolicy") == "Never"]
    placing = [c for c in by_kind.get(RUNTIME_CLASS, ()) if c.get("scheduling")]
    return Surroundings(
        context,
        frozenset(map(_name, never)),
        any(data.get("globalDefault") is True for data in never),
        frozenset(map(_name, placing)),
    )


def _name(data: JsonObject) -> str:
    return str((data.get("metadata") or _NOTHING).get("name"))


def read_pod(key: ObjectKey, data: JsonObject, around: Surroundings, *, taken: bool) -> Pod | None:
    """A pod; None for one that has ended. ``taken``: an API server holds it, and has completed it.

    Raises ``FairshareError`` for an unreadable one.
    """
    try:
        status = data.get("status") or _NOTHING
        if status.get("phase") in ENDED:
            return None
        return _pod(key, data, status, around, taken or bool(data["spec"].get("nodeName")))
    except _WRONG_SHAPE as error:
        check_pod(Field(key, (), data))
        message = f"{key} cannot be read: {error}"
        raise FairshareError(Problem(message, Place(key), "fix the field, then run the command again")) from None


def _pod(key: ObjectKey, data: JsonObject, status: JsonObject, around: Surroundings, taken: bool) -> Pod:
    metadata, spec = data.get("metadata") or _NOTHING, data["spec"]
    limits = None if taken else around.context.limit_ranges.get(key.namespace)
    shape = shape_of(spec, status, limits, _overhead(spec, around))
    amounts = amounts_of(shape)
    node = _text(spec.get("nodeName"))
    priority, preempts = _priority(Field(key, ("spec",), spec), around)
    started = status.get("startTime")
    return Pod(
        key=key,
        uid=_text(metadata.get("uid")) or f"{key.namespace}/{key.name}",
        labels=_labels(metadata.get("labels")),
        priority=priority,
        charge=amounts.charge,
        request=amounts.request,
        bare=amounts.bare,
        node=node,
        nominated=_text(status.get("nominatedNodeName")),
        started=None if started is None else nanoseconds(started),
        running=status.get("phase") == "Running",
        terminating=metadata.get("deletionTimestamp") is not None,
        scheduler=_text(spec.get("schedulerName")) or DEFAULT_SCHEDULER,
        preempts=preempts,
        gated=bool(spec.get("schedulingGates")),
        repelling=_repels(spec),
        unmodelled=() if node else tuple(sorted({*_unmodelled(spec), *_added(spec, around, taken=taken)})),
    )


def _text(value: Json) -> str:
    if value is not None and value.__class__ is not str:
        raise TypeError(f"`{value}` is not a text")
    return value or ""


def _labels(value: Json) -> Mapping[str, str]:
    if not value:
        return {}
    if value.__class__ is not dict or any(text.__class__ is not str for text in value.values()):
        raise TypeError("labels must be text")
    labels: Mapping[str, str] = value
    return labels


def _overhead(spec: JsonObject, around: Surroundings) -> Items:
    name = spec.get("runtimeClassName")
    if name is None or spec.get("overhead"):
        return ()
    return tuple((r, f"{amount}n") for r, amount in around.context.overheads.get(name, {}).items())


def _priority(spec: Field, around: Surroundings) -> tuple[int, bool]:
    """The priority, and whether the pod can preempt; from its class if it sets none."""
    value, name, policy = (spec.value.get(n) for n in ("priority", "priorityClassName", "preemptionPolicy"))
    if value is not None:
        if value.__class__ is not int or not -_BEYOND <= value < _BEYOND:
            raise TypeError("`priority` must be a whole number of 32 bits")
        return value, policy != "Never"
    if not name:
        never = policy == "Never" if policy else around.default_never
        return around.context.default_priority or 0, not never
    found = around.context.priority_classes.get(name)
    if found is None:
        message = f"PriorityClass `{name}` is not in the input"
        raise FairshareError(Problem(message, spec.at("priorityClassName").place, "add it to the input"))
    return found, not (policy == "Never" if policy else name in around.never)


def _repels(spec: JsonObject) -> bool:
    """Whether the pod keeps other pods off its node, which is not reproduced."""
    affinity = spec.get("affinity")
    if not affinity:
        return False
    against = affinity.get("podAntiAffinity") or _NOTHING
    return bool(against.get("requiredDuringSchedulingIgnoredDuringExecution"))


def _added(spec: JsonObject, around: Surroundings, *, taken: bool) -> Iterator[str]:
    """Fields that an API server adds to a new pod and that are not reproduced."""
    if not taken and spec.get("runtimeClassName") in around.placing:
        yield "RuntimeClassScheduling"


def _unmodelled(spec: JsonObject) -> Iterator[str]:
    """Requirements of a pending pod that no filter here reproduces."""
    affinity = spec.get("affinity") or _NOTHING
    for kind in ("podAffinity", "podAntiAffinity"):
        if (affinity.get(kind) or _NOTHING).get("requiredDuringSchedulingIgnoredDuringExecution"):
            yield "InterPodAffinity"
    if any(c["whenUnsatisfiable"] == "DoNotSchedule" for c in spec.get("topologySpreadConstraints") or ()):
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


def read_demand(spec: Field) -> Demand:
    """The nodes that a pod may use. Raises ``FairshareError`` for fields of the wrong type."""
    return Demand(node_selector(spec), required_affinity(spec), tolerations(spec))
