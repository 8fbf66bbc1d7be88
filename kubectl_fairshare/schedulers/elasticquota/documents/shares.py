"""What each ElasticQuota holds, as a document."""

from typing import Literal, TypedDict

from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.shared import SharedShares
from kubectl_fairshare.schedulers.elasticquota.explain.derivation import QuotaDerivation, Terms
from kubectl_fairshare.schedulers.elasticquota.explain.quota_table import Figures, QuotaReport, QuotaTable, Sums

BoundedName = Literal["listed", "maxAbsent", "missingIsZero", "missingIsUnbounded"]
DifferenceName = Literal["notRunning", "overhead", "stale"]


class HardPart(TypedDict):
    """The tightest bound of the ResourceQuotas without scopes, and the name that they use for the resource."""

    amount: parts.AmountPart
    name: str
    place: parts.PlacePart


class CausePart(TypedDict):
    """One cause of a difference, and the amount that it explains."""

    cause: DifferenceName
    amount: parts.AmountPart


class StatusPart(TypedDict):
    """``status.used``, if it differs from what the scheduler counts, and why."""

    amount: parts.AmountPart
    causes: list[CausePart]


class QuotaResourcePart(TypedDict):
    """One resource of one quota. A null bound or headroom means no bound; ``maxIs`` is the origin of the maximum."""

    resource: str
    min: parts.AmountPart
    max: parts.AmountPart | None
    maxIs: BoundedName
    hard: HardPart | None
    used: parts.AmountPart
    borrowed: parts.AmountPart
    lendable: parts.AmountPart
    ownHeadroom: parts.AmountPart | None
    poolHeadroom: parts.AmountPart
    reachable: parts.AmountPart
    statusUsed: StatusPart | None
    minPlace: parts.PlacePart
    maxPlace: parts.PlacePart


class QuotaPart(TypedDict):
    """One ElasticQuota. ``dropped`` are names that the scheduler ignores; ``ignored`` are further quotas.

    ``scopedResourceQuotas`` limit only some pods of the namespace and are not in ``hard``.
    """

    namespace: str
    name: str
    placed: int
    waiting: int
    dropped: list[str]
    ignored: list[str]
    scopedResourceQuotas: list[str]
    resources: list[QuotaResourcePart]


class SumPart(TypedDict):
    """One resource over all quotas; null if the input has no nodes."""

    resource: str
    min: parts.AmountPart
    used: parts.AmountPart
    allocatable: parts.AmountPart | None
    outsideQuotas: parts.AmountPart
    stranded: parts.AmountPart | None


class ElasticQuotaSharesFields(TypedDict):
    """Every ElasticQuota with its figures, and the sums over all."""

    apiVersion: parts.ApiVersion
    kind: Literal["ElasticQuotaShares"]
    quotas: list[QuotaPart]
    sums: list[SumPart]
    nodes: int
    schedulableNodes: int
    podsOutsideQuotas: int
    skipped: dict[str, int]
    fidelity: parts.FidelityPart


class ElasticQuotaSharesDocument(ElasticQuotaSharesFields, SharedShares):
    """Every ElasticQuota with its figures, and the sums over all."""


class TermPart(TypedDict):
    """A term of a sum: a pod, or a namespace."""

    name: str
    amount: parts.AmountPart


class DerivedResourcePart(TypedDict):
    """One resource, with the terms of what the quota uses, of the sum of all min, and of what all quotas use."""

    figures: QuotaResourcePart
    usedBy: list[TermPart]
    allMinima: list[TermPart]
    allUses: list[TermPart]


class ElasticQuotaDerivationDocument(TypedDict):
    """Every figure of one quota, term by term."""

    apiVersion: parts.ApiVersion
    kind: Literal["ElasticQuotaDerivation"]
    namespace: str
    name: str
    resources: list[DerivedResourcePart]
    fidelity: parts.FidelityPart


def derivation_document(of: QuotaDerivation, places: parts.Places) -> ElasticQuotaDerivationDocument:
    """One quota's figures with their terms."""
    return {
        "apiVersion": parts.API_VERSION,
        "kind": "ElasticQuotaDerivation",
        "namespace": of.report.quota.namespace,
        "name": of.report.quota.key.name,
        "resources": [
            {
                "figures": _resource(of.report, terms.resource, terms.figures, places),
                "usedBy": _terms(terms.resource, terms.pods),
                "allMinima": _terms(terms.resource, terms.minima),
                "allUses": _terms(terms.resource, terms.uses),
            }
            for terms in of.resources
        ],
        "fidelity": parts.fidelity(of.fidelity, places),
    }


def _terms(resource: str, terms: Terms) -> list[TermPart]:
    return [{"name": name, "amount": parts.amount(resource, value)} for name, value in terms]


def shares_document(found: QuotaTable, places: parts.Places) -> ElasticQuotaSharesFields:
    """The quotas as a document."""
    return {
        "apiVersion": parts.API_VERSION,
        "kind": "ElasticQuotaShares",
        "quotas": [_quota(report, found.resources, places) for report in found.quotas],
        "sums": [_sum(resource, found.sums[resource]) for resource in found.resources],
        "nodes": found.nodes[0],
        "schedulableNodes": found.nodes[1],
        "podsOutsideQuotas": found.unquoted,
        "skipped": dict(found.skipped),
        "fidelity": parts.fidelity(found.fidelity, places),
    }


def _quota(report: QuotaReport, resources: tuple[str, ...], places: parts.Places) -> QuotaPart:
    return {
        "namespace": report.quota.namespace,
        "name": report.quota.key.name,
        "placed": report.running,
        "waiting": report.pending,
        "dropped": list(report.dropped),
        "ignored": [key.name for key in report.others],
        "scopedResourceQuotas": list(report.scoped),
        "resources": [_resource(report, r, report.figures[r], places) for r in resources],
    }


def _resource(report: QuotaReport, resource: str, of: Figures, places: parts.Places) -> QuotaResourcePart:
    return {
        "resource": resource,
        "min": parts.amount(resource, of.min),
        "max": parts.limit(resource, of.max),
        "maxIs": of.bounded.value,
        "hard": _hard(resource, of, places),
        "used": parts.amount(resource, of.used),
        "borrowed": parts.amount(resource, of.borrowed),
        "lendable": parts.amount(resource, of.lendable),
        "ownHeadroom": parts.limit(resource, of.own_headroom),
        "poolHeadroom": parts.amount(resource, of.pool_headroom),
        "reachable": parts.amount(resource, of.reachable),
        "statusUsed": _status(resource, of),
        "minPlace": parts.place(report.quota.place("min", resource), places),
        "maxPlace": parts.place(report.quota.place("max", resource), places),
    }


def _hard(resource: str, of: Figures, places: parts.Places) -> HardPart | None:
    if of.hard is None:
        return None
    return {
        "amount": parts.amount(resource, of.hard.value),
        "name": of.hard.name,
        "place": parts.place(of.hard.place, places),
    }


def _status(resource: str, of: Figures) -> StatusPart | None:
    if of.status is None:
        return None
    causes: list[CausePart] = [
        {"cause": cause.value, "amount": parts.amount(resource, by)} for cause, by in of.status.causes
    ]
    return {"amount": parts.amount(resource, of.status.value), "causes": causes}


def _sum(resource: str, of: Sums) -> SumPart:
    return {
        "resource": resource,
        "min": parts.amount(resource, of.min),
        "used": parts.amount(resource, of.used),
        "allocatable": parts.limit(resource, of.allocatable),
        "outsideQuotas": parts.amount(resource, of.outside),
        "stranded": parts.limit(resource, of.stranded),
    }
