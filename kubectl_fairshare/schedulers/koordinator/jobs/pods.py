"""Reads pods as the scheduler holds them; fast, because a question may load fifty thousand of them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
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
from kubectl_fairshare.schedulers.koordinator.jobs.amounts import (
    Items,
    PodShape,
    amounts_of_shape,
    shape_of,
    written_request,
)
from kubectl_fairshare.schedulers.koordinator.model.objects import Gates, NodeDemand, Pod
from kubectl_fairshare.schedulers.koordinator.model.written import WrittenList

PRIORITY_CLASS: Final = ("scheduling.k8s.io", "PriorityClass")
RUNTIME_CLASS: Final = ("node.k8s.io", "RuntimeClass")
ENDED: Final = ("Succeeded", "Failed")
_WRONG_SHAPE: Final = (AttributeError, KeyError, TypeError, IndexError, QuantityError, ValueError)
_PLACED_VOLUMES: Final = (
    *("persistentVolumeClaim", "ephemeral", "gcePersistentDisk", "awsElasticBlockStore", "azureDisk", "cinder"),
    *("iscsi", "rbd"),
)
"""Volumes that limit the nodes of a pod."""
_DEVICES: Final = ("koordinator.sh/gpu", "koordinator.sh/rdma", "koordinator.sh/fpga")
_RESERVING: Final = "scheduling.koordinator.sh/reservation-affinity"
_GANG: Final = ("gang.scheduling.koordinator.sh/name", "pod-group.scheduling.sigs.k8s.io")
_SECOND: Final = 10**9
_BEYOND: Final = 1 << 31
_NOTHING: Final[JsonObject] = {}


@dataclass(frozen=True, slots=True)
class PodReader:
    """The objects that complete a pod: ``never`` are the PriorityClasses whose pods never preempt.

    ``default_never``: the global default is one of these. ``placing`` are the RuntimeClasses that choose nodes.
    """

    context: PodContext = field(default_factory=PodContext)
    never: frozenset[str] = frozenset()
    default_never: bool = False
    placing: frozenset[str] = frozenset()

    def read(self, key: ObjectKey, data: JsonObject, *, taken: bool) -> Pod | None:
        """A pod; None for one that has ended. ``taken``: an API server holds it, and has completed it.

        Raises ``FairshareError`` for an unreadable one.
        """
        try:
            status = data.get("status") or _NOTHING
            if status.get("phase") in ENDED:
                return None
            return self._pod(key, data, status, taken or bool(data["spec"].get("nodeName")))
        except _WRONG_SHAPE as error:
            check_pod(Field(key, (), data))
            message = f"{key} cannot be read: {error}"
            raise FairshareError(Problem(message, Place(key), "fix the field, then run the command again")) from None

    def shape(self, key: ObjectKey, data: JsonObject, *, taken: bool) -> PodShape:
        """The fields that the sums of a readable pod depend on."""
        spec = data["spec"]
        known = taken or bool(spec.get("nodeName"))
        limits = None if known else self.context.limit_ranges.get(key.namespace)
        return shape_of(spec, data.get("status") or _NOTHING, limits, self._overhead(spec), taken=known)

    def _pod(self, key: ObjectKey, data: JsonObject, status: JsonObject, taken: bool) -> Pod:
        metadata, spec = data.get("metadata") or _NOTHING, data["spec"]
        amounts = amounts_of_shape(self.shape(key, data, taken=taken))
        node = _text(spec.get("nodeName"))
        priority, preempts = self._priority(Field(key, ("spec",), spec))
        started = status.get("startTime")
        return Pod(
            key=key,
            uid=_text(metadata.get("uid")) or f"{key.namespace}/{key.name}",
            labels=_labels(metadata.get("labels")),
            priority=priority,
            request=amounts.request,
            charged=amounts.charged,
            bare=amounts.bare,
            node=node,
            nominated=_text(status.get("nominatedNodeName")),
            started=None if started is None else nanoseconds(started),
            running=status.get("phase") == "Running",
            leaving=metadata.get("deletionTimestamp") is not None,
            gone_at=_end(metadata) if metadata.get("deletionTimestamp") is not None else None,
            scheduler=_text(spec.get("schedulerName")) or "default-scheduler",
            preempts=preempts,
            gated=bool(spec.get("schedulingGates")),
            repelling=_repels(spec),
            unmodelled=() if node else tuple(sorted({*_unmodelled(metadata, spec), *self._added(spec, taken=taken)})),
        )

    def _overhead(self, spec: JsonObject) -> Items:
        name = spec.get("runtimeClassName")
        if name is None or spec.get("overhead"):
            return ()
        return tuple((r, f"{amount}n") for r, amount in self.context.overheads.get(name, {}).items())

    def _priority(self, spec: Field) -> tuple[int, bool]:
        """The priority, and whether the pod can preempt; from its class if it sets none."""
        value, name, policy = (spec.value.get(n) for n in ("priority", "priorityClassName", "preemptionPolicy"))
        if value is not None:
            if value.__class__ is not int or not -_BEYOND <= value < _BEYOND:
                raise TypeError("`priority` must be a whole number of 32 bits")
            return value, policy != "Never"
        if not name:
            never = policy == "Never" if policy else self.default_never
            return self.context.default_priority or 0, not never
        found = self.context.priority_classes.get(name)
        if found is None:
            message = f"PriorityClass `{name}` is not in the input"
            raise FairshareError(Problem(message, spec.at("priorityClassName").place, "add it to the input"))
        return found, not (policy == "Never" if policy else name in self.never)

    def _added(self, spec: JsonObject, *, taken: bool) -> Iterator[str]:
        """Fields that an API server adds to a new pod and that are not reproduced."""
        if not taken and spec.get("runtimeClassName") in self.placing:
            yield "RuntimeClassScheduling"


def pod_reader(manifests: Iterable[Manifest], context: PodContext) -> PodReader:
    """The reader with the PriorityClasses and RuntimeClasses among ``manifests``."""
    by_kind: dict[tuple[str, str], list[JsonObject]] = {}
    for manifest in manifests:
        kind = (manifest.key.group, manifest.key.kind)
        if kind in (PRIORITY_CLASS, RUNTIME_CLASS):
            by_kind.setdefault(kind, []).append(manifest.data)
    never = [c for c in by_kind.get(PRIORITY_CLASS, ()) if c.get("preemptionPolicy") == "Never"]
    placing = [c for c in by_kind.get(RUNTIME_CLASS, ()) if c.get("scheduling")]
    return PodReader(
        context,
        frozenset(map(_name, never)),
        any(data.get("globalDefault") is True for data in never),
        frozenset(map(_name, placing)),
    )


def _end(metadata: JsonObject) -> int:
    """The moment after which a pod that is being deleted must be gone, in nanoseconds since the epoch."""
    grace = int(metadata.get("deletionGracePeriodSeconds") or 0)
    return nanoseconds(metadata["deletionTimestamp"]) + grace * _SECOND


def _name(data: JsonObject) -> str:
    return str((data.get("metadata") or _NOTHING).get("name"))


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


def _repels(spec: JsonObject) -> bool:
    """Whether the pod keeps other pods off its node, which is not reproduced."""
    affinity = spec.get("affinity")
    if not affinity:
        return False
    against = affinity.get("podAntiAffinity") or _NOTHING
    return bool(against.get("requiredDuringSchedulingIgnoredDuringExecution"))


def _unmodelled(metadata: JsonObject, spec: JsonObject) -> Iterator[str]:
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
    marks = {**(metadata.get("labels") or _NOTHING), **(metadata.get("annotations") or _NOTHING)}
    if spec.get("schedulingGroup") or spec.get("workloadRef") or any(name in marks for name in _GANG):
        yield "GangScheduling"
    if _RESERVING in marks:
        yield "Reservation"
    containers = (*(spec.get("containers") or ()), *(spec.get("initContainers") or ()))
    ports = [port for c in containers for port in c.get("ports") or ()]
    if any(port.get("hostPort") for port in ports) or (spec.get("hostNetwork") and ports):
        yield "HostPorts"
    requests = [(c.get("resources") or _NOTHING).get("requests") or _NOTHING for c in containers]
    if any(resource.startswith(_DEVICES) for amounts in requests for resource in amounts):
        yield "DeviceShare"


def texts_of(
    manifests: Mapping[ObjectKey, Manifest], context: PodContext, gates: Gates
) -> Callable[[Pod], WrittenList | None]:
    """The requests of pods as their manifests write them; None for a pod that has no manifest."""
    reader = PodReader(context)

    def written_of(pod: Pod) -> WrittenList | None:
        manifest = manifests.get(pod.key)
        if manifest is None:
            return None
        shape = reader.shape(pod.key, manifest.data, taken=manifest.stored)
        return written_request(shape, overhead=not gates.ignores_overhead)

    return written_of


def read_demand(spec: Field) -> NodeDemand:
    """The nodes that a pod may use. Raises ``FairshareError`` for fields of the wrong type."""
    return NodeDemand(node_selector(spec), required_affinity(spec), tolerations(spec))
