"""Workloads that hold quota, read fast: ten thousand of them are loaded for one question.

Source: Kueue v0.19; "usage" in ``docs/laws.md``.
"""

from collections.abc import Mapping
from enum import Enum
from functools import lru_cache

from kubectl_fairshare.model.amounts import add
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.model.quantity import amount
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder
from kubectl_fairshare.schedulers.kueue.reading.typed import WRONG_SHAPE, MisreadError


@lru_cache(maxsize=65536)
def _part(flavor: str, resource: str, value: str | int | float) -> tuple[FlavorResource, int]:
    """One entry of an assignment; the same texts come back thousands of times."""
    return FlavorResource(flavor, resource), amount(resource, value)


class Stage(Enum):
    """Where a workload stands between submission and its end."""

    PENDING = "pending"
    HOLDS = "holds"
    FINISHED = "finished"
    DEACTIVATED = "deactivated"


def read(key: ObjectKey, data: JsonObject) -> Holder | Stage:
    """A workload that holds quota, ``queued`` being its creation; of any other its stage.

    Raises ``MisreadError``.
    """
    try:
        status = data.get("status") or {}
        reserved, evicted = None, False
        for condition in status.get("conditions") or ():
            if condition["status"] == "True":
                kind = condition["type"]
                if kind == "Finished":
                    return Stage.FINISHED
                if kind == "QuotaReserved":
                    reserved = condition
                elif kind == "Evicted":
                    evicted = True
        if (data.get("spec") or {}).get("active") is False:
            return Stage.DEACTIVATED
        if reserved is None or not status.get("admission"):
            return Stage.PENDING
        return _holder(key, data, nanoseconds(reserved["lastTransitionTime"]), evicted)
    except (*WRONG_SHAPE, ValueError) as error:
        raise MisreadError(str(error)) from error


def _holder(key: ObjectKey, data: JsonObject, reserved: int, evicted: bool) -> Holder:
    metadata, spec, status = data["metadata"], data["spec"], data["status"]
    created = metadata.get("creationTimestamp")
    born = 0 if created is None else nanoseconds(created)
    return Holder(
        key,
        metadata.get("uid") or "",
        status["admission"]["clusterQueue"],
        spec.get("queueName") or "",
        spec.get("priority") or 0,
        born,
        born,
        reserved,
        evicted,
        _usage(spec, status),
    )


def _usage(spec: JsonObject, status: JsonObject) -> Mapping[FlavorResource, int]:
    reclaimable = status.get("reclaimablePods")
    usage: dict[FlavorResource, int] = {}
    for assignment in status["admission"]["podSetAssignments"]:
        counts = _scale(spec, assignment, reclaimable) if reclaimable else None
        requests = assignment.get("resourceUsage") or {}
        for resource, flavor in (assignment.get("flavors") or {}).items():
            pair, value = _part(flavor, resource, requests.get(resource, 0))
            if counts is not None:
                value = value // counts[0] * counts[1]
            usage[pair] = add(usage[pair], value) if pair in usage else value
    return usage


def _scale(spec: JsonObject, assignment: JsonObject, reclaimable: Json) -> tuple[int, int] | None:
    """Assigned count and what is left of it, where reclaimable pods have given back quota."""
    name = assignment.get("name") or "main"
    specified = next((p.get("count", 1) for p in spec["podSets"] if (p.get("name") or "main") == name), 1)
    assigned = assignment.get("count")
    assigned = specified if assigned is None else assigned
    left = max(0, specified - sum(r["count"] for r in reclaimable if r["name"] == name))
    return (assigned, left) if left < assigned else None
