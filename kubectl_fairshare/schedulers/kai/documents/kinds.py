"""The documents that answers about KAI make."""

from typing import Final

from kubectl_fairshare.answers.documents import DocumentKind
from kubectl_fairshare.schedulers.kai.documents.cycle import CYCLE
from kubectl_fairshare.schedulers.kai.documents.plan import KaiPlanDocument
from kubectl_fairshare.schedulers.kai.documents.shares import DERIVATION, SHARES
from kubectl_fairshare.schedulers.kai.documents.timeline import COURSE
from kubectl_fairshare.schedulers.kai.documents.why import KaiWaitingDocument, KaiWhyDocument

DOCUMENTS: Final[tuple[type | DocumentKind, ...]] = (
    KaiPlanDocument,
    CYCLE,
    SHARES,
    DERIVATION,
    COURSE,
    KaiWhyDocument,
    KaiWaitingDocument,
)
