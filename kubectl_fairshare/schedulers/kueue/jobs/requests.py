"""The requests of one pod of a pod set, by Kueue's law.

The steps, in Kueue's order: overhead of the RuntimeClass; LimitRange defaults; missing requests are
the limits; containers, sidecars and init containers together; pod-level requests instead of them;
overhead in addition; excluded resources removed; transformations; whole units, rounded up.
For a real pod, the API server copies limits to missing requests *before* a LimitRange applies. For the templates of
jobs Kueue does this the other way round, and so charges less than the pods request (limits without requests).

Amounts are in 10⁻⁹ until the last step, so that rounding comes after all additions.
Source: Kueue v0.19 documentation on resource accounting; KEP-753 (sidecars), KEP-2837 (pod level).
"""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.limits import LimitSummary, bounds_of
from kubectl_fairshare.jobs.requests import (
    AMOUNTS,
    POD_LAW,
    Amounts,
    InitList,
    RequestLaw,
    Stated,
    completed,
    completed_whole,
    of_containers,
    with_whole,
)
from kubectl_fairshare.model.amounts import UNLIMITED, WrappingAmount
from kubectl_fairshare.model.json import FieldPath
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import Value, field, replace
from kubectl_fairshare.schedulers.kueue.jobs.context import Context
from kubectl_fairshare.schedulers.kueue.jobs.kinds.kind import PodTemplate
from kubectl_fairshare.schedulers.kueue.model.objects import Configuration
from kubectl_fairshare.schedulers.kueue.model.workload import UnknownClass

if TYPE_CHECKING:
    from fractions import Fraction
from kubectl_fairshare.schedulers.kueue.release import DEFAULT, KueueRelease

Resources: TypeAlias = dict[str, int]
_NANO: Final = 10**9
_CPU_NANO: Final = 10**6
_LARGE: Final = 1 << 57
"""Below it no sum over the pod sets of a workload, and what a tree uses, comes near to the bound of 64 bits."""
_MOST_CHARGES: Final = 32
"""The most charges of one pod that are tried, where chance draws one."""
_LONG: Final = 18
"""The most digits of a quantity that Kubernetes keeps as an integer with a power of ten."""


class Claim(Value, frozen=True):
    """Requests and limits of one place: a container, or the pod as a whole.

    ``path`` leads from the pod spec to that place. ``places`` has the origin of a limit that is not written there,
    ``requested`` that of such a request.
    """

    path: FieldPath
    requests: Resources
    limits: Resources
    sidecar: bool = False
    places: Mapping[str, Place] = field(default_factory=dict)
    requested: Mapping[str, Place] = field(default_factory=dict)


class PodResources(Value, frozen=True):
    """All resources in a pod spec, added up by ``law``; ``whole`` is None without pod-level resources."""

    init: tuple[Claim, ...]
    containers: tuple[Claim, ...]
    whole: Claim | None
    overhead: Resources
    law: RequestLaw = POD_LAW

    @property
    def claims(self) -> tuple[Claim, ...]:
        """All of them: those of init containers, of containers, and of the pod as a whole."""
        return (*self.init, *self.containers, *((self.whole,) if self.whole else ()))


def pod_resources(
    spec: Field,
    overheads: Mapping[str, Mapping[str, int]],
    limits: LimitSummary,
    *,
    native: bool,
    is_pod: bool,
    release: KueueRelease = DEFAULT,
) -> PodResources:
    """The resources of a pod spec as Kueue adjusts them, steps one to three.

    ``native``: a kind of Kubernetes itself, not a custom resource. ``is_pod``: a Pod, which the API
    server has completed before Kueue sees it, so that its limits come before any LimitRange.
    """
    law = request_law(release, native=native, is_pod=is_pod)
    pod = PodResources(*_claims(spec, limits, law), None, _overhead(spec, overheads, native), law)
    if spec.at("resources").value is None:
        return pod
    whole = _claim(spec.at("resources"), ("resources",), None, law)
    if law.containers_first and whole.limits:  # an API server has completed a Pod before LimitRanges did
        written = _of_containers(PodResources(*_claims(spec, {}, law), None, {}, law))
        whole = replace(whole, requests=completed_whole(Stated(whole.requests, whole.limits), written))
    whole = _completed(whole, limits, "Pod", law) if law.whole_defaults else replace(whole, limits={})
    return replace(pod, whole=whole)


def request_law(release: KueueRelease, *, native: bool, is_pod: bool) -> RequestLaw:
    """How Kueue completes and adds up a pod."""
    return RequestLaw(
        limits_first=is_pod or release.limits_first,
        containers_first=is_pod,
        whole_defaults=release.pod_level_defaults,
        whole_at_least=release.pod_level_at_least,
        native=native,
        negative=release.negative_requests and not native,
    )


def _claims(spec: Field, limits: LimitSummary, law: RequestLaw) -> tuple[tuple[Claim, ...], tuple[Claim, ...]]:
    """The claims of the init containers, and of the containers."""
    init, containers = (
        tuple(
            _completed(_claim(each.at("resources"), (name, i), each, law), limits, "Container", law)
            for i, each in enumerate(spec.at(name).entries())
        )
        for name in ("initContainers", "containers")
    )
    return init, containers


def _claim(resources: Field, path: FieldPath, container: Field | None, law: RequestLaw) -> Claim:
    return Claim(
        path,
        resources.at("requests").resources(native=law.native, negative=law.negative),
        resources.at("limits").resources(native=law.native, negative=law.negative),
        container is not None and container.at("restartPolicy").value == "Always",
    )


def _completed(claim: Claim, limits: LimitSummary, kind: str, law: RequestLaw) -> Claim:
    """The claim with what LimitRanges add, and with the limits as missing requests."""
    limit, request = bounds_of(limits, kind, "default"), bounds_of(limits, kind, "defaultRequest")
    if not limit and not request and not claim.limits:
        return claim
    own = Stated(claim.requests, claim.limits)
    default = Stated({r: b.nano for r, b in request.items()}, {r: b.nano for r, b in limit.items()})
    first = {**claim.limits, **claim.requests} if law.limits_first else claim.requests
    return replace(
        claim,
        requests=completed(own, default, law),
        limits={**default.limits, **claim.limits},
        places={r: b.place for r, b in limit.items() if r not in claim.limits},
        requested={r: b.place for r, b in request.items() if r not in first},
    )


def _overhead(spec: Field, overheads: Mapping[str, Mapping[str, int]], native: bool) -> Resources:
    written = spec.at("overhead").resources(native=native)
    return written or dict(overheads.get(spec.at("runtimeClassName").text(), {}))


def unknown_overheads(templates: Iterable[PodTemplate], context: Context) -> tuple[UnknownClass, ...]:
    """The RuntimeClasses that pods without an overhead of their own name, and that the input lacks.

    One that certainly does not exist adds nothing: Kueue goes on without it.
    """
    classes = ((t.spec.at("runtimeClassName").text(), t) for t in templates)
    named = {name: t for name, t in classes if name and not t.spec.at("overhead").mapping()}
    missing = [(_class_key(name), t) for name, t in named.items() if name not in context.overheads]
    unknown = [(key, t) for key, t in missing if not context.complete and key not in context.absent]
    return tuple(UnknownClass(key, t.spec.at("runtimeClassName").place) for key, t in unknown)


def _class_key(name: str) -> ObjectKey:
    return ObjectKey("node.k8s.io", "RuntimeClass", "", name)


def total(pod: PodResources) -> Resources:
    """The resources that the pod occupies, in 10⁻⁹: steps four to six."""
    found = _of_containers(pod)
    if pod.whole is not None:
        found = with_whole(found, pod.whole.requests, AMOUNTS, pod.law)
    return dict(AMOUNTS.plus(found, pod.overhead))


def _of_containers(pod: PodResources) -> Amounts:
    init: Iterable[InitList[Amounts]] = (InitList(claim.requests, claim.sidecar) for claim in pod.init)
    return of_containers((claim.requests for claim in pod.containers), init, AMOUNTS, pod.law)


def amounts(requests: "Mapping[str, int | Fraction]") -> Resources:
    """Amounts in Kueue's units, from amounts in 10⁻⁹: cpu in milli-units, the rest in units, rounded up."""
    return {r: int(min(_units(r, v), UNLIMITED)) for r, v in requests.items()}


def _units(resource: str, amount: "int | Fraction") -> "int | Fraction":
    return -(-amount // (_CPU_NANO if resource == "cpu" else _NANO))


def wrapped_amounts(requests: "Mapping[str, int | Fraction]") -> Resources:
    """The same as plain 64-bit integers: what does not fit counts 0, or its low 64 bits if it is long or wraps once."""
    return {r: _wrapped(int(_units(r, v)), cpu=r == "cpu") for r, v in requests.items()}


def _amounts_of(requests: "Mapping[str, int | Fraction]", release: KueueRelease) -> Resources:
    """The amounts as a release computes them: all of them wrap, those of other resources than cpu do, or none does."""
    if release.wrapping_amounts:
        return wrapped_amounts(requests)
    if release.wrapping_requests:
        wrapped = {r: int(v) for r, v in wrapped_amounts(requests).items() if r != "cpu"}
        return amounts({r: v for r, v in requests.items() if r == "cpu"}) | wrapped
    return amounts(requests)


def wrapping_sums(requests: Resources, count: int, release: KueueRelease) -> Resources:
    """The requests of ``count`` pods: sums with large ones wrap, where the release adds up plain 64-bit integers."""
    if release.wrapping_amounts and any(not -_LARGE < amount * count < _LARGE for amount in requests.values()):
        return {resource: WrappingAmount(amount) for resource, amount in requests.items()}
    return requests


def _wrapped(units: int, *, cpu: bool) -> int:
    if abs(units) <= UNLIMITED:
        return units
    is_long = len(str(abs(units)).rstrip("0")) > _LONG
    return WrappingAmount(units if is_long or (cpu and len(str(abs(units) // 1000)) <= _LONG) else 0)


class Charges(NamedTuple):
    """What Kueue charges for one pod; ``instead`` are other charges, of which a Go map's order draws one.

    ``every``: there are no more than these.
    """

    first: Resources
    instead: tuple[Resources, ...] = ()
    every: bool = True


def charges(requests: Resources, configuration: Configuration) -> Charges:
    """The amounts that Kueue charges for the resources that one pod occupies: steps seven and eight, and rounding.

    A negative amount, which current servers do not store, counts as 0, or in older releases as it is.
    """
    prefixes, release = configuration.excluded_prefixes, configuration.release
    kept = {r: v for r, v in requests.items() if not (prefixes and r.startswith(prefixes))}
    if not configuration.transformations:
        return Charges(_charged(kept, release))
    from kubectl_fairshare.schedulers.kueue.jobs.transformations import outputs_apart, outputs_together

    if release.transformations_apart:
        return Charges(_charged(outputs_apart(kept, configuration.transformations), release))
    ways, every = outputs_together(kept, configuration.transformations, whole=release.whole_inputs)
    found = {tuple(charged.items()): charged for charged in (_charged(way, release) for way in ways)}
    first, *others = islice(found.values(), _MOST_CHARGES + 1)
    return Charges(first, tuple(others[: _MOST_CHARGES - 1]), every and len(others) < _MOST_CHARGES)


def _charged(outputs: "Mapping[str, int | Fraction]", release: KueueRelease) -> Resources:
    charged = _amounts_of(outputs, release)
    if release.negative_requests:
        return {resource: charged[resource] for resource in sorted(charged)}
    return {resource: max(0, charged[resource]) for resource in sorted(charged)}
