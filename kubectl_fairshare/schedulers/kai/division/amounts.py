"""How KAI compares amounts: −1 is unlimited, and greater than any other.

``cpu``, ``memory`` and ``gpu`` are looked at in this order everywhere.
"""

from kubectl_fairshare.schedulers.kai.model.objects import UNLIMITED, Charge, Resources


def exceeds(amount: float, bound: float) -> bool:
    """Whether ``amount`` is greater than ``bound``; an amount of −1 is greater than any bound but −1."""
    if bound == UNLIMITED:
        return False
    return amount == UNLIMITED or amount > bound


def within(amounts: Resources, bounds: Resources) -> bool:
    """Whether no amount is greater than its bound."""
    return not (exceeds(amounts[0], bounds[0]) or exceeds(amounts[1], bounds[1]) or exceeds(amounts[2], bounds[2]))


def plus(a: Resources, b: Resources) -> Resources:
    """The sum of each."""
    return Resources(a[0] + b[0], a[1] + b[1], a[2] + b[2])


def minus(a: Resources, b: Resources) -> Resources:
    """The difference of each."""
    return Resources(a[0] - b[0], a[1] - b[1], a[2] - b[2])


def charged(charges: list[Charge]) -> Charge:
    """The sum of charges in their order."""
    cpu, memory, gpu, mig = 0.0, 0.0, 0.0, 0.0
    for charge in charges:
        cpu += charge.cpu
        memory += charge.memory
        gpu += charge.gpu
        mig += charge.mig
    return Charge(cpu, memory, gpu, mig)


def allocatable(quota: float, limit: float, fair_share: float) -> float:
    """What a queue may hold before it counts as above its share: the larger of quota and share, up to its limit."""
    if quota == UNLIMITED:
        return limit
    most = max(quota, fair_share)
    return most if limit == UNLIMITED else min(limit, most)


def requestable(limit: float, request: float) -> float:
    """What of a request the limit leaves."""
    return request if limit == UNLIMITED else min(limit, request)
