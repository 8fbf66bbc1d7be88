"""The weighted share in tables: queue ``a`` beside others in one cohort."""

import pytest

from kubectl_fairshare.model.amounts import UNLIMITED
from kubectl_fairshare.schedulers.kueue.laws import NO_SHARE, Share
from kubectl_fairshare.schedulers.kueue.model.objects import Quota
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from tests.unit.schedulers.kueue.build import CPU, GPU, cohort, holder, queue, state

SPOT = FlavorResource("spot", "gpu")
Uses = dict[FlavorResource, int]


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


@pytest.mark.parametrize(
    ("smaller", "larger"),
    [
        (NO_SHARE, Share(0, 0.5, "gpu", True)),
        (Share(0, 900.0, "gpu", True), Share(1, 1.0, "gpu", True)),
        (Share(1, 1.0, "gpu", True), Share(1, 2.0, "gpu", True)),
    ],
)
def test_an_infinite_share_is_above_any_other(smaller: Share, larger: Share) -> None:
    assert smaller.order < larger.order


@pytest.mark.parametrize(
    ("share", "expected"),
    [
        (NO_SHARE, 0),
        (Share(0, 0.1, "gpu", True), 1),
        (Share(0, 2.0, "gpu", True), 2),
        (Share(1, 2.0, "gpu", True), UNLIMITED),
        (Share(0, 1e30, "gpu", True), UNLIMITED),
    ],
)
def test_the_share_in_a_status_is_rounded_up(share: Share, expected: int) -> None:
    assert share.rounded == expected
