"""The source of past usage, as a part of documents."""

from typing import TypedDict

from kubectl_fairshare.model.moments import moment_text
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES
from kubectl_fairshare.schedulers.kai.model.usage import SECOND, Counted, PastUsage


class WindowPart(TypedDict):
    """The sums of a Prometheus server. ``offered`` is the cluster's capacity summed over the samples, by resource.

    A half-life of null means no decay. ``asKai``: KAI's own query gets the same result.
    """

    type: str
    since: str
    until: str
    halfLifeSeconds: float | None
    resolutionSeconds: float
    offered: dict[str, float]
    asKai: bool


class UsagePart(TypedDict):
    """The sources as named by the user, and the window of a server."""

    sources: list[str]
    window: WindowPart | None


def usage_part(past: PastUsage | None) -> UsagePart | None:
    """The part for a document; None without past usage."""
    if past is None:
        return None
    return {"sources": list(past.sources), "window": None if past.counted is None else _window(past.counted)}


def _window(counted: Counted) -> WindowPart:
    params = counted.params
    return {
        "type": params.kind,
        "since": moment_text(counted.since),
        "until": moment_text(counted.now),
        "halfLifeSeconds": params.half_life / SECOND if params.half_life > 0 else None,
        "resolutionSeconds": params.resolution / SECOND,
        "offered": dict(zip(RESOURCES, counted.offered, strict=True)),
        "asKai": counted.as_kai,
    }
