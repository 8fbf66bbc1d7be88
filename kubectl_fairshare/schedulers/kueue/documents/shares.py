"""Shares, their derivation, and what saturated queues would hold, as documents."""

from collections.abc import Mapping
from typing import Final, Literal, TypedDict

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.proof import ProofPart, proof
from kubectl_fairshare.report.documents.structs import Forms
from kubectl_fairshare.schedulers.kueue.cycle.saturated import Saturation
from kubectl_fairshare.schedulers.kueue.documents.parts import PairAmountPart, SharePart, pair_amounts, share
from kubectl_fairshare.schedulers.kueue.documents.past_usage import AdmissionSharingPart, admission_sharing_part
from kubectl_fairshare.schedulers.kueue.explain.past_usage import PastReport
from kubectl_fairshare.schedulers.kueue.explain.shares import UsageLine
from kubectl_fairshare.schedulers.kueue.laws import Share
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.tree.derivation import Derivation
from kubectl_fairshare.schedulers.kueue.tree.loans import Loan
from kubectl_fairshare.schedulers.kueue.words.sentences import sentence


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


def _loan(of: Loan, *_: object) -> LoanPart:
    return {
        "flavor": of.pair.flavor,
        "resource": of.pair.resource,
        "borrower": of.borrower,
        "lender": of.lender,
        "lenderKind": of.lender_kind,
        "cohort": of.cohort,
        "amount": parts.amount(of.pair.resource, of.amount),
    }


def _usage(of: UsageLine, *_: object) -> UsageLinePart:
    return {
        "name": of.name,
        "clusterQueues": list(of.cluster_queues),
        "running": of.running,
        "pending": of.pending,
        "usage": pair_amounts(of.usage.items()),
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


def _share(of: Share, *_: object) -> SharePart:
    return share(of)


def _past(of: PastReport, *_: object) -> AdmissionSharingPart:
    return admission_sharing_part(of)


SHARES: Final = "Shares"
FORMS: Final = Forms({Share: _share, Loan: _loan, UsageLine: _usage, PastReport: _past})
