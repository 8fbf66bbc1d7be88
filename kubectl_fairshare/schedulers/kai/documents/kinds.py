"""The documents that answers about KAI make."""

from typing import Final

from kubectl_fairshare.report.documents.shared import SharedShares
from kubectl_fairshare.schedulers.kai.documents.cycle import KaiCycleDocument
from kubectl_fairshare.schedulers.kai.documents.plan import KaiPlanDocument
from kubectl_fairshare.schedulers.kai.documents.shares import FORMS, SHARES, KaiDerivationDocument
from kubectl_fairshare.schedulers.kai.documents.timeline import KaiTimelineDocument
from kubectl_fairshare.schedulers.kai.documents.why import KaiWaitingDocument, KaiWhyDocument
from kubectl_fairshare.schedulers.kai.explain.forest import KaiForest

DOCUMENTS: Final[tuple[type, ...]] = (
    KaiPlanDocument,
    KaiCycleDocument,
    FORMS.document_type(SHARES, KaiForest, SharedShares),
    KaiDerivationDocument,
    KaiTimelineDocument,
    KaiWhyDocument,
    KaiWaitingDocument,
)
