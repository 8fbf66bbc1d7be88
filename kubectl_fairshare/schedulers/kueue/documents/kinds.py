"""The kinds of documents for answers about Kueue."""

from typing import Final

from kubectl_fairshare.schedulers.kueue.documents.cycle import CycleDocument
from kubectl_fairshare.schedulers.kueue.documents.occupation import TopologiesDocument
from kubectl_fairshare.schedulers.kueue.documents.plan import KueuePlanDocument
from kubectl_fairshare.schedulers.kueue.documents.shares import DerivationDocument, SaturationDocument, SharesDocument
from kubectl_fairshare.schedulers.kueue.documents.waiting import WaitingDocument
from kubectl_fairshare.schedulers.kueue.documents.why import WhyDocument

DOCUMENTS: Final[tuple[type, ...]] = (
    KueuePlanDocument,
    SharesDocument,
    CycleDocument,
    DerivationDocument,
    SaturationDocument,
    TopologiesDocument,
    WhyDocument,
    WaitingDocument,
)
