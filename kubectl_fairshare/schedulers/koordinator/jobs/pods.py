"""Reads pods as the scheduler holds them; fast, because a question may load fifty thousand of them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from kubectl_fairshare.jobs.context import PodContext
from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.limits import least_requests
from kubectl_fairshare.jobs.pod_shape import RequestShape
from kubectl_fairshare.jobs.pod_surroundings import (
    ENDED,
    WRONG_SHAPE,
    Surroundings,
    gates_of,
    is_repelling,
    labels_of,
    surroundings,
    text_of,
    unmodelled_filters,
    unreadable,
)
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.koordinator.jobs.amounts import amounts_of_shape, renamed_shape, written_request
from kubectl_fairshare.schedulers.koordinator.model import names
from kubectl_fairshare.schedulers.koordinator.model.amounts import Amounts
from kubectl_fairshare.schedulers.koordinator.model.objects import Gates, Pod
from kubectl_fairshare.schedulers.koordinator.model.written import WrittenList

_DEVICES: Final = ("koordinator.sh/gpu", "koordinator.sh/rdma", "koordinator.sh/fpga")
_CARDS: Final = ("nvidia.com/gpu", "amd.com/gpu", "dcu.com/gpu")
"""Devices that nodes count themselves; DeviceShare decides on them, too, where a node has a Device."""
_PARTS: Final = ("huawei.com/npu-core", "huawei.com/npu-cpu", "huawei.com/npu-dvpp")
"""Parts of cards: DeviceShare rejects most of their combinations, even where no node has a Device."""
_DOMAIN: Final = names.PLUGINS_GROUP
_MARKS: Final = {
    **dict.fromkeys(
        (
            "gang.scheduling.koordinator.sh/name",
            "pod-group.scheduling.sigs.k8s.io",
            "pod-group.scheduling.sigs.k8s.io/name",
            f"{_DOMAIN}/bind-gang-group-id",
            f"internal.{_DOMAIN}/bind-gang-group-id",
            f"{_DOMAIN}/network-topology-selector",
        ),
        "GangScheduling",
    ),
    **dict.fromkeys((f"{_DOMAIN}/resource-spec", f"{_DOMAIN}/numa-topology-spec"), "NodeNUMAResource"),
    **dict.fromkeys(
        (
            f"{_DOMAIN}/reservation-affinity",
            f"{_DOMAIN}/exact-match-reservation",
            f"{_DOMAIN}/reservation-ignored",
            f"{_DOMAIN}/pre-allocation-required",
        ),
        "Reservation",
    ),
    f"{_DOMAIN}/device-allocated": "DeviceShare",
    **dict.fromkeys((f"{_DOMAIN}/scheduling-hint", f"internal.{_DOMAIN}/scheduling-hint"), "SchedulingHint"),
}
"""Labels and annotations of pods on which other plugins decide, and the features that they ask for."""
_CARD_MARKS: Final = tuple(
    f"{_DOMAIN}/{name}" for name in ("device-allocate-hint", "device-joint-allocate", "gpu-partition-spec")
)
"""Annotations that DeviceShare reads for a pod with a card: a malformed one makes the pod unschedulable."""
_QOS: Final = "koordinator.sh/qosClass"
_OWN_CPUS: Final = ("LSE", "LSR")
_SECOND: Final = 10**9
_NOTHING: Final[JsonObject] = {}


class PodReader(Value, frozen=True):
    """Reads pods with the objects that complete them."""

    around: Surroundings = field(default_factory=Surroundings)

    def read(self, key: ObjectKey, data: JsonObject, *, taken: bool) -> Pod | None:
        """A pod; None for one that has ended. ``taken``: an API server holds it, and has completed it.

        Raises ``FairshareError`` for an unreadable one.
        """
        try:
            status = data.get("status") or _NOTHING
            if status.get("phase") in ENDED:
                return None
            return self._pod(key, data, status, taken or bool(data["spec"].get("nodeName")))
        except WRONG_SHAPE as error:
            raise unreadable(key, data, error) from None

    def shape(self, key: ObjectKey, data: JsonObject, *, taken: bool) -> RequestShape:
        """The fields that the sums of a readable pod depend on."""
        spec = data["spec"]
        known = taken or bool(spec.get("nodeName"))
        limits = None if known else self.around.context.limit_ranges.get(key.namespace)
        return renamed_shape(spec, data.get("status") or _NOTHING, limits, self.around.overhead(spec), stored=known)

    def _pod(self, key: ObjectKey, data: JsonObject, status: JsonObject, taken: bool) -> Pod:
        metadata, spec = data.get("metadata") or _NOTHING, data["spec"]
        amounts = amounts_of_shape(self.shape(key, data, taken=taken))
        node = text_of(spec.get("nodeName"))
        around = self.around
        priority, preempts = around.priority(Field(key, ("spec",), spec))
        started = status.get("startTime")
        terminating = metadata.get("deletionTimestamp") is not None
        return Pod(
            key=key,
            uid=text_of(metadata.get("uid")) or f"{key.namespace}/{key.name}",
            labels=labels_of(metadata.get("labels")),
            priority=priority,
            request=amounts.request,
            charge=amounts.charge,
            bare=amounts.bare,
            node=node,
            nominated=text_of(status.get("nominatedNodeName")),
            started=None if started is None else nanoseconds(started),
            running=status.get("phase") == "Running",
            terminating=terminating,
            preempted=terminating and _is_preempted(status),
            gone_at=_end(metadata) if terminating else None,
            scheduler=text_of(spec.get("schedulerName")) or "default-scheduler",
            preempts=preempts,
            gates=gates_of(spec),
            repelling=is_repelling(spec),
            created=taken,
            least=least_requests(spec, around.context.limit_ranges.get(key.namespace)),
            unmodelled=() if node else self._requirements(key.namespace, metadata, spec, amounts.request, taken=taken),
        )

    def _requirements(
        self, namespace: str, metadata: JsonObject, spec: JsonObject, requested: Amounts, *, taken: bool
    ) -> tuple[str, ...]:
        """What no filter here reproduces, sorted."""
        added = self.around.added(spec, namespace, taken=taken)
        return tuple(sorted({*_unmodelled(metadata, spec, requested), *added}))


def pod_reader(manifests: Iterable[Manifest], context: PodContext) -> PodReader:
    """The reader with the PriorityClasses and RuntimeClasses among ``manifests``."""
    return PodReader(surroundings(manifests, context))


def _is_preempted(status: JsonObject) -> bool:
    """Whether the first condition of this type says that a scheduler chose the pod as a victim."""
    found = next((c for c in status.get("conditions") or () if c.get("type") == "DisruptionTarget"), _NOTHING)
    return found.get("status") == "True" and found.get("reason") == "PreemptionByScheduler"


def _end(metadata: JsonObject) -> int:
    """The moment after which a pod that is being deleted must be gone, in nanoseconds since the epoch."""
    grace = int(metadata.get("deletionGracePeriodSeconds") or 0)
    return nanoseconds(metadata["deletionTimestamp"]) + grace * _SECOND


def _unmodelled(metadata: JsonObject, spec: JsonObject, requested: Amounts) -> Iterator[str]:
    """Requirements of a pending pod that no filter here reproduces."""
    yield from unmodelled_filters(spec)
    marks = {**(metadata.get("labels") or _NOTHING), **(metadata.get("annotations") or _NOTHING)}
    yield from (feature for name, feature in _MARKS.items() if name in marks)
    wished = (metadata.get("labels") or _NOTHING).get(names.SCHEDULER_NAME)
    if wished is not None and wished != (spec.get("schedulerName") or "default-scheduler"):
        yield "SchedulerNameLabel"
    if marks.get(_QOS) in _OWN_CPUS:
        yield "NodeNUMAResource"
    cards = [resource for resource in _CARDS if requested.get(resource)]
    parts = any(requested.get(resource) for resource in _PARTS)
    if parts or len(cards) > 1 or any(resource.startswith(_DEVICES) for resource in requested):
        yield "DeviceShare"
    elif cards:
        yield "DeviceShare" if any(name in marks for name in _CARD_MARKS) else "Devices"


def texts_of(
    manifests: Mapping[ObjectKey, Manifest], context: PodContext, gates: Gates
) -> Callable[[Pod], WrittenList | None]:
    """The requests of pods as their manifests write them; None for a pod that has no manifest."""
    reader = PodReader(Surroundings(context))

    def written_of(pod: Pod) -> WrittenList | None:
        manifest = manifests.get(pod.key)
        if manifest is None:
            return None
        shape = reader.shape(pod.key, manifest.data, taken=manifest.stored)
        return written_request(shape, overhead=not gates.ignores_overhead)

    return written_of
