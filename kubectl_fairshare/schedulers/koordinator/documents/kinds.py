"""The documents of answers about Koordinator's quotas."""

from typing import Final

from kubectl_fairshare.schedulers.koordinator.documents.plan import KoordinatorPlanDocument
from kubectl_fairshare.schedulers.koordinator.documents.shares import (
    KoordinatorDerivationDocument,
    KoordinatorSaturationDocument,
    KoordinatorSharesDocument,
)
from kubectl_fairshare.schedulers.koordinator.documents.why import KoordinatorWaitingDocument, KoordinatorWhyDocument

DOCUMENTS: Final[tuple[type, ...]] = (
    KoordinatorPlanDocument,
    KoordinatorSharesDocument,
    KoordinatorDerivationDocument,
    KoordinatorSaturationDocument,
    KoordinatorWhyDocument,
    KoordinatorWaitingDocument,
)
