"""The parts of what a pod requests: containers, sidecars, init containers, defaults and overhead, each with its field.

The parts of a resource add up to the request that a scheduler computes, before that rounds it to whole units.
Source: Kubernetes 1.35, ``PodRequests`` and the defaults of LimitRanger; each scheduler's own sum is a ``SumLaw``.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from kubectl_fairshare.answers.needs import PartKind, PartSource, RequestTerm
from kubectl_fairshare.jobs.context import PodContext
from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.limits import Bounds, LimitSummary, bounds_of
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import Value

Parts: TypeAlias = dict[str, tuple[RequestTerm, ...]]
"""The parts of each resource."""


class Addition(NamedTuple):
    """Why a container is there, or requests an amount, that is not written there; and the field that says so."""

    note: str
    place: Place


Additions: TypeAlias = Mapping[tuple[str | int, ...], Addition]
"""Additions by container (``("containers", 1)``), or by container and resource."""


class SumLaw(Value, frozen=True):
    """How a scheduler adds up a pod.

    - ``limits_first``: a missing request is the limit, and only without a limit a LimitRange's default
    - ``sidecars_stay``: sidecars count next to the containers, else like init containers
    - ``containers_first``: a pod-level limit is a request only for what no container requests
    - ``whole``: requests of the pod as a whole count; ``whole_at_least``: only where they are larger
    - ``native``: amounts get the defaults of Kubernetes' own kinds
    - ``negative``: negative amounts count, else they are an error
    """

    limits_first: bool = True
    sidecars_stay: bool = True
    containers_first: bool = True
    whole: bool = True
    whole_at_least: bool = False
    native: bool = True
    negative: bool = False


class _Claim(NamedTuple):
    """What one container requests."""

    kind: PartKind
    parts: Mapping[str, RequestTerm]


POD_LAW: Final = SumLaw()
"""The law of Kubernetes itself."""
_NO_ADDITIONS: Final[Additions] = {}
_RANGER: Final = "kubernetes.io/limit-ranger"
_RANGER_CLAUSE: Final = re.compile(r"(.+) request for (init container|container) (\S+)")
"""One part of the annotation, after "LimitRanger plugin set: ", as in "cpu, memory request for container main"."""
_LISTS: Final = {"container": "containers", "init container": "initContainers"}


def pod_parts(pod: Field, context: PodContext, law: SumLaw = POD_LAW, *, taken: bool) -> tuple[RequestTerm, ...]:
    """The parts of what a pod, or the next pod of a template, requests. ``taken``: an API server has completed it.

    Raises ``FairshareError`` for a field of another type.
    """
    if taken:
        found = request_parts(pod.at("spec"), {}, {}, law, ranger_additions(pod))
    else:
        limits = context.limit_ranges.get(pod.owner.namespace, {})
        found = request_parts(pod.at("spec"), limits, context.overheads, law)
    return tuple(part for name in sorted(found) for part in found[name])


def ranger_additions(pod: Field) -> Additions:
    """The requests that the annotation of a stored pod ascribes to LimitRanges.

    Source: Kubernetes 1.35, the admission plugin LimitRanger, which writes the annotation.
    """
    annotation = pod.at("metadata", "annotations", _RANGER)
    added = Addition("default of a LimitRange, as the pod's annotation says", annotation.place)
    found: dict[tuple[str | int, ...], Addition] = {}
    text = annotation.value if isinstance(annotation.value, str) else ""
    for clause in text.partition(": ")[2].split("; "):
        match = _RANGER_CLAUSE.fullmatch(clause)
        if match is not None:
            resources, kind, name = match.groups()
            containers = enumerate(pod.at("spec", _LISTS[kind]).entries())
            paths = [(_LISTS[kind], i) for i, each in containers if each.at("name").text() == name]
            found |= {(*path, resource): added for path in paths for resource in resources.split(", ")}
    return found


def request_parts(
    spec: Field,
    limits: LimitSummary,
    overheads: Mapping[str, Mapping[str, int]],
    law: SumLaw = POD_LAW,
    additions: Additions = _NO_ADDITIONS,
) -> Parts:
    """The parts of what a pod with this ``spec`` requests, by resource; parts of 0 are left out.

    ``limits`` are the LimitRanges of a pod that no API server has completed yet, ``overheads`` those of RuntimeClasses.
    Raises ``FairshareError`` for a field of another type.
    """
    found = _of_containers(spec, limits, law, additions)
    whole = spec.at("resources")
    if law.whole and whole.value is not None:
        written = _of_containers(spec, {}, law, additions) if limits and whole.at("limits").mapping() else found
        found |= _of_whole(whole, found, written, limits, law)
    for part in _overhead(spec, overheads, law):
        found[part.resource] = (*found.get(part.resource, ()), part)
    return {name: tuple(p for p in parts if p.nano) for name, parts in found.items()}


def _of_containers(spec: Field, limits: LimitSummary, law: SumLaw, additions: Additions) -> Parts:
    containers = [*_claims(spec, "containers", limits, law, additions)]
    starting = [*_claims(spec, "initContainers", limits, law, additions)]
    moments = [*_moments(containers, starting, law)]
    names = dict.fromkeys(name for claim in (*containers, *starting) for name in claim.parts)
    return {name: max((_of(moment, name) for moment in moments), key=_sum) for name in names}


def _claims(spec: Field, name: str, limits: LimitSummary, law: SumLaw, additions: Additions) -> Iterator[_Claim]:
    for i, container in enumerate(spec.at(name).entries()):
        sidecar = name == "initContainers" and container.at("restartPolicy").value == "Always"
        first = PartKind.CONTAINER if name == "containers" else PartKind.INIT_CONTAINER
        kind = PartKind.SIDECAR if sidecar else first
        stated = _stated(container.at("resources"), "Container", limits, law)
        called = container.at("name").text()
        yield _Claim(kind, {r: _part(r, s, kind, called, (name, i), additions) for r, s in stated.items()})


class _Stated(NamedTuple):
    nano: int
    source: PartSource
    place: Place


def _part(
    resource: str, of: _Stated, kind: PartKind, name: str, path: tuple[str | int, ...], additions: Additions
) -> RequestTerm:
    added = additions.get((*path, resource)) or additions.get(path)
    if added is None or of.source is PartSource.LIMIT_RANGE:
        return RequestTerm(resource, of.nano, kind, name, of.source, of.place)
    return RequestTerm(resource, of.nano, kind, name, PartSource.ADDED, added.place, added.note)


def _stated(resources: Field, level: str, limits: LimitSummary, law: SumLaw) -> dict[str, _Stated]:
    """What a container, or the pod as a whole, requests of each resource, and who states it: the last one counts."""
    own = _written(resources.at("requests"), PartSource.WRITTEN, law)
    limit = _written(resources.at("limits"), PartSource.LIMIT, law)
    default = _default(bounds_of(limits, level, "defaultRequest"))
    default_limit = _default(bounds_of(limits, level, "default"))
    return default | limit | own if law.limits_first else default_limit | limit | default | own


def _written(amounts: Field, source: PartSource, law: SumLaw) -> dict[str, _Stated]:
    stated = amounts.resources(native=law.native, negative=law.negative)
    return {r: _Stated(nano, source, amounts.at(r).place) for r, nano in stated.items()}


def _default(bounds: Bounds) -> dict[str, _Stated]:
    return {r: _Stated(bound.nano, PartSource.LIMIT_RANGE, bound.place) for r, bound in bounds.items()}


def _moments(containers: list[_Claim], starting: list[_Claim], law: SumLaw) -> Iterator[list[_Claim]]:
    """The claims that count together: the containers with the sidecars, each init container with those before it."""
    if not law.sidecars_stay:
        yield containers
        yield from ([claim] for claim in starting)
        return
    yield [*containers, *(claim for claim in starting if claim.kind is PartKind.SIDECAR)]
    sidecars: list[_Claim] = []
    for claim in starting:
        yield [*sidecars, claim]
        if claim.kind is PartKind.SIDECAR:
            sidecars.append(claim)


def _of(claims: Iterable[_Claim], resource: str) -> tuple[RequestTerm, ...]:
    return tuple(claim.parts[resource] for claim in claims if resource in claim.parts)


def _sum(parts: Iterable[RequestTerm]) -> int:
    return sum(part.nano for part in parts)


def _of_whole(resources: Field, found: Parts, written: Parts, limits: LimitSummary, law: SumLaw) -> Parts:
    """The requests of the pod as a whole that replace what is ``found`` for its containers.

    ``written`` is the same without the defaults of LimitRanges, which an API server sets later.
    """
    stated = {r: s for r, s in _stated(resources, "Pod", limits, law).items() if _is_pod_level(r)}
    own: Parts = {r: (RequestTerm(r, s.nano, PartKind.POD, "", s.source, s.place),) for r, s in stated.items()}
    if law.containers_first and resources.at("limits").mapping():
        requested = resources.at("requests").mapping()
        own |= {r: parts for r, parts in written.items() if _is_pod_level(r) and r not in requested}
    at_least = law.whole_at_least
    return {r: parts for r, parts in own.items() if not (at_least and _sum(parts) <= _sum(found.get(r, ())))}


def _is_pod_level(resource: str) -> bool:
    return resource in ("cpu", "memory") or resource.startswith("hugepages-")


def _overhead(spec: Field, overheads: Mapping[str, Mapping[str, int]], law: SumLaw) -> Iterator[RequestTerm]:
    name, written = spec.at("runtimeClassName").text(), spec.at("overhead")
    if written.mapping():
        for resource, nano in written.resources(native=law.native).items():
            place = written.at(resource).place
            yield RequestTerm(resource, nano, PartKind.OVERHEAD, name, PartSource.WRITTEN, place)
        return
    for resource, nano in overheads.get(name, {}).items():
        place = Place(ObjectKey("node.k8s.io", "RuntimeClass", "", name), ("overhead", "podFixed", resource))
        yield RequestTerm(resource, nano, PartKind.OVERHEAD, name, PartSource.ADDED, place)
