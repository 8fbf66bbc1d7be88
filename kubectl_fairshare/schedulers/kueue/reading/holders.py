"""Reads workloads that hold quota, fast: one question may load ten thousand of them.

Source: Kueue v0.19; "usage" in ``docs/laws.md``.
"""

from collections.abc import Iterable, Mapping
from enum import Enum
from functools import lru_cache
from sys import intern

from kubectl_fairshare.model.amounts import add
from kubectl_fairshare.model.errors import MISSING, misread
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.model.quantity import amount
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder
from kubectl_fairshare.schedulers.kueue.reading.typed import WRONG_SHAPE, MisreadError
from kubectl_fairshare.schedulers.kueue.reading.workload_fields import (
    AdmissionFields,
    PodSetFields,
    SpecFields,
    StatusFields,
    WorkloadFields,
)


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


def read(key: ObjectKey, fields: WorkloadFields, *, reclaims: bool = True, clamped: bool = True) -> Holder | Stage:
    """A workload that holds quota, with its creation as ``queued``; for another workload its stage.

    ``reclaims``: reclaimable pods release quota (gate ReclaimablePods); ``clamped``: at most all pods. Raises
    ``MisreadError``.
    """
    try:
        spec, status = fields.spec, fields.status
        reserved, admitted, evicted, ready = None, None, False, False
        for condition in () if status is None else status.conditions or ():
            if condition.status == "True":
                kind = condition.type
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
        if spec is not None and spec.active is False:
            return Stage.DEACTIVATED
        if reserved is None or status is None or status.admission is None:
            return Stage.PENDING
        holder = _holder(key, fields, status.admission, reserved.since, evicted, (reclaims, clamped))
        holder.ready = ready
        if admitted is not None:
            same = admitted.since == reserved.since
            holder.admitted = holder.reserved if same else nanoseconds(admitted.since)
        return holder
    except (*WRONG_SHAPE, ValueError) as error:
        raise MisreadError(misread(error)) from error


def _holder(
    key: ObjectKey,
    fields: WorkloadFields,
    admission: AdmissionFields,
    since: str,
    evicted: bool,
    reclaims: tuple[bool, bool],
) -> Holder:
    spec, status, created = fields.spec, fields.status, fields.metadata.created
    if spec is None or status is None:
        raise MisreadError(MISSING)
    born = 0 if created is None else nanoseconds(created)
    return Holder(
        key,
        fields.metadata.uid or "",
        intern(admission.cluster_queue),
        intern(spec.local_queue or ""),
        spec.priority or 0,
        born,
        born,
        nanoseconds(since),
        evicted,
        _usage(spec, status, admission, reclaims),
    )


def _usage(
    spec: SpecFields, status: StatusFields, admission: AdmissionFields, reclaims: tuple[bool, bool]
) -> Mapping[FlavorResource, int]:
    """The usage; each text of assignments is read once with the same pods. Raises ``MisreadError``."""
    text, pod_sets = bytes(admission.assignments), _pod_sets(spec)
    if not status.reclaimable:
        usage = _usage_by_text(text, pod_sets)
        if usage is not None:
            return usage
    reclaimable = status.reclaimable if reclaims[0] else None
    return _usage_by_counts(_assignments_in(text), pod_sets, reclaimable, clamped=reclaims[1])


def _pod_sets(spec: SpecFields) -> tuple[PodSetFields, ...]:
    if spec.pod_sets is None:
        raise MisreadError(MISSING)
    return tuple(spec.pod_sets)


@lru_cache(maxsize=4096)
def _usage_by_text(text: bytes, pod_sets: tuple[PodSetFields, ...]) -> Mapping[FlavorResource, int] | None:
    """The sum of what is assigned if every pod that was assigned quota still needs it, as almost always; else None."""
    assignments = _assignments_in(text)
    if len(pod_sets) != len(assignments):
        return None
    usage: dict[FlavorResource, int] = {}
    for pods, assignment in zip(pod_sets, assignments, strict=True):
        assigned = assignment.get("count")
        if assigned.__class__ is not int or pods.count != assigned or pods.name != assignment.get("name"):
            return None
        requests = assignment.get("resourceUsage") or {}
        for resource, flavor in (assignment.get("flavors") or {}).items():
            pair, value = _part(flavor, resource, requests.get(resource, 0))
            usage[pair] = add(usage[pair], value) if pair in usage else value
    return usage


def _assignments_in(text: bytes) -> list[JsonObject]:
    """What each pod set of an admitted workload got. Raises ``MisreadError`` for a text without such a list."""
    from orjson import loads

    found = loads(text)
    if not isinstance(found, list):
        raise MisreadError("`status.admission` has no list of `podSetAssignments`")
    return found


def _usage_by_counts(
    assignments: Iterable[JsonObject], pod_sets: tuple[PodSetFields, ...], reclaimable: Json, *, clamped: bool
) -> Mapping[FlavorResource, int]:
    """The usage where some of the pods that were assigned quota may no longer need it."""
    usage: dict[FlavorResource, int] = {}
    left, specified = _counts(pod_sets, reclaimable, clamped=clamped)
    for assignment in assignments:
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
    fields: WorkloadFields, *, reclaims: bool = True, clamped: bool = True
) -> list[tuple[str, int, Mapping[str, str], Mapping[str, int]]]:
    """What each pod set of a workload with quota holds: its name, pods, and flavor and total by resource.

    It holds less if some pods are reclaimable or a running job shrank. Raises ``MisreadError``.
    """
    spec, status = fields.spec, fields.status
    if spec is None or status is None or status.admission is None:
        raise MisreadError(MISSING)
    left, specified = _counts(_pod_sets(spec), status.reclaimable if reclaims else None, clamped=clamped)
    found: list[tuple[str, int, Mapping[str, str], Mapping[str, int]]] = []
    for assignment in _assignments_in(bytes(status.admission.assignments)):
        name = assignment.get("name") or "main"
        assigned, still = assignment.get("count"), left.get(name, 0)
        assigned = specified.get(name, 0) if assigned is None else assigned
        flavors = assignment.get("flavors") or {}
        held = {r: _part("", r, value)[1] for r, value in (assignment.get("resourceUsage") or {}).items()}
        if still < assigned:
            held = {resource: value // assigned * still for resource, value in held.items()}
        found.append((name, min(still, assigned), flavors, held))
    return found


def _counts(
    pod_sets: tuple[PodSetFields, ...], reclaimable: Json, *, clamped: bool
) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """The pods of each pod set that still need quota, and the pods that are specified."""
    specified: dict[str, int] = {pods.name or "main": pods.count for pods in pod_sets}
    return (_after_reclaim(specified, reclaimable, clamped=clamped) if reclaimable else specified), specified


def _after_reclaim(specified: Mapping[str, int], reclaimable: Json, *, clamped: bool) -> dict[str, int]:
    """The pods of each pod set that still need quota: specified minus reclaimable, at least 0 if ``clamped``."""
    given_back = {r["name"]: r["count"] for r in reclaimable}
    if not clamped:
        return {name: count - int(given_back.get(name, 0)) for name, count in specified.items()}
    return {name: count - min(count, given_back.get(name, 0)) for name, count in specified.items()}
