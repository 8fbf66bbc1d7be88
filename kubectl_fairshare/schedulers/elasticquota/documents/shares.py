"""What each ElasticQuota holds, and the terms of that, as documents: the structs of the answers."""

from typing import Final

from kubectl_fairshare.report.documents.structs import Forms

SHARES: Final = "ElasticQuotaShares"
DERIVATION: Final = "ElasticQuotaDerivation"
FORMS: Final = Forms()
