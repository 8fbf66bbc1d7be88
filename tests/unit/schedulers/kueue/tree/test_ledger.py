"""Usage, what is available and potential, and shares, in tables. The tree: root ⊃ mid ⊃ {a, b}, root ⊃ c."""

import pytest

from kubectl_fairshare.model.amounts import LEAST, UNLIMITED, ExactAmount
from kubectl_fairshare.schedulers.kueue.laws import NO_SHARE, Share
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue, Cohort, Quota
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.tree.ledger import Ledger, PathUsage
from kubectl_fairshare.schedulers.kueue.tree.state import State
from tests.unit.schedulers.kueue.build import CPU, GPU, cohort, holder, queue, state

SPOT = FlavorResource("spot", "gpu")
Uses = dict[FlavorResource, int]


def tree(a: Quota, mid: Quota = Quota(0), b: Quota = Quota(0), c: Quota = Quota(0), root: Quota = Quota(0)) -> State:  # noqa: B008
    return state(
        cohort("root", None, root),
        cohort("mid", "root", mid),
        queue("a", "mid", a),
        queue("b", "mid", b),
        queue("c", "root", c),
    )


def node(state: State, name: str) -> int:
    ids = state.forest.queue_ids if name in state.forest.queue_ids else state.forest.cohort_ids
    return ids[name]


def used(state: State, ledger: Ledger) -> dict[str, int]:
    found = {n.name: ledger.usage(n.id, GPU) for n in state.forest.nodes}
    return {name: amount for name, amount in found.items() if amount}


@pytest.mark.parametrize(
    ("a", "mid", "added", "expected"),
    [
        (Quota(5), Quota(0), 3, {"a": 3, "mid": 3, "root": 3}),
        (Quota(5, lending_limit=0), Quota(0), 5, {"a": 5}),
        (Quota(5, lending_limit=2), Quota(0), 3, {"a": 3}),
        (Quota(5, lending_limit=2), Quota(0), 4, {"a": 4, "mid": 1, "root": 1}),
        (Quota(5, lending_limit=2), Quota(0, lending_limit=0), 4, {"a": 4, "mid": 1}),
        (Quota(5, lending_limit=2), Quota(2, lending_limit=1), 9, {"a": 9, "mid": 6, "root": 3}),
        (Quota(0), Quota(0), UNLIMITED, {"a": UNLIMITED, "mid": UNLIMITED, "root": UNLIMITED}),
    ],
)
def test_what_a_free_local_part_cannot_hold_goes_up(a: Quota, mid: Quota, added: int, expected: dict[str, int]) -> None:
    before = tree(a, mid)
    after = before.ledger.plus(node(before, "a"), {GPU: added})

    assert used(before, after) == expected
    assert used(before, before.ledger) == {}


@pytest.mark.parametrize(
    ("held", "removed", "expected"),
    [
        (9, 2, {"a": 7, "mid": 4, "root": 4}),
        (9, 6, {"a": 3}),
        (9, 8, {"a": 1}),
        (3, 2, {"a": 1}),
        (4, 2, {"a": 2}),
        (0, 2, {"a": -2}),
    ],
)
def test_an_ancestor_gives_back_what_it_bore(held: int, removed: int, expected: dict[str, int]) -> None:
    before = tree(Quota(5, lending_limit=2))
    ledger = before.ledger.plus(node(before, "a"), {GPU: held})

    assert used(before, ledger.minus(node(before, "a"), {GPU: removed})) == expected
    assert ledger.usage(node(before, "a"), GPU) == held


def test_children_that_pass_nothing_on_are_as_empty_ones_for_all_above_them() -> None:
    nodes: list[Cohort | ClusterQueue] = [
        cohort("root"),
        cohort("mid", "root", quotas=2),
        cohort("low", "mid"),
        queue("d", "root", 3),
    ]
    queues = [queue("a", "mid", Quota(5, lending_limit=2)), queue("b", "mid", 1), queue("c", "low", 1)]
    held = [holder("wa", "a", 7), holder("wb", "b", 2), holder("wc", "c", 4), holder("wd", "d", 1)]
    found = state(*nodes, *queues, *held)
    for names in (("a",), ("b", "low"), ("a", "b", "low"), ()):
        emptied = found.ledger
        for holder_ in (h for h in held if {h.cluster_queue, {"c": "low"}.get(h.cluster_queue)} & {*names}):
            emptied = emptied.minus(node(found, holder_.cluster_queue), holder_.usage)
        left = PathUsage(found.ledger, found.forest.path(node(found, "mid")))
        passed = found.ledger.passed(node(found, "mid"), frozenset((GPU,)), by_share=False)
        for name in names:
            if node(found, name) in passed.sides:
                left.take(0, passed.of(passed.sides.index(node(found, name))))
        assert left.of(GPU) == [emptied.usage(node(found, name), GPU) for name in ("mid", "root")], names


def test_usage_that_has_become_unlimited_stays_so() -> None:
    before = tree(Quota(5))
    ledger = before.ledger.plus(node(before, "a"), {GPU: UNLIMITED - 1}).plus(node(before, "a"), {GPU: 1})

    assert ledger.minus(node(before, "a"), {GPU: 7}).usage(node(before, "a"), GPU) == UNLIMITED


@pytest.mark.parametrize(
    ("amounts", "total"),
    [
        ((3, 3, 4, 3), 13),
        ((1 << 62, 1 << 62), UNLIMITED),
        ((1 << 62, 1 << 62, -5), UNLIMITED),
        ((-5, 1 << 62, (1 << 62) - 1), UNLIMITED - 5),
        ((-5, -5, 2), -8),
        ((UNLIMITED, -5, UNLIMITED), UNLIMITED),
        ((ExactAmount(1 << 62), ExactAmount(1 << 62)), 1 << 63),
        ((0, 0), 0),
    ],
)
def test_a_queue_uses_what_its_workloads_use_in_their_order(amounts: tuple[int, ...], total: int) -> None:
    shared = {amount: {GPU: amount} for amount in amounts}
    holders = [holder(f"w{i}", "a") for i in range(len(amounts))]
    for each, amount in zip(holders, amounts, strict=True):
        each.usage = shared[amount]
    found = state(queue("a", "mid", Quota(5)), *holders)

    assert found.ledger.usage(node(found, "a"), GPU) == total


@pytest.mark.parametrize(
    ("state_", "holds", "available", "potential"),
    [
        # a alone: what root has and nobody uses
        (tree(Quota(4), c=Quota(3)), {}, 7, 7),
        (tree(Quota(4), c=Quota(3)), {"a": 5}, 2, 7),
        (tree(Quota(4), c=Quota(3)), {"c": 6}, 1, 7),
        (tree(Quota(4), c=Quota(3)), {"c": 9}, -2, 7),
        # a's borrowingLimit
        (tree(Quota(4, borrowing_limit=1), c=Quota(3)), {}, 5, 5),
        (tree(Quota(4, borrowing_limit=1), c=Quota(3)), {"a": 5}, 0, 5),
        (tree(Quota(4, borrowing_limit=1), c=Quota(3)), {"a": 7}, -2, 5),
        (tree(Quota(4, borrowing_limit=1), c=Quota(3)), {"c": 6}, 1, 5),
        (tree(Quota(4, borrowing_limit=0), c=Quota(3)), {"a": 1}, 3, 4),
        # mid's borrowingLimit counts for both of its queues
        (tree(Quota(4), Quota(0, borrowing_limit=1), c=Quota(3)), {}, 5, 5),
        (tree(Quota(4), Quota(0, borrowing_limit=1), c=Quota(3)), {"b": 3}, 2, 5),
        # others keep to themselves what they do not lend
        (tree(Quota(4), c=Quota(3, lending_limit=1)), {}, 5, 5),
        (tree(Quota(4), c=Quota(3, lending_limit=1)), {"c": 2}, 5, 5),
        (tree(Quota(4), c=Quota(3, lending_limit=1)), {"c": 3}, 4, 5),
        # a's own local part is there whatever the others do
        (tree(Quota(4, lending_limit=1), c=Quota(3)), {"c": 6}, 1, 7),
        (tree(Quota(4, lending_limit=1), c=Quota(3)), {"c": 4, "a": 2}, 1, 7),
        (tree(Quota(4, borrowing_limit=1, lending_limit=1), c=Quota(3)), {}, 5, 5),
        (tree(Quota(4, borrowing_limit=1, lending_limit=1), c=Quota(3)), {"a": 4}, 1, 5),
        # mid lends nothing to root, and still gets
        (tree(Quota(4), Quota(0, lending_limit=0), c=Quota(3)), {}, 7, 7),
        (tree(Quota(0), Quota(5), root=Quota(2)), {"b": 1}, 6, 7),
        (tree(Quota(UNLIMITED), c=Quota(3)), {"a": 5}, UNLIMITED, UNLIMITED),
        (tree(Quota(4), c=Quota(3)), {"c": UNLIMITED}, LEAST, 7),
    ],
)
def test_available_and_potential_of_a(state_: State, holds: dict[str, int], available: int, potential: int) -> None:
    ledger = state_.ledger
    for name, amount in holds.items():
        ledger = ledger.plus(node(state_, name), {GPU: amount})

    assert ledger.available(node(state_, "a"), GPU) == available
    assert ledger.free(node(state_, "a"), GPU) == max(0, available)
    assert state_.forest.potential(node(state_, "a"), GPU) == potential


@pytest.mark.parametrize(
    ("quota", "subtree", "local"),
    [
        (Quota(4), 4, 0),
        (Quota(4, lending_limit=4), 4, 0),
        (Quota(4, lending_limit=1), 4, 3),
        (Quota(4, lending_limit=9), 4, 0),
        (Quota(UNLIMITED, lending_limit=1), UNLIMITED, UNLIMITED),
        (Quota(UNLIMITED, lending_limit=UNLIMITED), UNLIMITED, 0),
    ],
)
def test_what_a_queue_gives_and_what_it_keeps(quota: Quota, subtree: int, local: int) -> None:
    found = tree(quota)

    assert found.forest.subtree(node(found, "a"), GPU) == subtree
    assert found.forest.local(node(found, "a"), GPU) == local
    assert found.forest.subtree(node(found, "root"), GPU) == (0 if local == UNLIMITED else subtree - local)


@pytest.mark.parametrize(
    ("name", "more", "borrows"), [("a", 4, False), ("a", 5, True), ("mid", 6, False), ("mid", 7, True)]
)
def test_a_node_borrows_beyond_its_subtree_quota(name: str, more: int, *, borrows: bool) -> None:
    found = tree(Quota(4), b=Quota(2))

    assert found.ledger.borrows_with(node(found, name), GPU, more) is borrows


def test_in_a_wide_tree_every_node_keeps_its_own_account() -> None:
    names = [f"q{i:02}" for i in range(90)]
    before = state(*(queue(name, f"co{i % 9}", 1) for i, name in enumerate(names)))
    ledger, seen = before.ledger, [before.ledger]
    for i, name in enumerate(names):
        ledger = ledger.plus(node(before, name), {GPU: i + 1})
        seen.append(ledger)

    for i, one in enumerate(seen):
        counted = [j + 1 if j < i else 0 for j in range(90)]
        assert [one.usage(node(before, name), GPU) for name in names] == counted
        assert [one.usage(node(before, f"co{c}"), GPU) for c in range(9)] == [sum(counted[c::9]) for c in range(9)]


# --- the weighted share: queue a beside others in one cohort


@pytest.mark.parametrize(
    ("weight", "mine", "others", "uses", "expected"),
    [
        (1.0, {GPU: 4}, {GPU: 6}, {GPU: 4}, NO_SHARE),
        (1.0, {GPU: 4}, {GPU: 6}, {GPU: 5}, Share(0, 100.0, "gpu", True)),
        (2.0, {GPU: 4}, {GPU: 6}, {GPU: 5}, Share(0, 50.0, "gpu", True)),
        (0.0, {GPU: 4}, {GPU: 6}, {GPU: 5}, Share(1, 100.0, "gpu", True)),
        (0.0, {GPU: 4}, {GPU: 6}, {GPU: 4}, NO_SHARE),
        # the larger ratio dominates, and of two equal ones the first by name
        (1.0, {GPU: 4, CPU: 0}, {GPU: 6, CPU: 5}, {GPU: 5, CPU: 1}, Share(0, 200.0, "cpu", True)),
        (1.0, {GPU: 4, CPU: 0}, {GPU: 6, CPU: 10}, {GPU: 5, CPU: 1}, Share(0, 100.0, "cpu", True)),
        # flavors add up: what is borrowed of one is not made up for by another
        (1.0, {GPU: 4, SPOT: 4}, {GPU: 6, SPOT: 6}, {GPU: 5, SPOT: 5}, Share(0, 100.0, "gpu", True)),
        (1.0, {GPU: 4, SPOT: 4}, {GPU: 6, SPOT: 6}, {GPU: 6, SPOT: 0}, Share(0, 100.0, "gpu", True)),
        # nothing of it can be lent: it borrows, and has no share and no dominant resource
        (1.0, {GPU: 0}, {GPU: 0}, {GPU: 2}, Share(0, 0.0, None, True)),
        (0.0, {GPU: 0}, {GPU: 0}, {GPU: 2}, Share(0, 0.0, None, True)),
        # unlimited quota is a number like any other
        (1.0, {GPU: 1}, {GPU: UNLIMITED}, {GPU: 3}, Share(0, 2000.0 / UNLIMITED, "gpu", True)),
        (1.0, {GPU: UNLIMITED}, {GPU: 1}, {GPU: 3}, NO_SHARE),
        # the order of operations: borrowed, times 1000, through lendable, through the weight
        (3.0, {GPU: 0}, {GPU: 7}, {GPU: 1}, Share(0, 1.0 * 1000.0 / 7.0 / 3.0, "gpu", True)),
    ],
)
def test_share(weight: float, mine: Uses, others: Uses, uses: Uses, expected: Share) -> None:
    found = state(
        cohort("root"),
        queue("a", "root", {p: Quota(q) for p, q in mine.items()}, weight=weight),
        queue("b", "root", {p: Quota(q) for p, q in others.items()}),
        holder("w", "a", uses),
    )

    assert found.ledger.share(found.forest.queue_ids["a"]) == expected


def test_a_resource_that_the_cohort_lends_in_no_flavor_of_the_node_counts_all_the_same() -> None:
    """Lendable is summed over the root's flavors, also those that the node has no quota for."""
    found = state(
        cohort("root"),
        queue("a", "root", {GPU: Quota(0)}),
        queue("b", "root", {GPU: Quota(4), SPOT: Quota(4)}),
        holder("w", "a", {GPU: 2}),
    )

    assert found.ledger.share(found.forest.queue_ids["a"]).value == 2 * 1000.0 / 8


@pytest.mark.parametrize(("limit", "lendable"), [(None, 8), (3, 5), (0, 2)])
def test_lendable_is_what_the_parent_could_have(limit: int | None, lendable: int) -> None:
    found = state(
        cohort("root", quotas=6),
        cohort("mid", "root", Quota(0, borrowing_limit=limit)),
        queue("a", "mid", 2),
        holder("w", "a", 3),
    )

    assert found.ledger.share(found.forest.queue_ids["a"]).value == 1 * 1000.0 / lendable


@pytest.mark.parametrize("name", ["root", "alone"])
def test_who_has_nobody_to_borrow_from_has_no_share(name: str) -> None:
    found = state(
        cohort("root"), queue("a", "root", 1), queue("alone", None, 1), holder("v", "a", 5), holder("w", "alone", 5)
    )
    ids = {**found.forest.cohort_ids, **found.forest.queue_ids}

    assert found.ledger.share(ids[name]) == NO_SHARE


def test_what_is_below_nothing_is_filled_before_the_cohort_bears_any() -> None:
    """A queue that gave back 5 which it did not have, and takes 7, has 2 of its cohort, as Kueue counts."""
    found = state(cohort("co"), queue("a", "co", 0), queue("b", "co", 10))
    a, top = node(found, "a"), node(found, "co")
    after = found.ledger.minus(a, {GPU: 5}).plus(a, {GPU: 7})
    assert (after.usage(a, GPU), after.usage(top, GPU)) == (2, 2)
