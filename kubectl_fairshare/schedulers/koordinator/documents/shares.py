"""What each of Koordinator's quotas holds and may use, as documents. cpu in millicores, the rest in units."""

from collections.abc import Sequence
from typing import Final, Literal, TypedDict

from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.structs import Forms
from kubectl_fairshare.schedulers.koordinator.explain.derivation import DivisionLevel
from kubectl_fairshare.schedulers.koordinator.explain.saturation import SaturatedQuota, SaturatedQuotas


class GivenPart(TypedDict):
    """What a round gives a quota, and what of it goes back because the quota requests less."""

    quota: str
    given: parts.AmountPart
    returned: parts.AmountPart


class SurplusRoundPart(TypedDict):
    """One round of dividing a surplus by weight."""

    left: parts.AmountPart
    weight: int
    parts: list[GivenPart]


class ClaimPart(TypedDict):
    """A quota in a division: what it claims, what it gets before the surplus, and what it gets in total."""

    quota: str
    weight: int
    request: parts.AmountPart
    min: parts.AmountPart
    lends: bool
    first: parts.AmountPart
    runtime: parts.AmountPart


class DivisionPart(TypedDict):
    """The division of what ``parent`` holds."""

    parent: str
    total: parts.AmountPart
    sumOfMin: parts.AmountPart
    quotas: list[ClaimPart]
    rounds: list[SurplusRoundPart]


class SaturatedResourcePart(TypedDict):
    """One resource that a quota may use."""

    resource: str
    runtime: parts.AmountPart


class SaturatedQuotaPart(TypedDict):
    """A quota with the requests of ``--demand``; ``pods`` is null without a size, and where nothing limits it."""

    name: str
    parent: str
    limited: bool
    pods: int | None
    resources: list[SaturatedResourcePart]


class KoordinatorSaturationDocument(TypedDict):
    """What each quota may use with the requests of ``--demand``, whose values are in ``demand``."""

    apiVersion: parts.ApiVersion
    kind: Literal["KoordinatorSaturation"]
    demand: list[str]
    request: list[SaturatedResourcePart]
    quotas: list[SaturatedQuotaPart]
    fidelity: parts.FidelityPart


def _division(level: DivisionLevel, resource: str, _: parts.Places) -> DivisionPart:
    division = level.division
    quotas: list[ClaimPart] = [
        {
            "quota": claim.name,
            "weight": claim.weight,
            "request": parts.amount(resource, claim.request),
            "min": parts.amount(resource, claim.least),
            "lends": claim.lends,
            "first": parts.amount(resource, first),
            "runtime": parts.amount(resource, share),
        }
        for claim, first, share in zip(division.claims, division.first, division.shares, strict=True)
    ]
    rounds: list[SurplusRoundPart] = [
        {
            "left": parts.amount(resource, each.left),
            "weight": each.weight,
            "parts": [
                {"quota": n, "given": parts.amount(resource, given), "returned": parts.amount(resource, back)}
                for n, given, back in each.given
            ],
        }
        for each in division.rounds
    ]
    return {
        "parent": level.parent,
        "total": parts.amount(resource, level.held),
        "sumOfMin": parts.amount(resource, level.sum_of_min),
        "quotas": quotas,
        "rounds": rounds,
    }


def saturation_document(of: SaturatedQuotas, places: parts.Places) -> KoordinatorSaturationDocument:
    """What each quota may use with the requests of a demand."""
    return {
        "apiVersion": parts.API_VERSION,
        "kind": "KoordinatorSaturation",
        "demand": list(of.demand.texts),
        "request": [{"resource": r, "runtime": parts.amount(r, value)} for r, value in sorted(of.size.items())],
        "quotas": [_saturated(quota, of.resources) for quota in of.quotas],
        "fidelity": parts.fidelity(of.fidelity, places),
    }


def _saturated(of: SaturatedQuota, resources: Sequence[str]) -> SaturatedQuotaPart:
    return {
        "name": of.name,
        "parent": of.parent,
        "limited": of.limited,
        "pods": of.pods,
        "resources": [{"resource": r, "runtime": parts.amount(r, of.runtime[r])} for r in resources if r in of.runtime],
    }


SHARES: Final = "KoordinatorShares"
DERIVATION: Final = "KoordinatorDerivation"
FORMS: Final = Forms({DivisionLevel: _division})
