"""The parts of a plan for a pod under ElasticQuotas, as a document."""

from kubectl_fairshare.answers.documents import DocumentPart
from kubectl_fairshare.jobs.node_demand import FilterStatus
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.elasticquota.model.vector import Excess, Vector
from kubectl_fairshare.schedulers.elasticquota.preemption.gate import QuotaVerdict
from kubectl_fairshare.schedulers.elasticquota.preemption.spread import NodeRoom
from kubectl_fairshare.schedulers.elasticquota.preemption.victims import Fate
from kubectl_fairshare.schedulers.kubescheduler.decision import ChangeKind


class AskedPodPart(DocumentPart, frozen=True):
    """What only ElasticQuotas say of the planned pod: what it uses on a node, and its node."""

    source: str
    may_preempt: bool
    scheduler: str
    node: str | None
    request: Vector


class PeerPart(DocumentPart, frozen=True):
    """A waiting pod that is nominated to a node, and the sums in which it counts."""

    pod: str
    node: str
    in_quota: bool
    in_pool: bool


class GatePart(DocumentPart, frozen=True):
    """The quotas' verdict, before any node is tried."""

    verdict: QuotaVerdict
    quota: str | None
    excesses: tuple[Excess, ...]
    peers: tuple[PeerPart, ...]


class LackPart(DocumentPart, frozen=True):
    """What a node lacks."""

    law: str
    sentence: str


class FilterPart(DocumentPart, frozen=True):
    """The filters' verdict on a node."""

    node: str
    status: FilterStatus
    lacks: tuple[LackPart, ...]


class EligibilityPart(DocumentPart, frozen=True):
    """Whether the pod can preempt."""

    eligible: bool
    law: str
    leaving: str | None


class VictimPart(DocumentPart, frozen=True):
    """A pod that was chosen as a victim, the reason, and its end: evicted or put back."""

    pod: str
    priority: int
    terminating: bool
    law: str
    borrowed: tuple[Excess, ...]
    fate: str
    exceeded: tuple[Excess, ...]
    broken_budgets: tuple[str, ...]


class NodeTrialPart(DocumentPart, frozen=True):
    """The result of preemption on one node: victims in order, or the law that rejects the node."""

    node: str
    rejected: str | None
    sentence: str | None
    victims: tuple[Fate, ...]
    put_back: tuple[Fate, ...]
    pdb_violations: int
    excesses: tuple[Excess, ...]
    ties: tuple[tuple[str, ...], ...]


class SpreadPart(DocumentPart, frozen=True):
    """What all nodes together could give."""

    is_reason: bool
    quotas_allow: bool
    room_in_sum: bool
    takeable_pods: int
    nodes: tuple[NodeRoom, ...]


class ChangePart(DocumentPart, frozen=True):
    """One change of a remedy."""

    kind: ChangeKind
    resource: str | None
    before: int | None
    after: int | None
    pod: str | None
    place: Place | None
