"""Where KAI's actions put a job, as its plan tells it."""

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.report.text.drawing import lines_of
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.kai.explain.decision import PlacedPod
from kubectl_fairshare.schedulers.kai.explain.placement import placement
from kubectl_fairshare.schedulers.kai.explain.planning import plan
from kubectl_fairshare.schedulers.kai.laws import Law
from kubectl_fairshare.schedulers.kai.model.objects import Phase
from kubectl_fairshare.schedulers.kai.solver import cycle
from kubectl_fairshare.schedulers.kai.solver.attempts import Action
from kubectl_fairshare.schedulers.kai.words.plan_answer import plan_answer
from kubectl_fairshare.schedulers.kai.words.screens.plan import placed_blocks
from tests.unit.schedulers.kai.build import group, node, pod, queue, session
from tests.unit.schedulers.kai.solver import scenes

TWO = [node("n0", 4), node("n1", 4)]


def test_pods_go_one_by_one_to_the_node_that_is_fullest() -> None:
    pods = [pod("run", 0, 1, at="n1"), *(pod("wait", i, 1, phase=Phase.PENDING) for i in range(2))]
    groups = [group("run", "q"), group("wait", "q", minimum=2)]
    where = placement(session([queue("q")], groups, pods, nodes=TWO), "wait")
    assert (where.action, where.bound) == (Action.ALLOCATE, (PlacedPod("wait-0", "n1"), PlacedPod("wait-1", "n1")))


def test_a_pod_waits_on_a_node_that_others_are_leaving() -> None:
    pods = [pod("run", 0, 8, phase=Phase.RELEASING), pod("wait", 0, 2, phase=Phase.PENDING)]
    found = plan(session([queue("q")], [group("run", "q"), group("wait", "q")], pods), "wait")
    assert found.placement is not None
    assert (found.outcome, found.placement.waiting) == (Outcome.ADMITTED, (PlacedPod("wait-0", "n"),))
    assert [(step.law, step.holds) for step in found.gates] == [(Law.PLACEMENT, True)]


def test_a_pod_that_moves_makes_room_and_loses_nothing() -> None:
    pods = [pod("one", 0, 1, at="n0"), pod("two", 0, 1, at="n1"), pod("wait", 0, 4, phase=Phase.PENDING)]
    groups = [group("one", "q"), group("two", "q"), group("wait", "q")]
    found = plan(session([queue("q")], groups, pods, nodes=TWO), "wait")
    assert found.placement is not None
    assert (found.outcome, found.placement.action) == (Outcome.PREEMPTS, Action.CONSOLIDATION)
    assert (found.victims, len(found.moved), found.reclaim) == ((), 1, None)


def test_where_nothing_is_done_kai_says_why() -> None:
    pods = [pod("run", 0, 8), pod("wait", 0, 2, phase=Phase.PENDING)]
    groups = [group("run", "q"), group("wait", "q")]
    where = placement(session([queue("q")], groups, pods), "wait")
    assert (where.action, where.lost, where.moved) == ("", (), ())
    assert where.condition.startswith("PodSchedulingErrors: Resources were not found for pod ns/wait-0 due to")


def test_of_two_filters_that_a_node_fails_kai_names_any() -> None:
    shut = scenes.node("n0", taints=[{"key": "k", "effect": "NoSchedule"}])
    asking = scenes.one("wait", "q", 1, spec={"nodeSelector": {"disk": "fast"}})
    first = scenes.layer([shut, scenes.queue("q")], asking)
    where = placement(first.ground.session, "wait", first)
    (other,) = where.other_conditions
    assert "1 node(s) had untolerated taint(s)." in where.condition
    assert "1 node(s) didn't match Pod's node affinity/selector." in other
    lines = "\n".join(lines_of(placed_blocks(where), View()))
    assert lines.index("taint") < lines.index("or, by chance") < lines.index("affinity")


def test_a_feature_that_is_not_modelled_leaves_the_plan_unknown_and_is_named() -> None:
    spread = {"spec": {"topologyConstraint": {"topology": "racks"}}}
    groups = [replace(group("wait", "q"), raw=spread)]
    found = plan(session([queue("q")], groups, [pod("wait", 0, 2, phase=Phase.PENDING)]), "wait")
    assert (found.outcome, found.computed, found.placement) == (Outcome.UNKNOWN, Outcome.ADMITTED, None)
    assert [(gap.feature, gap.subject) for gap in found.fidelity.gaps] == [("Placement", "topology")]


def test_an_answer_that_few_orders_of_maps_agree_on_is_not_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    """KAI judges the two victims in the order of a map. Where one victim is enough, no order matters."""
    groups = [group("run", "a"), group("more", "a"), group("wait", "b")]
    pods = [pod("run", 0, 2), pod("more", 0, 2), pod("wait", 0, 4, phase=Phase.PENDING)]
    queues, one = [queue("a", quota=0), queue("b", quota=4)], [pod("run", 0, 4), pods[-1]]
    asked = session(queues, groups, pods, nodes=[node("n", 4)])
    assert plan(asked, "wait").fidelity.exact
    monkeypatch.setattr(cycle, "_SHORT", 0)
    monkeypatch.setattr(cycle, "_LONG", 0)
    found = plan(asked, "wait")
    assert (found.outcome, found.fidelity.exact, found.fidelity.modelled) == (Outcome.PREEMPTS, False, True)
    (tie,) = plan_answer(found, asked.state).ties
    assert "few of the orders" in tie.text
    assert plan(session(queues, [groups[0], groups[2]], one, nodes=[node("n", 4)]), "wait").fidelity.exact


def test_victims_that_follow_the_order_of_a_map_are_left_to_chance() -> None:
    """Two queues of one age give up what they hold; KAI takes the one that its map yields first."""
    pods = [pod(name, 0, 1, at="n0") for name in ("one", "two")]
    pods.append(pod("wait", 0, 1, phase=Phase.PENDING))
    groups = [group("one", "a"), group("two", "b"), group("wait", "c")]
    queues = [queue("a", weight=0), queue("b", weight=0), queue("c", quota=2, created=9)]
    where = placement(session(queues, groups, pods, nodes=[node("n0", 2)]), "wait")
    (other,) = where.others
    assert (where.action, other.action, where.varies) == (Action.RECLAIM, Action.RECLAIM, True)
    assert [e.job.name for each in (where, other) for e in each.lost] == ["two", "one"]
    apart = [queue("a", weight=0, created=1), *queues[1:]]
    assert not placement(session(apart, groups, pods, nodes=[node("n0", 2)]), "wait").varies
