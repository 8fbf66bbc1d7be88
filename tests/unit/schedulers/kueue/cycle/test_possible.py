"""Every outcome that Kueue's ties allow."""

import pytest

from kubectl_fairshare.schedulers.kueue.cycle.cycle import CycleRun, HeadStatus
from kubectl_fairshare.schedulers.kueue.cycle.possible import possible_cycles, possible_nominations, possible_scans
from kubectl_fairshare.schedulers.kueue.model.objects import Preemption
from kubectl_fairshare.schedulers.kueue.tree.state import State
from tests.unit.schedulers.kueue.build import FAIR, cohort, holder, pending, queue, state

ANY = Preemption(reclaim_within_cohort="Any")


def siblings(*more: object, right: int = 3, need: int = 1) -> State:
    """Two cohorts that borrow what the queue `mine` wants back: three GPUs on the left, ``right`` on the right."""
    return state(
        cohort("all"),
        cohort("left", "all"),
        cohort("right", "all"),
        queue("l", "left", 1),
        queue("r", "right", 1),
        queue("mine", "all", 2 + right - 1, preemption=ANY),
        *(holder(f"l{i}", "l") for i in range(3)),
        *(holder(f"r{i}", "r") for i in range(right)),
        pending("asking", "mine", need),
        *more,  # type: ignore[arg-type]
        strategies=FAIR,
    )


def victims(given: State) -> list[tuple[str, ...]]:
    found = possible_nominations(given, given.kueue.pending[0])
    assert found.complete
    return sorted(tuple(sorted(t.holder.key.name for t in n.leaving)) for n in found.results)


def test_equal_sibling_cohorts_give_several_sets_of_victims() -> None:
    assert victims(siblings()) == [("l0",), ("r0",)]


def test_the_cohort_that_borrows_more_goes_first_whatever_chance_says() -> None:
    assert victims(siblings(right=4)) == [("r0",)]


def test_orders_that_lead_to_the_same_victims_are_one_outcome() -> None:
    assert victims(siblings(need=4)) == [("l0", "l1", "r0", "r1")]


def test_a_plan_has_the_same_outcomes() -> None:
    given = siblings()
    found = possible_scans(given, given.kueue.pending[0])
    assert sorted(n[-1].leaving[0].holder.key.name for n in found.results) == ["l0", "r0"]


def admitted(run: CycleRun) -> str:
    return "".join(sorted(e.nomination.workload.key.name for e in run.entries if e.status is HeadStatus.ASSUMED))


@pytest.mark.parametrize("strategies", [None, FAIR], ids=["classical", "fair"])
@pytest.mark.parametrize(
    ("pool", "outcomes"),
    [(3, ["abc"]), (2, ["ab", "ac", "bc"]), (1, ["a", "b", "c"]), (0, [""])],
    ids=["room for all", "for two", "for one", "for none"],
)
def test_equal_heads_share_the_room_in_every_way(
    strategies: tuple[str, ...] | None, pool: int, outcomes: list[str]
) -> None:
    given = state(
        cohort("all", quotas=pool),
        *(queue(name, "all") for name in "abc"),
        *(pending(name, name) for name in "abc"),
        strategies=strategies,
    )
    found = possible_cycles(given)
    assert sorted(map(admitted, found.results)) == outcomes
    assert admitted(found.results[0]) == outcomes[0]
    assert found.complete


def test_priority_leaves_nothing_to_chance() -> None:
    given = state(
        cohort("all", quotas=1),
        *(queue(name, "all") for name in "ab"),
        pending("a", "a"),
        pending("b", "b", priority=1),
    )
    assert [admitted(run) for run in possible_cycles(given).results] == ["b"]


def test_trees_are_ranked_again_at_every_turn() -> None:
    """At each turn, Kueue chooses anew between the equal heads of a cohort."""
    given = state(
        cohort("all", quotas=2),
        cohort("inner", "all"),
        *(queue(name, "inner") for name in "abc"),
        queue("d", "all"),
        *(pending(name, name) for name in "abcd"),
        strategies=FAIR,
    )
    outcomes = {admitted(run) for run in possible_cycles(given).results}
    assert outcomes == {"ad", "bd", "cd"}


def test_a_search_that_stops_is_not_complete() -> None:
    given = state(cohort("all", quotas=4), *(queue(n, "all") for n in "abcdefg"), *(pending(n, n) for n in "abcdefg"))
    found = possible_cycles(given, 8)
    assert not found.complete
    assert 1 < len(found.results) <= 8
    assert len(possible_cycles(given).results) == 35
