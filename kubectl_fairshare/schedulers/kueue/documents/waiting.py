"""Every workload that waits, grouped by what binds, as a document."""

from collections.abc import Sequence
from typing import Literal, TypedDict

from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.schedulers.kueue.documents import limits
from kubectl_fairshare.schedulers.kueue.documents.why import VerdictName, moment
from kubectl_fairshare.schedulers.kueue.why.verdict import Why
from kubectl_fairshare.schedulers.kueue.words.why_groups import Group, grouped
from kubectl_fairshare.schedulers.kueue.words.why_words import deciding, reason_clause, subject


class WaitingPart(TypedDict):
    """A workload that waits; ``position`` of ``of`` in its ClusterQueue, null where it stands in none."""

    subject: str
    workload: parts.WorkloadName | None
    job: str | None
    clusterQueue: str
    sentence: str
    position: int | None
    of: int | None
    exact: bool
    since: str | None
    bindings: list[limits.BindingPart]


class WaitingGroup(TypedDict):
    """What binds, and the workloads that it binds."""

    verdict: VerdictName
    reason: str
    binds: str
    workloads: list[WaitingPart]


class WaitingDocument(TypedDict):
    """Every workload that waits."""

    apiVersion: parts.ApiVersion
    kind: Literal["WaitingList"]
    groups: list[WaitingGroup]


def waiting_document(whys: Sequence[Why], places: parts.Places) -> WaitingDocument:
    """All that wait, in the order of the screen."""
    groups = [_group(group, places) for group in grouped(whys)]
    return {"apiVersion": parts.API_VERSION, "kind": "WaitingList", "groups": groups}


def _group(of: Group, places: parts.Places) -> WaitingGroup:
    return {
        "verdict": of.verdict.value,
        "reason": str(of.reason),
        "binds": of.title,
        "workloads": [_waiting(why, places) for why in of.whys],
    }


def _waiting(why: Why, places: parts.Places) -> WaitingPart:
    standing = None if why.plan is None or why.plan.nomination.refused is not None else why.plan.standing
    job = why.job if why.workload is None else why.jobs.get(why.workload)
    return {
        "subject": str(subject(why)),
        "workload": None if why.workload is None else parts.workload_name(why.workload),
        "job": None if job is None else str(job),
        "clusterQueue": why.cluster_queue,
        "sentence": reason_clause(why),
        "position": None if standing is None else standing.position,
        "of": None if standing is None else standing.of,
        "exact": why.fidelity.exact,
        "since": moment(why.since),
        "bindings": [limits.binding(b, places) for b in deciding(why)],
    }
