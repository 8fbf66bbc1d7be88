"""How KAI compares amounts: −1 is unlimited, and greater than any other amount.

``cpu``, ``memory`` and ``gpu`` are compared in this order everywhere.
"""

from typing import TypeVar

from kubectl_fairshare.schedulers.kai.model.objects import UNLIMITED, Charge, Resources

Kind = TypeVar("Kind", bound=Resources)


def exceeds(amount: float, bound: float) -> bool:
    """Whether ``amount`` is greater than ``bound``; an amount of −1 is greater than any bound but −1."""
    if bound == UNLIMITED:
        return False
    return amount == UNLIMITED or amount > bound


def within(amounts: Resources, bounds: Resources) -> bool:
    """Whether no amount is greater than its bound."""
    return not (exceeds(amounts[0], bounds[0]) or exceeds(amounts[1], bounds[1]) or exceeds(amounts[2], bounds[2]))


def plus(a: Kind, b: Resources) -> Kind:
    """The sums, with the type of the first."""
    return Resources(a[0] + b[0], a[1] + b[1], a[2] + b[2])  # type: ignore[return-value]


def minus(a: Kind, b: Resources) -> Kind:
    """The differences, with the type of the first."""
    return Resources(a[0] - b[0], a[1] - b[1], a[2] - b[2])  # type: ignore[return-value]


def charged(charges: list[Charge]) -> Charge:
    """The sum of charges in their order."""
    cpu, memory, gpu, mig = 0.0, 0.0, 0.0, 0.0
    for charge in charges:
        cpu += charge.cpu
        memory += charge.memory
        gpu += charge.gpu
        mig += charge.mig
    return Charge(cpu, memory, gpu, mig)
