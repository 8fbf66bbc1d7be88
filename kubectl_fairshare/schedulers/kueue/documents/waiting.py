"""Every workload that waits, grouped by what binds, as a document."""

from typing import Final

from kubectl_fairshare.answers.documents import DocumentKind, DocumentPart, Moment
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.kueue.documents import limits
from kubectl_fairshare.schedulers.kueue.explain.decision import Binding
from kubectl_fairshare.schedulers.kueue.why.verdict import Why
from kubectl_fairshare.schedulers.kueue.words.why_words import deciding, reason_clause, subject


class WaitingPart(DocumentPart, frozen=True):
    """A workload that waits, at ``position`` of ``of`` in its ClusterQueue; null if it is in no queue.

    ``position`` alone is null where the input does not say which of several workloads comes first.
    """

    subject: str
    workload: ObjectKey | None
    job: str | None
    cluster_queue: str
    sentence: str
    position: int | None
    of: int | None
    exact: bool
    since: Moment
    bindings: tuple[Binding, ...]


WAITING: Final = DocumentKind("WaitingList", WaitingPart, "waiting", limits.HOOKS)


def waiting_entry(why: Why) -> WaitingPart:
    """One workload that waits."""
    standing = None if why.plan is None or why.plan.nomination.refused is not None else why.plan.standing
    job = why.job if why.workload is None else why.jobs.get(why.workload)
    return WaitingPart(
        subject=str(subject(why)),
        workload=why.workload,
        job=None if job is None else str(job),
        cluster_queue=why.cluster_queue,
        sentence=reason_clause(why),
        position=None if standing is None or standing.unordered else standing.position,
        of=None if standing is None else standing.of,
        exact=why.fidelity.exact,
        since=why.since,
        bindings=tuple(deciding(why)),
    )
