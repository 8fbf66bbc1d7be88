"""The parts of what a pod requests: containers, sidecars, init containers, defaults and overhead, each with its field.

The parts of a resource add up to the request that a scheduler computes, before that rounds it to whole units.
Source: Kubernetes 1.35, ``PodRequests`` and the defaults of LimitRanger; each scheduler's own sum is a ``RequestLaw``.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from kubectl_fairshare.answers.needs import PartKind, PartSource, RequestTerm
from kubectl_fairshare.jobs.context import PodContext
from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.limits import Bounds, LimitSummary, bounds_of
from kubectl_fairshare.jobs.requests import (
    POD_LAW,
    Arithmetic,
    InitList,
    RequestLaw,
    Stated,
    completed,
    completed_whole,
    of_containers,
    with_whole,
)
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import replace

Parts: TypeAlias = Mapping[str, tuple[RequestTerm, ...]]
"""The parts of each resource."""


class Addition(NamedTuple):
    """Why a container is there, or requests an amount, that is not written there; and the field that says so."""

    note: str
    place: Place


Additions: TypeAlias = Mapping[tuple[str | int, ...], Addition]
"""Additions by container (``("containers", 1)``), or by container and resource."""


class _Amount(NamedTuple):
    """An amount that a place states."""

    nano: int
    source: PartSource
    place: Place


_NO_ADDITIONS: Final[Additions] = {}
_LATE: Final = {PartKind.INIT_CONTAINER: 1, PartKind.OVERHEAD: 2}
_RANGER: Final = "kubernetes.io/limit-ranger"
_RANGER_CLAUSE: Final = re.compile(r"(.+) request for (init container|container) (\S+)")
"""One part of the annotation, after "LimitRanger plugin set: ", as in "cpu, memory request for container main"."""
_LISTS: Final = {"container": "containers", "init container": "initContainers"}


def pod_parts(pod: Field, context: PodContext, law: RequestLaw = POD_LAW, *, taken: bool) -> tuple[RequestTerm, ...]:
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
    law: RequestLaw = POD_LAW,
    additions: Additions = _NO_ADDITIONS,
) -> Parts:
    """The parts of what a pod with this ``spec`` requests, by resource; parts of 0 are left out.

    ``limits`` are the LimitRanges of a pod that no API server has completed yet, ``overheads`` those of RuntimeClasses.
    Raises ``FairshareError`` for a field of another type.
    """
    reader = _TermReader(limits, law, additions)
    found = reader.of_containers(spec)
    whole = spec.at("resources")
    if whole.value is not None:
        found = with_whole(found, reader.of_whole(spec), _PARTS, law)
    for part in _overhead(spec, overheads, law):
        found = _PARTS.plus(found, {part.resource: (part,)})
    return {name: tuple(p for p in sorted(parts, key=_turn) if p.nano) for name, parts in found.items()}


def _plus(a: Parts, b: Parts) -> Parts:
    return {**a, **{r: (*a.get(r, ()), *parts) for r, parts in b.items()}}


def _largest(a: Parts, b: Parts) -> Parts:
    return {**a, **{r: max(a.get(r, parts), parts, key=_sum) for r, parts in b.items()}}


def _sum(parts: Iterable[RequestTerm]) -> int:
    return sum(part.nano for part in parts)


def _turn(part: RequestTerm) -> int:
    """Sidecars come before the init container that runs next to them, overhead last."""
    return _LATE.get(part.kind, 0)


_PARTS: Final = Arithmetic[Parts]({}, _plus, _largest)


class _TermReader(NamedTuple):
    """Reads what the places of a pod request, each amount with the field that states it."""

    limits: LimitSummary
    law: RequestLaw
    additions: Additions

    def of_containers(self, spec: Field) -> Parts:
        """The parts of what the containers request together."""
        containers = (self._container(each, i, PartKind.CONTAINER) for i, each in _numbered(spec, "containers"))
        init = (self._init(each, i) for i, each in _numbered(spec, "initContainers"))
        return of_containers(containers, init, _PARTS, self.law)

    def of_whole(self, spec: Field) -> Parts:
        """What the pod as a whole requests."""
        whole, law = spec.at("resources"), self.law
        own = self._stated(whole)
        if law.containers_first and own.limits:
            terms = Stated(_terms(own.requests, PartKind.POD, ""), _terms(own.limits, PartKind.POD, ""))
            return completed_whole(terms, self._replace(limits={}).of_containers(spec))
        requests = completed(own, self._defaults("Pod"), law) if law.whole_defaults else own.requests
        return _terms(requests, PartKind.POD, "")

    def _init(self, container: Field, i: int) -> InitList[Parts]:
        sidecar = container.at("restartPolicy").value == "Always"
        kind = PartKind.SIDECAR if sidecar else PartKind.INIT_CONTAINER
        return InitList(self._container(container, i, kind), sidecar)

    def _container(self, container: Field, i: int, kind: PartKind) -> Parts:
        requests = completed(self._stated(container.at("resources")), self._defaults("Container"), self.law)
        path = ("containers" if kind is PartKind.CONTAINER else "initContainers", i)
        terms = _terms(requests, kind, container.at("name").text())
        return {r: tuple(_with_origin(part, path, self.additions) for part in parts) for r, parts in terms.items()}

    def _stated(self, resources: Field) -> Stated[_Amount]:
        requests = self._written(resources.at("requests"), PartSource.WRITTEN)
        return Stated(requests, self._written(resources.at("limits"), PartSource.LIMIT))

    def _written(self, amounts: Field, source: PartSource) -> dict[str, _Amount]:
        stated = amounts.resources(native=self.law.native, negative=self.law.negative)
        return {r: _Amount(nano, source, amounts.at(r).place) for r, nano in stated.items()}

    def _defaults(self, level: str) -> Stated[_Amount]:
        request, limit = (bounds_of(self.limits, level, name) for name in ("defaultRequest", "default"))
        return Stated(_default(request), _default(limit))


def _numbered(spec: Field, name: str) -> Iterable[tuple[int, Field]]:
    return enumerate(spec.at(name).entries())


def _terms(amounts: Mapping[str, _Amount], kind: PartKind, name: str) -> Parts:
    return {r: (RequestTerm(r, a.nano, kind, name, a.source, a.place),) for r, a in amounts.items()}


def _with_origin(part: RequestTerm, path: tuple[str | int, ...], additions: Additions) -> RequestTerm:
    added = additions.get((*path, part.resource)) or additions.get(path)
    if added is None or part.source is PartSource.LIMIT_RANGE:
        return part
    return replace(part, source=PartSource.ADDED, place=added.place, note=added.note)


def _default(bounds: Bounds) -> dict[str, _Amount]:
    return {r: _Amount(bound.nano, PartSource.LIMIT_RANGE, bound.place) for r, bound in bounds.items()}


def _overhead(spec: Field, overheads: Mapping[str, Mapping[str, int]], law: RequestLaw) -> Iterator[RequestTerm]:
    name, written = spec.at("runtimeClassName").text(), spec.at("overhead")
    if written.mapping():
        for resource, nano in written.resources(native=law.native).items():
            place = written.at(resource).place
            yield RequestTerm(resource, nano, PartKind.OVERHEAD, name, PartSource.WRITTEN, place)
        return
    for resource, nano in overheads.get(name, {}).items():
        place = Place(ObjectKey("node.k8s.io", "RuntimeClass", "", name), ("overhead", "podFixed", resource))
        yield RequestTerm(resource, nano, PartKind.OVERHEAD, name, PartSource.ADDED, place)
