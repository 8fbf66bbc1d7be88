"""Who could be asked to give back what.

Kueue keeps balances, not loans: a cohort knows what its children take beyond their own, not from whom.
Loans are named by the convention of ``report.Loan``; their sums are Kueue's own figures.
"""

from collections.abc import Iterator

from kubectl_fairshare.engines.kueue.report import Loan
from kubectl_fairshare.engines.kueue.state import State
from kubectl_fairshare.model.amounts import subtract
from kubectl_fairshare.model.workload import FlavorResource


def loans(state: State) -> tuple[Loan, ...]:
    """All loans, by flavor-resource, borrower and lender."""
    found = []
    for root in (n.id for n in state.forest.nodes if n.parent is None):
        for pair in sorted(state.forest.nodes[root].subtree):
            found += _settle(state, root, pair)[0]
    return tuple(sorted(found, key=lambda loan: (loan.pair, loan.borrower, loan.cohort, loan.lender or "")))


_Debts = list[tuple[str, int]]


def _settle(state: State, node: int, pair: FlavorResource) -> tuple[list[Loan], _Debts]:
    """The loans inside a node's subtree, and what its queues owe beyond it."""
    this = state.forest.nodes[node]
    if this.is_queue:
        over = subtract(state.ledger.usage(node, pair), state.forest.subtree(node, pair))
        debts = [(this.name, over)] if over > 0 else []
        return (_unlent(debts, pair, this.name) if this.parent is None else []), debts
    settled: list[Loan] = []
    debts = []
    for child in sorted((*this.cohorts, *this.queues), key=lambda c: state.forest.nodes[c].name):
        inner, owed = _settle(state, child, pair)
        settled += inner
        debts += owed
    made, rest = _match(debts, _supplies(state, node, pair), pair, this.name)
    if this.parent is None:
        made += _unlent(rest, pair, this.name)
    return settled + made, rest


_Supply = tuple[str, str, int]


def _supplies(state: State, node: int, pair: FlavorResource) -> Iterator[_Supply]:
    """What can be lent at a cohort: its own quota, then what each child leaves of its lendable part."""
    this = state.forest.nodes[node]
    yield "Cohort", this.name, state.forest.quota(node, pair).nominal
    for child in sorted((*this.cohorts, *this.queues), key=lambda c: state.forest.nodes[c].name):
        below, local = state.forest.nodes[child], state.forest.local(child, pair)
        lendable = subtract(state.forest.subtree(child, pair), local)
        taken = max(0, subtract(state.ledger.usage(child, pair), local))
        yield "ClusterQueue" if below.is_queue else "Cohort", below.name, subtract(lendable, taken)


def _match(debts: _Debts, supplies: Iterator[_Supply], pair: FlavorResource, cohort: str) -> tuple[list[Loan], _Debts]:
    made: list[Loan] = []
    owed = list(debts)
    for kind, lender, supply in supplies:
        left = supply
        while owed and left > 0:
            borrower, debt = owed[0]
            amount = min(debt, left)
            made.append(Loan(pair, borrower, lender, cohort, amount, kind))
            left = subtract(left, amount)
            owed[0:1] = [(borrower, debt - amount)] if debt > amount else []
    return made, owed


def _unlent(debts: _Debts, pair: FlavorResource, cohort: str) -> list[Loan]:
    return [Loan(pair, borrower, None, cohort, amount) for borrower, amount in debts]
