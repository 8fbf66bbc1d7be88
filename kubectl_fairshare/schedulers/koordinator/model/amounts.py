"""Amounts by resource, exact in 10⁻⁹, and the 64-bit integers that divisions use.

Koordinator adds quantities exactly. It rounds, away from zero, only where it divides: cpu to thousandths, all other
resources to units. A resource that is not listed differs from a listed 0: limits bind what they list.
Source: ``k8s.io/apiserver/pkg/quota/v1``; Koordinator, ``getQuantityValue``.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.numbers import LARGEST, LEAST

Amounts = Mapping[str, int]
"""Amounts in 10⁻⁹, by resource."""
NOTHING: Final[Amounts] = {}
CPU: Final = "cpu"
_CPU_UNIT: Final = 10**6
_UNIT: Final = 10**9


def amounts_of(written: Mapping[str, Json]) -> dict[str, int]:
    """A resource list. Raises ``QuantityError`` for a malformed quantity."""
    return {resource: quantity.nano(value) for resource, value in written.items()}


def unit(resource: str) -> int:
    """One inner unit of the resource, in 10⁻⁹."""
    return _CPU_UNIT if resource == CPU else _UNIT


def whole(resource: str, nano: int) -> int:
    """An amount in inner units: cpu in thousandths, the rest in units; rounded away from zero, wrapped at 64 bits."""
    size = -(-abs(nano) // (_CPU_UNIT if resource == CPU else _UNIT))
    return wrapped(-size if nano < 0 else size)


def exact(resource: str, amount: int) -> int:
    """An amount of inner units, in 10⁻⁹."""
    return amount * unit(resource)


def wrapped(value: int) -> int:
    """The 64-bit integer that remains of ``value`` without its higher bits."""
    return value if LEAST <= value <= LARGEST else ((value - LEAST) & ((1 << 64) - 1)) + LEAST


def plus(a: Amounts, b: Amounts) -> Amounts:
    """The sum; it lists what one of the two lists."""
    if not a or not b:
        return a or b
    return {**a, **{r: a.get(r, 0) + v for r, v in b.items()}}


def minus(a: Amounts, b: Amounts) -> Amounts:
    """The difference; it lists what one of the two lists."""
    return {**a, **{r: a.get(r, 0) - v for r, v in b.items()}}


def minus_floored(a: Amounts, b: Amounts) -> Amounts:
    """The difference, at least 0."""
    return {r: max(0, v) for r, v in minus(a, b).items()}


def masked(a: Amounts, keys: Collection[str]) -> Amounts:
    """The amounts of the listed resources."""
    return a if all(r in keys for r in a) else {r: v for r, v in a.items() if r in keys}


def capped(a: Amounts, most: Amounts) -> Amounts:
    """The amounts, at most those of ``most`` where it lists the resource."""
    return {r: min(v, most.get(r, v)) for r, v in a.items()}


def raised(a: Amounts, least: Amounts) -> Amounts:
    """The amounts, at least those of ``least``, whose resources are listed then."""
    return {**a, **{r: max(a.get(r, v), v) for r, v in least.items()}}


def beyond(a: Amounts, limit: Amounts) -> tuple[str, ...]:
    """The resources in which the amounts exceed a limit, sorted; only what both list is compared."""
    return tuple(sorted(r for r, v in limit.items() if r in a and a[r] > v))


def total_of(each: Iterable[Amounts]) -> Amounts:
    """The sum of many."""
    found: dict[str, int] = {}
    for amounts in each:
        for resource, value in amounts.items():
            found[resource] = found.get(resource, 0) + value
    return found


def fingerprint(a: Amounts) -> tuple[tuple[str, int], ...]:
    """The amounts as the key of a mapping: equal for equal amounts."""
    return tuple(sorted(a.items()))


def is_zero(a: Amounts) -> bool:
    """Whether every listed amount is 0."""
    return not any(a.values())


def inner(a: Amounts) -> dict[str, int]:
    """All amounts in inner units."""
    return {r: whole(r, v) for r, v in a.items()}
