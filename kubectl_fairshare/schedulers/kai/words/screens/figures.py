"""KAI's amounts as text: cores, gigabytes, GPUs; −1 is unlimited."""

import math
from typing import Final

from kubectl_fairshare.answers.number_text import NOTHING
from kubectl_fairshare.schedulers.kai.model.objects import UNLIMITED, TimeAware

TITLES: Final = {"gpu": "GPU", "cpu": "CPU (cores)", "memory": "MEMORY (GB)"}
SHOWN: Final = ("gpu", "cpu", "memory")
"""The resources in the order of screens: the scarce one first."""
_SCALE: Final = {"cpu": 1000.0, "memory": 1e9, "gpu": 1.0}
_UNITS: Final = {"cpu": "cores", "memory": "GB", "gpu": "GPU"}


def amount(resource: str, value: float) -> str:
    """An amount: ``1.5``, or ``∞`` if it is infinite."""
    scaled = value / _SCALE[resource]
    return number(scaled, 3 if abs(scaled) >= 0.001 else 9)


def in_full(resource: str, value: float) -> str:
    """An amount with all of its digits: it is to be written down, and a rounded one may be too little."""
    return number(value / _SCALE[resource], 9)


def bound(resource: str, value: float) -> str:
    """A quota or a limit; −1 is ``unlimited``."""
    return "unlimited" if value == UNLIMITED else amount(resource, value)


def some(resource: str, value: float) -> str:
    """An amount; 0 prints as a dash."""
    return amount(resource, value) if value else NOTHING


def with_unit(resource: str, value: float) -> str:
    """An amount with its unit: ``4 GPU``, ``1.5 cores``."""
    return unit_after(resource, amount(resource, value))


def unit_after(resource: str, text: str) -> str:
    """An amount that is text already, with its unit."""
    return f"{text} {'core' if resource == 'cpu' and text == '1' else _UNITS[resource]}"


def bound_with_unit(resource: str, value: float) -> str:
    """A bound with its unit; ``unlimited`` has no unit."""
    return "unlimited" if value == UNLIMITED else with_unit(resource, value)


def formula(time_aware: TimeAware, k: float) -> str:
    """The formula that weighs past usage."""
    return "the proposal's max(W' − U', 0)" if time_aware is TimeAware.PROPOSAL else f"k = {number(k)}"


def ratio(value: float) -> str:
    """What a queue holds, divided by its fair share."""
    return number(value, 3)


def number(value: float, digits: int = 6) -> str:
    """A number with at most ``digits`` decimals, without trailing zeros."""
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text.replace("-", "−")
