"""Why a queue that holds what is short was not asked."""

from typing import Any

import pytest

from kubectl_fairshare.schedulers.kueue.engine import KueueEngine
from kubectl_fairshare.schedulers.kueue.explain.decision import Plan
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.objects import Preemption
from kubectl_fairshare.schedulers.kueue.tree.state import State
from tests.unit.schedulers.kueue.build import FAIR, cohort, holder, pending, queue, state

RECLAIM = Preemption(reclaim_within_cohort="Any")
LOWER = Preemption(within_cluster_queue="LowerPriority", reclaim_within_cohort="LowerPriority")


def company(policy: Preemption = RECLAIM, nominal: int = 4, mine: int = 4, sibling: int = 0, **more: Any) -> State:
    """``holder`` uses 8, of which ``mine`` are its own and ``sibling`` its sibling's; ``thief`` uses 4 of the asker."""
    return state(
        *(cohort("root"), cohort("mid", "root")),
        *(queue("asker", "root", nominal, preemption=policy), queue("thief", "root", 0)),
        *(queue("holder", "mid", mine), queue("sibling", "mid", sibling)),
        *(holder(f"held-{i}", "holder", 2) for i in range(4)),
        *(holder("stolen", "thief", 4), pending("new", "asker", 4)),
        **more,
    )


def asked(found: State) -> Plan:
    return KueueEngine().plan(found.snapshot, found.kueue.pending[0])


@pytest.mark.parametrize("strategies", [None, FAIR], ids=["classical", "fair"])
@pytest.mark.parametrize(
    ("found", "law", "named"),
    [
        ({"policy": Preemption()}, Law.POLICY, ""),
        ({"mine": 8}, Law.QUEUE_NOT_BORROWING, ""),
        ({"policy": LOWER}, Law.NO_CANDIDATES, ""),
        # holder owes 4 to its sibling, and their cohort owes nobody anything
        ({"sibling": 4}, Law.COHORT_NOT_BORROWING, "mid"),
    ],
)
def test_a_queue_is_spared(found: dict[str, Any], law: Law, named: str, strategies: tuple[str, ...] | None) -> None:
    plan = asked(company(**found, strategies=strategies))

    spared = {n.queue: (n.law, n.cohort) for n in plan.not_asked}
    assert spared["holder"] == (law, named)


def test_who_would_have_to_borrow_and_may_not_preempt_for_it_asks_nobody() -> None:
    own = Preemption(within_cluster_queue="LowerPriority")
    found = state(
        *(queue("asker", "root", 4, preemption=own), queue("other", "root", 4)),
        *(holder("held", "asker", 4, priority=-1), holder("far", "other", 2), pending("new", "asker", 6)),
    )

    plan = asked(found)

    assert {n.queue: n.law for n in plan.not_asked} == {"asker": Law.PREEMPTION_NOT_TRIED, "other": Law.POLICY}
    assert plan.trials == ()


@pytest.mark.parametrize("strategies", [None, FAIR], ids=["classical", "fair"])
def test_nobody_more_is_asked_than_needed(strategies: tuple[str, ...] | None) -> None:
    found = state(
        *(queue("asker", "root", 4, preemption=RECLAIM), queue("a", "root", 0), queue("b", "root", 0, weight=4.0)),
        *(holder("first", "a", 2, priority=-1), holder("second", "b", 2), pending("new", "asker", 2)),
        strategies=strategies,
    )

    plan = asked(found)

    assert [t.holder.key.name for t in plan.targets] == ["first"]
    assert {n.queue: n.law for n in plan.not_asked} == {"b": Law.NOT_NEEDED}


@pytest.mark.parametrize("strategies", [None, FAIR], ids=["classical", "fair"])
def test_who_was_taken_in_vain_is_told(strategies: tuple[str, ...] | None) -> None:
    found = state(
        *(queue("asker", "root", 4, preemption=LOWER), queue("holder", "root", 0)),
        *(holder("low", "holder", 1, priority=-1), holder("high", "holder", 3), pending("new", "asker", 3)),
        strategies=strategies,
    )

    plan = asked(found)

    assert plan.targets == ()
    assert [(r.holder.key.name, r.law) for r in plan.refused] == [("low", Law.NOT_ENOUGH)]
