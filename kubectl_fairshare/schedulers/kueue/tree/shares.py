"""Shares as they are reported."""

import math

from kubectl_fairshare.model.amounts import UNLIMITED
from kubectl_fairshare.schedulers.kueue.tree.ledger import Share


def rounded(share: Share) -> int:
    """The share as ``status.fairSharing.weightedShare`` holds it: rounded up, the largest integer when infinite."""
    if share.rank:
        return UNLIMITED
    return min(math.ceil(share.value), UNLIMITED)
