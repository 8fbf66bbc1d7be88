"""The fields that shares, reasons and lists of all schedulers share and that answers do not have, as types."""

from typing import Literal, NotRequired, TypedDict

from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.parts import FigurePart
from kubectl_fairshare.report.forecast.document import StartPart

VerdictName = Literal["Running", "Finished", "Never", "NotNow", "Waiting", "Unmanaged", "Unknown"]


class QueueFiguresPart(TypedDict):
    """One resource of one queue, in one flavor where there are flavors; null is a figure that a scheduler lacks."""

    resource: str
    flavor: str
    guaranteed: FigurePart | None
    limit: FigurePart | None
    used: FigurePart | None
    borrowed: FigurePart | None
    lent: FigurePart | None
    fairShare: FigurePart | None
    reachable: FigurePart | None


class QueuePart(TypedDict):
    """A queue, or a group of queues; ``parent`` is the name of the one above, empty at the top."""

    kind: str
    namespace: str
    name: str
    parent: str
    weight: float | None
    share: float | None
    figures: list[QueueFiguresPart]  # and before them, those of ``QueueCounts``


class SharedShares(TypedDict):
    """Who holds what; ``titles`` are the scheduler's words for the figures of ``queues``.

    ``running`` and ``pending`` are the workloads of the queues that were asked for, with those whose queue is not in
    the input.
    """

    scheduler: str
    running: int
    pending: int
    titles: dict[str, str]
    queues: list[QueuePart]


class Explained(TypedDict):
    """Why a workload is where it is; ``next`` are the commands that a person would type now, the best first.

    ``forecast`` is when it starts, with `--forecast`; null for what does not wait.
    """

    scheduler: str
    next: list[str]
    forecast: NotRequired[StartPart | None]


class ListedWorkload(TypedDict):
    """A workload that waits; ``forecast`` is when it starts, with `--forecast`; null for what is not played."""

    forecast: NotRequired[StartPart | None]


class WaitingGroup(TypedDict):
    """What binds, and the workloads that wait for it, of which each scheduler says more."""

    verdict: VerdictName
    reason: str
    binds: str


class WaitingDocument(TypedDict):
    """The waiting workloads, in groups.

    ``running`` and ``pending`` are the workloads of the whole input as `shares` counts them, null for a part of it.
    ``namespace`` is the only one that was asked about, null for all. ``omitted`` counts those beyond ``--limit``;
    ``notListed`` says what else there is: running, finished, in other namespaces. ``next`` are the commands to run.
    """

    apiVersion: parts.ApiVersion
    kind: Literal["WaitingList"]
    scheduler: str
    namespace: str | None
    omitted: int
    notListed: list[str]
    asOf: str | None
    running: int | None
    pending: int | None
    fidelity: parts.FidelityPart
    next: list[str]
