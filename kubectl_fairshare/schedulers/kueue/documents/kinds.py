"""The kinds of documents for answers about Kueue."""

from typing import Final

from kubectl_fairshare.answers.documents import DocumentKind
from kubectl_fairshare.schedulers.kueue.documents.cycle import CYCLE
from kubectl_fairshare.schedulers.kueue.documents.occupation import TOPOLOGIES
from kubectl_fairshare.schedulers.kueue.documents.plan import PLAN
from kubectl_fairshare.schedulers.kueue.documents.shares import DERIVATION, SATURATION, SHARES
from kubectl_fairshare.schedulers.kueue.documents.waiting import WAITING
from kubectl_fairshare.schedulers.kueue.documents.why import WHY

DOCUMENTS: Final[tuple[DocumentKind, ...]] = (
    *(PLAN, SHARES, CYCLE, DERIVATION),
    *(SATURATION, TOPOLOGIES, WHY, WAITING),
)
