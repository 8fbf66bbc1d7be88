"""The past usage of LocalQueues, as ``shares --by localqueue`` shows it.

Tested in ``tests/unit/cli/test_admission_sharing.py``.
"""

import math
from collections.abc import Collection, Sequence

from kubectl_fairshare.answers.ages import length_text
from kubectl_fairshare.answers.blocks import Block, Grid, Remark
from kubectl_fairshare.schedulers.kueue.admission_sharing.past_usage import Entry, LocalQueueName
from kubectl_fairshare.schedulers.kueue.explain.past_usage import PastReport
from kubectl_fairshare.schedulers.kueue.model.workload import Pending

_TITLES = ("CLUSTERQUEUE", "LOCALQUEUE", "WEIGHT", "PAST USAGE", "NEXT WORKLOAD")
_WORDS = frozenset(("CLUSTERQUEUE", "LOCALQUEUE", "NEXT WORKLOAD"))
_SECOND = 10**9
_RANGE = "A range: Kueue's manager keeps entry penalties and the usage since the last sample in its memory alone."


def past_usage(report: PastReport, shown: Collection[str]) -> Sequence[Block]:
    """A row for each LocalQueue, least usage first; ``shown`` are the ClusterQueues on the screen."""
    queues = [each for each in report.queues if each[0] in shown]
    entries = [entry for _, entries, _ in queues for _, entry in entries]
    if not entries:
        return ()
    rows = [_row(name, local, entry, head) for name, found, head in queues for local, entry in found]
    ranges = any(entry.low != entry.high for entry in entries)
    notes = (Remark(_RANGE, "dim", first="", more=""),) if ranges else ()
    return (Remark(_settings(report)), Grid(_TITLES, rows, _WORDS), *notes)


def _row(cluster_queue: str, local: LocalQueueName, entry: Entry, head: Pending | None) -> tuple[str, ...]:
    is_next = head is not None and (head.key.namespace, head.local_queue) == local
    following = head.name if is_next and head is not None else ""
    return cluster_queue, "/".join(local), f"{entry.weight:g}", _usage(entry), following


def _usage(entry: Entry) -> str:
    if entry.low == entry.high:
        return _number(entry.usage)
    return f"{_number(entry.low)} to {_number(entry.high)}"


def _number(value: float) -> str:
    if value == -math.inf:
        return "none, before all"
    return "infinite" if math.isinf(value) else f"{value:.6g}"


def _settings(report: PastReport) -> str:
    sharing = report.sharing
    weights = ", ".join(f"{name} {weight:g}" for name, weight in sharing.weights.items())
    weighed = f"resource weights: {weights}, others 1" if weights else "every resource weighs 1"
    half_life, sampling = (length_text(seconds * _SECOND) for seconds in (sharing.half_life, sharing.sampling))
    spans = f"half-life {half_life}, a sample every {sampling}"
    return f"admission fair sharing: {spans}; {weighed}"
