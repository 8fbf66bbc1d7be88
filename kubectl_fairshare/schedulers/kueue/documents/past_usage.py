"""Admission fair sharing as a part of the document of shares. Tested in ``tests/unit/cli``."""

import math
from typing import TypedDict

from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.schedulers.kueue.admission_sharing.figures import Consumption
from kubectl_fairshare.schedulers.kueue.admission_sharing.past_usage import Entry, LocalQueueName
from kubectl_fairshare.schedulers.kueue.explain.past_usage import PastReport


class PastResource(TypedDict):
    """What is remembered of one resource, in cores, bytes or units."""

    resource: str
    consumed: float
    penalty: float


class PastUsagePart(TypedDict):
    """The past usage of one LocalQueue; ``usage``, ``low`` and ``high`` are null if infinite, or 0 / 0."""

    localQueue: str
    clusterQueue: str
    weight: float
    usage: float | None
    low: float | None
    high: float | None
    resources: list[PastResource]


class NextPart(TypedDict):
    """The workload that is next in a ClusterQueue."""

    clusterQueue: str
    localQueue: str
    workload: parts.WorkloadName


class AdmissionSharingPart(TypedDict):
    """Admission fair sharing: its settings, the past usage of LocalQueues, and the workload that is next."""

    halfLifeSeconds: float
    samplingSeconds: float
    resourceWeights: dict[str, float]
    localQueues: list[PastUsagePart]
    next: list[NextPart]


def admission_sharing_part(report: PastReport) -> AdmissionSharingPart:
    """The part."""
    return {
        "halfLifeSeconds": report.sharing.half_life,
        "samplingSeconds": report.sharing.sampling,
        "resourceWeights": dict(report.sharing.weights),
        "localQueues": [_past(name, *each) for name, entries, _ in report.queues for each in entries],
        "next": [
            {
                "clusterQueue": name,
                "localQueue": f"{head.key.namespace}/{head.local_queue}",
                "workload": parts.workload_name(head.key),
            }
            for name, _, head in report.queues
            if head is not None
        ],
    }


def _past(cluster_queue: str, local: LocalQueueName, entry: Entry) -> PastUsagePart:
    return {
        "localQueue": "/".join(local),
        "clusterQueue": cluster_queue,
        "weight": entry.weight,
        "usage": _finite(entry.usage),
        "low": _finite(entry.low),
        "high": _finite(entry.high),
        "resources": _resources(entry.consumed, entry.penalty),
    }


def _resources(consumed: Consumption, penalty: Consumption) -> list[PastResource]:
    def value(of: Consumption, name: str) -> float:
        return of[name].value if name in of else 0.0

    names = sorted({*consumed, *penalty})
    return [{"resource": r, "consumed": value(consumed, r), "penalty": value(penalty, r)} for r in names]


def _finite(value: float) -> float | None:
    return None if math.isinf(value) else value
