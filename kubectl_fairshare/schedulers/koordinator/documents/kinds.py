"""The documents of answers about Koordinator's quotas."""

from typing import Final

from kubectl_fairshare.report.documents.shared import SharedShares
from kubectl_fairshare.schedulers.koordinator.documents.plan import KoordinatorPlanDocument
from kubectl_fairshare.schedulers.koordinator.documents.shares import (
    DERIVATION,
    FORMS,
    SHARES,
    KoordinatorSaturationDocument,
)
from kubectl_fairshare.schedulers.koordinator.documents.why import KoordinatorWaitingDocument, KoordinatorWhyDocument
from kubectl_fairshare.schedulers.koordinator.explain.derivation import RuntimeDerivation
from kubectl_fairshare.schedulers.koordinator.explain.figures import RuntimeShares

DOCUMENTS: Final[tuple[type, ...]] = (
    KoordinatorPlanDocument,
    FORMS.document_type(SHARES, RuntimeShares, SharedShares),
    FORMS.document_type(DERIVATION, RuntimeDerivation),
    KoordinatorSaturationDocument,
    KoordinatorWhyDocument,
    KoordinatorWaitingDocument,
)
