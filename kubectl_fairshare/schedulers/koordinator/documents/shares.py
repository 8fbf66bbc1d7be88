"""What each of Koordinator's quotas holds and may use, as documents. cpu in millicores, the rest in units."""

from collections.abc import Sequence
from typing import Literal, TypedDict

from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.shared import QueuePart, Scheduled
from kubectl_fairshare.schedulers.koordinator.explain.derivation import (
    DerivedResource,
    DivisionLevel,
    NamedAmounts,
    RuntimeDerivation,
)
from kubectl_fairshare.schedulers.koordinator.explain.figures import (
    RuntimeEntry,
    RuntimeFigures,
    RuntimeTable,
    TreeEntry,
    shown_figures,
    walk_entries,
)
from kubectl_fairshare.schedulers.koordinator.explain.saturation import SaturatedQuota, SaturatedQuotas


class RuntimeResourcePart(TypedDict):
    """One resource of one quota. A null max does not limit; a null runtime is not limited, or not known."""

    resource: str
    min: parts.AmountPart
    max: parts.AmountPart | None
    weight: parts.AmountPart
    scaledMin: parts.AmountPart
    guaranteed: parts.AmountPart
    request: parts.AmountPart
    runtime: parts.AmountPart | None
    used: parts.AmountPart
    usedNonPreemptible: parts.AmountPart
    borrowed: parts.AmountPart
    lent: parts.AmountPart


class KoordinatorQuotaPart(QueuePart):
    """A quota with Koordinator's own figures. ``orphan``: no parents lead to root, so nothing limits it."""

    tree: str
    isParent: bool
    lends: bool
    assumed: bool
    orphan: bool
    resources: list[RuntimeResourcePart]


class TreeTotalPart(TypedDict):
    """What a tree has of one resource, and what it shares; null if the input has no nodes."""

    tree: str
    resource: str
    total: parts.AmountPart | None
    shared: parts.AmountPart | None


class KoordinatorSharesDocument(Scheduled):
    """The trees of quotas; parents come before their children."""

    apiVersion: parts.ApiVersion
    kind: Literal["KoordinatorShares"]
    fidelity: parts.FidelityPart
    titles: dict[str, str]
    queues: list[KoordinatorQuotaPart]
    totals: list[TreeTotalPart]
    nodes: int
    oddNodes: int
    podsWithoutQuota: int
    overUsed: list[str]
    skipped: dict[str, int]


class NamedAmountPart(TypedDict):
    """An amount with the name of what it is: a pod, or a quota."""

    name: str
    amount: parts.AmountPart


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


class DerivedRuntimePart(TypedDict):
    """One resource: who requests, and the divisions from the top of the tree down."""

    figures: RuntimeResourcePart
    pods: list[NamedAmountPart]
    children: list[NamedAmountPart]
    divisions: list[DivisionPart]


class KoordinatorDerivationDocument(TypedDict):
    """One quota's runtime, step by step."""

    apiVersion: parts.ApiVersion
    kind: Literal["KoordinatorDerivation"]
    namespace: str
    name: str
    orphan: bool
    resources: list[DerivedRuntimePart]
    fidelity: parts.FidelityPart


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


def shares_fields(found: RuntimeTable, places: parts.Places) -> dict[str, object]:
    """The fields that only Koordinator's shares have; ``queues`` adds to those of all schedulers."""
    return {
        "apiVersion": parts.API_VERSION,
        "kind": "KoordinatorShares",
        "fidelity": parts.fidelity(found.fidelity, places),
        "queues": [_queue(e, tree, found) for tree in found.trees for e in walk_entries(tree.roots)],
        "totals": [_total(tree, resource) for tree in found.trees for resource in found.resources],
        "nodes": found.nodes[0],
        "oddNodes": found.nodes[1],
        "podsWithoutQuota": found.outside,
        "overUsed": list(found.over),
        "skipped": dict(found.skipped),
    }


def _queue(entry: RuntimeEntry, tree: TreeEntry, found: RuntimeTable) -> dict[str, object]:
    return {
        "tree": tree.id,
        "isParent": entry.group.is_parent,
        "lends": entry.group.lends,
        "assumed": entry.group.assumed,
        "orphan": entry.orphan,
        "resources": [_resource(resource, shown_figures(entry, resource)) for resource in found.resources],
    }


def _resource(resource: str, of: RuntimeFigures) -> RuntimeResourcePart:
    return {
        "resource": resource,
        "min": parts.amount(resource, of.min),
        "max": parts.limit(resource, of.max),
        "weight": parts.amount(resource, of.weight),
        "scaledMin": parts.amount(resource, of.least),
        "guaranteed": parts.amount(resource, of.guaranteed),
        "request": parts.amount(resource, of.request),
        "runtime": parts.limit(resource, of.runtime),
        "used": parts.amount(resource, of.used),
        "usedNonPreemptible": parts.amount(resource, of.firm),
        "borrowed": parts.amount(resource, of.borrowed),
        "lent": parts.amount(resource, of.lent),
    }


def _total(tree: TreeEntry, resource: str) -> TreeTotalPart:
    known = tree.total is not None and tree.shared is not None
    return {
        "tree": tree.id,
        "resource": resource,
        "total": parts.amount(resource, (tree.total or {}).get(resource, 0)) if known else None,
        "shared": parts.amount(resource, (tree.shared or {}).get(resource, 0)) if known else None,
    }


def derivation_document(of: RuntimeDerivation, places: parts.Places) -> KoordinatorDerivationDocument:
    """One quota's runtime, step by step."""
    return {
        "apiVersion": parts.API_VERSION,
        "kind": "KoordinatorDerivation",
        "namespace": of.group.key.namespace,
        "name": of.group.name,
        "orphan": of.orphan,
        "resources": [_derived(each) for each in of.resources],
        "fidelity": parts.fidelity(of.fidelity, places),
    }


def _derived(of: DerivedResource) -> DerivedRuntimePart:
    return {
        "figures": _resource(of.resource, of.figures),
        "pods": _named(of.resource, of.pods),
        "children": _named(of.resource, of.children),
        "divisions": [_division(of.resource, level) for level in of.levels],
    }


def _named(resource: str, amounts: NamedAmounts) -> list[NamedAmountPart]:
    return [{"name": name, "amount": parts.amount(resource, value)} for name, value in amounts]


def _division(resource: str, level: DivisionLevel) -> DivisionPart:
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
