"""Kueue's checks of a workload before it looks for flavors: limits, then LimitRanges.

Source: Kueue v0.19 on requests, limits and LimitRanges. Kueue does not check the ratio of limits to requests, which a
LimitRange may bound; the API server rejects such pods later.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from kubectl_fairshare.jobs.limits import LimitSummary, bounds_of, has_type
from kubectl_fairshare.model.json import FieldPath, field_text
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.quantity import nano_text
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.jobs.laws import JobLaw
from kubectl_fairshare.schedulers.kueue.jobs.requests import Claim, PodResources, Resources, amounts, total
from kubectl_fairshare.schedulers.kueue.model.workload import BoundViolation, Refusal

_BOUNDED: Final = ("Container", "Pod")
"""The types of LimitRanges that bound what pods ask for."""
_UNBOUNDED: Final[Mapping[str, int]] = {}
"""One for all pods: most namespaces have no such LimitRange."""


def resource_refusal(pods: Iterable[tuple[Place, PodResources]], limits: LimitSummary) -> Refusal | None:
    """Why Kueue rejects the resources of the pod sets, None if it does not. ``pods`` start with their spec's place."""
    placed = [(("spec", "podSets", i, "template", "spec"), place, pod) for i, (place, pod) in enumerate(pods)]
    above = tuple(v for field, place, pod in placed for v in _above_limits(field, place, pod))
    if above:
        given = next((each for _, _, pod in placed for each in _given_requests(pod)), ())
        return Refusal(JobLaw.REQUESTS_ABOVE_LIMITS, given, above)
    outside = tuple(v for field, place, pod in placed for v in _outside_range(field, place, pod, limits))
    return Refusal(JobLaw.LIMIT_RANGE, violations=outside) if outside else None


def least_requests(pod: PodResources, limits: LimitSummary) -> Mapping[str, int]:
    """The smallest request of the pod that LimitRanges of its namespace take, of what these bound from below."""
    if not limits:
        return _UNBOUNDED
    of_container, of_pod = ({r: b.nano for r, b in bounds_of(limits, kind, "min").items()} for kind in _BOUNDED)
    if not of_container and not of_pod:
        return _UNBOUNDED
    init, containers = (tuple(_at_least(claim, of_container) for claim in of) for of in (pod.init, pod.containers))
    least = total(replace(pod, init=init, containers=containers))
    return amounts({r: max(least.get(r, 0), of_pod.get(r, 0)) for r in sorted({*of_container, *of_pod}) if r in least})


def _at_least(claim: Claim, bounds: Resources) -> Claim:
    return replace(claim, requests={r: min(v, bounds.get(r, 0)) for r, v in claim.requests.items()})


def _claims(pod: PodResources) -> Iterator[Claim]:
    yield from pod.init
    yield from pod.containers


def _above_limits(field: FieldPath, spec: Place, pod: PodResources) -> Iterator[BoundViolation]:
    for claim in pod.claims:
        over = _greater(claim.requests, claim.limits)
        if over:
            yield BoundViolation((*field, *claim.path), over, "limits", tuple(_limit_places(spec, claim, over)))


def _given_requests(pod: PodResources) -> Iterator[tuple[str, ...]]:
    """The LimitRanges that give a container a request above its limit: LimitRange, container, request, limit."""
    for claim in pod.claims:
        for resource in _greater(claim.requests, claim.limits):
            place = claim.requested.get(resource)
            if place is not None:
                request, limit = (nano_text(resource, each[resource]) for each in (claim.requests, claim.limits))
                yield str(place.object), field_text(claim.path), f"{request} {resource}", limit


def _limit_places(spec: Place, claim: Claim, resources: tuple[str, ...]) -> Iterator[Place]:
    for resource in resources:
        yield claim.requested.get(resource) or _place_of(spec, claim, "requests", resource)
        yield claim.places.get(resource) or _place_of(spec, claim, "limits", resource)


def _place_of(spec: Place, claim: Claim, kind: str, resource: str) -> Place:
    inside = () if claim.path == ("resources",) else ("resources",)
    return Place(spec.object, (*spec.path, *claim.path, *inside, kind, resource))


class _Ends(NamedTuple):
    """The smallest and the largest amount that any part of one place requests, in 10⁻⁹."""

    least: Resources
    most: Resources


def _outside_range(field: FieldPath, spec: Place, pod: PodResources, limits: LimitSummary) -> Iterator[BoundViolation]:
    if has_type(limits, "Container"):
        for claim in _claims(pod):
            ends = _Ends(*_ends(claim))
            place = Place(spec.object, (*spec.path, *claim.path))
            yield from _violations(((*field, *claim.path), place), ends, limits, "Container")
    if has_type(limits, "Pod"):
        whole = total(pod)
        yield from _violations((field, spec), _Ends(whole, whole), limits, "Pod")


def _ends(claim: Claim) -> tuple[Resources, Resources]:
    both = claim.limits | claim.requests
    least = {r: min(v, claim.limits.get(r, v)) for r, v in both.items()}
    most = {r: max(v, claim.limits.get(r, v)) for r, v in both.items()}
    return least, most


def _violations(
    where: tuple[FieldPath, Place], ends: _Ends, limits: LimitSummary, kind: str
) -> Iterator[BoundViolation]:
    field, place = where
    highest, lowest = bounds_of(limits, kind, "max"), bounds_of(limits, kind, "min")
    over = _greater(ends.most, {r: b.nano for r, b in highest.items()})
    if over:
        yield BoundViolation(field, over, "max", (place, *(highest[r].place for r in over)))
    under = _greater({r: b.nano for r, b in lowest.items()}, ends.least)
    if under:
        yield BoundViolation(field, under, "min", (place, *(lowest[r].place for r in under)))


def _greater(a: Mapping[str, int], b: Mapping[str, int]) -> tuple[str, ...]:
    """The resources, sorted, of which ``a`` has more than ``b``, both counted in Kueue's units."""
    if not a or not b:
        return ()
    counted, bound = amounts(a), amounts(b)
    return tuple(sorted(r for r, v in counted.items() if r in bound and v > bound[r]))
