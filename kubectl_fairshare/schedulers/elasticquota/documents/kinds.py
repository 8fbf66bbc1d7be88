"""The documents of answers about ElasticQuotas."""

from typing import Final

from kubectl_fairshare.report.documents.shared import SharedShares
from kubectl_fairshare.schedulers.elasticquota.documents.plan import ElasticQuotaPlanDocument
from kubectl_fairshare.schedulers.elasticquota.documents.shares import DERIVATION, FORMS, SHARES
from kubectl_fairshare.schedulers.elasticquota.documents.why import (
    ElasticQuotaWaitingDocument,
    ElasticQuotaWhyDocument,
)
from kubectl_fairshare.schedulers.elasticquota.explain.derivation import QuotaDerivation
from kubectl_fairshare.schedulers.elasticquota.explain.quota_table import QuotaShares

DOCUMENTS: Final[tuple[type, ...]] = (
    ElasticQuotaPlanDocument,
    FORMS.document_type(SHARES, QuotaShares, SharedShares),
    FORMS.document_type(DERIVATION, QuotaDerivation),
    ElasticQuotaWhyDocument,
    ElasticQuotaWaitingDocument,
)
