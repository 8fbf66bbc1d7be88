"""The documents of answers about Koordinator's quotas."""

from typing import Final

from kubectl_fairshare.answers.documents import DocumentKind
from kubectl_fairshare.schedulers.koordinator.documents.plan import PLAN
from kubectl_fairshare.schedulers.koordinator.documents.shares import DERIVATION, SATURATION, SHARES
from kubectl_fairshare.schedulers.koordinator.documents.why import WAITING, WHY

DOCUMENTS: Final[tuple[DocumentKind, ...]] = (PLAN, SHARES, DERIVATION, SATURATION, WHY, WAITING)
