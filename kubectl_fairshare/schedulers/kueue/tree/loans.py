"""What borrowers may have to return, and to which lenders.

Kueue keeps balances, not loans: a cohort knows how much its children borrow, but not from which node. Lenders are
named by the convention of ``Loan``; the sums are Kueue's own figures.
Example: a cohort's queues a and b leave 2 and 3 of their quota unused, and c borrows 4. Kueue has the 4 alone; by
convention 2 are from a, and 2 from b.
Source: ``calculateLendable`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/cache/scheduler/fair_sharing.go and ``resource_node.go`` next
to it, which have no lenders.
"""

from collections.abc import Iterable, Iterator, Mapping

from kubectl_fairshare.model.amounts import add, subtract
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kueue.accounting import borrowing_ceiling
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.tree.forest import top_down
from kubectl_fairshare.schedulers.kueue.tree.state import State


class Loan(Value, frozen=True):
    """What one node may have to return to another: ``amount`` of ``pair`` at ``cohort``.

    Kueue knows only balances, so lenders are named by convention. At each cohort, from the borrower's parent up,
    unused quota goes to the children that borrow, in order of their names: first the cohort's own, then that of its
    children in order of their names. ``lender`` None is usage above the quota of the whole tree. ``lender_kind`` is
    Cohort or ClusterQueue; borrowers are ClusterQueues.
    """

    pair: FlavorResource
    borrower: str
    lender: str | None
    cohort: str
    amount: int
    lender_kind: str = ""


Lendings = dict[tuple[int, FlavorResource], dict[str, int]]
"""Amounts lent by node and flavor-resource, each by its borrower."""


def loans(state: State) -> tuple[Loan, ...]:
    """All loans, by flavor-resource, borrower and lender."""
    forest, found = state.forest, list[Loan]()
    for root in forest.roots:
        order = forest.below(root)[::-1]
        for pair in sorted(forest.nodes[root].subtree):
            found += _tree_loans(state, order, pair)
    return tuple(sorted(found, key=lambda loan: (loan.pair, loan.borrower, loan.cohort, loan.lender or "")))


def lendings(state: State, owed: Iterable[Loan]) -> Lendings:
    """What each node lends, by borrower or by the cohort above that lends it on.

    What leaves a cohort comes from its own quota first, then from what its children do not use, in order of name.
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


def total_lent(of: Mapping[str, int]) -> int:
    """The total that a node lends."""
    total = 0
    for amount in of.values():
        total = add(total, amount)
    return total


def _note(found: Lendings, key: tuple[int, FlavorResource], why: str, amount: int) -> None:
    entry = found.setdefault(key, {})
    entry[why] = add(entry.get(why, 0), amount)


def _pass_down(state: State, cohort: int, pair: FlavorResource, found: Lendings, inside: int) -> None:
    """Splits what leaves a cohort over its children; ``inside`` is what the cohort lends to its own children."""
    this = state.forest.nodes[cohort]
    left = subtract(
        subtract(total_lent(found[cohort, pair]), inside), subtract(state.forest.quota(cohort, pair).nominal, inside)
    )
    for child in sorted(this.children, key=lambda c: state.forest.nodes[c].name):
        if left <= 0:
            return
        used = total_lent(found.get((child, pair), {}))
        amount = min(left, subtract(_unused_quota(state, child, pair), used))
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
            # Above its quota, not above its local part: what it uses of its own quota it does not have to return.
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
    """What a cohort can lend: its own quota, then the unused lendable part of each child."""
    this = state.forest.nodes[node]
    # Before the children's: what a cohort itself has, no queue can lack.
    yield "Cohort", this.name, state.forest.quota(node, pair).nominal
    for child in sorted(this.children, key=lambda c: state.forest.nodes[c].name):
        below = state.forest.nodes[child]
        yield "ClusterQueue" if below.is_queue else "Cohort", below.name, _unused_quota(state, child, pair)


def _unused_quota(state: State, node: int, pair: FlavorResource) -> int:
    """The part of a node's lendable quota that neither it nor a node below uses; negative for a borrower."""
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
