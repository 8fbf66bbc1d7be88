"""The ResourceQuotas of a namespace and what pods use of them, as an API server counts.

Source: Kubernetes 1.35, the admission plugin ResourceQuota and its evaluator of pods.
Tested in ``tests/unit/jobs/test_creation.py``.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from kubectl_fairshare.answers.holds import CreationRefusal
from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.jobs.requests import Which, amounts, containers_of, spec_limits, spec_requests
from kubectl_fairshare.model.json import FieldPath, JsonObject
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import Value

_ONE: Final = 10**9
_COMPUTE: Final = ("cpu", "memory")
_NATIVE: Final = (*_COMPUTE, "ephemeral-storage")
_WHICH: Final[tuple[Which, Which]] = ("requests", "limits")
_SUFFIX: Final = "DuringSchedulingIgnoredDuringExecution"
_NOTHING: Final[JsonObject] = {}


class QuotaScope(NamedTuple):
    """A condition on the pods that a ResourceQuota counts."""

    name: str
    operator: str = "Exists"
    values: tuple[str, ...] = ()


class CreationQuota(Value, frozen=True):
    """A ResourceQuota. ``bounds``, ``coming`` and ``used`` are by its own names (``requests.cpu``), in 10⁻⁹.

    It counts the pods that are in all ``scopes``. ``used`` is what its status says, as far as that goes. ``coming`` are
    the bounds of its spec, which a controller writes into the status.
    """

    key: ObjectKey
    path: FieldPath
    bounds: Mapping[str, int]
    coming: Mapping[str, int]
    used: Mapping[str, int]
    scopes: tuple[QuotaScope, ...] = ()


class CreationCheck:
    """The ResourceQuotas of one namespace while new pods are created, one after the other."""

    def __init__(self, quotas: Iterable[CreationQuota], others: Iterable[JsonObject], default_class: str = "") -> None:
        """``others`` are the specs of the namespace's pods that have not ended; all specs are completed."""
        self._default_class, quotas = default_class, [*quotas]
        specs = [] if all(_is_counted(quota) for quota in quotas) else list(others)
        self._held = [(quota, self._used(quota, specs)) for quota in quotas]

    def rejections(self, spec: JsonObject, *, described: bool = False) -> tuple[CreationRefusal, ...]:
        """The bounds that keep a pod from being created; without one it counts for the next pod.

        A pod that options ``described`` may lack amounts that a quota wants every pod to set. Raises ``QuantityError``
        for an amount that is not a quantity.
        """
        counting = [(quota, used) for quota, used in self._held if self._counts(quota, spec)]
        usage = pod_usage(spec)
        asked = None if described else spec
        found = [refusal for quota, used in counting for refusal in _exceeded(quota, used, usage, asked)]
        for _, used in () if found else counting:
            _add(used, usage)
        return tuple(found)

    def release(self, spec: JsonObject) -> None:
        """A pod that was counted is gone."""
        self.count(spec, -1)

    def count(self, spec: JsonObject, number: int) -> None:
        """So many pods of one spec exist in addition; they may be fewer than none."""
        usage = {name: number * amount for name, amount in pod_usage(spec).items()}
        for quota, used in self._held:
            if self._counts(quota, spec):
                _add(used, usage)

    def _used(self, quota: CreationQuota, specs: Iterable[JsonObject]) -> dict[str, int]:
        """What pods use of it: as its status says, otherwise what the pods of the input add up to."""
        found: dict[str, int] = {}
        if not _is_counted(quota):
            for spec in specs:
                if self._counts(quota, spec):
                    _add(found, pod_usage(spec))
        return {**found, **quota.used}

    def _counts(self, quota: CreationQuota, spec: JsonObject) -> bool:
        return all(_is_in(scope, spec, self._default_class) for scope in quota.scopes)


def _is_counted(quota: CreationQuota) -> bool:
    """Whether its status says what pods use of each bound."""
    return quota.bounds.keys() <= quota.used.keys()


def pod_usage(spec: JsonObject) -> dict[str, int]:
    """What a pod adds to ResourceQuotas, by their names, in 10⁻⁹."""
    limits = spec_limits(spec)
    return _usage_of(spec_requests(spec)) | {f"limits.{name}": limits[name] for name in _NATIVE if name in limits}


def _usage_of(requests: Mapping[str, int]) -> dict[str, int]:
    found = {"pods": _ONE, "count/pods": _ONE}
    for name, amount in requests.items():
        found[f"requests.{name}"] = amount
        if name in _NATIVE or name.startswith("hugepages-"):
            found[name] = amount
    return found


def requested_usage(pods: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """What pods of these requests add to ResourceQuotas, by their names, in 10⁻⁹."""
    found: dict[str, int] = {}
    for requests in pods:
        _add(found, _usage_of(requests))
    return found


def requested_refusals(
    quotas: Iterable[CreationQuota], requests: Mapping[str, int], used: Mapping[str, int]
) -> tuple[CreationRefusal, ...]:
    """The bounds on requests and on the number of pods that reject a pod, where ``used`` is what others add."""
    usage = _usage_of(requests)
    return tuple(refusal for quota in quotas for refusal in _exceeded(quota, used, usage, None))


def bounds_pods(name: str) -> bool:
    """Whether a bound of that name counts what pods ask for, or pods."""
    if name.startswith(("requests.", "limits.", "hugepages-")):
        return name != "requests.storage"
    return name in ("pods", "count/pods", *_NATIVE)


def _exceeded(
    quota: CreationQuota, used: Mapping[str, int], usage: Mapping[str, int], spec: JsonObject | None
) -> Iterator[CreationRefusal]:
    """The bounds of a quota that the pod exceeds, and those whose amount one of its containers does not set."""
    for name, bound in quota.bounds.items():
        wanted, there, place = usage.get(name, 0), used.get(name, 0), Place(quota.key, (*quota.path, name))
        coming = quota.coming.get(name)
        if not (spec is None or _is_set(name, spec)):
            yield CreationRefusal(place, None, there, bound, coming is not None)
        elif wanted > 0 and there + wanted > bound:
            final = coming is not None and wanted > max(bound, coming)
            yield CreationRefusal(place, wanted, there, bound, final)


def _is_set(name: str, spec: JsonObject) -> bool:
    """Whether all containers, or the pod as a whole, set an amount of cpu or memory; true for other names."""
    which, _, resource = name.rpartition(".")
    if resource not in _COMPUTE or which not in ("", "requests", "limits"):
        return True
    field: Which = "limits" if which == "limits" else "requests"
    return resource in amounts(spec, field) or all(resource in amounts(c, field) for c in containers_of(spec))


def _is_in(scope: QuotaScope, spec: JsonObject, default_class: str) -> bool:
    """Whether a scope has the pod. No pod is in a scope of another kind of object."""
    if scope.name == "PriorityClass":
        return _is_selected(scope, spec.get("priorityClassName") or default_class)
    deadline = spec.get("activeDeadlineSeconds")
    ends = deadline is not None and deadline >= 0
    owners = (spec, *containers_of(spec))
    effort = not any(amounts(owner, which).get(r) for owner in owners for which in _WHICH for r in _COMPUTE)
    return {
        "Terminating": ends,
        "NotTerminating": not ends,
        "BestEffort": effort,
        "NotBestEffort": not effort,
        "CrossNamespacePodAffinity": _crosses_namespaces(spec),
    }.get(scope.name, False)


def _is_selected(scope: QuotaScope, name: str) -> bool:
    chosen = bool(name) if scope.operator in ("Exists", "DoesNotExist") else name in scope.values
    return chosen if scope.operator in ("Exists", "In") else not chosen


def _crosses_namespaces(spec: JsonObject) -> bool:
    """Whether an affinity of the pod to other pods names namespaces, or selects them."""
    affinity = spec.get("affinity") or _NOTHING
    for kind in ("podAffinity", "podAntiAffinity"):
        terms = affinity.get(kind) or _NOTHING
        preferred = (each.get("podAffinityTerm") for each in terms.get(f"preferred{_SUFFIX}") or ())
        for term in (*(terms.get(f"required{_SUFFIX}") or ()), *preferred):
            if term and (term.get("namespaces") or term.get("namespaceSelector") is not None):
                return True
    return False


def creation_quota(manifest: Manifest) -> CreationQuota:
    """A ResourceQuota with the bounds that count: those of its status, once a controller has written them."""
    root = root_of(manifest)
    status = root.at("status", "hard")
    bounds = status if status.mapping() else root.at("spec", "hard")
    return CreationQuota(
        manifest.key,
        bounds.path,
        bounds.resources(native=True),
        root.at("spec", "hard").resources(native=True),
        root.at("status", "used").resources(native=True),
        tuple(_scopes(root.at("spec"))),
    )


def _scopes(spec: Field) -> Iterator[QuotaScope]:
    yield from (QuotaScope(scope.text()) for scope in spec.at("scopes").entries())
    for each in spec.at("scopeSelector", "matchExpressions").entries():
        values = tuple(value.text() for value in each.at("values").entries())
        yield QuotaScope(each.at("scopeName").text(), each.at("operator").text("Exists"), values)


def _add(into: dict[str, int], more: Mapping[str, int]) -> None:
    for name, amount in more.items():
        into[name] = into.get(name, 0) + amount
