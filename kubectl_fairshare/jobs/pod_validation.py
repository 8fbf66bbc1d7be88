"""The amounts of a pod that an API server's own validation rejects, before any admission plugin or scheduler.

Source: Kubernetes 1.35, the validation of the resource requirements of containers.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_fairshare.jobs.requests import amounts, containers_of
from kubectl_fairshare.model.json import JsonObject

_ONE: Final = 10**9
_OWN: Final = frozenset({"cpu", "memory", "ephemeral-storage"})
_HUGE: Final = "hugepages-"


def rejected_amounts(spec: JsonObject, *, described: bool = False) -> Iterator[str]:
    """What is wrong with the amounts of each container, in a clause each. ``spec`` has the defaults of limits.

    A pod that options ``described`` may lack limits. Raises ``QuantityError`` for an amount that is not a quantity.
    """
    for container in containers_of(spec):
        requests, limits = amounts(container, "requests"), amounts(container, "limits")
        for clause in _clauses({**limits, **requests}, limits, described):
            yield f"container {container.get('name')} {clause}"


def _clauses(requests: Mapping[str, int], limits: Mapping[str, int], described: bool) -> Iterator[str]:
    """What is wrong with the amounts of one container; a missing request is the limit.

    A resource that nodes do not share out twice, such as GPUs, needs a limit that equals its request.
    """
    for resource, wanted in requests.items():
        limit = limits.get(resource)
        if _is_unknown(resource):
            yield f"names {resource}, which is not a resource of containers"
        elif wanted < 0 or (limit is not None and limit < 0):
            yield f"has a negative amount of {resource}"
        elif _is_extended(resource) and (wanted % _ONE or (limit or 0) % _ONE):
            yield f"has a fraction of {resource}"
        elif not _is_whole(resource):
            if limit is not None and wanted > limit:
                yield f"requests more {resource} than its limit"
        elif limit is None:
            if not described:
                yield f"requests {resource} without a limit"
        elif wanted != limit:
            yield f"requests another amount of {resource} than its limit"


def _is_unknown(resource: str) -> bool:
    return "/" not in resource and resource not in _OWN and not resource.startswith(_HUGE)


def _is_extended(resource: str) -> bool:
    return "/" in resource and "kubernetes.io/" not in resource


def _is_whole(resource: str) -> bool:
    return _is_extended(resource) or resource.startswith(_HUGE)
