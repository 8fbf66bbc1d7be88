"""Who could be asked to give back what.

Kueue keeps balances, not loans: a cohort knows what its children take beyond their own, not from whom.
Loans are named by the convention of ``Loan``; their sums are Kueue's own figures.
"""

from collections.abc import Iterable, Iterator, Mapping

from kubectl_fairshare.model.amounts import add, subtract
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.kueue.accounting import borrowing_ceiling
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.tree.forest import top_down
from kubectl_fairshare.schedulers.kueue.tree.state import State


@dataclass(frozen=True, slots=True)
class Loan:
    """What one node could be asked to give back to another: ``amount`` of ``pair`` at ``cohort``.

    Kueue knows balances only. Where a lender is named, it is by convention: at each cohort, from the
    borrower's parent up, unused quota is matched in order, the cohort's own first, then its children's
    by name, to the children that borrow, by name. ``lender`` None is quota that no node lends: the tree
    as a whole is over its quota. ``lender_kind`` is Cohort or ClusterQueue; borrowers are ClusterQueues.
    """

    pair: FlavorResource
    borrower: str
    lender: str | None
    cohort: str
    amount: int
    lender_kind: str = ""


Lendings = dict[tuple[int, FlavorResource], dict[str, int]]
"""Amounts lent by node and flavor-resource, each under what it is lent for."""


def loans(state: State) -> tuple[Loan, ...]:
    """All loans, by flavor-resource, borrower and lender."""
    forest, found = state.forest, list[Loan]()
    for root in forest.roots:
        order = forest.below(root)[::-1]
        for pair in sorted(forest.nodes[root].subtree):
            found += _tree_loans(state, order, pair)
    return tuple(sorted(found, key=lambda loan: (loan.pair, loan.borrower, loan.cohort, loan.lender or "")))


def lendings(state: State, owed: Iterable[Loan]) -> Lendings:
    """What each node lends, by what it is lent for: a borrower, or a cohort above that lends it on.

    What leaves a cohort is taken from its own quota first, then from what its children do not use, by name.
    """
    found: Lendings = {}
    ids = {"ClusterQueue": state.forest.queue_ids, "Cohort": state.forest.cohort_ids}
    inside: dict[tuple[int, FlavorResource], int] = {}
    for loan in owed:
        if loan.lender is None:
            continue
        key = ids[loan.lender_kind][loan.lender], loan.pair
        _note(found, key, f"to {loan.borrower} in {loan.cohort}", loan.amount)
        if (loan.lender_kind, loan.lender) == ("Cohort", loan.cohort):
            inside[key] = add(inside.get(key, 0), loan.amount)
    for node in top_down(state.forest.nodes, state.forest.roots):
        for pair in sorted(state.forest.nodes[node].subtree):
            if (node, pair) in found and not state.forest.nodes[node].is_queue:
                _pass_down(state, node, pair, found, inside.get((node, pair), 0))
    return found


def lent(of: Mapping[str, int]) -> int:
    """The sum of what a node lends."""
    total = 0
    for amount in of.values():
        total = add(total, amount)
    return total


def _note(found: Lendings, key: tuple[int, FlavorResource], why: str, amount: int) -> None:
    entry = found.setdefault(key, {})
    entry[why] = add(entry.get(why, 0), amount)


def _pass_down(state: State, cohort: int, pair: FlavorResource, found: Lendings, inside: int) -> None:
    """Tells the children of a cohort what of theirs leaves it; ``inside`` is what it lends to its own children."""
    this = state.forest.nodes[cohort]
    left = subtract(
        subtract(lent(found[cohort, pair]), inside), subtract(state.forest.quota(cohort, pair).nominal, inside)
    )
    for child in sorted(this.children, key=lambda c: state.forest.nodes[c].name):
        if left <= 0:
            return
        used = lent(found.get((child, pair), {}))
        amount = min(left, subtract(_unused(state, child, pair), used))
        if amount > 0:
            _note(found, (child, pair), f"through {this.name}", amount)
            left = subtract(left, amount)


_Debts = list[tuple[str, int]]


def _tree_loans(state: State, order: Iterable[int], pair: FlavorResource) -> Iterator[Loan]:
    """The loans of one tree, whose nodes come in ``order``, children before their parents."""
    owed: dict[int, _Debts] = {}
    for node in order:
        this = state.forest.nodes[node]
        if this.is_queue:
            over = subtract(state.ledger.usage(node, pair), state.forest.subtree(node, pair))
            rest = [(this.name, over)] if over > 0 else []
        else:
            children = sorted(this.children, key=lambda c: state.forest.nodes[c].name)
            debts = [debt for child in children for debt in owed.pop(child)]
            made, rest = _match(debts, _supplies(state, node, pair), pair, this.name)
            yield from made
        owed[node] = rest
        if this.parent is None:
            yield from _unlent_loans(rest, pair, this.name)


_Supply = tuple[str, str, int]


def _supplies(state: State, node: int, pair: FlavorResource) -> Iterator[_Supply]:
    """What can be lent at a cohort: its own quota, then what each child leaves of its lendable part."""
    this = state.forest.nodes[node]
    yield "Cohort", this.name, state.forest.quota(node, pair).nominal
    for child in sorted(this.children, key=lambda c: state.forest.nodes[c].name):
        below = state.forest.nodes[child]
        yield "ClusterQueue" if below.is_queue else "Cohort", below.name, _unused(state, child, pair)


def _unused(state: State, node: int, pair: FlavorResource) -> int:
    """The quota that a node lends and that neither it nor a node below it uses; negative for a borrower."""
    subtree, local = state.forest.subtree(node, pair), state.forest.local(node, pair)
    return borrowing_ceiling(subtree, local, state.ledger.usage(node, pair), 0)


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


def _unlent_loans(debts: _Debts, pair: FlavorResource, cohort: str) -> list[Loan]:
    return [Loan(pair, borrower, None, cohort, amount) for borrower, amount in debts]
