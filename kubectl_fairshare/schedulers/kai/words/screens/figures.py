"""KAI's amounts as people read them: cores, gigabytes, GPUs; −1 is unlimited."""

import math
from typing import Final

from kubectl_fairshare.report.text.figures import NOTHING
from kubectl_fairshare.schedulers.kai.model.objects import UNLIMITED, TimeAware

TITLES: Final = {"gpu": "GPU", "cpu": "CPU (cores)", "memory": "MEMORY (GB)"}
SHOWN: Final = ("gpu", "cpu", "memory")
"""The resources in the order of screens: what is scarce first."""
_SCALE: Final = {"cpu": 1000.0, "memory": 1e9, "gpu": 1.0}
_UNITS: Final = {"cpu": "cores", "memory": "GB", "gpu": "GPU"}


def amount(resource: str, value: float) -> str:
    """An amount that is there: ``1.5``, ``∞`` for an endless one."""
    scaled = value / _SCALE[resource]
    return number(scaled, 3 if abs(scaled) >= 0.001 else 9)


def bound(resource: str, value: float) -> str:
    """A quota or a limit; −1 is ``unlimited``."""
    return "unlimited" if value == UNLIMITED else amount(resource, value)


def some(resource: str, value: float) -> str:
    """An amount, where 0 means that there is none."""
    return amount(resource, value) if value else NOTHING


def with_unit(resource: str, value: float) -> str:
    """An amount with its unit: ``4 GPU``, ``1.5 cores``."""
    text = amount(resource, value)
    return f"{text} {'core' if resource == 'cpu' and text == '1' else _UNITS[resource]}"


def bound_with_unit(resource: str, value: float) -> str:
    """A bound with its unit; an unlimited one has none."""
    return "unlimited" if value == UNLIMITED else with_unit(resource, value)


def formula(time_aware: TimeAware, k: float) -> str:
    """How past usage counts."""
    return "the proposal's max(W' − U', 0)" if time_aware is TimeAware.PROPOSAL else f"k = {number(k)}"


def ratio(value: float) -> str:
    """What is held as a part of a fair share."""
    return number(value, 3)


def number(value: float, digits: int = 6) -> str:
    """A number with at most so many decimals, and none that say nothing."""
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text.replace("-", "−")
