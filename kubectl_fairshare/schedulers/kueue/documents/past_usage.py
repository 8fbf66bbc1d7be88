"""Admission fair sharing as a part of the document of shares. Tested in ``tests/unit/cli``."""

from kubectl_fairshare.answers.documents import DocumentPart
from kubectl_fairshare.answers.figures import Boundless
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.kueue.admission_sharing.figures import Consumption
from kubectl_fairshare.schedulers.kueue.admission_sharing.past_usage import Entry, LocalQueueName
from kubectl_fairshare.schedulers.kueue.explain.past_usage import PastReport


class PastResource(DocumentPart, frozen=True):
    """What is remembered of one resource, in cores, bytes or units."""

    resource: str
    consumed: float
    penalty: float


class PastUsagePart(DocumentPart, frozen=True):
    """The past usage of one LocalQueue; ``usage``, ``low`` and ``high`` are null if infinite, or 0 / 0."""

    local_queue: str
    cluster_queue: str
    weight: float
    usage: Boundless
    low: Boundless
    high: Boundless
    resources: tuple[PastResource, ...]


class NextPart(DocumentPart, frozen=True):
    """The workload that is next in a ClusterQueue."""

    cluster_queue: str
    local_queue: str
    workload: ObjectKey


class AdmissionSharingPart(DocumentPart, frozen=True):
    """Admission fair sharing: its settings, the past usage of LocalQueues, and the workload that is next."""

    half_life_seconds: float
    sampling_seconds: float
    resource_weights: dict[str, float]
    local_queues: tuple[PastUsagePart, ...]
    next: tuple[NextPart, ...]


def admission_sharing_part(report: PastReport) -> AdmissionSharingPart:
    """The part."""
    heads = ((name, head) for name, _, head in report.queues if head is not None)
    return AdmissionSharingPart(
        report.sharing.half_life,
        report.sharing.sampling,
        dict(report.sharing.weights),
        tuple(_past(name, *each) for name, entries, _ in report.queues for each in entries),
        tuple(NextPart(name, f"{head.key.namespace}/{head.local_queue}", head.key) for name, head in heads),
    )


def _past(cluster_queue: str, local: LocalQueueName, entry: Entry) -> PastUsagePart:
    resources = _resources(entry.consumed, entry.penalty)
    return PastUsagePart("/".join(local), cluster_queue, entry.weight, entry.usage, entry.low, entry.high, resources)


def _resources(consumed: Consumption, penalty: Consumption) -> tuple[PastResource, ...]:
    def value(of: Consumption, name: str) -> float:
        return of[name].value if name in of else 0.0

    names = sorted({*consumed, *penalty})
    return tuple(PastResource(r, value(consumed, r), value(penalty, r)) for r in names)
