"""Reads workloads that hold quota, fast: one question may load ten thousand of them.

Source: Kueue v0.19; "usage" in ``docs/laws.md``.
"""

from collections.abc import Mapping, Sequence
from enum import Enum
from functools import lru_cache
from sys import intern
from typing import Final

from kubectl_fairshare.model.amounts import add
from kubectl_fairshare.model.errors import misread
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.model.quantity import amount
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder
from kubectl_fairshare.schedulers.kueue.reading.typed import WRONG_SHAPE, MisreadError

_DECODED: Final = frozenset({list, dict, str, int, float, bool, type(None)})
"""The classes of decoded JSON."""


@lru_cache(maxsize=65536)
def _part(flavor: str, resource: str, value: str | int | float) -> tuple[FlavorResource, int]:
    """One entry of an assignment; cached, because the same texts occur thousands of times."""
    if flavor.__class__ is not str or resource.__class__ is not str:
        raise MisreadError("the name of a flavor or a resource must be text")
    return FlavorResource(flavor, resource), amount(resource, value)


class Stage(Enum):
    """The stage of a workload between submission and its end."""

    PENDING = "pending"
    HOLDS = "holds"
    FINISHED = "finished"
    DEACTIVATED = "deactivated"


def read(key: ObjectKey, data: JsonObject, *, reclaims: bool = True) -> Holder | Stage:
    """A workload that holds quota, with its creation as ``queued``; for another workload its stage.

    ``reclaims``: reclaimable pods release quota (gate ReclaimablePods). Raises ``MisreadError``.
    """
    try:
        status = data.get("status") or {}
        reserved, admitted, evicted, ready = None, None, False, False
        for condition in status.get("conditions") or ():
            if condition["status"] == "True":
                kind = condition["type"]
                if kind == "QuotaReserved":
                    reserved = condition
                elif kind == "Admitted":
                    admitted = condition
                elif kind == "Finished":
                    return Stage.FINISHED
                elif kind == "Evicted":
                    evicted = True
                elif kind == "PodsReady":
                    ready = True
        if (data.get("spec") or {}).get("active") is False:
            return Stage.DEACTIVATED
        if reserved is None or not status.get("admission"):
            return Stage.PENDING
        since = reserved["lastTransitionTime"]
        holder = _holder(key, data, nanoseconds(since), evicted, reclaims)
        holder.ready = ready
        if admitted is not None:
            moment = admitted["lastTransitionTime"]
            holder.admitted = holder.reserved if moment == since else nanoseconds(moment)
        return holder
    except (*WRONG_SHAPE, ValueError) as error:
        raise MisreadError(misread(error)) from error


def _holder(key: ObjectKey, data: JsonObject, reserved: int, evicted: bool, reclaims: bool) -> Holder:
    metadata, spec, status = data["metadata"], data["spec"], data["status"]
    created = metadata.get("creationTimestamp")
    born = 0 if created is None else nanoseconds(created)
    return Holder(
        key,
        metadata.get("uid") or "",
        intern(status["admission"]["clusterQueue"]),
        intern(spec.get("queueName") or ""),
        spec.get("priority") or 0,
        born,
        born,
        reserved,
        evicted,
        _usage(spec, status, reclaims),
    )


def _usage(spec: JsonObject, status: JsonObject, reclaims: bool) -> Mapping[FlavorResource, int]:
    """The usage; of assignments that are text, each text is read once with the same pods.

    Raises ``MisreadError`` if it is not whole.
    """
    pod_sets, found = spec["podSets"], status["admission"].get("podSetAssignments")
    if found.__class__ in _DECODED:
        usage = None if status.get("reclaimablePods") else _usage_by_assignments(pod_sets, assignments_of(status))
        return _usage_by_counts(spec, status, reclaims) if usage is None else usage
    text = bytes(found)
    pods = tuple([(pods.get("name"), pods.get("count")) for pods in pod_sets])
    usage = None if status.get("reclaimablePods") else _usage_by_text(text, pods)
    if usage is not None:
        return usage
    decoded = {**status["admission"], "podSetAssignments": _assignments_in(text)}
    return _usage(spec, {**status, "admission": decoded}, reclaims)


@lru_cache(maxsize=4096)
def _usage_by_text(text: bytes, pods: tuple[tuple[Json, Json], ...]) -> Mapping[FlavorResource, int] | None:
    """As ``_usage_by_assignments``, for the text of a list; None for another text."""
    found = _assignments_in(text)
    pod_sets = [{"name": name, "count": count} for name, count in pods]
    return _usage_by_assignments(pod_sets, found) if isinstance(found, list) else None


def _assignments_in(text: bytes) -> Json:
    from orjson import loads

    return loads(text)


def _usage_by_assignments(
    pod_sets: Sequence[JsonObject], assignments: Sequence[JsonObject]
) -> Mapping[FlavorResource, int] | None:
    """The sum of what is assigned if every pod that was assigned quota still needs it, as almost always; else None."""
    if len(pod_sets) != len(assignments):
        return None
    usage: dict[FlavorResource, int] = {}
    for pods, assignment in zip(pod_sets, assignments, strict=True):
        count = assignment.get("count")
        if count.__class__ is not int or pods.get("count") != count or pods.get("name") != assignment.get("name"):
            return None
        requests = assignment.get("resourceUsage") or {}
        for resource, flavor in (assignment.get("flavors") or {}).items():
            pair, value = _part(flavor, resource, requests.get(resource, 0))
            usage[pair] = add(usage[pair], value) if pair in usage else value
    return usage


def _usage_by_counts(spec: JsonObject, status: JsonObject, reclaims: bool) -> Mapping[FlavorResource, int]:
    """The usage where some of the pods that were assigned quota may no longer need it."""
    usage: dict[FlavorResource, int] = {}
    left, specified = _counts(spec, status, reclaims)
    for assignment in assignments_of(status):
        name = assignment.get("name") or "main"
        assigned, still = assignment.get("count"), left.get(name, 0)
        assigned = specified.get(name, 0) if assigned is None else assigned
        requests = assignment.get("resourceUsage") or {}
        for resource, flavor in (assignment.get("flavors") or {}).items():
            pair, value = _part(flavor, resource, requests.get(resource, 0))
            if still < assigned:
                value = value // assigned * still
                if value.__class__ is not int:
                    raise MisreadError("`priority` or `count` must be a whole number")
            usage[pair] = add(usage[pair], value) if pair in usage else value
    return usage


def held_pod_sets(
    data: JsonObject, *, reclaims: bool = True
) -> list[tuple[str, int, Mapping[str, str], Mapping[str, int]]]:
    """What each pod set of a workload with quota holds: its name, pods, and flavor and total by resource.

    It holds less if some pods are reclaimable or a running job shrank.
    """
    spec, status = data["spec"], data["status"]
    left, specified = _counts(spec, status, reclaims)
    found: list[tuple[str, int, Mapping[str, str], Mapping[str, int]]] = []
    for assignment in assignments_of(status):
        name = assignment.get("name") or "main"
        assigned, still = assignment.get("count"), left.get(name, 0)
        assigned = specified.get(name, 0) if assigned is None else assigned
        flavors = assignment.get("flavors") or {}
        held = {r: _part("", r, value)[1] for r, value in (assignment.get("resourceUsage") or {}).items()}
        if still < assigned:
            held = {resource: value // assigned * still for resource, value in held.items()}
        found.append((name, min(still, assigned), flavors, held))
    return found


def _counts(spec: JsonObject, status: JsonObject, reclaims: bool) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """The pods of each pod set that still need quota, and the pods that are specified."""
    specified = {p.get("name") or "main": p.get("count", 1) for p in spec["podSets"]}
    reclaimable = status.get("reclaimablePods") if reclaims else None
    return (_after_reclaim(specified, reclaimable) if reclaimable else specified), specified


def assignments_of(status: JsonObject) -> list[JsonObject]:
    """What each pod set of an admitted workload got. Raises ``MisreadError`` without such a list."""
    found = status["admission"].get("podSetAssignments")
    if not isinstance(found, list):
        raise MisreadError("`status.admission` has no list of `podSetAssignments`")
    return found


def _after_reclaim(specified: Mapping[str, int], reclaimable: Json) -> dict[str, int]:
    """The pods of each pod set that still need quota: specified minus reclaimable, at least 0."""
    given_back = {r["name"]: r["count"] for r in reclaimable}
    return {name: count - min(count, given_back.get(name, 0)) for name, count in specified.items()}
