"""The documents that answers about KAI make."""

from typing import Final

from kubectl_fairshare.schedulers.kai.documents.cycle import KaiCycleDocument
from kubectl_fairshare.schedulers.kai.documents.plan import KaiPlanDocument
from kubectl_fairshare.schedulers.kai.documents.shares import KaiDerivationDocument, KaiSharesDocument
from kubectl_fairshare.schedulers.kai.documents.timeline import KaiTimelineDocument
from kubectl_fairshare.schedulers.kai.documents.why import KaiWaitingDocument, KaiWhyDocument

DOCUMENTS: Final[tuple[type, ...]] = (
    KaiPlanDocument,
    KaiCycleDocument,
    KaiSharesDocument,
    KaiDerivationDocument,
    KaiTimelineDocument,
    KaiWhyDocument,
    KaiWaitingDocument,
)
