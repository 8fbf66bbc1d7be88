"""What would let a job in: bounds of queues, the job's own form, or time; each is simulated."""

from typing import Any

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.explain.decision import Plan, Remedy, RemedyKind
from kubectl_fairshare.schedulers.kai.explain.planning import plan
from kubectl_fairshare.schedulers.kai.explain.remedies import remedies
from kubectl_fairshare.schedulers.kai.model.objects import (
    Charge,
    KaiState,
    MaxAllowed,
    Phase,
    PriorityClasses,
    Resources,
    Shard,
)
from kubectl_fairshare.schedulers.kai.session.session import open_session
from kubectl_fairshare.schedulers.kai.words.remedy_clauses import change_clause, result_clause
from tests.sampling import sampled
from tests.unit.schedulers.kai.build import group, node, pod, queue, snapshot_of, state

NOW = nanoseconds("2026-08-01T12:00:00Z")
HOUR = 3600 * 10**9
CLASSES = PriorityClasses({"train": 50, "build-preemptible": 75, "build": 100, "theirs": 60})


def planned(queues: Any, groups: Any, pods: Any, **changes: Any) -> Plan:
    there = replace(state(queues, groups, pods), now=NOW, **changes)
    return plan(open_session(there), "wait")


def waiting(count: int, amount: float = 1) -> list[Any]:
    return [pod("wait", i, amount, phase=Phase.PENDING) for i in range(count)]


def of_kind(found: Plan, kind: RemedyKind) -> Remedy | None:
    return next((remedy for remedy in found.remedies if remedy.kind is kind), None)


def full(*groups: Any) -> list[Any]:
    """Eight GPUs in use by the first job."""
    return [pod(groups[0].name, 0, 8)]


def test_a_higher_priority_preempts_in_the_same_queue_and_the_lowest_that_helps_is_named() -> None:
    run, wait = replace(group("run", "q"), priority_class="train"), replace(group("wait", "q"), priority_class="train")
    found = planned([queue("q")], [run, wait], [*full(run), *waiting(1)], priorities=CLASSES)
    remedy = of_kind(found, RemedyKind.PRIORITY)
    assert remedy is not None
    assert (remedy.changes[0].to, remedy.outcome, remedy.victims) == ("build-preemptible", Outcome.PREEMPTS, 1)
    assert change_clause(remedy) == "use priority class build-preemptible, of 75 instead of 50"


def test_a_priority_that_makes_the_job_non_preemptible_says_so() -> None:
    run = replace(group("run", "q"), priority_class="build-preemptible")
    wait = replace(group("wait", "q"), priority_class="train", preemptible=None)
    found = planned([queue("q", quota=8)], [run, wait], [*full(run), *waiting(1)], priorities=CLASSES)
    remedy = of_kind(found, RemedyKind.PRIORITY)
    assert remedy is not None
    assert change_clause(remedy).endswith("100 instead of 50; the job is then not preemptible")


def test_a_gang_may_start_with_the_pods_that_fit() -> None:
    run, wait = group("run", "q"), group("wait", "q", minimum=4)
    found = planned([queue("q")], [run, wait], [pod("run", 0, 5), *waiting(4)])
    remedy = of_kind(found, RemedyKind.PODS)
    assert remedy is not None
    assert (remedy.outcome, change_clause(remedy)) == (Outcome.ADMITTED, "start with 3 pods: minMember 3, not 4")


def test_a_job_of_one_pod_cannot_start_with_fewer() -> None:
    run, wait = group("run", "q"), group("wait", "q")
    found = planned([queue("q")], [run, wait], [*full(run), *waiting(1)])
    assert of_kind(found, RemedyKind.PODS) is None


def test_another_node_pool_helps_where_the_namespace_has_a_queue_there() -> None:
    run, wait, other = group("run", "q"), group("wait", "q"), replace(group("other", "q-b"), pool="b")
    queues = [queue("q"), replace(queue("q-b"), pool="b"), replace(queue("r-b"), pool="b")]
    found = planned(
        queues,
        [run, wait, other],
        [*full(run), *waiting(1)],
        nodes=(node(), replace(node("m"), pool="b")),
        shards=(Shard(name="a"), Shard(name="b", pool="b")),
    )
    remedy = of_kind(found, RemedyKind.POOL)
    assert remedy is not None
    assert (remedy.outcome, change_clause(remedy)) == (Outcome.ADMITTED, "use node pool b and queue q-b")


def test_the_end_of_a_minimum_runtime_is_a_moment_to_wait_for() -> None:
    queues = [queue("a", weight=0, reclaim_min_runtime=HOUR), queue("b", quota=8)]
    run, wait = group("run", "a", last_start=NOW - HOUR // 2), group("wait", "b")
    found = planned(queues, [run, wait], [*full(run), *waiting(1)])
    remedy = of_kind(found, RemedyKind.LATER)
    assert found.outcome is Outcome.WAITS
    assert remedy is not None
    assert change_clause(remedy) == "wait until 2026-08-01T12:30:00Z, when the minimum runtime of ns/run ends"
    assert (remedy.outcome, remedy.victims) == (Outcome.PREEMPTS, 1)


def test_what_does_not_help_is_not_named() -> None:
    run, wait = group("run", "q", preemptible=False), group("wait", "q", minimum=2)
    found = planned([queue("q")], [run, wait], [*full(run), *waiting(2)], priorities=CLASSES)
    assert found.remedies == ()


def test_a_change_that_helps_only_in_some_runs_of_kai_is_left_out() -> None:
    run, wait = group("run", "q"), group("wait", "q", minimum=2)
    found = planned([queue("q")], [run, wait], [pod("run", 0, 7), *waiting(2)])
    asked: list[bool] = []

    def decide(_: Any, doubting: bool) -> Plan:
        asked.append(doubting)
        return replace(found, outcome=Outcome.UNKNOWN if doubting else Outcome.ADMITTED)

    session = open_session(replace(state([queue("q")], [run, wait], [pod("run", 0, 7), *waiting(2)]), now=NOW))
    assert list(remedies(session, found, decide)) == []
    assert set(asked) == {False, True}


def reported(name: str, job: str) -> Plan:
    return plan(open_session(snapshot_of(f"testdata/reports/{name}/state.yaml").part(KaiState)), job)


def test_a_remedy_has_no_change_that_is_not_needed() -> None:
    """CanReclaimResources compares the share of the leaf alone: cpu of its queue; gpu of the queue above is no test."""
    remedy = of_kind(reported("kai-remedy-one-change-enough", "claim"), RemedyKind.QUOTA)
    assert remedy is not None
    assert [(change.queue, change.field, change.bound) for change in remedy.changes] == [("owner", "cpu", "quota")]


@pytest.mark.slow
def test_a_smaller_change_is_tried_alone_once_its_amount_is_known() -> None:
    """A quota of 9 GPU above those that run leaves no room for the share of q7 alone; the least of 8 does."""
    above, beside = queue("q0", quota=8), queue("q1", created=1)
    queues = [above, beside, queue("q2", "q1", quota=1, created=2), queue("q7", "q1", created=3)]
    groups = [group("run", "q2"), group("other", "q0", created=1), group("wait", "q7", created=2)]
    pods = [pod("run", 0, 8), pod("other", 0, 2, phase=Phase.PENDING), *waiting(1)]
    remedy = of_kind(planned(queues, groups, pods), RemedyKind.QUOTA)
    assert remedy is not None
    assert [(change.queue, change.after) for change in remedy.changes] == [("q1", 8.0)]


def test_a_bound_is_the_least_in_whole_units_though_what_is_held_is_none() -> None:
    """1.5 MB leave for 2 MB: the limit of 1 MB need not be 3.5 MB, what is held and requested."""
    room = MaxAllowed(Resources(-1.0, 1_000_000.0, -1.0))
    groups = [replace(group("run", "q"), priority_class="train"), replace(group("wait", "q"), priority_class="theirs")]
    run = replace(pod("run", 0, 8), request=Charge(0.0, 1_500_000.0, 8.0))
    wait = replace(pod("wait", 0, phase=Phase.PENDING), request=Charge(0.0, 2_000_000.0, 1.0))
    found = planned([replace(queue("q"), limit=room)], groups, [run, wait], priorities=CLASSES)
    remedy = of_kind(found, RemedyKind.LIMIT)
    assert remedy is not None
    assert [change.after for change in remedy.changes] == [2_000_000.0]


def test_a_remedy_counts_the_jobs_that_restart_elsewhere() -> None:
    """The plan with the overlay ``remedy.yaml`` evicts x2 and x1, and places x1 anew."""
    remedy = of_kind(reported("kai-remedy-restarts-another", "want"), RemedyKind.QUOTA)
    assert remedy is not None
    assert (remedy.victims, remedy.moved) == (1, 1)
    assert result_clause(remedy) == "admitted, evicts 1 job, moves pods of 1 other job"


def test_quota_is_raised_here_and_lowered_there_where_one_of_both_does_not_do() -> None:
    """Quotas are given before fair shares and never scaled back (setDeservedResource): both sides must change.

    The one job of ``a`` holds 8 GPU, so it is above a quota that is 1 lower (GuaranteeDeservedQuota).
    """
    queues = [queue("top", quota=8), queue("a", "top", quota=8, weight=0), queue("b", "top", weight=0)]
    run, wait = group("run", "a"), group("wait", "b")
    found = planned(queues, [run, wait], [pod("run", 0, 8), *waiting(1, 4)])
    remedy = of_kind(found, RemedyKind.BOUNDS)
    assert of_kind(found, RemedyKind.QUOTA) is None
    assert remedy is not None
    assert change_clause(remedy) == "raise b gpu.quota from 0 to 4 GPU, and lower a gpu.quota from 8 to 7 GPU"


@pytest.mark.parametrize(("longest", "kinds"), sampled([(3_000, [RemedyKind.BOUNDS]), (0, [])], 2, first=1))
def test_where_a_cycle_is_long_at_most_two_bounds_change(
    longest: int, kinds: list[RemedyKind], monkeypatch: pytest.MonkeyPatch
) -> None:
    """24 GPU for a job of 3 queues' 8: each of those has to give up its quota, and the job's own has to rise."""
    monkeypatch.setattr("kubectl_fairshare.schedulers.kai.explain.backlog._LONG", longest)
    queues = [queue("top", quota=24), *(queue(name, "top", quota=8, weight=0) for name in "acd")]
    pods = [pod(f"run-{name}", 0, 8, at=f"n{name}") for name in "acd"]
    found = planned(
        [*queues, queue("b", "top", weight=0)],
        [*(group(f"run-{name}", name) for name in "acd"), group("wait", "b", minimum=3)],
        [*pods, *waiting(3, 8)],
        nodes=tuple(node(f"n{name}") for name in "acd"),
    )
    assert [remedy.kind for remedy in found.remedies if len(remedy.changes) > 2] == kinds
