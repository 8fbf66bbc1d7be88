"""LENT counts where the quota is: at the cohort that it leaves, and below at its owner, by the convention."""

import pytest

from kubectl_fairshare.schedulers.kueue.explain.shares import KueueNode, share_tree
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.objects import Quota
from kubectl_fairshare.schedulers.kueue.tree.derivation import derive
from kubectl_fairshare.schedulers.kueue.tree.state import State
from tests.unit.schedulers.kueue.build import GPU, cohort, holder, queue, state


def lent(found: State) -> dict[str, int]:
    todo: list[KueueNode] = [*share_tree(found).trees]
    for node in todo:
        todo += node.children
    return {node.name: node.pairs[GPU].lent for node in todo if GPU in node.pairs and node.pairs[GPU].lent}


def company(takes: int, own: int = 0, b: int = 2, inside: int = 0, used: int = 0) -> State:
    """root ⊃ mid ⊃ a, b, c (4, ``b`` and 0), with ``own`` of mid itself; ``taker`` beside mid has nothing."""
    return state(
        *(cohort("root"), cohort("mid", "root", own), queue("taker", "root", 0)),
        *(queue("a", "mid", 4), queue("b", "mid", b), queue("c", "mid", 0)),
        *(holder("takes", "taker", takes), holder("inside", "c", inside), holder("used", "a", used)),
    )


@pytest.mark.parametrize(
    ("found", "amounts"),
    [
        (company(3), {"mid": 3, "a": 3}),
        (company(5), {"mid": 5, "a": 4, "b": 1}),
        (company(5, used=3), {"mid": 3, "a": 1, "b": 2}),  # 2 more than there is: nobody lends them
        (company(3, own=2), {"mid": 3, "a": 1}),
        # what a lends inside counts at a alone
        (company(2, inside=1), {"mid": 2, "a": 3}),
        # what mid lends inside, it has not for others
        (company(2, own=2, inside=1), {"mid": 3, "a": 1}),
    ],
)
def test_who_lends(found: State, amounts: dict[str, int]) -> None:
    assert lent(found) == amounts


def test_a_lent_amount_is_derived() -> None:
    found = company(5)

    steps = {step.law: step for step in derive(found, found.forest.queue_ids["b"]).steps}

    assert dict(steps[Law.LENT].operands)["through mid"] == 1
    assert steps[Law.LENT].operand("lent") == 1
    assert steps[Law.OVER_QUOTA].operand("borrowed") == 0


def test_what_a_cohort_lends_and_uses_is_derived_term_by_term() -> None:
    found = state(
        *(cohort("root"), queue("a", "root", Quota(5, lending_limit=2)), queue("b", "root", 4)),
        holder("held", "a", 4),
    )

    steps = {step.law: step for step in derive(found, found.forest.cohort_ids["root"]).steps}

    (taken,) = steps[Law.USAGE].rests_on
    assert taken.operands[-3:] == (("usage", 4), ("local", 3), ("taken", 1))  # type: ignore[union-attr]
    assert steps[Law.SUBTREE].operand("lent by a") == 2
    assert steps[Law.SUBTREE].operand("lent by b") == 4
