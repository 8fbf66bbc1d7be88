"""Loans are a naming of balances: their sums are Kueue's own figures, and nobody lends what it has not."""

from collections import Counter
from typing import Any

from hypothesis import given

from kubectl_fairshare.schedulers.kueue.explain.shares import KueueNode, share_tree
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.tree.loans import Loan, loans
from kubectl_fairshare.schedulers.kueue.tree.state import State
from tests.property.asking import state_of_case
from tests.property.effort import examples
from tests.property.generate import cases

Manifest = dict[str, Any]


def over(state: State, node: int, pair: FlavorResource) -> int:
    """By how much a node uses more than its subtree quota: what Kueue says it borrows."""
    return max(0, state.ledger.usage(node, pair) - state.forest.subtree(node, pair))


def unused(state: State, node: int, pair: FlavorResource) -> int:
    """What of the quota that a node lends it does not use itself."""
    local = state.forest.local(node, pair)
    lendable = state.forest.subtree(node, pair) - local
    return lendable - max(0, state.ledger.usage(node, pair) - local)


def all_pairs(state: State) -> list[FlavorResource]:
    """Every flavor-resource of the forest."""
    return sorted({pair for n in state.forest.nodes for pair in n.subtree})


def is_from_above(state: State, loan: Loan, cohort: int) -> bool:
    """Whether the loan brings quota into the cohort's subtree: to a queue below it, from above it or from nobody."""
    borrower = state.forest.queue_ids[loan.borrower]
    path = [state.forest.nodes[n].name for n in state.forest.path(cohort) if not state.forest.nodes[n].is_queue]
    above = loan.cohort in path[1:] or loan.lender is None
    return cohort in state.forest.path(borrower) and above


@examples(150)
@given(cases())
def test_what_a_queue_owes_is_what_it_borrows(case: Manifest) -> None:
    state = state_of_case(case)
    owed: Counter[tuple[str, FlavorResource]] = Counter()
    for loan in loans(state):
        assert loan.amount > 0
        owed[loan.borrower, loan.pair] += loan.amount

    for queue, node in state.forest.queue_ids.items():
        for pair in all_pairs(state):
            assert owed[queue, pair] == over(state, node, pair)


@examples(150)
@given(cases())
def test_what_comes_into_a_cohort_is_what_it_borrows(case: Manifest) -> None:
    state = state_of_case(case)
    for cohort in state.forest.cohort_ids.values():
        for pair in all_pairs(state):
            coming = sum(o.amount for o in loans(state) if o.pair == pair and is_from_above(state, o, cohort))

            assert coming == over(state, cohort, pair)


@examples(150)
@given(cases())
def test_nobody_lends_more_than_it_leaves_unused(case: Manifest) -> None:
    state = state_of_case(case)
    lent: Counter[tuple[str, str, str, FlavorResource]] = Counter()
    for loan in loans(state):
        if loan.lender is not None:
            lent[loan.lender_kind, loan.lender, loan.cohort, loan.pair] += loan.amount

    for (kind, name, cohort, pair), amount in lent.items():
        ids = state.forest.queue_ids if kind == "ClusterQueue" else state.forest.cohort_ids
        own = kind == "Cohort" and name == cohort
        most = state.forest.quota(ids[name], pair).nominal if own else unused(state, ids[name], pair)
        assert amount <= most
        assert own or state.forest.nodes[ids[name]].parent == state.forest.cohort_ids[cohort]


@examples(100)
@given(cases())
def test_the_report_tells_the_same_balances(case: Manifest) -> None:
    state = state_of_case(case)
    report = share_tree(state)
    lent: Counter[tuple[str, str, FlavorResource]] = Counter()
    for loan in report.loans:
        lent[loan.lender_kind, loan.lender or "", loan.pair] += loan.amount

    for node in _all(report.trees):
        for pair, figures in node.pairs.items():
            assert figures.borrowed == max(0, figures.usage - figures.subtree)
            assert figures.lent >= lent[node.key.kind, node.name, FlavorResource(*pair)]
            if node.key.kind == "ClusterQueue":
                assert figures.lent <= max(0, figures.subtree - figures.usage)


@examples(100)
@given(cases())
def test_all_that_is_lent_is_the_quota_of_some_queue_or_cohort(case: Manifest) -> None:
    state = state_of_case(case)
    report = share_tree(state)
    for pair in all_pairs(state):
        lent = sum(loan.amount for loan in report.loans if loan.lender is not None and loan.pair == pair)
        nodes = [n for n in _all(report.trees) if pair in n.pairs]
        queues = sum(n.pairs[pair].lent for n in nodes if n.key.kind == "ClusterQueue")
        cohorts = sum(n.pairs[pair].nominal for n in nodes if n.key.kind == "Cohort")

        assert queues <= lent <= queues + cohorts


def _all(roots: tuple[KueueNode, ...]) -> list[KueueNode]:
    return [node for root in roots for node in root]
