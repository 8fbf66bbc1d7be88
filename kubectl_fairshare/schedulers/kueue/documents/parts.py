"""Parts that only Kueue's documents have: amounts of flavor-resources, and shares.

A share is Kueue's weightedShare, in thousandths. An infinite share has no value and is compared by ``ratio``.
"""

from collections.abc import Iterable
from functools import lru_cache

from kubectl_fairshare.answers.documents import DocumentPart
from kubectl_fairshare.answers.figures import Quantity
from kubectl_fairshare.schedulers.kueue.laws import Share
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource


class PairAmountPart(DocumentPart, frozen=True):
    """An amount of one flavor-resource."""

    flavor: str
    resource: str
    amount: Quantity


class SharePart(DocumentPart, frozen=True):
    """A weighted share."""

    value: float | None
    infinite: bool
    ratio: float | None
    rounded: int
    dominant_resource: str | None
    borrowing: bool


def pair_amounts(usage: Iterable[tuple[FlavorResource, int]]) -> tuple[PairAmountPart, ...]:
    """Amounts per flavor-resource, in the order given."""
    return tuple(PairAmountPart(*pair, value) for pair, value in usage)


@lru_cache(maxsize=4096)
def share(of: Share) -> SharePart:
    """A share. ``rounded`` is the value for ``status.fairSharing.weightedShare``. Equal shares are one object."""
    infinite = bool(of.rank)
    value, ratio = (None, of.value) if infinite else (of.value, None)
    return SharePart(value, infinite, ratio, of.rounded, of.dominant, of.borrowing)
