"""The figures of admission fair sharing: quantities that decay, entry penalties, and the usage that queues compare.

Amounts keep the digits that Kueue keeps, because usages are compared as floats and equal ones are a tie.
Why a usage is not simply what is held now: team a used 8 GPUs for a week and holds none, team b has just begun and
holds 1. With a half-life of a day b comes first, as a is still remembered.
Source: ``CalculateEntryPenalty``, ``CalculateUsage``, ``CalculateDecayedConsumed`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/util/admissionfairsharing/admission_fair_sharing.go, KEP-4136;
"admission fair sharing" in ``docs/laws.md``.
"""

import math
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Final, TypeAlias

from kubectl_fairshare.schedulers.kueue.model.consumption import SCALE, ExactQuantity
from kubectl_fairshare.schedulers.kueue.model.objects import AdmissionSharing

_SECOND: Final = 10**9
_MILLI: Final = 3
_MOST: Final = 2**63 - 1
BEFORE_ALL: Final = -math.inf
"""The usage of a LocalQueue that used nothing and has a weight of 0, where that divides: not a number, sorted first."""


Consumption: TypeAlias = Mapping[str, ExactQuantity]
"""Quantities by resource."""
Amounts: TypeAlias = dict[str, ExactQuantity]
NOTHING: Final[Consumption] = {}


def amount_quantity(resource: str, amount: int) -> ExactQuantity:
    """An amount in the units of ``model.amounts`` as a quantity: cpu in milli-units, the rest in units."""
    return ExactQuantity(amount, 3) if resource == "cpu" else ExactQuantity(amount)


def total(parts: Iterable[Consumption]) -> Amounts:
    """The sum of quantities, resource by resource."""
    found: Amounts = {}
    for part in parts:
        for resource, quantity in part.items():
            found[resource] = found[resource].plus(quantity) if resource in found else quantity
    return found


def alpha(seconds: float, half_life: float) -> float:
    """How much of the past fades in so many seconds; 0 where the half-life is 0."""
    # No half-life means no memory, and Kueue does not divide by 0.
    return 0.0 if half_life == 0 else 1.0 - math.pow(0.5, seconds / half_life)


def scaled(consumption: Consumption, factor: float, sharing: AdmissionSharing) -> Amounts:
    """Each quantity times ``factor``: see ``_scaled_exactly`` and ``_scaled_milli``, of which the release chooses."""
    by_law = _scaled_milli if sharing.release.milli_usage else _scaled_exactly
    return by_law(consumption, factor)


def _scaled_milli(consumption: Consumption, factor: float) -> Amounts:
    """The quantity in milli-units, rounded up, times ``factor`` as a float64, cut off (towards 0)."""
    return {r: ExactQuantity(int(float(_milli(q)) * factor), _MILLI) for r, q in consumption.items()}


def _milli(quantity: ExactQuantity) -> int:
    """The quantity in milli-units, rounded up; 0 if that has more than 64 bits."""
    shift = quantity.scale - _MILLI
    milli = quantity.unscaled * 10**-shift if shift <= 0 else -(-quantity.unscaled // 10**shift)
    return milli if abs(milli) <= _MOST else 0


def _scaled_exactly(consumption: Consumption, factor: float) -> Amounts:
    """Each quantity times the shortest decimal text of ``factor``, cut off (towards 0) after nine decimals."""
    # The shortest text of the float, as Go prints it into a quantity: not the float's exact value.
    sign, digits, exponent = Decimal(repr(factor)).as_tuple()
    if not isinstance(exponent, int):
        raise ValueError(f"{factor} is not a finite factor")
    number = int("".join(map(str, digits))) * (-1 if sign else 1)
    return {r: ExactQuantity(_cut(q.unscaled * number, q.scale - exponent), SCALE) for r, q in consumption.items()}


def _cut(unscaled: int, scale: int) -> int:
    if scale <= SCALE:
        return unscaled * int(10 ** (SCALE - scale))
    cut: int = abs(unscaled) // 10 ** (scale - SCALE)
    return -cut if unscaled < 0 else cut


def decayed(old: Consumption, admitted: Consumption, nanoseconds: int, sharing: AdmissionSharing) -> Amounts:
    """What is remembered after some time in which ``admitted`` was held: the past fades, the present comes in."""
    fading = alpha(max(0, nanoseconds) / _SECOND, sharing.half_life)
    return total((scaled(old, 1 - fading, sharing), scaled(admitted, fading, sharing)))


def sampled(old: Consumption, admitted: Consumption, nanoseconds: int, sharing: AdmissionSharing) -> Amounts:
    """What a sample leaves: as ``decayed``, and nothing at all where the half-life is 0."""
    return {} if sharing.half_life == 0 else decayed(old, admitted, nanoseconds, sharing)


def entry_penalty(requests: Consumption, sharing: AdmissionSharing) -> Amounts:
    """What a LocalQueue is charged as soon as the scheduler gives quota to one of its workloads."""
    return scaled(requests, alpha(sharing.sampling, sharing.half_life), sharing)


def usage(consumed: Consumption, penalty: Consumption, weight: float, sharing: AdmissionSharing) -> float:
    """What LocalQueues are compared by: the weighted sum over resources by name, for the weight of the LocalQueue.

    Infinite for a weight of 0 or less, or ``BEFORE_ALL``. A resource without a weight of its own weighs 1.
    """
    everything = total((consumed, penalty))
    found = 0.0
    # By name: floats add up to other sums in another order.
    for resource in sorted(everything):
        found += sharing.weights.get(resource, 1.0) * everything[resource].value
    if weight > 0:
        return found / weight
    return math.inf if found or not sharing.release.weight_divides else BEFORE_ALL
