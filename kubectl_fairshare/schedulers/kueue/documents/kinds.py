"""The kinds of documents for answers about Kueue."""

from typing import Final

from kubectl_fairshare.answers.documents import DocumentKind
from kubectl_fairshare.schedulers.kueue.documents.cycle import CYCLE
from kubectl_fairshare.schedulers.kueue.documents.occupation import TOPOLOGIES
from kubectl_fairshare.schedulers.kueue.documents.plan import KueuePlanDocument
from kubectl_fairshare.schedulers.kueue.documents.shares import DERIVATION, SATURATION, SHARES
from kubectl_fairshare.schedulers.kueue.documents.waiting import WaitingDocument
from kubectl_fairshare.schedulers.kueue.documents.why import WhyDocument

DOCUMENTS: Final[tuple[type | DocumentKind, ...]] = (
    KueuePlanDocument,
    SHARES,
    CYCLE,
    DERIVATION,
    SATURATION,
    TOPOLOGIES,
    WhyDocument,
    WaitingDocument,
)
