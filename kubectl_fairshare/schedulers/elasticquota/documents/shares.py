"""What each ElasticQuota holds, and the terms of that, as documents: the structs of the answers."""

from typing import Final

from kubectl_fairshare.answers.documents import DocumentKind
from kubectl_fairshare.schedulers.elasticquota.explain.derivation import QuotaDerivation
from kubectl_fairshare.schedulers.elasticquota.explain.quota_table import QuotaShares

SHARES: Final = DocumentKind("ElasticQuotaShares", QuotaShares, "shares")
DERIVATION: Final = DocumentKind("ElasticQuotaDerivation", QuotaDerivation)
