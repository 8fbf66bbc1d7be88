"""Amounts of KAI's queues as findings print them, in the units in which they are written."""

from typing import Final

from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, Resources
from kubectl_fairshare.schedulers.kai.rules.queues import is_unlimited

_MEGABYTE: Final = 1_000_000
_UNITS: Final = {"cpu": "millicores of cpu", "memory": "MB of memory", "gpu": "GPUs"}


def amount(resource: str, value: float) -> str:
    """An amount with its unit: ``4000 millicores of cpu``, ``2 GPUs``, ``1 GPU``."""
    if is_unlimited(value):
        return f"unlimited {'GPUs' if resource == 'gpu' else resource}"
    scaled = value / _MEGABYTE if resource == "memory" else value
    unit = "GPU" if resource == "gpu" and scaled == 1 else _UNITS[resource]
    return f"{scaled:.12g} {unit}"


def of(resources: Resources, resource: str) -> float:
    """The amount of one resource."""
    return resources[RESOURCES.index(resource)]
