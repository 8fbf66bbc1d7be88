"""Whether the ResourceQuotas of a namespace reject new pods, as an API server does before any scheduler sees them.

Source: Kubernetes 1.35, the admission plugin ResourceQuota and its evaluator of pods; it runs last, on completed pods.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from kubectl_fairshare.answers.fidelity import CHANCE_DEFAULTS, ENDING_NAMESPACE, INVALID, REJECTED, UNREAD, Gap
from kubectl_fairshare.answers.holds import CreationRefusal, Hold, HoldKind
from kubectl_fairshare.jobs.context import RESOURCE_QUOTA
from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.jobs.limits import takes_chance_default, with_default_limits
from kubectl_fairshare.jobs.pod_classes import class_clauses, missing_class_gaps
from kubectl_fairshare.jobs.pod_surroundings import (
    ENDED,
    PRIORITY_CLASS,
    RUNTIME_CLASS,
    WRONG_SHAPE,
    Surroundings,
    completed_spec,
    unreadable,
)
from kubectl_fairshare.jobs.pod_validation import rejected_amounts
from kubectl_fairshare.jobs.requests import Which, amounts, containers_of, spec_limits, spec_requests
from kubectl_fairshare.model.json import FieldPath, JsonObject
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import Value, replace

_ONE: Final = 10**9
_MOST_PODS: Final = 1_000
"""The pods of one template that ResourceQuotas are asked about: more of them are rejected no later."""
_COMPUTE: Final = ("cpu", "memory")
_NATIVE: Final = (*_COMPUTE, "ephemeral-storage")
_WHICH: Final[tuple[Which, Which]] = ("requests", "limits")
_SUFFIX: Final = "DuringSchedulingIgnoredDuringExecution"
_NOTHING: Final[JsonObject] = {}
_COUNTING: Final = frozenset({RESOURCE_QUOTA, ("", "Pod"), PRIORITY_CLASS, RUNTIME_CLASS})


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


class EqualPods(NamedTuple):
    """``number`` pods of one spec."""

    spec: JsonObject
    number: int


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
        usage = {name: -amount for name, amount in pod_usage(spec).items()}
        for quota, used in self._held:
            if self._counts(quota, spec):
                _add(used, usage)

    def _used(self, quota: CreationQuota, specs: Iterable[JsonObject]) -> dict[str, int]:
        """What pods use of it: as its status says, else what the pods of the input add up to."""
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


def quota_objects(manifests: Mapping[ObjectKey, Manifest]) -> dict[ObjectKey, Manifest]:
    """The objects by which ResourceQuotas reject pods, of all that are given; none without a ResourceQuota."""
    if all(key[:2] != RESOURCE_QUOTA for key in manifests):
        return {}
    return {key: manifest for key, manifest in manifests.items() if key[:2] in _COUNTING}


def creation_gaps(
    manifests: Mapping[ObjectKey, Manifest],
    pods: Iterable[tuple[ObjectKey, JsonObject]],
    around: Surroundings,
    unread_kinds: Collection[str] = (),
    *,
    described: bool = False,
    excludes: Callable[[ObjectKey], bool] | None = None,
    quotas: bool = True,
) -> tuple[Gap, ...]:
    """What keeps one of the new ``pods``, created in this order, from being created; empty if an API server takes all.

    That is a namespace that is being deleted, amounts that no pod may have, classes, or ResourceQuotas, of which one
    gap names the bounds. ``manifests`` are the objects of the input, ``pods`` the keys and the specs as users write
    them. ``unread_kinds`` are those of which not all objects could be read; ``described``: options describe the pods.
    ``excludes``: whether an object that the input lacks exists nowhere; without it, missing classes are left out.
    ``quotas`` False leaves out the bounds of ResourceQuotas, for a caller that answers them.
    Raises ``FairshareError`` for a field of another type.
    """
    pods = list(pods)
    unread = bool(pods) and RESOURCE_QUOTA[1] in unread_kinds
    rejected = checked_pods(manifests, pods, around, described=described) if quotas and not unread else []
    places = dict.fromkeys(refusal.place for found in rejected for refusal in found)
    return (
        *ending_namespace_gaps(manifests, (key.namespace for key, _ in pods)),
        *invalid_pod_gaps(pods, around, described=described),
        *(() if excludes is None else missing_class_gaps(pods, around, unread_kinds, excludes)),
        *_chance_gaps(pods, around),
        *([Gap(REJECTED, tuple(places), touches=True)] if places else ()),
        *([Gap(UNREAD, (), touches=True, subject=RESOURCE_QUOTA[1])] if unread else ()),
    )


def checked_pods(
    manifests: Mapping[ObjectKey, Manifest],
    pods: Sequence[tuple[ObjectKey, JsonObject]],
    around: Surroundings,
    *,
    described: bool = False,
) -> list[tuple[CreationRefusal, ...]]:
    """For each of the new ``pods``, created in this order, the bounds of ResourceQuotas that reject it.

    Raises ``FairshareError`` for a field of another type.
    """
    checks = {name: _check_of(manifests, name, around) for name in sorted({key.namespace for key, _ in pods})}
    found: list[tuple[CreationRefusal, ...]] = []
    for key, spec in pods:
        try:
            completed = _with_limits(spec, key.namespace, around)
            check = checks[key.namespace]
            found.append(() if check is None else check.rejections(completed, described=described))
        except WRONG_SHAPE as error:
            raise unreadable(key, {"spec": spec}, error) from error
    return found


def quota_holds(
    manifests: Mapping[ObjectKey, Manifest],
    key: ObjectKey,
    pods: Sequence[EqualPods],
    around: Surroundings,
    there: int = 0,
    *,
    described: bool = False,
) -> Iterator[Hold]:
    """A hold if the ResourceQuotas of its namespace reject some of the new ``pods`` of an object.

    If the pods differ, it depends on their order how many are created. ``there`` counts the pods that the object has;
    ``described``: options describe it. Raises ``FairshareError`` for a field of another type.
    """
    specs = [(key, each.spec) for each in pods for _ in range(min(each.number, _MOST_PODS))]
    results = checked_pods(manifests, specs, around, described=described)
    places = dict.fromkeys(refusal.place for found in results for refusal in found)
    if not places:
        return
    wanted, created = there + sum(each.number for each in pods), there + sum(not found for found in results)
    number = str(created) if len({repr(each.spec) for each in pods}) == 1 else "not all"
    for quota in dict.fromkeys(place.object for place in places):
        bounds = [place for place in places if place.object == quota]
        names = ", ".join(str(place.path[-1]) for place in bounds)
        name = f"{quota.namespace}/{quota.name}"
        yield Hold(HoldKind.QUOTA, (name, number, str(wanted), names), bounds[0])


def _chance_gaps(pods: Iterable[tuple[ObjectKey, JsonObject]], around: Surroundings) -> Iterator[Gap]:
    """A gap if a pod gets a default that LimitRanges set differently."""
    chances = around.context.chance_defaults
    specs = ((key, Field(key, ("spec",), spec)) for key, spec in pods)
    taking = (key for key, spec in specs if takes_chance_default(spec, chances.get(key.namespace, {})))
    first = next(taking, None)
    if first is not None:
        yield Gap(CHANCE_DEFAULTS, (Place(first),), touches=True)


def ending_namespace_gaps(manifests: Mapping[ObjectKey, Manifest], namespaces: Iterable[str]) -> Iterator[Gap]:
    """A gap for each of the ``namespaces`` that is being deleted. Raises ``FairshareError`` for another type."""
    for name in sorted(set(namespaces)):
        manifest = manifests.get(ObjectKey("", "Namespace", "", name))
        if manifest is not None and _is_ending(root_of(manifest)):
            yield Gap(ENDING_NAMESPACE, (Place(manifest.key),), touches=True, subject=name)


def _is_ending(namespace: Field) -> bool:
    deleted = namespace.at("metadata", "deletionTimestamp").value is not None
    return deleted or namespace.at("status", "phase").text() == "Terminating"


def is_created(data: JsonObject) -> bool:
    """Whether an API server has taken the object: it then has a version, a UID, or a time of creation."""
    metadata = data.get("metadata")
    return isinstance(metadata, dict) and any(metadata.get(n) for n in ("resourceVersion", "uid", "creationTimestamp"))


def invalid_pod_gaps(
    pods: Iterable[tuple[ObjectKey, JsonObject]], around: Surroundings, *, described: bool = False
) -> tuple[Gap, ...]:
    """A gap for each mistake in the amounts and classes of new ``pods`` that no API server takes.

    Limits may be defaults. A priority that options ``described`` is that of some class. Raises ``FairshareError`` for a
    field of another type.
    """
    clauses: dict[str, None] = {}
    for key, spec in pods:
        try:
            completed = _with_limits(spec, key.namespace, around)
            clauses |= dict.fromkeys(rejected_amounts(completed, described=described))
            clauses |= {} if described else dict.fromkeys(class_clauses(key, spec, around))
        except WRONG_SHAPE as error:
            raise unreadable(key, {"spec": spec}, error) from error
    return tuple(Gap(INVALID, (), touches=True, subject=clause) for clause in clauses)


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


def _check_of(manifests: Mapping[ObjectKey, Manifest], namespace: str, around: Surroundings) -> CreationCheck | None:
    """The ResourceQuotas of a namespace with what its pods use; None without one."""
    quotas = _quotas_of(manifests, namespace)
    if not quotas:
        return None
    pods = [manifest for key, manifest in manifests.items() if key[:3] == ("", "Pod", namespace)]
    specs = (_spec_of(pod, around) for pod in pods if (pod.data.get("status") or _NOTHING).get("phase") not in ENDED)
    return CreationCheck(quotas, specs, _default_class(manifests))


def replayed_check(
    manifests: Mapping[ObjectKey, Manifest], namespace: str, live: Iterable[JsonObject]
) -> CreationCheck | None:
    """The ResourceQuotas of a namespace in which the pods of these specs are ``live`` and no others; None without one.

    Raises ``FairshareError`` for a field of another type.
    """
    quotas = [replace(quota, used={}) for quota in _quotas_of(manifests, namespace)]
    return CreationCheck(quotas, live, _default_class(manifests)) if quotas else None


def _quotas_of(manifests: Mapping[ObjectKey, Manifest], namespace: str) -> list[CreationQuota]:
    return [creation_quota(m) for key, m in manifests.items() if key[:3] == (*RESOURCE_QUOTA, namespace)]


def _default_class(manifests: Mapping[ObjectKey, Manifest]) -> str:
    """The class of pods whose spec has no class; empty without a default."""
    defaults = [m for key, m in manifests.items() if key[:2] == PRIORITY_CLASS and m.data.get("globalDefault") is True]
    lowest = min(defaults, key=lambda m: int(m.data.get("value") or 0), default=None)
    return "" if lowest is None else lowest.key.name


def _spec_of(pod: Manifest, around: Surroundings) -> JsonObject:
    spec = pod.data.get("spec") or _NOTHING
    try:
        completed = spec if pod.stored else _with_limits(spec, pod.key.namespace, around)
        pod_usage(completed)
    except WRONG_SHAPE as error:
        raise unreadable(pod.key, pod.data, error) from error
    return completed


def _with_limits(spec: JsonObject, namespace: str, around: Surroundings) -> JsonObject:
    """The spec as an API server completes it, with the default limits of LimitRanges."""
    limits = around.context.limit_ranges.get(namespace) or {}
    return with_default_limits(completed_spec(spec, namespace, around), limits)


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
