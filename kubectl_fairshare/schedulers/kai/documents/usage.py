"""The source of past usage, as a part of documents."""

from kubectl_fairshare.answers.documents import DocumentPart
from kubectl_fairshare.model.moments import moment_text
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES
from kubectl_fairshare.schedulers.kai.model.usage import SECOND, Counted, PastUsage


class WindowPart(DocumentPart, frozen=True):
    """The sums of a Prometheus server. ``offered`` is the cluster's capacity summed over the samples, by resource.

    A half-life of null means no decay. ``asKai``: KAI's own query gets the same result.
    """

    type: str
    since: str
    until: str
    half_life_seconds: float | None
    resolution_seconds: float
    offered: dict[str, float]
    as_kai: bool


class UsagePart(DocumentPart, frozen=True):
    """The sources as named by the user, and the window of a server."""

    sources: tuple[str, ...]
    window: WindowPart | None


def usage_part(past: PastUsage) -> UsagePart:
    """The part for a document."""
    return UsagePart(past.sources, None if past.counted is None else _window(past.counted))


def _window(counted: Counted) -> WindowPart:
    params = counted.params
    return WindowPart(
        params.kind,
        moment_text(counted.since),
        moment_text(counted.now),
        params.half_life / SECOND if params.half_life > 0 else None,
        params.resolution / SECOND,
        dict(zip(RESOURCES, counted.offered, strict=True)),
        counted.as_kai,
    )
