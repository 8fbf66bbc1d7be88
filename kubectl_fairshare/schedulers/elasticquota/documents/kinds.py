"""The documents of answers about ElasticQuotas."""

from typing import Final

from kubectl_fairshare.answers.documents import DocumentKind
from kubectl_fairshare.schedulers.elasticquota.documents.plan import PLAN
from kubectl_fairshare.schedulers.elasticquota.documents.shares import DERIVATION, SHARES
from kubectl_fairshare.schedulers.elasticquota.documents.why import WAITING, WHY

DOCUMENTS: Final[tuple[DocumentKind, ...]] = (PLAN, SHARES, DERIVATION, WHY, WAITING)
