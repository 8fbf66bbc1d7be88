"""The GPU request of a pod by KAI's rules: whole devices, fractions, memory, MIG slices.

Source: KAI-Scheduler v0.17, documentation on GPU sharing; "kai requests" in ``docs/laws.md``.
"""

import math
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from kubectl_fairshare.model.amounts import UNLIMITED
from kubectl_fairshare.model.quantity import units
from kubectl_fairshare.schedulers.kai.model.objects import GpuKind, GpuRequest

WHOLE_NAMES: Final = ("amd.com/gpu", "nvidia.com/gpu")
MIG_PREFIX: Final = "nvidia.com/mig-"
FRACTION: Final = "gpu-fraction"
MEMORY: Final = "gpu-memory"
DEVICES: Final = "gpu-fraction-num-devices"
_MIG: Final = re.compile(r"nvidia\.com/mig-(\d+)g\.(\d+)gb", re.ASCII)
_LONGEST: Final = 64
_WHOLE_NUMBER: Final = re.compile(r"[+-]?\d+", re.ASCII)
_DECIMAL: Final = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def devices(portion: float, count: int) -> float:
    """``count`` times a portion of a GPU, the portion rounded to hundredths, halves away from zero."""
    hundredths = math.floor(abs(portion) * 100 + 0.5)
    return (hundredths if portion >= 0 else -hundredths) * count / 100


@lru_cache(maxsize=1024)
def mig_size(name: str) -> int | None:
    """The number of GPUs that a MIG slice counts for; None for a name that KAI does not understand."""
    match = _MIG.fullmatch(name)
    return whole(match[1]) if match and whole(match[2]) is not None else None


def mig_gpus(slices: Mapping[str, int]) -> float:
    """The GPUs that MIG slices count for together."""
    total = 0.0
    for name in sorted(slices):
        total += (mig_size(name) or 0) * slices[name]
    return total


class Tally:
    """The sum of containers' GPUs as KAI adds them: a count of devices, all with the same portion.

    Different portions cannot be added: KAI keeps the first one.
    """

    __slots__ = ("count", "mig", "portion")

    def __init__(self, requests: Mapping[str, str | int | float]) -> None:
        self.count, self.portion = 0, 0.0
        self.mig: dict[str, int] = {}
        for name in sorted(requests):
            if name in WHOLE_NAMES:
                self._take(units(requests[name]))
            elif name.startswith(MIG_PREFIX):
                self.mig[name] = self.mig.get(name, 0) + units(requests[name])

    def _take(self, value: int) -> None:
        if value >= 1:
            self.count += value
            self.portion = 1.0
        else:
            self.portion += value
            self.count = 1

    @property
    def gpus(self) -> float:
        """The sum in devices."""
        return devices(self.portion, self.count)

    def plus(self, other: "Tally") -> "Tally":
        """The sum with the request of another container."""
        empty = self.portion == 0 and self.count == 0
        if not empty and (other.portion != 0 or other.count != 0) and self.portion != other.portion:
            return self
        count, portion = (other.count, other.portion) if empty else (self.count + other.count, self.portion)
        return _tally(count, portion, {name: self.mig.get(name, 0) + v for name, v in other.mig.items()}, self.mig)

    def raised_to(self, other: "Tally") -> "Tally":
        """The larger of both, because init containers run before the others."""
        if self.portion != 0 and other.portion != 0 and self.portion != other.portion:
            return self
        more = other if other.gpus > self.gpus else self
        larger = {name: max(self.mig.get(name, v), v) for name, v in other.mig.items()}
        return _tally(more.count, more.portion, larger, self.mig)


def _tally(count: int, portion: float, mig: Mapping[str, int], before: Mapping[str, int]) -> Tally:
    """A sum; ``mig`` are the slices that changed."""
    found = Tally({})
    found.count, found.portion, found.mig = count, portion, {**before, **mig}
    return found


def shared(found: Tally, annotations: Mapping[str, str]) -> GpuRequest:
    """The request as the annotations change it: memory, a fraction (which wins), their number of devices."""
    kind = GpuKind.MIG if found.mig else GpuKind.WHOLE
    request = GpuRequest(kind, found.count, found.portion, 0)
    memory, fraction = whole(annotations.get(MEMORY) or "") or 0, _decimal(annotations.get(FRACTION))
    if memory > 0:
        request = GpuRequest(GpuKind.MEMORY, 1, 0.0, memory)
    if 0 < fraction <= 1:
        request = GpuRequest(GpuKind.FRACTION, 1, fraction, 0)
    count = whole(annotations.get(DEVICES) or "")
    if request.kind in (GpuKind.FRACTION, GpuKind.MEMORY) and count is not None:
        request = GpuRequest(request.kind, count, fraction, memory)
    return request


def whole(text: str) -> int | None:
    """A whole number of 64 bits; None for anything else."""
    if len(text) > _LONGEST or _WHOLE_NUMBER.fullmatch(text) is None:
        return None
    number = int(text)
    return number if -UNLIMITED <= number <= UNLIMITED else None


def _decimal(text: str | None) -> float:
    return float(text) if text is not None and _DECIMAL.fullmatch(text) else 0.0
