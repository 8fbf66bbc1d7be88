"""The documents that answers about KAI make."""

from typing import Final

from kubectl_fairshare.answers.documents import DocumentKind
from kubectl_fairshare.schedulers.kai.documents.cycle import CYCLE
from kubectl_fairshare.schedulers.kai.documents.plan import PLAN
from kubectl_fairshare.schedulers.kai.documents.shares import DERIVATION, SHARES
from kubectl_fairshare.schedulers.kai.documents.timeline import COURSE
from kubectl_fairshare.schedulers.kai.documents.why import WAITING, WHY

DOCUMENTS: Final[tuple[DocumentKind, ...]] = (PLAN, CYCLE, SHARES, DERIVATION, COURSE, WHY, WAITING)
