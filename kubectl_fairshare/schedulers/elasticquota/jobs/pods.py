"""Reads pods as the scheduler holds them; fast, because a question may load fifty thousand of them."""

from typing import Final

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.limits import least_requests
from kubectl_fairshare.jobs.pod_shape import shape_of
from kubectl_fairshare.jobs.pod_surroundings import (
    ENDED,
    WRONG_SHAPE,
    Surroundings,
    gates_of,
    is_repelling,
    labels_of,
    text_of,
    unmodelled_filters,
    unreadable,
)
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.schedulers.elasticquota.jobs.amounts import amounts_of
from kubectl_fairshare.schedulers.elasticquota.model.objects import DEFAULT_SCHEDULER, Pod

_NOTHING: Final[JsonObject] = {}

POD_GROUP: Final = "PodGroup"
_GROUP_LABEL: Final = "scheduling.x-k8s.io/pod-group"


def read_pod(key: ObjectKey, data: JsonObject, around: Surroundings, *, taken: bool) -> Pod | None:
    """A pod; None for one that has ended. ``taken``: an API server holds it, and has completed it.

    Raises ``FairshareError`` for an unreadable one.
    """
    try:
        status = data.get("status") or _NOTHING
        if status.get("phase") in ENDED:
            return None
        return _pod(key, data, status, around, taken or bool(data["spec"].get("nodeName")))
    except WRONG_SHAPE as error:
        raise unreadable(key, data, error) from None


def _pod(key: ObjectKey, data: JsonObject, status: JsonObject, around: Surroundings, taken: bool) -> Pod:
    metadata, spec = data.get("metadata") or _NOTHING, data["spec"]
    limits = None if taken else around.context.limit_ranges.get(key.namespace)
    amounts = amounts_of(shape_of(spec, status, limits, around.overhead(spec), stored=taken))
    node = text_of(spec.get("nodeName"))
    priority, preempts = around.priority(Field(key, ("spec",), spec))
    started = status.get("startTime")
    added = around.added(spec, key.namespace, taken=taken)
    return Pod(
        key=key,
        uid=text_of(metadata.get("uid")) or f"{key.namespace}/{key.name}",
        labels=labels_of(metadata.get("labels")),
        priority=priority,
        charge=amounts.charge,
        request=amounts.request,
        bare=amounts.bare,
        node=node,
        nominated=text_of(status.get("nominatedNodeName")),
        started=None if started is None else nanoseconds(started),
        running=status.get("phase") == "Running",
        terminating=metadata.get("deletionTimestamp") is not None,
        scheduler=text_of(spec.get("schedulerName")) or DEFAULT_SCHEDULER,
        preempts=preempts,
        gates=gates_of(spec),
        repelling=is_repelling(spec),
        least=least_requests(spec, around.context.limit_ranges.get(key.namespace)),
        unmodelled=() if node else tuple(sorted({*unmodelled_filters(spec), *added, *_group(metadata)})),
    )


def _group(metadata: JsonObject) -> tuple[str, ...]:
    """The feature of a pod that names a PodGroup, on which the plugin Coscheduling of the same chart decides."""
    return (POD_GROUP,) if labels_of(metadata.get("labels")).get(_GROUP_LABEL) else ()
