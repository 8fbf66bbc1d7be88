"""Every node and every set of victims that ties allow."""

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.preemption.possible import possible_courses, possible_evictions
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.kubescheduler.decision import CycleEnd
from tests.unit.schedulers.elasticquota.build import cycle, node, planned, pod, quota, state

ASKING = pod("x/new", priority=9, cpu=2)


def ends(at: State, asking: Pod = ASKING, most: int = 512) -> list[tuple[str, ...]]:
    """The node and the victims of each end."""
    found = possible_evictions(at, asking, None, cycle(at, asking), most)
    assert found.complete is (most == 512)
    return [
        (end.trial.node, *sorted(f.taken.pod.key.name for f in end.trial.victims)) for end in found.results if end.trial
    ]


def test_equal_nodes_are_an_outcome_each() -> None:
    at = state(*(node(n, cpu=2) for n in "mn"), *(pod(f"x/{n}", n, cpu=2) for n in "mn"))
    assert ends(at) == [("m", "m"), ("n", "n")]


def test_pods_that_start_together_give_several_sets_of_victims() -> None:
    at = state(node("n", cpu=3), *(pod(f"x/{name}", "n", cpu=1) for name in "abc"))
    assert sorted(ends(at)) == [("n", "a", "b"), ("n", "a", "c"), ("n", "b", "c")]
    plan = planned(at, ASKING)
    assert (plan.outcome, plan.fidelity.outcomes, plan.fidelity.exact) == (Outcome.PREEMPTS, 3, False)


def test_pods_that_start_one_after_the_other_leave_nothing_to_chance() -> None:
    at = state(node("n", cpu=3), *(pod(f"x/{name}", "n", started=i, cpu=1) for i, name in enumerate("abc")))
    assert len(ends(at)) == 1
    plan = planned(at, ASKING)
    assert plan.fidelity.exact
    assert plan.possible == ()


def test_pods_of_different_sizes_may_decide_how_many_leave() -> None:
    at = state(node("n", cpu=4), pod("x/large", "n", cpu=2), *(pod(f"x/{name}", "n", cpu=1) for name in "ab"))
    assert sorted(ends(at)) == [("n", "a", "b"), ("n", "large")]


def test_many_equal_pods_are_not_told_apart_for_the_outcome() -> None:
    at = state(node("n", cpu=9), *(pod(f"x/{name}", "n", cpu=1) for name in "abcdefghi"))
    same = state(node("n", cpu=9), *(pod(f"x/{name}", "n", cpu=1) for name in "abcdefghi"))
    for each in same.pods["n"]:
        each.labels = {"app": "same"}
    assert len(ends(at, most=20)) > 1
    found = possible_courses(same, ASKING, None, cycle(same, ASKING))
    assert (found.results, found.complete, found.ways) == ((CycleEnd.PREEMPT,), True, 1)
    plan = planned(same, ASKING)
    assert (plan.outcome, plan.fidelity.all_outcomes) == (Outcome.PREEMPTS, False)


BORROWED = (quota("a", {"cpu": 4}), quota("b", {"cpu": 4}))


def test_which_of_several_equal_pods_a_borrower_gives_first_decides_whether_there_is_room() -> None:
    """Without either of its pods the borrower is within its min, and only without the large one there is room."""
    large, small = pod("b/large", "n", cpu=4), pod("b/small", "n", cpu=1)
    asking = pod("a/new", cpu=4)
    at = state(node("n", cpu=7), *BORROWED, large, small)
    found = possible_courses(at, asking, None, cycle(at, asking))
    assert sorted(found.results) == [CycleEnd.NO_CANDIDATE, CycleEnd.PREEMPT]
    assert ends(at, asking) == [("n", "large")]
    plan = planned(at, asking)
    assert (plan.outcome, plan.fidelity.outcomes, plan.fidelity.exact) == (Outcome.UNKNOWN, 2, False)


def test_a_node_that_takes_the_pod_in_no_order_of_its_pods_is_no_tie() -> None:
    at = state(
        node("n", cpu=5), *BORROWED, pod("b/large", "n", cpu=3), pod("b/small", "n", cpu=2), pod("x/y", "n", cpu=2)
    )
    plan = planned(at, pod("a/new", cpu=4))
    assert (plan.outcome, plan.fidelity.outcomes, plan.fidelity.exact) == (Outcome.WAITS, 1, True)
