"""Plans: gates, idle capacity, reclaim, and what would help."""

from dataclasses import replace

from kubectl_fairshare.engines.kai.decision import KaiPlan, RemedyKind
from kubectl_fairshare.engines.kai.laws import Law
from kubectl_fairshare.engines.kai.planning import plan
from kubectl_fairshare.engines.outcome import Outcome
from kubectl_fairshare.model.kai import Phase, Pod, PodGroup, Queue, Resources, Shard
from tests.unit.engines.kai.build import group, pod, queue, session


def planned(queues: list[Queue], groups: list[PodGroup], pods: list[Pod], now: int | None = None) -> KaiPlan:
    return plan(session(queues, groups, pods, now=now), "wait")


def waiting(amount: float, count: int = 1) -> list[Pod]:
    return [pod("wait", i, amount, phase=Phase.PENDING) for i in range(count)]


def laws(found: KaiPlan) -> list[tuple[Law, bool]]:
    return [(Law(step.law), step.holds) for step in found.proof]


def test_a_job_is_admitted_where_enough_is_idle() -> None:
    found = planned([queue("q", limit=8)], [group("wait", "q")], waiting(3))
    assert found.outcome is Outcome.ADMITTED
    assert laws(found) == [(Law.LIMIT, True), (Law.IDLE, True)]


def test_beyond_the_fair_share_a_job_still_gets_what_is_idle() -> None:
    queues = [queue("q", weight=0), queue("r")]
    assert planned(queues, [group("wait", "q")], waiting(3)).outcome is Outcome.ADMITTED


def test_a_queue_that_does_not_exist_is_never() -> None:
    found = planned([queue("q")], [group("wait", "nowhere")], waiting(1))
    assert (found.outcome, laws(found)) == (Outcome.NEVER, [(Law.QUEUE_UNKNOWN, False)])


def test_an_inner_queue_is_never() -> None:
    found = planned([queue("q"), queue("r", "q")], [group("wait", "q")], waiting(1))
    assert (found.outcome, laws(found)) == (Outcome.NEVER, [(Law.QUEUE_NOT_LEAF, False)])


def test_a_limit_below_the_request_is_never_and_to_raise_it_helps() -> None:
    found = planned([queue("top", limit=2), queue("q", "top")], [group("wait", "q")], waiting(3))
    assert found.outcome is Outcome.NEVER
    assert [(r.kind, r.outcome) for r in found.remedies] == [(RemedyKind.LIMIT, Outcome.ADMITTED)]
    assert [change[:4] for change in found.remedies[0].changes] == [("top", "gpu", 2, 3)]


def test_a_limit_that_others_fill_is_not_now() -> None:
    groups = [group("run", "q"), group("wait", "q")]
    found = planned([queue("q", limit=4)], groups, [pod("run", 0, 3), *waiting(2)])
    assert found.outcome is Outcome.WAITS
    assert found.gates[-1].law is Law.LIMIT


def test_what_cannot_be_preempted_needs_quota_or_to_become_preemptible() -> None:
    found = planned([queue("q", quota=1)], [group("wait", "q", preemptible=False)], waiting(2))
    assert found.outcome is Outcome.NEVER
    assert {r.kind for r in found.remedies} == {RemedyKind.PREEMPTIBLE, RemedyKind.QUOTA}


def test_a_pod_larger_than_any_node_is_never() -> None:
    found = planned([queue("q")], [group("wait", "q")], waiting(9))
    assert (found.outcome, found.misfits) == (Outcome.NEVER, ("wait-0",))


def taken(found: KaiPlan) -> list[str]:
    assert found.reclaim is not None
    return [task.name for eviction in found.reclaim.taken for task in eviction.tasks]


def test_surplus_pods_go_one_by_one_and_no_more_than_needed() -> None:
    groups = [group("run", "a", minimum=1), group("wait", "b")]
    pods = [*(pod("run", i, 2) for i in range(4)), *waiting(4)]
    found = planned([queue("a"), queue("b")], groups, pods)
    assert (found.outcome, taken(found)) == (Outcome.PREEMPTS, ["run-3", "run-2"])


def test_a_gang_goes_as_a_whole() -> None:
    groups = [group("run", "a", minimum=4), group("wait", "b")]
    pods = [*(pod("run", i, 2) for i in range(4)), *waiting(2)]
    assert len(taken(planned([queue("a"), queue("b")], groups, pods))) == 4


def test_a_job_beyond_its_fair_share_waits_and_quota_helps() -> None:
    groups = [group("run", "a", minimum=1), group("wait", "b")]
    pods = [*(pod("run", i, 2) for i in range(4)), *waiting(6)]
    found = planned([queue("a"), queue("b")], groups, pods)
    assert found.outcome is Outcome.WAITS
    assert found.reclaim is not None
    assert [Law(s.law) for s in found.reclaim.steps] == [Law.WITHIN_SHARE]
    assert [(r.kind, r.victims) for r in found.remedies] == [(RemedyKind.QUOTA, 1)]


def test_a_job_that_may_make_nobody_leave_yet_waits() -> None:
    groups = [group("run", "a", minimum=1), group("wait", "b", delay=100)]
    pods = [pod("run", 0, 8), *waiting(2)]
    found = planned([queue("a"), queue("b")], groups, pods, now=99)
    assert found.reclaim is not None
    assert [Law(s.law) for s in found.reclaim.steps] == [Law.PREEMPTION_DELAY]
    assert planned([queue("a"), queue("b")], groups, pods, now=100).outcome is Outcome.PREEMPTS


def test_jobs_that_are_passed_over_say_why() -> None:
    groups = [group("run", "a", minimum=1, last_start=10), group("small", "c"), group("wait", "b")]
    pods = [pod("run", 0, 7), pod("small", 0, 1), *waiting(1)]
    known = session([queue("a"), queue("b"), queue("c")], groups, pods, now=11, shard=Shard(reclaim_min_runtime=10))
    found = plan(known, "wait")
    assert found.reclaim is not None
    reasons = {passed.queue: Law(passed.step.law) for passed in found.reclaim.passed_over}
    assert reasons == {"a": Law.MIN_RUNTIME, "c": Law.OVER_SHARE}


def test_a_limit_above_opens_when_victims_below_it_leave() -> None:
    queues = [queue("top", limit=8), queue("a", "top"), queue("b", "top")]
    groups = [group("run", "a", minimum=1), group("wait", "b")]
    pods = [*(pod("run", i, 2) for i in range(4)), *waiting(2)]
    found = planned(queues, groups, pods)
    assert found.outcome is Outcome.PREEMPTS
    assert found.gates[-1].holds is False


def test_jobs_of_the_same_queue_with_a_lower_priority_are_told() -> None:
    one = replace(group("wait", "q"), priority_class="high")
    known = session([queue("q")], [group("run", "q"), one], [pod("run", 0, 8), *waiting(2)])
    assert plan(known, "wait").lower == ()
    assert known.totals.total == Resources(1e6, 1e12, 8.0)


def test_victims_of_which_kai_leaves_the_choice_to_chance_are_told() -> None:
    groups = [group("one", "a", minimum=1), group("two", "b", minimum=1), group("wait", "c")]
    pods = [*(pod("one", i, 1) for i in range(4)), *(pod("two", i, 1) for i in range(4)), *waiting(2)]
    same_age = [queue("a"), queue("b"), queue("c")]
    found = planned(same_age, groups, pods)
    assert found.reclaim is not None
    assert not found.reclaim.defined
    found = planned([queue("a", created=1), queue("b", created=2), queue("c")], groups, pods)
    assert found.reclaim is not None
    assert found.reclaim.defined
