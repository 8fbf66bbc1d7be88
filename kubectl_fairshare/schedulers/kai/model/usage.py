"""How KAI counts past usage: the window, the decay, and the metrics. Moments and durations are nanoseconds.

Source: ``usageDBConfig`` of a SchedulingShard, KAI-Scheduler v0.17; "kai usage" in ``docs/laws.md``.
"""

import re
from collections.abc import Mapping
from typing import Final

from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.kai.model.cron import last_before
from kubectl_fairshare.schedulers.kai.model.objects import Resources

SLIDING: Final = "sliding"
TUMBLING: Final = "tumbling"
CRON: Final = "cron"
WINDOWS: Final = (SLIDING, TUMBLING, CRON)
SECOND: Final = 10**9
QUEUE_LABEL: Final = "queue_name"
ALLOCATION: Final[Mapping[str, str]] = {
    "gpu": "kai_queue_allocated_gpus",
    "cpu": "kai_queue_allocated_cpu_cores",
    "memory": "kai_queue_allocated_memory_bytes",
}
CAPACITY: Final[Mapping[str, str]] = {
    "gpu": 'sum(kube_node_status_capacity{resource="nvidia_com_gpu"})',
    "cpu": 'sum(kube_node_status_capacity{resource="cpu"})',
    "memory": 'sum(kube_node_status_capacity{resource="memory"})',
}
_UNITS: Final = {
    "y": 365 * 86400 * 1000,
    "w": 7 * 86400 * 1000,
    "d": 86400 * 1000,
    "h": 3600 * 1000,
    "m": 60 * 1000,
    "s": 1000,
    "ms": 1,
}
_SPAN: Final = re.compile("".join(rf"(?:(\d{{1,12}}){unit})?" for unit in _UNITS), re.ASCII)
_MILLISECOND: Final = 10**6


class UsageParams(Value, frozen=True):
    """The settings of past usage. ``window`` applies to all windows except cron's, ``start`` to tumbling ones only.

    A ``half_life`` of 0 means no decay. ``configured``: a SchedulingShard has settings for usage.
    """

    window: int = 7 * 86400 * SECOND
    kind: str = SLIDING
    half_life: int = 0
    start: int | None = None
    cron: str = ""
    resolution: int = 60 * SECOND
    timeout: int = 10 * SECOND
    allocation: Mapping[str, str] = field(default_factory=lambda: ALLOCATION)
    capacity: Mapping[str, str] = field(default_factory=lambda: CAPACITY)
    configured: bool = True


class Counted(Value, frozen=True):
    """The sums of a server over a window: ``used`` by queue, ``offered`` by the whole cluster, per sample."""

    params: UsageParams
    since: int
    now: int
    used: Mapping[str, Resources]
    offered: Resources

    @property
    def as_kai(self) -> bool:
        """Whether KAI's own query gets the same result: it gets nothing unless the window slides."""
        return self.params.kind == SLIDING

    @property
    def fractions(self) -> dict[str, Resources]:
        """What each queue used, as a fraction of the capacity."""
        return {
            queue: Resources(*(u / o if o else 0.0 for u, o in zip(used, self.offered, strict=True)))
            for queue, used in self.used.items()
        }


class PastUsage(Value, frozen=True):
    """The source of past usage: ``sources`` as the user named them.

    ``counted`` is the answer of a server; ``places`` are the lines of files, by queue and resource.
    """

    sources: tuple[str, ...]
    counted: Counted | None = None
    places: Mapping[tuple[str, str], Place] = field(default_factory=dict)


def since(params: UsageParams, now: int) -> int:
    """The moment from which usage counts, as windows are documented; ``now`` itself for an empty window.

    Raises ``ValueError`` for parameters with which KAI's scheduler does not start, or stops.
    """
    if params.kind == SLIDING:
        return now - params.window
    if params.kind == CRON:
        return last_before(params.cron, now)
    if params.kind != TUMBLING:
        raise ValueError(f"`{params.kind[:64]}` is not a type of window")
    if params.start is None:
        raise ValueError("a tumbling window needs a start")
    if params.start >= now:
        return now
    if params.window <= 0:
        raise ValueError("a tumbling window needs a size")
    return params.start + (now - 1 - params.start) // params.window * params.window


def query_of(metric: str, params: UsageParams, now: int) -> str:
    """The query for one metric: its sum over the window, with decay if there is a half-life.

    For a sliding window it is KAI's own query. A window from a moment becomes one of the length until ``now``.
    """
    decayed = metric
    if params.half_life > 0:
        decayed = f"(({metric}) * (0.5^(({now // SECOND} - time()) / {params.half_life / SECOND:f})))"
    length = span_text(now - since(params, now))
    return f"sum_over_time(({decayed})[{length}:{span_text(params.resolution)}])"


def span_of(text: str) -> int:
    """A duration as Prometheus writes it, ``1w`` or ``1h30m``. Raises ``ValueError`` for anything else."""
    match = _SPAN.fullmatch(text)
    if text == "0":
        return 0
    if match is None or not text:
        raise ValueError(f"`{text[:64]}` is not a duration such as `1w` or `1h30m`")
    return sum(int(n or 0) * size for n, size in zip(match.groups(), _UNITS.values(), strict=True)) * _MILLISECOND


def span_text(span: int) -> str:
    """A duration as Prometheus reads it, to whole milliseconds."""
    left, text = span // _MILLISECOND, ""
    for unit, size in list(_UNITS.items())[1:]:
        number, left = divmod(left, size)
        text += f"{number}{unit}" if number else ""
    return text or "0s"
