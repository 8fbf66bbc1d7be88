"""Kueue's amounts, written down once more: 64-bit integers of which the largest means unlimited.

cpu counts in milli-units, every other resource in whole units, rounded up.
"""

from typing import Any

from kubectl_fairshare.model import quantity

UNLIMITED = 9223372036854775807
LEAST = -9223372036854775808
CORES_THAT_OVERFLOW = 9223372036854775

FlavorResource = tuple[str, str]
Amounts = dict[FlavorResource, int]


def plus(a: int, b: int) -> int:
    """The sum: unlimited if either is unlimited, otherwise held within 64 bits."""
    if UNLIMITED in (a, b):
        return UNLIMITED
    return max(LEAST, min(UNLIMITED, a + b))


def minus(a: int, b: int) -> int:
    """The difference: unlimited less unlimited is 0, bounded less unlimited is the least number there is."""
    if a == UNLIMITED:
        return 0 if b == UNLIMITED else UNLIMITED
    if b == UNLIMITED:
        return LEAST
    return max(LEAST, min(UNLIMITED, a - b))


def times(amount: int, count: int) -> int:
    """``count`` times a request, cut to the largest number."""
    return min(UNLIMITED, amount * count)


def quota(resource: str, value: Any) -> int:
    """A nominal quota or limit; unlimited once it would overflow."""
    if resource == "cpu" and quantity.nano(value) >= CORES_THAT_OVERFLOW * 10**9:
        return UNLIMITED
    return quantity.amount(resource, value)


def shown(resource: str, amount: int) -> str:
    """The amount as messages print it."""
    return "<unlimited>" if amount == UNLIMITED else quantity.text(resource, amount)


def merged(first: Amounts, second: Amounts) -> Amounts:
    """Both amounts added up, flavor-resource by flavor-resource."""
    keys = list(first) + [fr for fr in second if fr not in first]
    return {fr: plus(first.get(fr, 0), second.get(fr, 0)) for fr in keys}
