"""Every outcome that Kueue's ties allow."""

import pytest

from kubectl_fairshare.schedulers.kueue.cycle import possible
from kubectl_fairshare.schedulers.kueue.cycle.cycle import CycleRun, HeadStatus
from kubectl_fairshare.schedulers.kueue.cycle.nominate import nominate
from kubectl_fairshare.schedulers.kueue.cycle.possible import possible_cycles, possible_nominations, possible_scans
from kubectl_fairshare.schedulers.kueue.model.objects import Preemption
from kubectl_fairshare.schedulers.kueue.preemption import fair_targets
from kubectl_fairshare.schedulers.kueue.preemption.targets import Examination, SearchResult
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


def above_others(need: int) -> State:
    """Two pairs of equal cohorts. No workload of the pair with the larger share may be preempted."""
    return state(
        *(cohort(name, "all") for name in ("left", "right", "high", "higher")),
        cohort("all"),
        cohort("inner", "high"),
        queue("l", "left", 1),
        queue("r", "right", 1),
        queue("h", "inner", 1),
        queue("g", "higher", 1),
        queue("mine", "all", 12, preemption=Preemption(reclaim_within_cohort="LowerPriority")),
        *(holder(f"{name}{i}", name) for name in "lr" for i in range(3)),
        *(holder(f"{name}{i}", name, priority=9) for name in "hg" for i in range(5)),
        pending("asking", "mine", need, priority=1),
        strategies=FAIR,
    )


@pytest.mark.parametrize(("needs", "sets"), [(1, [("l0",), ("r0",)]), (2, [("l0", "r0")])])
def test_cohorts_without_candidates_leave_the_choice_to_the_others(needs: int, sets: list[tuple[str, ...]]) -> None:
    given = above_others(needs)
    assert len(nominate(given, given.kueue.pending[0]).searches[0].ties) > 1
    assert victims(given) == sets


def test_a_very_long_search_is_not_tried_in_other_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    given = siblings()
    monkeypatch.setattr(possible, "_VERY_LONG", 1)
    found = possible_scans(given, given.kueue.pending[0])
    assert (len(found.results), found.complete, found.ways) == (1, False, 1)
    assert len(possible_scans(given, given.kueue.pending[0], 10).results) == 2


def three_siblings() -> State:
    """Three cohorts that borrow what the queue `mine` wants back."""
    return state(
        cohort("all"),
        *(cohort(f"c-{name}", "all") for name in "abc"),
        *(queue(name, f"c-{name}", 1) for name in "abc"),
        queue("mine", "all", 6, preemption=ANY),
        *(holder(f"{name}{i}", name) for name in "abc" for i in range(3)),
        pending("asking", "mine"),
        strategies=FAIR,
    )


def test_two_results_of_a_long_search_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    given = three_siblings()
    assert len(victims(given)) == 3
    monkeypatch.setattr(possible, "_LONG", 1)
    found = possible_nominations(given, given.kueue.pending[0])
    assert (len(found.results), found.complete) == (2, False)


@pytest.mark.parametrize("hopeless", [True, False])
def test_a_search_that_cannot_succeed_leaves_nothing_to_chance(monkeypatch: pytest.MonkeyPatch, hopeless: bool) -> None:
    given = siblings()
    search = SearchResult(look=lambda: Examination(ties=((1, 2),), hopeless=hopeless))
    monkeypatch.setattr(fair_targets, "fair_targets", lambda *_: search)
    assert nominate(given, given.kueue.pending[0]).tied is not hopeless


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


@pytest.mark.parametrize("strategies", [None, FAIR], ids=["classical", "fair"])
def test_ties_of_trees_that_share_nothing_have_all_outcomes_of_both(strategies: tuple[str, ...] | None) -> None:
    given = state(
        *(cohort(tree, quotas=1) for tree in "xy"),
        *(queue(name, tree) for tree, names in (("x", "ab"), ("y", "cd")) for name in names),
        *(pending(name, name) for name in "abcd"),
        strategies=strategies,
    )
    assert sorted(map(admitted, possible_cycles(given).results)) == ["ac", "ad", "bc", "bd"]


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
