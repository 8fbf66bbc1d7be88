"""Parts that only Kueue's documents have: amounts of flavor-resources, and shares.

A share is Kueue's weightedShare, in thousandths. An infinite share has no value and is compared by ``ratio``.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import TypedDict

from kubectl_fairshare.report.documents.parts import AmountPart, amount
from kubectl_fairshare.schedulers.kueue.laws import Share
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource


class PairAmountPart(TypedDict):
    """An amount of one flavor-resource."""

    flavor: str
    resource: str
    amount: AmountPart


class SharePart(TypedDict):
    """A weighted share."""

    value: float | None
    infinite: bool
    ratio: float | None
    rounded: int
    dominantResource: str | None
    borrowing: bool


def pair_amounts(usage: Iterable[tuple[FlavorResource, int]]) -> list[PairAmountPart]:
    """Amounts per flavor-resource, in the order given."""
    return [
        {"flavor": pair.flavor, "resource": pair.resource, "amount": amount(pair.resource, value)}
        for pair, value in usage
    ]


@lru_cache(maxsize=4096)
def share(of: Share) -> SharePart:
    """A share. ``rounded`` is the value for ``status.fairSharing.weightedShare``. Equal shares are one object."""
    infinite = bool(of.rank)
    return {
        "value": None if infinite else of.value,
        "infinite": infinite,
        "ratio": of.value if infinite else None,
        "rounded": of.rounded,
        "dominantResource": of.dominant,
        "borrowing": of.borrowing,
    }
