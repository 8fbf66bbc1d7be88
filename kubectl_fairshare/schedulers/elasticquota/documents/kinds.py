"""The documents of answers about ElasticQuotas."""

from typing import Final

from kubectl_fairshare.answers.documents import DocumentKind
from kubectl_fairshare.schedulers.elasticquota.documents.plan import ElasticQuotaPlanDocument
from kubectl_fairshare.schedulers.elasticquota.documents.shares import DERIVATION, SHARES
from kubectl_fairshare.schedulers.elasticquota.documents.why import (
    ElasticQuotaWaitingDocument,
    ElasticQuotaWhyDocument,
)

DOCUMENTS: Final[tuple[type | DocumentKind, ...]] = (
    ElasticQuotaPlanDocument,
    SHARES,
    DERIVATION,
    ElasticQuotaWhyDocument,
    ElasticQuotaWaitingDocument,
)
