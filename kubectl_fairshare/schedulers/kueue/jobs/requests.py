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
from typing import TYPE_CHECKING, Final, TypeAlias

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.limits import LimitSummary, bounds_of
from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.amounts import UNLIMITED, WrappingAmount
from kubectl_fairshare.model.json import FieldPath
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import Value, field, replace
from kubectl_fairshare.schedulers.kueue.jobs.context import Context
from kubectl_fairshare.schedulers.kueue.jobs.kinds.kind import PodTemplate
from kubectl_fairshare.schedulers.kueue.model.objects import Configuration, Transformation
from kubectl_fairshare.schedulers.kueue.model.workload import UnknownClass

if TYPE_CHECKING:
    from fractions import Fraction
from kubectl_fairshare.schedulers.kueue.release import DEFAULT, KueueRelease

Resources: TypeAlias = dict[str, int]
_NANO: Final = 10**9
_CPU_NANO: Final = 10**6
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
    """All resources in a pod spec; ``whole`` is None without pod-level resources.

    ``whole_at_least``: requests of the pod as a whole count only where they exceed those of the containers.
    """

    init: tuple[Claim, ...]
    containers: tuple[Claim, ...]
    whole: Claim | None
    overhead: Resources
    whole_at_least: bool = False

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
    negative = release.negative_requests and not native
    raw = PodResources(
        tuple(
            _claim(c.at("resources"), ("initContainers", i), c, native, negative)
            for i, c in _indexed_entries(spec, "initContainers")
        ),
        tuple(
            _claim(c.at("resources"), ("containers", i), c, native, negative)
            for i, c in _indexed_entries(spec, "containers")
        ),
        None
        if spec.at("resources").value is None
        else _claim(spec.at("resources"), ("resources",), None, native, negative),
        _overhead(spec, overheads, native),
        release.pod_level_at_least,
    )
    if is_pod:
        raw = _with_limits_as_requests(_with_requests_of_containers(raw))
    if release.limits_first:
        return _with_defaults(_with_limits_as_requests(raw), limits)
    if not release.pod_level_defaults:
        parts = _with_limits_as_requests(_with_defaults(replace(raw, whole=None), limits))
        return replace(parts, whole=raw.whole and replace(raw.whole, limits={}))
    return _with_limits_as_requests(_with_defaults(raw, limits))


def _indexed_entries(spec: Field, name: str) -> Iterable[tuple[int, Field]]:
    return enumerate(spec.at(name).entries())


def _claim(resources: Field, path: FieldPath, container: Field | None, native: bool, negative: bool) -> Claim:
    return Claim(
        path,
        resources.at("requests").resources(native=native, negative=negative),
        resources.at("limits").resources(native=native, negative=negative),
        container is not None and container.at("restartPolicy").value == "Always",
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


def _with_requests_of_containers(pod: PodResources) -> PodResources:
    """The pod-level requests of a Pod that sets only limits: its containers' requests, if they have some."""
    if pod.whole is None or not pod.whole.limits:
        return pod
    supported = {r: v for r, v in _of_containers(_with_limits_as_requests(pod)).items() if _is_pod_level(r)}
    return replace(pod, whole=replace(pod.whole, requests=supported | pod.whole.requests))


def _with_defaults(pod: PodResources, limits: LimitSummary) -> PodResources:
    if not limits:
        return pod
    whole = pod.whole
    return replace(
        pod,
        init=tuple(_claim_with_defaults(c, limits, "Container") for c in pod.init),
        containers=tuple(_claim_with_defaults(c, limits, "Container") for c in pod.containers),
        whole=whole and _claim_with_defaults(whole, limits, "Pod"),
    )


def _claim_with_defaults(claim: Claim, limits: LimitSummary, kind: str) -> Claim:
    limit, request = bounds_of(limits, kind, "default"), bounds_of(limits, kind, "defaultRequest")
    if not limit and not request:
        return claim
    return replace(
        claim,
        requests={r: b.nano for r, b in request.items()} | claim.requests,
        limits={r: b.nano for r, b in limit.items()} | claim.limits,
        places={r: b.place for r, b in limit.items() if r not in claim.limits},
        requested={r: b.place for r, b in request.items() if r not in claim.requests},
    )


def _with_limits_as_requests(pod: PodResources) -> PodResources:
    if not any(claim.limits for claim in pod.claims):
        return pod

    def with_missing_requests(claim: Claim) -> Claim:
        return replace(claim, requests=claim.limits | claim.requests) if claim.limits else claim

    return replace(
        pod,
        init=tuple(map(with_missing_requests, pod.init)),
        containers=tuple(map(with_missing_requests, pod.containers)),
        whole=pod.whole and with_missing_requests(pod.whole),
    )


def total(pod: PodResources) -> Resources:
    """The resources that the pod occupies, in 10⁻⁹: steps four to six."""
    asked = _of_containers(pod)
    if pod.whole is not None:
        whole = {r: v for r, v in pod.whole.requests.items() if _is_pod_level(r)}
        asked = _largest(asked, whole) if pod.whole_at_least else asked | whole
    return _sum(asked, pod.overhead)


def _is_pod_level(resource: str) -> bool:
    return resource in ("cpu", "memory") or resource.startswith("hugepages-")


def _of_containers(pod: PodResources) -> Resources:
    """The running containers with the sidecars, or an init container with the sidecars before it: the larger."""
    running: Resources = {}
    for claim in pod.containers:
        running = _sum(running, claim.requests)
    sidecars: Resources = {}
    peak: Resources = {}
    for claim in pod.init:
        moment = _sum(sidecars, claim.requests)
        if claim.sidecar:
            sidecars = moment
        peak = _largest(peak, moment)
    return _largest(_sum(running, sidecars), peak)


def _sum(a: Resources, b: Resources) -> Resources:
    return a | {r: a.get(r, 0) + v for r, v in b.items()}


def _largest(a: Resources, b: Resources) -> Resources:
    return a | {r: max(a.get(r, v), v) for r, v in b.items()}


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


def _wrapped(units: int, *, cpu: bool) -> int:
    if abs(units) <= UNLIMITED:
        return units
    is_long = len(str(abs(units)).rstrip("0")) > _LONG
    return WrappingAmount(units if is_long or (cpu and len(str(abs(units) // 1000)) <= _LONG) else 0)


def charged_requests(requests: Resources, configuration: Configuration) -> Resources:
    """The amounts that Kueue charges for the resources that one pod occupies: steps seven and eight, and rounding.

    A negative amount, which current servers do not store, counts as 0, or in older releases as it is.
    """
    prefixes = configuration.excluded_prefixes
    kept = {r: v for r, v in requests.items() if not (prefixes and r.startswith(prefixes))}
    outputs = _outputs(kept, configuration)
    charged = _amounts_of(outputs, configuration.release)
    if configuration.release.negative_requests:
        return {resource: charged[resource] for resource in sorted(charged)}
    return {resource: max(0, charged[resource]) for resource in sorted(charged)}


def _outputs(asked: Resources, configuration: Configuration) -> "Mapping[str, int | Fraction]":
    """The sum of the outputs; a negative sum counts as 0 and does not lower the requests."""
    rules, release = configuration.transformations, configuration.release
    if not rules:
        return asked
    from fractions import Fraction

    if not release.transformations_apart:
        return _outputs_together(asked, rules, whole=release.whole_inputs)
    retained: dict[str, int | Fraction] = dict(asked)
    generated: dict[str, Fraction] = {}
    for rule in rules:
        if rule.input not in asked:
            continue
        base = Fraction(asked[rule.input])
        if rule.multiply_by in asked:
            base *= Fraction(asked[rule.multiply_by], _NANO)
        for output, factor in rule.outputs.items():
            product = base * Fraction(quantity.nano(factor), _NANO)
            generated[output] = generated.get(output, Fraction(0)) + product
        if rule.strategy == "Replace":
            del retained[rule.input]
    for output, value in generated.items():
        retained[output] = retained.get(output, 0) + max(value, Fraction(0))
    return retained


def _outputs_together(
    asked: Resources, rules: tuple[Transformation, ...], *, whole: bool
) -> "Mapping[str, int | Fraction]":
    """The same in older releases: a multiplier also multiplies a retained input, and outputs lower what is requested.

    ``whole``: inputs and multipliers are rounded up to whole units first.
    """
    from fractions import Fraction

    def unit(amount: "int | Fraction") -> "int | Fraction":
        return -(-amount // _NANO) * _NANO if whole else amount

    found: dict[str, int | Fraction] = dict(asked)
    bases: dict[str, int | Fraction] = {}
    for rule in rules:
        if rule.input in asked:
            bases[rule.input] = asked[rule.input]
            if rule.multiply_by in asked:
                bases[rule.input] *= Fraction(unit(asked[rule.multiply_by]), _NANO)
            found[rule.input] = bases[rule.input]
            if rule.strategy == "Replace":
                del found[rule.input]
    for rule in (rule for rule in rules if rule.input in bases):
        for output, factor in rule.outputs.items():
            product = Fraction(unit(bases[rule.input])) * Fraction(quantity.nano(factor), _NANO)
            found[output] = found.get(output, 0) + product
    return found


def depends_on_order(asked: Iterable[str], rules: Iterable[Transformation]) -> bool:
    """Whether an output is requested by itself: in older releases a Go map's order decides if both count."""
    requested = set(asked)
    return any(rule.input in requested and not requested.isdisjoint(rule.outputs) for rule in rules)
