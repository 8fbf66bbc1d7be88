"""LimitRanges that make quota and pods differ."""

from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_fairshare.finding import Finding, Related, Remedy
from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.limits import LimitSummary, bounds_of
from kubectl_fairshare.lint.protocol import warning_rule
from kubectl_fairshare.lint.words.figures import figure
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.json import FieldPath, Json, inside
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.jobs.requests import amounts, pod_resources, total
from kubectl_fairshare.schedulers.kueue.model.workload import Pending, PodSet
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.rules.quotas.demand import demands, source_of

_CUSTOM: Final = ("JobSet", "Workload")


@warning_rule("K065")
def limit_range_undercounts(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each workload, at the first container whose request is missing."""
    for pending, _ in demands(given):
        limits = given.context.limit_ranges.get(pending.key.namespace, {})
        source = pending.source or pending.key
        if source.kind == "Pod" or not bounds_of(limits, "Container", "defaultRequest"):
            continue
        for pod_set in pending.pod_sets:
            found = _undercount(given, pending, pod_set, limits)
            if found is not None:
                yield found
                break


def _undercount(given: KueueGiven, pending: Pending, pod_set: PodSet, limits: LimitSummary) -> Finding | None:
    source = pending.source or pending.key
    spec = _field(given, pending, pod_set.path)
    native = source.kind not in _CUSTOM
    try:
        charged, real = (
            amounts(total(pod_resources(spec, given.context.overheads, limits, native=native, is_pod=is_pod)))
            for is_pod in (False, True)
        )
    except FairshareError:  # not a valid Workload: its reader reports that
        return None
    resource = next((r for r in sorted(real) if real[r] > charged.get(r, 0)), None)
    if resource is None:
        return None
    per_pod, taken = figure(resource, charged.get(resource, 0)), figure(resource, real[resource])
    bound = bounds_of(limits, "Container", "defaultRequest").get(resource)
    return Finding(
        _container(Place(source, pod_set.path), spec.value, resource),
        f"Kueue charges {per_pod} for a pod of {source_of(pending)}, but the pod will request {taken}",
        Remedy(f"write `requests.{resource}` next to the limit"),
        evidence=(("charged per pod", per_pod), ("requested by the pod", taken), ("pods", str(pod_set.count))),
        related=() if bound is None else (Related("default request", bound.place),),
    )


def _field(given: KueueGiven, pending: Pending, path: FieldPath) -> Field:
    """A field of the object that a workload was read from, a Workload in its stored form; None if it is not set."""
    source = pending.source or pending.key
    examined = given.examined.get(source)
    data = given.snapshot.manifests[source].data if examined is None else examined.stored
    return Field(source, path, inside(data, *path))


def _container(spec: Place, value: Json, resource: str) -> Place:
    """The limits of the first container with a limit for the resource but no request."""
    for name in ("containers", "initContainers"):
        for i, container in enumerate(value.get(name) or ()):
            resources: Mapping[str, Json] = container.get("resources") or {}
            if resource in (resources.get("limits") or {}) and resource not in (resources.get("requests") or {}):
                return Place(spec.object, (*spec.path, name, i, "resources", "limits", resource))
    return spec
