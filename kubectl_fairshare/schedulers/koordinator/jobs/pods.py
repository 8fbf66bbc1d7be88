"""Reads pods as the scheduler holds them; fast, because a question may load fifty thousand of them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from typing import Final

from kubectl_fairshare.jobs.context import PodContext
from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.pod_surroundings import (
    ENDED,
    WRONG_SHAPE,
    Surroundings,
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
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.koordinator.jobs.amounts import (
    PodShape,
    amounts_of_shape,
    shape_of,
    written_request,
)
from kubectl_fairshare.schedulers.koordinator.model.objects import Gates, Pod
from kubectl_fairshare.schedulers.koordinator.model.written import WrittenList

_DEVICES: Final = ("koordinator.sh/gpu", "koordinator.sh/rdma", "koordinator.sh/fpga")
_RESERVING: Final = "scheduling.koordinator.sh/reservation-affinity"
_GANG: Final = ("gang.scheduling.koordinator.sh/name", "pod-group.scheduling.sigs.k8s.io")
_SECOND: Final = 10**9
_NOTHING: Final[JsonObject] = {}


@dataclass(frozen=True, slots=True)
class PodReader:
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

    def shape(self, key: ObjectKey, data: JsonObject, *, taken: bool) -> PodShape:
        """The fields that the sums of a readable pod depend on."""
        spec = data["spec"]
        known = taken or bool(spec.get("nodeName"))
        limits = None if known else self.around.context.limit_ranges.get(key.namespace)
        return shape_of(spec, data.get("status") or _NOTHING, limits, self.around.overhead(spec), taken=known)

    def _pod(self, key: ObjectKey, data: JsonObject, status: JsonObject, taken: bool) -> Pod:
        metadata, spec = data.get("metadata") or _NOTHING, data["spec"]
        amounts = amounts_of_shape(self.shape(key, data, taken=taken))
        node = text_of(spec.get("nodeName"))
        around = self.around
        priority, preempts = around.priority(Field(key, ("spec",), spec))
        started = status.get("startTime")
        return Pod(
            key=key,
            uid=text_of(metadata.get("uid")) or f"{key.namespace}/{key.name}",
            labels=labels_of(metadata.get("labels")),
            priority=priority,
            request=amounts.request,
            charged=amounts.charged,
            bare=amounts.bare,
            node=node,
            nominated=text_of(status.get("nominatedNodeName")),
            started=None if started is None else nanoseconds(started),
            running=status.get("phase") == "Running",
            leaving=metadata.get("deletionTimestamp") is not None,
            gone_at=_end(metadata) if metadata.get("deletionTimestamp") is not None else None,
            scheduler=text_of(spec.get("schedulerName")) or "default-scheduler",
            preempts=preempts,
            gated=bool(spec.get("schedulingGates")),
            repelling=is_repelling(spec),
            unmodelled=()
            if node
            else tuple(sorted({*_unmodelled(metadata, spec), *self.around.added(spec, taken=taken)})),
        )


def pod_reader(manifests: Iterable[Manifest], context: PodContext) -> PodReader:
    """The reader with the PriorityClasses and RuntimeClasses among ``manifests``."""
    return PodReader(surroundings(manifests, context))


def _end(metadata: JsonObject) -> int:
    """The moment after which a pod that is being deleted must be gone, in nanoseconds since the epoch."""
    grace = int(metadata.get("deletionGracePeriodSeconds") or 0)
    return nanoseconds(metadata["deletionTimestamp"]) + grace * _SECOND


def _unmodelled(metadata: JsonObject, spec: JsonObject) -> Iterator[str]:
    """Requirements of a pending pod that no filter here reproduces."""
    yield from unmodelled_filters(spec)
    marks = {**(metadata.get("labels") or _NOTHING), **(metadata.get("annotations") or _NOTHING)}
    if any(name in marks for name in _GANG):
        yield "GangScheduling"
    if _RESERVING in marks:
        yield "Reservation"
    containers = (*(spec.get("containers") or ()), *(spec.get("initContainers") or ()))
    requests = [(c.get("resources") or _NOTHING).get("requests") or _NOTHING for c in containers]
    if any(resource.startswith(_DEVICES) for amounts in requests for resource in amounts):
        yield "DeviceShare"


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
