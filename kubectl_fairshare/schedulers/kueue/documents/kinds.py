"""The kinds of documents for answers about Kueue."""

from typing import Final

from kubectl_fairshare.report.documents.shared import SharedShares
from kubectl_fairshare.schedulers.kueue.documents.cycle import CycleDocument
from kubectl_fairshare.schedulers.kueue.documents.occupation import TopologiesDocument
from kubectl_fairshare.schedulers.kueue.documents.plan import KueuePlanDocument
from kubectl_fairshare.schedulers.kueue.documents.shares import FORMS, SHARES, DerivationDocument, SaturationDocument
from kubectl_fairshare.schedulers.kueue.documents.waiting import WaitingDocument
from kubectl_fairshare.schedulers.kueue.documents.why import WhyDocument
from kubectl_fairshare.schedulers.kueue.explain.shares import ShareTree

DOCUMENTS: Final[tuple[type, ...]] = (
    KueuePlanDocument,
    FORMS.document_type(SHARES, ShareTree, SharedShares),
    CycleDocument,
    DerivationDocument,
    SaturationDocument,
    TopologiesDocument,
    WhyDocument,
    WaitingDocument,
)
