"""Shares, their derivation, and what saturated queues would hold, as documents."""

from collections.abc import Mapping
from typing import Literal, TypedDict

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.proof import ProofPart, proof
from kubectl_fairshare.report.documents.shared import SharedShares
from kubectl_fairshare.report.trees import with_parents
from kubectl_fairshare.schedulers.kueue.cycle.saturated import Saturation
from kubectl_fairshare.schedulers.kueue.documents.parts import PairAmountPart, SharePart, pair_amounts, share
from kubectl_fairshare.schedulers.kueue.documents.past_usage import AdmissionSharingPart, admission_sharing_part
from kubectl_fairshare.schedulers.kueue.explain.shares import NodeReport, PairFigures, ShareTree, UsageLine
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.tree.activity import Inactivity
from kubectl_fairshare.schedulers.kueue.tree.derivation import Derivation
from kubectl_fairshare.schedulers.kueue.tree.loans import Loan
from kubectl_fairshare.schedulers.kueue.words.sentences import sentence


class PairPart(TypedDict):
    """One flavor-resource at one node; null means without limit."""

    flavor: str
    resource: str
    nominal: parts.AmountPart
    subtree: parts.AmountPart
    local: parts.AmountPart
    usage: parts.AmountPart
    borrowed: parts.AmountPart
    lent: parts.AmountPart
    available: parts.AmountPart
    potential: parts.AmountPart
    borrowingLimit: parts.AmountPart | None
    lendingLimit: parts.AmountPart | None
    place: parts.PlacePart | None


class InactivePart(TypedDict):
    """Why a queue is inactive, and the objects that the reasons are about."""

    reasons: list[str]
    objects: list[str]


class NodePart(TypedDict):
    """A Cohort or ClusterQueue; ``parent`` names the Cohort above it, null for a root."""

    kind: str
    name: str
    parent: str | None
    declared: bool
    weight: float
    share: SharePart
    borrowsFrom: list[str]
    inactive: InactivePart | None
    running: int
    pending: int
    resources: list[PairPart]


class LoanPart(TypedDict):
    """What one node may have to return; ``lender`` is null if the tree as a whole uses more than its quota."""

    flavor: str
    resource: str
    borrower: str
    lender: str | None
    lenderKind: str
    cohort: str
    amount: parts.AmountPart


class UsageLinePart(TypedDict):
    """What one LocalQueue or namespace uses."""

    name: str
    clusterQueues: list[str]
    running: int
    pending: int
    usage: list[PairAmountPart]


class TotalPart(TypedDict):
    """The totals of one flavor-resource in all trees."""

    flavor: str
    resource: str
    nominal: parts.AmountPart
    usage: parts.AmountPart


class SharesFields(TypedDict):
    """Who holds what: the forest as a list of nodes, every parent before its children."""

    apiVersion: parts.ApiVersion
    kind: Literal["Shares"]
    fairSharing: bool
    strategies: list[str]
    running: int
    pending: int
    nodes: list[NodePart]
    balances: list[LoanPart]
    localQueues: list[UsageLinePart]
    namespaces: list[UsageLinePart]
    totals: list[TotalPart]
    cycles: list[str]
    stray: list[str]
    skipped: dict[str, int]
    admissionFairSharing: AdmissionSharingPart | None
    fidelity: parts.FidelityPart


class SharesDocument(SharesFields, SharedShares):
    """Who holds what: the forest as a list of nodes, every parent before its children."""


class DerivationDocument(TypedDict):
    """Every figure of one node, derived."""

    apiVersion: parts.ApiVersion
    kind: Literal["Derivation"]
    node: str
    nodeKind: str
    proof: ProofPart
    fidelity: parts.FidelityPart


class SaturatedQueue(TypedDict):
    """What one queue holds in the end.

    If the cycles never become stable, ``least`` and ``most`` are the range of units that it holds, and ``amount``,
    ``units`` and ``resources`` are what it holds at the first cycle that repeats.
    ``requested`` are the units of its backlog, 0 without one and null if it is endless.
    """

    name: str
    requested: int | None
    amount: parts.AmountPart
    units: int
    least: int
    most: int
    resources: list[PairAmountPart]


class ShapePart(TypedDict):
    """What one unit workload requests."""

    resource: str
    amount: parts.AmountPart


class PossibleHolding(TypedDict):
    """What one queue holds in one of the outcomes that ties allow."""

    name: str
    amount: parts.AmountPart


class SaturationDocument(TypedDict):
    """What each queue would hold with the backlogs of ``--demand``.

    ``possible`` lists every outcome that Kueue's ties allow, this one first; empty if there is only this one.
    """

    apiVersion: parts.ApiVersion
    kind: Literal["Saturation"]
    resource: str
    shape: list[ShapePart]
    cycles: int
    rests: bool
    period: int
    clusterQueues: list[SaturatedQueue]
    withoutBacklog: list[str]
    possible: list[list[PossibleHolding]]
    fidelity: parts.FidelityPart


def shares_document(tree: ShareTree, places: parts.Places) -> SharesFields:
    """The shares of all nodes."""
    return {
        "apiVersion": parts.API_VERSION,
        "kind": "Shares",
        "fairSharing": tree.fair,
        "strategies": list(tree.strategies),
        "running": tree.running,
        "pending": tree.pending,
        "nodes": [_node(node, parent, places) for node, parent in with_parents(tree.trees)],
        "balances": [_loan(loan) for loan in tree.loans],
        "localQueues": [_usage(line) for line in tree.local_queues],
        "namespaces": [_usage(line) for line in tree.namespaces],
        "totals": [_total(pair, *amounts) for pair, amounts in tree.totals.items()],
        "cycles": list(tree.cycles),
        "stray": list(tree.stray),
        "skipped": dict(tree.skipped),
        "admissionFairSharing": admission_sharing_part(tree.past),
        "fidelity": parts.fidelity(tree.fidelity, places),
    }


def derivation_document(derivation: Derivation, fidelity: Fidelity, places: parts.Places) -> DerivationDocument:
    """The steps that lead to each figure."""
    return {
        "apiVersion": parts.API_VERSION,
        "kind": "Derivation",
        "node": derivation.name,
        "nodeKind": derivation.kind,
        "proof": proof(derivation.steps, places, sentence),
        "fidelity": parts.fidelity(fidelity, places),
    }


def saturation_document(found: Saturation, places: parts.Places) -> SaturationDocument:
    """What each queue holds in the end."""
    return {
        "apiVersion": parts.API_VERSION,
        "kind": "Saturation",
        "resource": found.resource,
        "shape": [{"resource": r, "amount": parts.amount(r, v)} for r, v in found.shape.items()],
        "cycles": found.cycles,
        "rests": found.rests,
        "period": found.period,
        "clusterQueues": [_saturated_queue(found, name) for name in found.usage],
        "withoutBacklog": list(found.without_backlog),
        "possible": [
            [{"name": name, "amount": parts.amount(found.resource, value)} for name, value in usage.items()]
            for usage in (found.possible.results if len(found.possible.results) > 1 else ())
        ],
        "fidelity": parts.fidelity(found.fidelity, places),
    }


def _node(of: NodeReport, parent: str, places: parts.Places) -> NodePart:
    return {
        "kind": of.kind,
        "name": of.name,
        "parent": parent or None,
        "declared": of.declared,
        "weight": of.weight,
        "share": share(of.share),
        "borrowsFrom": list(of.borrow_path),
        "inactive": _inactive(of.inactive),
        "running": of.running,
        "pending": of.pending,
        "resources": [_pair(pair, figures, places) for pair, figures in of.pairs.items()],
    }


def _inactive(of: Inactivity | None) -> InactivePart | None:
    return None if of is None else {"reasons": list(of.reasons), "objects": list(of.objects)}


def _pair(pair: FlavorResource, of: PairFigures, places: parts.Places) -> PairPart:
    resource = pair.resource
    return {
        "flavor": pair.flavor,
        "resource": resource,
        "nominal": parts.amount(resource, of.nominal),
        "subtree": parts.amount(resource, of.subtree),
        "local": parts.amount(resource, of.local),
        "usage": parts.amount(resource, of.usage),
        "borrowed": parts.amount(resource, of.borrowed),
        "lent": parts.amount(resource, of.lent),
        "available": parts.amount(resource, of.available),
        "potential": parts.amount(resource, of.potential),
        "borrowingLimit": parts.limit(resource, of.borrowing_limit),
        "lendingLimit": parts.limit(resource, of.lending_limit),
        "place": parts.maybe_place(of.place, places),
    }


def _loan(of: Loan) -> LoanPart:
    return {
        "flavor": of.pair.flavor,
        "resource": of.pair.resource,
        "borrower": of.borrower,
        "lender": of.lender,
        "lenderKind": of.lender_kind,
        "cohort": of.cohort,
        "amount": parts.amount(of.pair.resource, of.amount),
    }


def _usage(of: UsageLine) -> UsageLinePart:
    return {
        "name": of.name,
        "clusterQueues": list(of.cluster_queues),
        "running": of.running,
        "pending": of.pending,
        "usage": pair_amounts(of.usage.items()),
    }


def _total(pair: FlavorResource, nominal: int, used: int) -> TotalPart:
    return {
        "flavor": pair.flavor,
        "resource": pair.resource,
        "nominal": parts.amount(pair.resource, nominal),
        "usage": parts.amount(pair.resource, used),
    }


def _saturated_queue(found: Saturation, name: str) -> SaturatedQueue:
    units = found.units.get(name, 0)
    least, most = found.swings.get(name, (units, units))
    held: Mapping[FlavorResource, int] = found.pairs.get(name, {})
    return {
        "name": name,
        "requested": found.backlog.get(name, 0),
        "amount": parts.amount(found.resource, found.usage[name]),
        "units": units,
        "least": least,
        "most": most,
        "resources": pair_amounts(held.items()),
    }
