"""Amounts of resources as the scheduler holds them: four fixed fields, and a map of all other resources.

Sums wrap around at 64 bits. A listed 0 differs from a missing resource: comparisons read the listed ones.
Source: Kubernetes' scheduler framework, ``Resource``.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.quantity import QuantityError, nano
from kubectl_fairshare.schedulers.elasticquota.model import scaled
from kubectl_fairshare.schedulers.elasticquota.model.scaled import LARGEST, LEAST, cut, wrapped

CPU: Final = "cpu"
MEMORY: Final = "memory"
STORAGE: Final = "ephemeral-storage"
PODS: Final = "pods"
FIXED: Final = (CPU, MEMORY, STORAGE, PODS)
_NONE: Final[Mapping[str, int]] = {}
_PREFIX: Final = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*", re.ASCII)
_NAME: Final = re.compile(r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?", re.ASCII)
_LONGEST_PREFIX: Final = 253
_UNITS: Final = {CPU: 10**6}
_NANO: Final = 10**9


class Vector(NamedTuple):
    """An amount of every resource: cpu in millicores, the others in whole units; ``scalars`` by name."""

    cpu: int = 0
    memory: int = 0
    storage: int = 0
    pods: int = 0
    scalars: Mapping[str, int] = _NONE

    def of(self, resource: str, default: int = 0) -> int:
        """The amount of one resource; ``default`` for a scalar that is not listed."""
        if resource in FIXED:
            return (self.cpu, self.memory, self.storage, self.pods)[FIXED.index(resource)]
        return self.scalars.get(resource, default)

    def listed(self) -> tuple[str, ...]:
        """The resources that a comparison reads: the fixed ones, then the scalars by name."""
        return (*FIXED, *sorted(self.scalars))


ZERO: Final = Vector()
UNBOUNDED: Final = Vector(LARGEST, LARGEST, LARGEST)
"""A missing maximum: no bound except on ``pods``, whose use is always 0."""


class Excess(NamedTuple):
    """One resource in which ``wanted`` plus ``used`` exceeds ``bound``."""

    resource: str
    wanted: int
    used: int
    bound: int

    @property
    def more(self) -> int:
        """The amount above the bound."""
        return cut(wrapped(self.wanted + self.used) - self.bound)


def plus(a: Vector, b: Vector) -> Vector:
    """The sum; it lists what one of the two lists."""
    scalars = a.scalars
    if b.scalars:
        scalars = {**scalars, **{r: wrapped(scalars.get(r, 0) + v) for r, v in b.scalars.items()}}
    return _within_64_bits(a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], scalars)


def minus(a: Vector, b: Vector) -> Vector:
    """The difference; an amount of 0 stays listed."""
    scalars = a.scalars
    if b.scalars:
        scalars = {**scalars, **{r: wrapped(scalars.get(r, 0) - v) for r, v in b.scalars.items()}}
    return _within_64_bits(a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3], scalars)


def _within_64_bits(cpu: int, memory: int, storage: int, pods: int, scalars: Mapping[str, int]) -> Vector:
    if LEAST <= cpu <= LARGEST and LEAST <= memory <= LARGEST and LEAST <= storage <= LARGEST:
        return Vector(cpu, memory, storage, wrapped(pods), scalars)
    return Vector(wrapped(cpu), wrapped(memory), wrapped(storage), wrapped(pods), scalars)


def largest(a: Vector, b: Vector) -> Vector:
    """The larger of each amount; ``pods`` of ``b`` does not count."""
    scalars = a.scalars
    if b.scalars:
        scalars = {**scalars, **{r: max(scalars.get(r, 0), v) for r, v in b.scalars.items()}}
    return Vector(max(a.cpu, b.cpu), max(a.memory, b.memory), max(a.storage, b.storage), a.pods, scalars)


def over(wanted: Vector, used: Vector, bound: Vector, unlisted: int) -> bool:
    """Whether ``wanted`` plus ``used`` is more than ``bound`` in some resource.

    Only scalars that ``wanted`` lists are compared; one that ``bound`` does not list has the bound ``unlisted``.
    """
    if (
        wrapped(wanted.cpu + used.cpu) > bound.cpu
        or wrapped(wanted.memory + used.memory) > bound.memory
        or wrapped(wanted.storage + used.storage) > bound.storage
        or wrapped(wanted.pods + used.pods) > bound.pods
    ):
        return True
    return any(wrapped(v + used.scalars.get(r, 0)) > bound.scalars.get(r, unlisted) for r, v in wanted.scalars.items())


def amounts_over(wanted: Vector, used: Vector, bound: Vector, unlisted: int) -> Iterator[Excess]:
    """The resources in which ``over`` holds, the fixed ones first."""
    for resource, a, b, most in zip(FIXED, wanted[:4], used[:4], bound[:4], strict=True):
        if wrapped(a + b) > most:
            yield Excess(resource, a, b, most)
    for resource, a in sorted(wanted.scalars.items()):
        b, most = used.scalars.get(resource, 0), bound.scalars.get(resource, unlisted)
        if wrapped(a + b) > most:
            yield Excess(resource, a, b, most)


@lru_cache(maxsize=4096)
def is_scalar(resource: str) -> bool:
    """Whether the scheduler holds a resource that is not a fixed one; it silently ignores others."""
    if resource.startswith(("hugepages-", "attachable-volumes-")) or "kubernetes.io/" in resource:
        return True
    prefix, slash, name = f"requests.{resource}".partition("/")
    return (
        slash == "/"
        and not resource.startswith("requests.")
        and len(prefix) <= _LONGEST_PREFIX
        and _PREFIX.fullmatch(prefix) is not None
        and _NAME.fullmatch(name) is not None
    )


def is_held(resource: str) -> bool:
    """Whether the scheduler holds an amount of the resource."""
    return resource in FIXED or is_scalar(resource)


def amount(resource: str, value: Json) -> int:
    """A quantity of one resource in the scheduler's unit. Raises ``QuantityError``."""
    return scaled.milli(value) if resource == CPU else scaled.units(value)


def vector_of(amounts: Mapping[str, Json]) -> Vector:
    """A resource list of a manifest, without resources that the scheduler ignores. Raises ``QuantityError``."""
    if all(value.__class__ is str for value in amounts.values()):
        return _vector_of_texts(tuple(amounts.items()))
    return _vector_of(amounts.items())


@lru_cache(maxsize=4096)
def _vector_of_texts(amounts: tuple[tuple[str, str], ...]) -> Vector:
    return _vector_of(amounts)


def _vector_of(amounts: Iterable[tuple[str, Json]]) -> Vector:
    return vector_from({r: amount(r, value) for r, value in amounts if is_held(r)})


def vector_from(amounts: Mapping[str, int]) -> Vector:
    """The vector of amounts by resource."""
    scalars = {r: v for r, v in amounts.items() if r not in FIXED}
    cpu, memory, storage, pods = (amounts.get(r, 0) for r in FIXED)
    return Vector(cpu, memory, storage, pods, scalars or _NONE)


def exact(resource: str, value: Json) -> int:
    """The exact amount of a quantity in the scheduler's units, rounded away from zero, of any size.

    Raises ``QuantityError`` for a malformed one.
    """
    found, unit = nano(value), _UNITS.get(resource, _NANO)
    whole = -(-abs(found) // unit)
    return -whole if found < 0 else whole


def is_sound(resource: str, value: Json) -> bool:
    """Whether the scheduler holds the amount as written, and it is not negative."""
    try:
        found = exact(resource, value)
        return found >= 0 and (not is_held(resource) or found == amount(resource, value))
    except QuantityError:
        return False
