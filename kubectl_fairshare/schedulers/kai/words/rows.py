"""KAI's shares as CSV: one line per queue and resource."""

from collections.abc import Iterator

from kubectl_fairshare.report.csv_text import csv_text
from kubectl_fairshare.report.trees import walk
from kubectl_fairshare.schedulers.kai.model.kinds import QUEUE_GROUP
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES
from kubectl_fairshare.schedulers.kai.session.report import KaiShares

_COLUMNS = (
    *("queue", "parent", "priority", "resource", "quota", "limit", "weight", "usage", "requested", "allocated"),
    *("allocated_non_preemptible", "fair_share", "saturation"),
)


def kai_shares_csv(shares: KaiShares) -> str:
    """The figures: cpu in millicores, memory in bytes, −1 for unlimited."""
    return csv_text(_COLUMNS, _rows(shares))


def _rows(shares: KaiShares) -> Iterator[tuple[object, ...]]:
    for one in walk(shares.trees):
        standing, queue = one.standing, one.standing.queue
        for resource in shares.resources:
            r = RESOURCES.index(resource)
            figures = (queue.quota[r], queue.limit[r], queue.weight[r], standing.usage[r], standing.request[r])
            held = (standing.allocated[r], standing.non_preemptible[r], standing.fair_share[r], one.saturation[r])
            yield (queue.name, queue.parent, queue.priority, resource, *map(_plain, (*figures, *held)))


def kai_names(shares: KaiShares) -> list[str]:
    """The queues, as kubectl names objects."""
    return [f"queue.{QUEUE_GROUP}/{one.name}" for one in walk(shares.trees)]


def _plain(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else repr(value)
