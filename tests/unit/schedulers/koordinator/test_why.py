"""Why pods are where they are."""

from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.schedulers.koordinator.why.explainer import explainer
from kubectl_fairshare.schedulers.koordinator.why.verdict import Reason, Why
from tests.unit.schedulers.koordinator.build import Object, node, pod, quota, snapshot, state

BASE = (node(cpu="10"), quota("a", {"cpu": 4}, {"cpu": 4}), quota("b", {"cpu": 4}, {"cpu": 10}))


def about(name: str, *objects: Object) -> Why:
    of, read = state(*objects), snapshot(*objects)
    explained = explainer(read, of, None)
    (subject,) = explained.subjects.named((f"pod/{name}",), "lab", anywhere=False)
    return next(explained.about([subject]))


def test_a_pod_over_its_runtime_waits_for_those_that_hold_it() -> None:
    found = about("p", *BASE, pod("r", "a", {"cpu": 3}, node="n1"), pod("p", "a", {"cpu": 2}))
    assert (found.verdict, found.reason) == (Verdict.NOT_NOW, Reason.OVER_RUNTIME)
    assert [(held.pod.key.name, held.amount, held.borrows) for held in found.held] == [("r", 3_000, False)]


def test_a_pod_that_no_node_takes_waits_for_room() -> None:
    found = about("p", *BASE, pod("r", "b", {"cpu": 9}, node="n1"), pod("p", "a", {"cpu": 2}))
    assert (found.verdict, found.reason) == (Verdict.NOT_NOW, Reason.NO_ROOM)


def test_a_pod_with_scheduling_gates_is_not_tried() -> None:
    found = about("p", *BASE, pod("p", "a", {"cpu": 2}, schedulingGates=[{"name": "g"}]))
    assert (found.verdict, found.reason, found.queued) == (Verdict.WAITING, Reason.GATED, False)
    found = about("p", *BASE, pod("p", "a", {"cpu": 999}, schedulingGates=[{"name": "g"}]))
    assert (found.verdict, found.queued) == (Verdict.NEVER, False)


def test_a_placed_pod_knows_who_preempts_it_next_and_whether_it_may_be_revoked() -> None:
    waiting = pod("p", "a", {"cpu": 4}, priority=9)
    found = about("r", *BASE, pod("r", "a", {"cpu": 6}, node="n1"), waiting)
    assert (found.verdict, [p.key.name for p in found.risk.preemptors], found.risk.revoked) == (
        Verdict.RUNNING,
        ["p"],
        True,
    )


def test_equal_pods_share_one_answer_and_others_come_first_by_priority() -> None:
    objects = (*BASE, *(pod(f"p{i}", "a", {"cpu": 1}) for i in range(3)), pod("first", "b", {"cpu": 1}, priority=5))
    of = state(*objects)
    whys = list(explainer(snapshot(*objects), of, None).waiting(None))
    assert sorted((why.key.name, why.rivals, len(why.ahead)) for why in whys if why.key) == [
        ("first", 4, 0),
        *((f"p{i}", 4, 1) for i in range(3)),
    ]


def test_an_ended_pod_has_finished() -> None:
    found = about("p", *BASE, pod("p", "a", {"cpu": 1}, status={"phase": "Succeeded"}))
    assert (found.verdict, found.reason) == (Verdict.FINISHED, Reason.FINISHED)


def test_only_pods_that_are_not_preemptible_hold_what_min_lacks_for_such_a_pod() -> None:
    firm = {"quota.scheduling.koordinator.sh/preemptible": "false"}
    placed = (
        pod("firm", "a", {"cpu": 6}, node="n1", labels=firm),
        pod("soft", "a", {"cpu": 8}, node="n1"),
        pod("beside", "b", {"cpu": 6}, node="n1", labels=firm),
    )
    quotas = (quota("a", {"cpu": 8}, {"cpu": 20}), quota("b", {"cpu": 1}, {"cpu": 20}))
    found = about("p", node(cpu="40"), *quotas, *placed, pod("p", "a", {"cpu": 4}, labels=firm))
    assert [held.pod.key.name for held in found.held] == ["firm"]
