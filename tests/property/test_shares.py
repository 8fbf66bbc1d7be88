"""Shares move as they should: whoever leaves lifts nobody's share."""

from typing import Any

from hypothesis import given

from tests.property.asking import state_of_case
from tests.property.effort import examples
from tests.property.generate import cases

Manifest = dict[str, Any]


@examples(150)
@given(cases())
def test_removing_a_workload_raises_no_share(case: Manifest) -> None:
    state = state_of_case(case)
    for queue in state.forest.queue_ids.values():
        for holder in state.holders.of(queue):
            without = state.without_holder(holder)
            for node in range(len(state.forest.nodes)):
                before, after = state.ledger.share(node), without.ledger.share(node)

                assert after.order <= before.order
                assert before.borrowing or not after.borrowing


@examples(150)
@given(cases())
def test_a_heavier_node_has_the_smaller_share_and_nobody_elses_moves(case: Manifest) -> None:
    state = state_of_case(case)
    for node in state.forest.nodes:
        heavier = state.with_weight(node.id, 2 * node.weight + 1)
        for other in state.forest.nodes:
            before, after = state.ledger.share(other.id), heavier.ledger.share(other.id)
            if other.id == node.id:
                assert after.order <= before.order
                assert (after.dominant, after.borrowing) == (before.dominant, before.borrowing)
            else:
                assert after == before
