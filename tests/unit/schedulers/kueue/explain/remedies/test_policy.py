"""The narrowest policy that admits the preemptor, in small numbers."""

from collections.abc import Mapping

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.schedulers.kueue.explain.decision import Remedy, RemedyKind
from kubectl_fairshare.schedulers.kueue.explain.planning import plan
from kubectl_fairshare.schedulers.kueue.explain.remedies.policy import POLICIES
from kubectl_fairshare.schedulers.kueue.model.objects import Preemption
from kubectl_fairshare.schedulers.kueue.tree.state import State
from tests.unit.schedulers.kueue.build import FAIR, cohort, holder, pending, queue, state

LOWER, NEWER = "LowerPriority", "LowerOrNewerEqualPriority"


def by_policy(found: State) -> Mapping[RemedyKind, Remedy]:
    """The remedies that change a policy, for the workload that waits."""
    return {r.kind: r for r in plan(found, found.kueue.pending[0]).remedies if r.kind in POLICIES}


@pytest.mark.parametrize(
    ("priority", "queued", "after"),
    [(-1, 0, LOWER), (0, 999, NEWER), (0, 1, None), (1, 999, None)],
)
def test_the_narrowest_policy_within_the_queue(priority: int, queued: int, after: str | None) -> None:
    remedies = by_policy(
        state(queue("a", None, 1), holder("old", "a", priority=priority, queued=queued), pending("new", "a"))
    )
    assert [r.words for r in remedies.values()] == ([] if after is None else [("Never", after)])
    assert all((r.outcome, [k.name for k in r.leaving]) == (Outcome.PREEMPTS, ["old"]) for r in remedies.values())


@pytest.mark.parametrize(
    ("now", "priority", "after"), [("Never", -1, LOWER), ("Never", 5, "Any"), (LOWER, 5, "Any"), ("Any", 5, None)]
)
def test_the_narrowest_reclaim(now: str, priority: int, after: str | None) -> None:
    """b runs on the quota of a."""
    policies = Preemption(reclaim_within_cohort=now)
    found = state(
        *(cohort("co"), queue("a", "co", 2, preemption=policies), queue("b", "co", 0)),
        *(holder("guest", "b", 2, priority=priority), pending("new", "a", 2)),
    )
    remedies = by_policy(found)
    assert [(r.kind, r.words) for r in remedies.values()] == (
        [] if after is None else [(RemedyKind.RECLAIM, (now, after))]
    )


@pytest.mark.parametrize(("reclaim", "offered"), [("Never", False), (LOWER, True)])
def test_borrowing_needs_reclaim(reclaim: str, offered: bool) -> None:
    """Kueue's webhook refuses borrowWithinCohort if reclaimWithinCohort is Never."""
    policies = Preemption(reclaim_within_cohort=reclaim)
    found = state(
        *(cohort("co", quotas=2), queue("a", "co", 0, preemption=policies), queue("b", "co", 0)),
        *(holder("low", "b", 2, priority=-5), pending("new", "a", 2)),
    )
    assert (RemedyKind.BORROW in by_policy(found)) is offered


def test_no_policy_makes_room_for_more_than_the_tree_has() -> None:
    found = state(queue("a", None, 1), holder("old", "a", priority=-1), pending("new", "a", 2))
    assert plan(found, found.kueue.pending[0]).outcome is Outcome.NEVER
    assert by_policy(found) == {}


def test_a_policy_under_fair_sharing() -> None:
    found = state(
        *(cohort("co"), queue("a", "co", 2), queue("b", "co", 0)),
        *(holder("guest", "b", 2, priority=5), pending("new", "a", 2)),
        strategies=FAIR,
    )
    assert [(r.kind, r.words) for r in by_policy(found).values()] == [(RemedyKind.RECLAIM, ("Never", "Any"))]
