"""Every workload that waits, grouped by what binds, as a document."""

from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.shared import ListedWorkload, SharedWaiting, SharedWaitingGroup
from kubectl_fairshare.schedulers.kueue.documents import limits
from kubectl_fairshare.schedulers.kueue.why.verdict import Why
from kubectl_fairshare.schedulers.kueue.words.why_words import deciding, reason_clause, subject


class WaitingPart(ListedWorkload):
    """A workload that waits, at ``position`` of ``of`` in its ClusterQueue; null if it is in no queue.

    ``position`` alone is null where the input does not say which of several workloads comes first.
    """

    subject: str
    workload: parts.WorkloadName | None
    job: str | None
    clusterQueue: str
    sentence: str
    position: int | None
    of: int | None
    exact: bool
    since: str | None
    bindings: list[limits.LimitPart]


class WaitingGroup(SharedWaitingGroup):
    """What binds, and the workloads that wait for it."""

    workloads: list[WaitingPart]


class WaitingDocument(SharedWaiting):
    """Every workload that waits."""

    groups: list[WaitingGroup]


def waiting_entry(why: Why, places: parts.Places) -> WaitingPart:
    """One workload that waits."""
    standing = None if why.plan is None or why.plan.nomination.refused is not None else why.plan.standing
    job = why.job if why.workload is None else why.jobs.get(why.workload)
    return {
        "subject": str(subject(why)),
        "workload": None if why.workload is None else parts.workload_name(why.workload),
        "job": None if job is None else str(job),
        "clusterQueue": why.cluster_queue,
        "sentence": reason_clause(why),
        "position": None if standing is None or standing.unordered else standing.position,
        "of": None if standing is None else standing.of,
        "exact": why.fidelity.exact,
        "since": parts.moment(why.since),
        "bindings": [limits.binding(b, places) for b in deciding(why)],
    }
