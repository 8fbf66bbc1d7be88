"""KAI's shares and their derivation, as documents. cpu in millicores, memory in bytes, GPUs in devices."""

import math
from typing import Literal, TypedDict

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.proof import ProofPart, proof
from kubectl_fairshare.report.documents.shared import QueuePart, Scheduled
from kubectl_fairshare.report.trees import walk
from kubectl_fairshare.schedulers.kai.documents.usage import UsagePart, usage_part
from kubectl_fairshare.schedulers.kai.explain.derivation import Derivation
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, Resources, TimeAware
from kubectl_fairshare.schedulers.kai.session.report import KaiShares, QueueReport
from kubectl_fairshare.schedulers.kai.words.sentences import sentence


class AmountsPart(TypedDict):
    """An amount of each resource; null is infinite; −1 in a quota or a limit is unlimited."""

    cpu: float | None
    memory: float | None
    gpu: float | None


class QueueResourcePart(TypedDict):
    """One resource at one queue; a saturation of null is infinite."""

    resource: str
    quota: float
    limit: float
    weight: float
    usage: float
    requested: float | None
    allocated: float
    allocatedPreemptible: float
    allocatedNonPreemptible: float
    fairShare: float
    allocatable: float
    saturation: float | None
    otherFairShares: list[float]


class KaiQueuePart(QueuePart):
    """A queue with KAI's own figures."""

    displayName: str
    priority: int
    leaf: bool
    resources: list[QueueResourcePart]


class LeftOutNodePart(TypedDict):
    """A node that is not counted, and the reason."""

    name: str
    reason: str


class LostQueuePart(TypedDict):
    """A queue that KAI ignores, and its parent that is missing or part of a cycle."""

    name: str
    missingParent: str
    circle: bool


class MisplacedPart(TypedDict):
    """Jobs in a queue that is not a leaf, or does not exist."""

    queue: str
    reason: str
    jobs: int


class KaiSharesDocument(Scheduled):
    """The queue tree; k is null if it is infinite, or if the formula has no k."""

    apiVersion: parts.ApiVersion
    kind: Literal["KaiShares"]
    fidelity: parts.FidelityPart
    shard: str
    otherShards: list[str]
    timeAware: str
    k: float | None
    usage: UsagePart | None
    asked: str
    total: AmountsPart
    unassigned: AmountsPart
    leftOutNodes: list[LeftOutNodePart]
    nodesOfOtherShards: list[str]
    heldByOtherSchedulers: AmountsPart
    titles: dict[str, str]
    queues: list[KaiQueuePart]
    lostQueues: list[LostQueuePart]
    misplaced: list[MisplacedPart]


class KaiDerivationDocument(TypedDict):
    """The derivation of a fair share."""

    apiVersion: parts.ApiVersion
    kind: Literal["KaiDerivation"]
    fidelity: parts.FidelityPart
    queue: str
    parent: str | None
    proof: ProofPart


def amounts(of: Resources) -> AmountsPart:
    """An amount of each resource."""
    return {"cpu": _finite(of.cpu), "memory": _finite(of.memory), "gpu": _finite(of.gpu)}


def _finite(value: float) -> float | None:
    return None if math.isinf(value) else value


def shares_fields(shares: KaiShares, places: parts.Places) -> dict[str, object]:
    """The fields that only KAI's shares have; in ``queues``, parents come before their children."""
    totals = shares.totals
    return {
        "apiVersion": parts.API_VERSION,
        "kind": "KaiShares",
        "fidelity": parts.fidelity(shares.fidelity, places),
        "shard": shares.shard.name,
        "otherShards": [name for name, _ in shares.others],
        "timeAware": shares.shard.time_aware.value,
        "k": _finite(shares.shard.k) if shares.shard.time_aware is TimeAware.KAI else None,
        "usage": usage_part(shares.past),
        "asked": shares.asked,
        "total": amounts(totals.total),
        "unassigned": amounts(shares.unassigned),
        "leftOutNodes": [{"name": name, "reason": why} for name, why in totals.left_out],
        "nodesOfOtherShards": list(totals.elsewhere),
        "heldByOtherSchedulers": amounts(totals.foreign),
        "queues": [_queue(one, shares) for one in walk(shares.trees)],
        "lostQueues": [
            {"name": lost.queue.name, "missingParent": lost.parent, "circle": lost.cycle} for lost in shares.lost
        ],
        "misplaced": [{"queue": queue, "reason": why, "jobs": number} for queue, why, number in shares.misplaced],
    }


def _queue(one: QueueReport, shares: KaiShares) -> dict[str, object]:
    queue = one.standing.queue
    return {
        "displayName": queue.display_name,
        "priority": queue.priority,
        "leaf": not one.children,
        "resources": [_resource(one, RESOURCES.index(name), shares) for name in shares.resources],
    }


def _resource(one: QueueReport, r: int, shares: KaiShares) -> QueueResourcePart:
    standing, queue = one.standing, one.standing.queue
    known = shares.undefined.get(queue.name, {}).get(RESOURCES[r], ())
    return {
        "resource": RESOURCES[r],
        "quota": queue.quota[r],
        "limit": queue.limit[r],
        "weight": queue.weight[r],
        "usage": standing.usage[r],
        "requested": _finite(standing.request[r]),
        "allocated": standing.allocated[r],
        "allocatedPreemptible": one.preemptible[r],
        "allocatedNonPreemptible": standing.non_preemptible[r],
        "fairShare": standing.fair_share[r],
        "allocatable": standing.allocatable[r],
        "saturation": _finite(one.saturation[r]),
        "otherFairShares": [value for value in known if value != standing.fair_share[r]],
    }


def kai_derivation_document(derivation: Derivation, fidelity: Fidelity, places: parts.Places) -> KaiDerivationDocument:
    """A derivation as a document."""
    return {
        "apiVersion": parts.API_VERSION,
        "kind": "KaiDerivation",
        "fidelity": parts.fidelity(fidelity, places),
        "queue": derivation.queue,
        "parent": derivation.parent or None,
        "proof": proof(derivation.steps, places, sentence),
    }
