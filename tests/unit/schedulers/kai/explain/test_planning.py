"""Plans: gates, idle capacity, reclaim, and what would help."""

from collections.abc import Iterable

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.explain.decision import Plan, RemedyKind
from kubectl_fairshare.schedulers.kai.explain.planning import plan
from kubectl_fairshare.schedulers.kai.laws import Law
from kubectl_fairshare.schedulers.kai.model.objects import (
    GpuKind,
    GpuRequest,
    Node,
    Phase,
    Pod,
    PodGroup,
    PriorityClasses,
    Queue,
    Resources,
    Shard,
    SubGroup,
)
from kubectl_fairshare.schedulers.kai.reclaim.evictions import Eviction
from kubectl_fairshare.schedulers.kai.session.session import open_session
from tests.unit.schedulers.kai.build import group, node, pod, queue, session, state


def planned(queues: list[Queue], groups: list[PodGroup], pods: list[Pod], now: int | None = None) -> Plan:
    return plan(session(queues, groups, pods, now=now), "wait")


def waiting(amount: float, count: int = 1) -> list[Pod]:
    return [pod("wait", i, amount, phase=Phase.PENDING) for i in range(count)]


def laws(found: Plan) -> list[tuple[Law, bool]]:
    return [(Law(step.law), step.holds) for step in found.proof]


def test_a_job_is_admitted_where_enough_is_idle() -> None:
    found = planned([queue("q", limit=8)], [group("wait", "q")], waiting(3))
    assert found.outcome is Outcome.ADMITTED
    assert laws(found) == [(Law.LIMIT, True), (Law.IDLE, True), (Law.PLACEMENT, True)]
    assert found.placement is not None
    assert [(one.pod, one.node) for one in found.placement.bound] == [("wait-0", "n")]


def test_beyond_the_fair_share_a_job_still_gets_what_is_idle() -> None:
    queues = [queue("q", weight=0), queue("r")]
    assert planned(queues, [group("wait", "q")], waiting(3)).outcome is Outcome.ADMITTED


def test_a_part_of_a_gpu_is_not_placed_where_gpus_are_devices() -> None:
    part = pod("wait", 0, 0.5, phase=Phase.PENDING, gpu=GpuRequest(GpuKind.FRACTION, 1, 0.5, 0))
    there = state([queue("q")], [group("wait", "q")], [part])
    devices = replace(there, nodes=(replace(node(), devices=8),))
    assert plan(open_session(there), "wait").outcome is Outcome.ADMITTED
    assert plan(open_session(devices), "wait").outcome is Outcome.NEVER


def test_a_queue_that_does_not_exist_is_never() -> None:
    found = planned([queue("q")], [group("wait", "nowhere")], waiting(1))
    assert (found.outcome, laws(found)) == (Outcome.NEVER, [(Law.QUEUE_UNKNOWN, False)])


def test_podgroups_of_one_name_in_two_namespaces_leave_the_answer_open() -> None:
    """KAI knows PodGroups by name alone, and walks them in an order that no object records."""
    mine = group("wait", "q")
    there = state([queue("q")], [mine], waiting(1))
    assert plan(open_session(there), "wait").fidelity.exact
    theirs = replace(mine, key=mine.key._replace(namespace="elsewhere"))
    found = plan(open_session(replace(there, pod_groups=(mine, theirs))), "wait")
    assert (found.outcome, [gap.feature for gap in found.fidelity.gaps]) == (Outcome.UNKNOWN, ["GroupTwice"])
    other_pool = replace(there, pod_groups=(mine, replace(theirs, pool="another")))
    assert plan(open_session(other_pool), "wait").fidelity.exact


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
    assert (found.outcome, found.misfits.names) == (Outcome.NEVER, ("wait-0",))
    assert (found.misfits.resource, found.misfits.asked, found.misfits.most) == ("gpu", 9, 8)


def taken(found: Plan) -> list[str]:
    assert found.reclaim is not None
    return names(found.reclaim.taken)


def names(leaving: Iterable[Eviction]) -> list[str]:
    return [task.name for eviction in leaving for task in eviction.tasks]


def test_surplus_pods_go_one_by_one_and_no_more_than_needed() -> None:
    groups = [group("run", "a", minimum=1), group("wait", "b")]
    pods = [*(pod("run", i, 2) for i in range(4)), *waiting(4)]
    found = planned([queue("a"), queue("b")], groups, pods)
    assert (found.outcome, taken(found)) == (Outcome.PREEMPTS, ["run-2", "run-3"])


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


def test_a_job_whose_first_sub_group_has_gated_pods_only_waits_although_another_has_pods() -> None:
    """KAI fills sub-groups in the order of their names, and counts those that are ready."""
    parts = (SubGroup("a", None, 1, None), SubGroup("b", None, 1, None))
    pods = [pod("wait", 0, 1, phase=Phase.GATED, sub_group="a"), pod("wait", 1, 1, phase=Phase.PENDING, sub_group="b")]
    found = planned([queue("q")], [group("wait", "q", sub_groups=parts, min_sub_group=1)], pods)
    assert (found.outcome, laws(found)) == (Outcome.WAITS, [(Law.GANG_NOT_READY, False)])
    swapped = [replace(each, sub_group="ab"[number == 0]) for number, each in enumerate(pods)]
    found = planned([queue("q")], [group("wait", "q", sub_groups=parts, min_sub_group=1)], swapped)
    assert found.outcome is Outcome.ADMITTED


def test_a_job_that_may_make_nobody_leave_yet_waits() -> None:
    groups = [group("run", "a", minimum=1), group("wait", "b", created=1, delay=99)]
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
    assert not found.reclaim.ordered
    assert not found.fidelity.exact
    found = planned([queue("a", created=1), queue("b", created=2), queue("c")], groups, pods)
    assert found.reclaim is not None
    assert found.reclaim.ordered
    assert found.fidelity.exact


def test_pods_above_a_minimum_go_in_the_order_in_which_kai_takes_them() -> None:
    """KAI goes on with the other pods of the job that it began with, and below a fair share takes none: it waits."""
    queues = [queue("a", created=1), queue("b", created=2), queue("c")]
    pods = [*(pod("one", i, 1) for i in range(4)), *(pod("two", i, 1) for i in range(4)), *waiting(2)]
    elastic = planned(queues, [group("one", "a", minimum=1), group("two", "b", minimum=1), group("wait", "c")], pods)
    fixed = planned(queues, [group("one", "a", minimum=4), group("two", "b", minimum=4), group("wait", "c")], pods)
    assert (elastic.outcome, elastic.fidelity.exact, taken(elastic)) == (Outcome.WAITS, True, [])
    assert (fixed.outcome, len(taken(fixed))) == (Outcome.PREEMPTS, 4)


def test_the_search_goes_on_where_the_first_victims_are_not_fair() -> None:
    """Of another tree alone they would leave the asker's side above its share; with its own sibling's they do not."""
    queues = [
        queue("org", quota=12, created=1),
        queue("speech", "org", quota=4, limit=4, created=2),
        queue("vision", "org", quota=4, created=3),
        queue("other", quota=4, created=4),
    ]
    groups = [
        group("outer", "other", minimum=1, created=2),
        group("inner", "vision", minimum=1, created=1),
        group("wait", "speech", minimum=2, created=3),
    ]
    pods = [pod("outer", 0, 5), *(pod("inner", i, 2) for i in range(5)), *waiting(2, 2)]
    found = plan(session(queues, groups, pods, nodes=[node("n", 16)]), "wait")
    assert found.outcome is Outcome.PREEMPTS
    assert found.reclaim is not None
    assert found.reclaim.verdict is not None
    assert found.reclaim.verdict.allowed


def test_jobs_that_no_strategy_lets_go_are_left_out() -> None:
    """Of four jobs in a queue at its quota of 2 two may go; the others stay, and the asker wants three."""
    groups = [*(group(f"run{i}", "a", minimum=1, created=i) for i in range(4)), group("wait", "b", minimum=1)]
    pods = [*(pod(f"run{i}", 0, 1) for i in range(4)), *waiting(3)]
    found = plan(session([queue("a", quota=2), queue("b", quota=3)], groups, pods, nodes=[node("n", 4)]), "wait")
    assert (found.outcome, found.reclaim is not None) == (Outcome.WAITS, True)
    assert found.reclaim is not None
    assert (found.reclaim.left_out, found.reclaim.enough, found.reclaim.firm) == (("run1", "run0"), False, True)


def test_a_pod_that_fits_on_no_node_finds_no_room_though_enough_is_idle_in_all() -> None:
    nodes = [node("n0", 4), node("n1", 4)]
    found = plan(session([queue("q")], [group("run", "q"), group("wait", "q")], waiting(4), nodes=nodes), "wait")
    assert found.outcome is Outcome.ADMITTED
    pods = [pod("run", 0, 1, at="n0"), pod("run", 1, 1, at="n1"), *waiting(4)]
    found = plan(session([queue("q")], [group("run", "q"), group("wait", "q")], pods, nodes=nodes), "wait")
    assert (found.outcome, found.victims, names(found.moved)) == (Outcome.PREEMPTS, (), ["run-1"])
    assert laws(found)[:2] == [(Law.IDLE, True), (Law.IDLE_NODE, False)]
    small = [pod("run", 0, 1, at="n0"), pod("run", 1, 1, at="n1"), *waiting(3, 2)]
    two = [group("run", "q"), group("wait", "q", minimum=2)]
    assert plan(session([queue("q")], two, small, nodes=nodes), "wait").outcome is Outcome.ADMITTED


def test_a_higher_priority_takes_from_its_own_queue_what_reclaim_does_not_give() -> None:
    groups = [group("run", "q", minimum=1), replace(group("wait", "q"), priority_class="high")]
    known = state([queue("q")], groups, [*(pod("run", i, 2) for i in range(4)), *waiting(3)])
    known = replace(known, priorities=PriorityClasses({"high": 75}))
    found = plan(open_session(known), "wait")
    assert found.outcome is Outcome.PREEMPTS
    assert names(found.displaced) == ["run-2", "run-3"]
    safe = replace(groups[0], last_start=10)
    protecting = Shard(preempt_min_runtime=10)
    again = replace(known, pod_groups=(safe, groups[1]), shards=(protecting,), now=19)
    assert names(plan(open_session(again), "wait").displaced) == ["run-2", "run-3"]
    gang = replace(safe, min_member=4)
    assert plan(open_session(replace(again, pod_groups=(gang, groups[1]))), "wait").outcome is Outcome.WAITS
    over = replace(again, pod_groups=(gang, groups[1]), now=20)
    assert plan(open_session(over), "wait").outcome is Outcome.PREEMPTS


def test_without_nodes_there_is_no_exact_answer() -> None:
    found = plan(session([queue("q")], [group("wait", "q")], waiting(1), nodes=[]), "wait")
    assert (found.outcome, found.computed, found.misfits.names) == (Outcome.UNKNOWN, Outcome.ADMITTED, ())
    assert all(step.holds for step in found.gates)


def test_without_nodes_a_gate_that_fails_decides() -> None:
    groups, pods = [group("run", "q"), group("wait", "q")], [pod("run", 0, 1, at=""), *waiting(2)]
    never = plan(session([queue("q", limit=1)], groups, pods, nodes=[]), "wait")
    assert (never.outcome, never.fidelity.exact) == (Outcome.NEVER, True)
    unknown = plan(session([], groups, pods, nodes=[]), "wait")
    assert (unknown.outcome, unknown.fidelity.exact) == (Outcome.UNKNOWN, False)


@pytest.mark.slow
def test_a_share_that_kai_leaves_to_chance_leaves_the_plan_to_chance_where_it_decides() -> None:
    """Weights 3, 3, 3, 4 over 13 GPUs give the first 3 in one order of KAI's map, and 2 in another."""
    queues = [*(queue(f"q{i}", weight=3 if i < 3 else 4) for i in range(4)), queue("low", priority=50)]
    full = [group("run", "low", minimum=1)]
    asking = [group(f"ask{i}", f"q{i}") for i in range(4)]
    pods = [*(pod("run", i) for i in range(13)), *(pod(f"ask{i}", 0, 20, phase=Phase.PENDING) for i in range(4))]
    for amount, outcome in ((2, Outcome.PREEMPTS), (3, Outcome.UNKNOWN), (4, Outcome.WAITS)):
        groups = [*full, *asking, group("wait", "q0")]
        found = plan(session(queues, groups, [*pods, *waiting(amount)], nodes=[node("n", 13)]), "wait")
        assert found.outcome is outcome, amount


def test_a_job_that_kai_tries_once_is_not_tried_again() -> None:
    found = plan(session([queue("q")], [group("wait", "q")], waiting(1)), "wait", over=True)
    assert (found.outcome, laws(found)) == (Outcome.NEVER, [(Law.TRIED_ONCE, False)])


def test_a_job_waits_while_the_nodes_that_are_large_enough_are_closed() -> None:
    def outcome(*nodes: Node) -> Outcome:
        return plan(session([queue("q")], [group("wait", "q")], waiting(3), nodes), "wait").outcome

    closed = replace(node(unready="unschedulable"), raw={"spec": {"unschedulable": True}})
    assert outcome(closed) is Outcome.WAITS
    assert outcome(closed, node("m", 2)) is Outcome.WAITS
    assert outcome(replace(closed, allocatable=node("m", 2).allocatable)) is Outcome.NEVER
    assert outcome(replace(node(), pool="other")) is Outcome.NEVER
