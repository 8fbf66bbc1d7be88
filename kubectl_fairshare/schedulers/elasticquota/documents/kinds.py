"""The documents of answers about ElasticQuotas."""

from typing import Final

from kubectl_fairshare.schedulers.elasticquota.documents.plan import ElasticQuotaPlanDocument
from kubectl_fairshare.schedulers.elasticquota.documents.shares import (
    ElasticQuotaDerivationDocument,
    ElasticQuotaSharesDocument,
)
from kubectl_fairshare.schedulers.elasticquota.documents.why import (
    ElasticQuotaWaitingDocument,
    ElasticQuotaWhyDocument,
)

DOCUMENTS: Final[tuple[type, ...]] = (
    ElasticQuotaPlanDocument,
    ElasticQuotaSharesDocument,
    ElasticQuotaDerivationDocument,
    ElasticQuotaWhyDocument,
    ElasticQuotaWaitingDocument,
)
