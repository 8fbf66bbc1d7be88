"""What each of Koordinator's quotas holds and may use, as documents. cpu in millicores, the rest in units."""

from typing import Final

from kubectl_fairshare.answers.answer import Amount, amount_of
from kubectl_fairshare.answers.documents import DocumentKind, DocumentPart
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.figures import Quantity
from kubectl_fairshare.schedulers.koordinator.explain.derivation import DivisionLevel, RuntimeDerivation
from kubectl_fairshare.schedulers.koordinator.explain.figures import RuntimeShares
from kubectl_fairshare.schedulers.koordinator.explain.saturation import SaturatedQuotas


class GivenPart(DocumentPart, frozen=True):
    """What a round gives a quota, and what of it goes back because the quota requests less."""

    quota: str
    given: Quantity
    returned: Quantity


class SurplusRoundPart(DocumentPart, frozen=True):
    """One round of dividing a surplus by weight."""

    left: Quantity
    weight: int
    parts: tuple[GivenPart, ...]


class ClaimPart(DocumentPart, frozen=True):
    """A quota in a division: what it claims, what it gets before the surplus, and what it gets in total."""

    quota: str
    weight: int
    request: Quantity
    min: Quantity
    lends: bool
    first: Quantity
    runtime: Quantity


class DivisionPart(DocumentPart, frozen=True):
    """The division of what ``parent`` holds."""

    parent: str
    total: Quantity
    sum_of_min: Quantity
    quotas: tuple[ClaimPart, ...]
    rounds: tuple[SurplusRoundPart, ...]


class SaturatedResourcePart(DocumentPart, frozen=True):
    """One resource that a quota may use."""

    resource: str
    runtime: Amount


class SaturatedQuotaPart(DocumentPart, frozen=True):
    """A quota with the requests of ``--demand``; ``pods`` is null without a size, and where nothing limits it."""

    name: str
    parent: str
    limited: bool
    pods: int | None
    resources: tuple[SaturatedResourcePart, ...]


class KoordinatorSaturationDocument(DocumentPart, frozen=True):
    """What each quota may use with the requests of ``--demand``, whose values are in ``demand``."""

    demand: tuple[str, ...]
    request: tuple[SaturatedResourcePart, ...]
    quotas: tuple[SaturatedQuotaPart, ...]
    fidelity: Fidelity


def _division(level: DivisionLevel) -> DivisionPart:
    division = level.division
    claims = zip(division.claims, division.first, division.shares, strict=True)
    return DivisionPart(
        level.parent,
        level.held,
        level.sum_of_min,
        tuple(ClaimPart(c.name, c.weight, c.request, c.least, c.lends, first, share) for c, first, share in claims),
        tuple(SurplusRoundPart(r.left, r.weight, tuple(GivenPart(*g) for g in r.given)) for r in division.rounds),
    )


def saturation_document(of: SaturatedQuotas) -> KoordinatorSaturationDocument:
    """What each quota may use with the requests of a demand."""
    quotas = tuple(
        SaturatedQuotaPart(
            quota.name,
            quota.parent,
            quota.limited,
            quota.pods,
            tuple(_resource(r, quota.runtime[r]) for r in of.resources if r in quota.runtime),
        )
        for quota in of.quotas
    )
    request = tuple(_resource(r, value) for r, value in sorted(of.size.items()))
    return KoordinatorSaturationDocument(tuple(of.demand.texts), request, quotas, of.fidelity)


def _resource(name: str, value: int) -> SaturatedResourcePart:
    return SaturatedResourcePart(name, amount_of(name, value))


SHARES: Final = DocumentKind("KoordinatorShares", RuntimeShares, "shares", {DivisionLevel: _division})
DERIVATION: Final = DocumentKind("KoordinatorDerivation", RuntimeDerivation, hooks={DivisionLevel: _division})
SATURATION: Final = DocumentKind("KoordinatorSaturation", KoordinatorSaturationDocument)
