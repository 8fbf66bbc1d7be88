"""Which queues may preempt a running workload: each that some newcomer could come from, whatever it asks for."""

import pytest

from kubectl_fairshare.answers.preemptors import PreemptorNumbers
from kubectl_fairshare.schedulers.kueue.cycle.nominate import nominate
from kubectl_fairshare.schedulers.kueue.model.objects import Preemption, Quota
from kubectl_fairshare.schedulers.kueue.preemption.targets import SearchResult
from kubectl_fairshare.schedulers.kueue.review.reviewer import exposures
from kubectl_fairshare.schedulers.kueue.tree.state import State
from tests.unit.schedulers.kueue.build import CPU, FAIR, GPU, cohort, holder, pending, queue, state

RECLAIMS = Preemption("Never", "Any")


def takers(of: State) -> dict[str, list[str]]:
    """The queues that may take each workload."""
    found = exposures(of, PreemptorNumbers()).found
    return {each.key.name: sorted({taker.queue for taker in each.takers}) for each in found}


def victims(of: State) -> set[str]:
    """Who goes for the one workload that waits."""
    search = nominate(of, of.kueue.pending[0]).search or SearchResult()
    return {target.holder.key.name for target in search.targets}


def two_departments(newcomer: dict[str, int], strategies: tuple[str, ...] | None = None) -> State:
    """Queue ``b`` borrows CPU within its department, which borrows no CPU from the company, but GPUs."""
    return state(
        cohort("company"),
        cohort("department", "company"),
        queue("a", "company", {CPU: Quota(4), GPU: Quota(4)}, preemption=RECLAIMS),
        queue("b", "department", {CPU: Quota(0), GPU: Quota(0)}),
        queue("c", "department", {CPU: Quota(4), GPU: Quota(0)}),
        queue("d", "company", {CPU: Quota(0), GPU: Quota(0)}),
        holder("b-gpu", "b", {GPU: 4}, reserved=1),
        holder("d-cpu", "d", {CPU: 4}, reserved=2),
        holder("b-cpu", "b", {CPU: 4}, reserved=3),
        pending("new", "a", newcomer),
        strategies=strategies,
    )


def test_a_newcomer_that_asks_for_both_takes_what_is_borrowed_at_home_alone() -> None:
    found = two_departments({"cpu": 4, "gpu": 4})

    assert victims(found) == {"b-cpu", "b-gpu"}
    assert takers(found) == {"b-cpu": ["a"], "b-gpu": ["a"], "d-cpu": ["a"]}


def test_with_fair_sharing_a_department_that_borrows_anything_keeps_nobody_away() -> None:
    found = two_departments({"cpu": 4}, FAIR)

    assert victims(found) == {"b-cpu"}
    assert takers(found)["b-cpu"] == ["a"]


@pytest.mark.parametrize("strategies", [None, FAIR])
def test_a_department_that_borrows_nothing_keeps_others_away(strategies: tuple[str, ...] | None) -> None:
    found = state(
        cohort("company"),
        cohort("department", "company"),
        queue("a", "company", {CPU: Quota(4), GPU: Quota(4)}, preemption=RECLAIMS),
        queue("b", "department", {CPU: Quota(0), GPU: Quota(0)}),
        queue("c", "department", {CPU: Quota(4), GPU: Quota(0)}, preemption=RECLAIMS),
        holder("a-cpu", "a", {CPU: 4}),
        holder("b-cpu", "b", {CPU: 4}),
        strategies=strategies,
    )

    assert takers(found) == {"a-cpu": [], "b-cpu": ["c"]}
