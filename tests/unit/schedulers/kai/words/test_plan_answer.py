"""KAI's plans in the form that all schedulers share."""

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.explain.decision import NewValue, Remedy, RemedyKind
from kubectl_fairshare.schedulers.kai.explain.planning import plan
from kubectl_fairshare.schedulers.kai.house import HOUSE
from kubectl_fairshare.schedulers.kai.model.objects import KaiState, Phase, PriorityClasses
from kubectl_fairshare.schedulers.kai.session.session import open_session
from kubectl_fairshare.schedulers.kai.words.plan_answer import plan_answer
from kubectl_fairshare.schedulers.kai.words.remedy_clauses import result_clause
from kubectl_fairshare.schedulers.question import PlanQuestion, Wishes
from tests.unit.schedulers.kai.build import group, pod, queue, snapshot_of, state

ORG = snapshot_of("testdata/kai/org")
ASKED = PlanQuestion(None, Wishes(queue="vision", request=("nvidia.com/gpu=4",)), "ml")


def test_a_plan_names_victims_by_the_strategy_that_takes_them() -> None:
    (answer,) = HOUSE.plan(ORG, ASKED)
    assert [(victim.key.name, victim.rule) for victim in answer.victims] == [("batch-a", "MaintainFairShare")]
    assert {each.key.name for each in answer.spared} == {"batch-b"}
    assert [station.name for station in answer.route[1:]] == ["vision", "research"]


def test_the_limit_that_decides_comes_first_with_who_can_raise_it() -> None:
    wishes = Wishes(queue="product", request=("nvidia.com/gpu=1",), priority_class="build")
    (answer,) = HOUSE.plan(ORG, PlanQuestion(None, wishes, "ml"))
    assert answer.binding[0].clause == "limit of product: 12 GPU"
    assert (answer.binding[0].short.value, answer.binding[0].ever) == (1, False)
    assert {remedy.maker.value for remedy in answer.remedies} == {"owner", "admin"}


def test_what_one_queue_holds_above_its_quota_goes_by_that_strategy() -> None:
    queues = [queue("top"), queue("a", "top", quota=4), queue("b", "top", quota=2, weight=10)]
    groups = [group("wait", "a"), group("rich", "b")]
    pods = [pod("rich", 0, 6), pod("rich", 1, 2), pod("wait", 0, 2, phase=Phase.PENDING)]
    given = state(queues, groups, pods)
    answer = plan_answer(plan(open_session(given), "wait"), given)
    rules = {victim.rule for victim in answer.victims}
    assert (answer.outcome, bool(rules)) == (Outcome.PREEMPTS, True)
    assert rules <= {"MaintainFairShare", "GuaranteeDeservedQuota"}


def test_a_change_after_which_pods_only_move_evicts_no_job() -> None:
    change = NewValue("", "preemptibility", 0.0, 1.0, None)
    texts = [
        result_clause(Remedy(RemedyKind.PREEMPTIBLE, (change,), outcome, victims, moved=moved))
        for outcome, victims, moved in ((Outcome.ADMITTED, 0, 0), (Outcome.PREEMPTS, 2, 0), (Outcome.PREEMPTS, 0, 2))
    ]
    assert texts == ["admitted", "admitted, evicts 2 jobs", "admitted, moves pods of 2 other jobs"]


def test_a_job_of_which_pods_move_is_a_victim_and_not_spared() -> None:
    """KAI (by_pod_solver.go): the statement evicts a pod of big, and both pods of mid, which get other nodes."""
    given = snapshot_of("testdata/reports/kai-victim-and-spared").part(KaiState)
    answer = plan_answer(plan(open_session(given), "want"), given)
    assert [victim.key.name for victim in answer.victims] == ["big", "mid"]
    assert answer.spared == ()


def test_a_job_that_no_bound_keeps_out_has_no_binding_limit() -> None:
    given = state([queue("a", quota=4)], [group("wait", "a")], [pod("wait", 0, 2, phase=Phase.PENDING)])
    answer = plan_answer(plan(open_session(given), "wait"), given)
    assert (answer.verdict, answer.binding, answer.victims) == ("admitted now: enough resources are idle", (), ())


def test_lower_priorities_of_the_same_queue_go_by_the_preempt_action() -> None:
    wait = replace(group("wait", "a"), priority_class="high")
    pods = [pod("low", 0, 8), pod("wait", 0, 8, phase=Phase.PENDING)]
    given = replace(
        state([queue("a", quota=8)], [group("low", "a"), wait], pods), priorities=PriorityClasses({"high": 60})
    )
    answer = plan_answer(plan(open_session(given), "wait"), given)
    assert [(victim.key.name, victim.rule) for victim in answer.victims] == [("low", "preempt")]
    assert answer.verdict == "admitted after preempting 1 pod of 1 job with lower priority in its queue"
