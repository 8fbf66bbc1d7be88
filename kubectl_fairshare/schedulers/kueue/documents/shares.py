"""Shares, their derivation, and what saturated queues would hold, as documents."""

from typing import Final

from kubectl_fairshare.answers.documents import DocumentKind, DocumentPart, Hooks, ProofSteps
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.figures import Quantity
from kubectl_fairshare.schedulers.kueue.cycle.saturated import Saturation
from kubectl_fairshare.schedulers.kueue.documents.parts import PairAmountPart, pair_amounts, share
from kubectl_fairshare.schedulers.kueue.documents.past_usage import admission_sharing_part
from kubectl_fairshare.schedulers.kueue.explain.past_usage import PastReport
from kubectl_fairshare.schedulers.kueue.explain.shares import ShareTree, UsageLine
from kubectl_fairshare.schedulers.kueue.laws import Share
from kubectl_fairshare.schedulers.kueue.tree.derivation import Derivation
from kubectl_fairshare.schedulers.kueue.tree.loans import Loan
from kubectl_fairshare.schedulers.kueue.words.sentences import sentence


class LoanPart(DocumentPart, frozen=True):
    """What one node may have to return; ``lender`` is null if the tree as a whole uses more than its quota."""

    flavor: str
    resource: str
    borrower: str
    lender: str | None
    lender_kind: str
    cohort: str
    amount: Quantity


class UsageLinePart(DocumentPart, frozen=True):
    """What one LocalQueue or namespace uses."""

    name: str
    cluster_queues: tuple[str, ...]
    running: int
    pending: int
    usage: tuple[PairAmountPart, ...]


class DerivationDocument(DocumentPart, frozen=True):
    """Every figure of one node, derived."""

    node: str
    node_kind: str
    proof: ProofSteps
    fidelity: Fidelity


class SaturatedQueue(DocumentPart, frozen=True):
    """What one queue holds in the end.

    If the cycles never become stable, ``least`` and ``most`` are the range of units that it holds, and ``amount``,
    ``units`` and ``resources`` are what it holds at the first cycle that repeats.
    ``requested`` are the units of its backlog, 0 without one and null if it is endless.
    """

    name: str
    requested: int | None
    amount: Quantity
    units: int
    least: int
    most: int
    resources: tuple[PairAmountPart, ...]


class ShapePart(DocumentPart, frozen=True):
    """What one unit workload requests."""

    resource: str
    amount: Quantity


class PossibleHolding(DocumentPart, frozen=True):
    """What one queue holds in one of the outcomes that ties allow."""

    name: str
    amount: Quantity


class SaturationDocument(DocumentPart, frozen=True):
    """What each queue would hold with the backlogs of ``--demand``.

    ``possible`` lists every outcome that Kueue's ties allow, this one first; empty if there is only this one.
    """

    resource: str
    shape: tuple[ShapePart, ...]
    cycles: int
    rests: bool
    period: int
    cluster_queues: tuple[SaturatedQueue, ...]
    without_backlog: tuple[str, ...]
    possible: tuple[tuple[PossibleHolding, ...], ...]
    fidelity: Fidelity


def derivation_document(of: Derivation, fidelity: Fidelity) -> DerivationDocument:
    """The steps that lead to each figure."""
    return DerivationDocument(of.name, of.kind, ProofSteps(tuple(of.steps), sentence), fidelity)


def saturation_document(found: Saturation) -> SaturationDocument:
    """What each queue holds in the end."""
    results = found.possible.results
    possible = (tuple(PossibleHolding(*held) for held in usage.items()) for usage in results if len(results) > 1)
    return SaturationDocument(
        found.resource,
        tuple(ShapePart(*asked) for asked in found.shape.items()),
        found.cycles,
        found.rests,
        found.period,
        tuple(_saturated_queue(found, name) for name in found.usage),
        tuple(found.without_backlog),
        tuple(possible),
        found.fidelity,
    )


def _loan(of: Loan) -> LoanPart:
    return LoanPart(*of.pair, of.borrower, of.lender, of.lender_kind, of.cohort, of.amount)


def _usage(of: UsageLine) -> UsageLinePart:
    return UsageLinePart(of.name, of.cluster_queues, of.running, of.pending, pair_amounts(of.usage.items()))


def _saturated_queue(found: Saturation, name: str) -> SaturatedQueue:
    units = found.units.get(name, 0)
    least, most = found.swings.get(name, (units, units))
    held = pair_amounts(found.pairs.get(name, {}).items())
    return SaturatedQueue(name, found.backlog.get(name, 0), found.usage[name], units, least, most, held)


_HOOKS: Final[Hooks] = {
    Share: share,
    Loan: _loan,
    UsageLine: _usage,
    PastReport: admission_sharing_part,
}
SHARES: Final = DocumentKind("Shares", ShareTree, "shares", _HOOKS)
DERIVATION: Final = DocumentKind("Derivation", DerivationDocument)
SATURATION: Final = DocumentKind("Saturation", SaturationDocument)
