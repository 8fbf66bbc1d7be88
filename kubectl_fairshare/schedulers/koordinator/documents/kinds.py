"""The documents of answers about Koordinator's quotas."""

from typing import Final

from kubectl_fairshare.answers.documents import DocumentKind
from kubectl_fairshare.schedulers.koordinator.documents.plan import KoordinatorPlanDocument
from kubectl_fairshare.schedulers.koordinator.documents.shares import (
    DERIVATION,
    SATURATION,
    SHARES,
)
from kubectl_fairshare.schedulers.koordinator.documents.why import KoordinatorWaitingDocument, KoordinatorWhyDocument

DOCUMENTS: Final[tuple[type | DocumentKind, ...]] = (
    KoordinatorPlanDocument,
    SHARES,
    DERIVATION,
    SATURATION,
    KoordinatorWhyDocument,
    KoordinatorWaitingDocument,
)
