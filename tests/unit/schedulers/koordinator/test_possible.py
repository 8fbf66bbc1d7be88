"""Every node and every set of victims that ties allow, in plans and in what happens to placed pods."""

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.koordinator.explain.decision import Plan
from kubectl_fairshare.schedulers.koordinator.explain.planning import plan
from kubectl_fairshare.schedulers.koordinator.model.objects import Arguments
from kubectl_fairshare.schedulers.koordinator.preemption.possible import (
    possible_evictions,
    possible_revocations,
    revoked_by_chance,
)
from kubectl_fairshare.schedulers.koordinator.preemption.scheduling import schedule
from kubectl_fairshare.schedulers.koordinator.why.risks import EvictionRisks
from kubectl_fairshare.schedulers.kubescheduler.clauses import result
from tests.unit.schedulers.koordinator.build import Object, line, node, pod, quota, state

WIDE = quota("a", {"cpu": 90}, {"cpu": 90})
ASKED = pod("asked", "a", {"cpu": 2}, priority=9)
BUDGET = {
    "apiVersion": "policy/v1",
    "kind": "PodDisruptionBudget",
    "metadata": {"name": "b", "namespace": "lab"},
    "spec": {"selector": {"matchLabels": {"app": "kept"}}},
    "status": {"disruptionsAllowed": 0},
}


def planned(*objects: Object) -> Plan:
    """The plan of the pod called ``asked``."""
    of = state(*objects)
    return plan(of, next(p for p in of.source.pods if p.key.name == "asked"), None)


def ends(found: Plan) -> list[tuple[str, ...]]:
    """The node and the victims of each outcome, without the order of the outcomes after the first."""
    listed = [(end.node, *sorted(victim.key.name for victim in end.victims)) for end in found.possible]
    return [*listed[:1], *sorted(listed[1:])]


def test_equal_nodes_are_an_outcome_each() -> None:
    found = planned(*(node(n, cpu="2") for n in "mn"), WIDE, *(pod(n, "a", {"cpu": 2}, node=n) for n in "mn"), ASKED)
    assert ends(found) == [("m", "m"), ("n", "n")]
    assert (found.outcome, found.fidelity.outcomes, found.fidelity.exact) == (Outcome.PREEMPTS, 2, False)


def test_pods_that_start_together_give_several_sets_of_victims() -> None:
    found = planned(node(cpu="3"), WIDE, *(pod(n, "a", {"cpu": 1}, node="n1") for n in "xyz"), ASKED)
    assert sorted(ends(found)) == [("n1", "x", "y"), ("n1", "x", "z"), ("n1", "y", "z")]
    assert (found.outcome, found.fidelity.exact, found.fidelity.all_outcomes) == (Outcome.PREEMPTS, False, True)


def test_pods_that_start_one_after_the_other_leave_nothing_to_chance() -> None:
    started = (
        pod(name, "a", {"cpu": 1}, node="n1", status={"startTime": f"2026-01-01T00:00:0{i}Z"})
        for i, name in enumerate("xyz")
    )
    found = planned(node(cpu="3"), WIDE, *started, ASKED)
    assert (found.outcome, found.fidelity.exact, found.possible) == (Outcome.PREEMPTS, True, ())


def test_pods_of_different_sizes_may_decide_how_many_leave() -> None:
    sizes = {"large": 2, "x": 1, "y": 1}
    found = planned(node(cpu="4"), WIDE, *(pod(n, "a", {"cpu": c}, node="n1") for n, c in sizes.items()), ASKED)
    assert sorted(ends(found)) == [("n1", "large"), ("n1", "x", "y")]


def test_the_order_on_one_node_may_decide_for_another() -> None:
    """With the large pod put back last, m needs one victim and n has no chance; put back first, both need two."""
    pods = [
        pod("large", "a", {"cpu": 2}, node="m"),
        *(pod(n, "a", {"cpu": 1}, node="m") for n in "xy"),
        *(pod(n, "a", {"cpu": 1}, node="n") for n in "uv"),
    ]
    found = planned(node("m", cpu="4"), node("n", cpu="2"), WIDE, *pods, ASKED)
    assert sorted(ends(found)) == [("m", "large"), ("m", "x", "y"), ("n", "u", "v")]


def test_a_budget_that_covers_one_of_two_equal_pods_decides_between_them() -> None:
    kept = {"app": "kept"}
    pods = [pod("x", "a", {"cpu": 2}, node="n1", labels=kept), pod("y", "a", {"cpu": 2}, node="n1")]
    found = planned(node(cpu="4"), WIDE, BUDGET, *pods, ASKED)
    assert (found.possible, found.fidelity.exact) == ((), True)
    assert [str(fate.pod.name) for fate in found.attempt.chosen.victims] == ["lab/y"] if found.attempt.chosen else False


def test_whether_the_evictions_are_in_vain_may_be_left_to_chance() -> None:
    """The test of the runtime looks at memory as well, which the pod does not request: only one victim frees it."""
    pods = [
        pod("light", "a", {"cpu": 2, "memory": "1Gi"}, node="n1"),
        pod("heavy", "a", {"cpu": 2, "memory": "5Gi"}, node="n1"),
    ]
    found = planned(
        node(cpu="4", memory="90Gi"), quota("a", {"cpu": 4, "memory": "4Gi"}, {"cpu": 4, "memory": "4Gi"}), *pods, ASKED
    )
    assert {(end.outcome, *(p.key.name for p in end.victims)) for end in found.possible} == {
        (Outcome.PREEMPTS, "heavy"),
        (Outcome.WAITS, "light"),
    }
    assert (found.outcome, found.fidelity.exact) == (Outcome.UNKNOWN, False)


def test_many_equal_pods_of_one_kind_are_one_way_for_the_outcome() -> None:
    found = planned(node(cpu="20"), WIDE, *(pod(f"p{i}", "a", {"cpu": 1}, node="n1") for i in range(20)), ASKED)
    assert (found.outcome, found.fidelity.outcomes, found.fidelity.all_outcomes) == (Outcome.PREEMPTS, 190, True)


def test_a_search_that_stops_says_so() -> None:
    of = state(
        node(cpu="9"), WIDE, *(pod(f"p{i}", "a", {"cpu": 1, "memory": i}, node="n1") for i in range(1, 10)), ASKED
    )
    asked = next(p for p in of.source.pods if p.key.name == "asked")
    found = possible_evictions(of, schedule(of, asked), most=5)
    assert (found.complete, found.settled) == (False, False)


def test_the_revoker_takes_any_of_equal_pods() -> None:
    objects = (node(cpu="10"), quota("a", {}, {"cpu": 3}))
    equal = state(*objects, *(pod(n, "a", {"cpu": 2}, node="n1") for n in "xy"), arguments=Arguments(monitors_all=True))
    assert possible_revocations(equal, "a").ways == 1
    assert revoked_by_chance(equal, "a") == equal.source.pods
    assert EvictionRisks(equal, line(equal)).of(equal.source.pods[0]).revoked_perhaps
    ranked = state(*objects, *(pod(n, "a", {"cpu": 2}, node="n1", priority=i) for i, n in enumerate("xy")))
    assert revoked_by_chance(ranked, "a") == ()
    both = state(node(cpu="10"), quota("a", {}, {"cpu": 1}), *(pod(n, "a", {"cpu": 2}, node="n1") for n in "xy"))
    assert revoked_by_chance(both, "a") == ()


def test_a_placed_pod_that_only_some_outcomes_evict_has_a_preemptor_perhaps() -> None:
    of = state(node(cpu="3"), WIDE, *(pod(n, "a", {"cpu": 1}, node="n1") for n in "xyz"), ASKED)
    risks = EvictionRisks(of, line(of))
    found = {p.key.name: risks.of(p) for p in of.source.pods if p.node}
    assert {(len(r.preemptors), len(r.perhaps), r.defined) for r in found.values()} == {(0, 1, False)}
    alone = state(node(cpu="2"), WIDE, pod("x", "a", {"cpu": 2}, node="n1"), ASKED)
    risk = EvictionRisks(alone, line(alone)).of(next(p for p in alone.source.pods if p.node))
    assert ([p.key.name for p in risk.preemptors], risk.defined) == (["asked"], True)


def test_a_change_that_helps_only_if_a_tie_falls_well_is_no_remedy() -> None:
    """With a higher priority the pod evicts one of two equal pods; only one of them frees the memory."""
    pods = [
        pod("light", "a", {"cpu": 2, "memory": "1Gi"}, node="n1", priority=5),
        pod("heavy", "a", {"cpu": 2, "memory": "5Gi"}, node="n1", priority=5),
    ]
    waiting = pod("asked", "a", {"cpu": 2}, priority=5)
    rest = (node(cpu="4", memory="90Gi"), quota("a", {"cpu": 4, "memory": "4Gi"}, {"cpu": 4, "memory": "4Gi"}))
    found = planned(*rest, *pods, waiting)
    assert [change.kind for remedy in found.remedies for change in remedy.changes if change.kind == "priority"] == []


def test_a_remedy_counts_the_fewest_and_the_most_victims_that_ties_allow() -> None:
    sizes = {"large": 2, "x": 1, "y": 1}
    pods = [pod(name, "a", {"cpu": c}, node="n1", priority=5) for name, c in sizes.items()]
    found = planned(node(cpu="4"), WIDE, *pods, pod("asked", "a", {"cpu": 2}, priority=5))
    counts = {(r.fewest, r.victims) for r in found.remedies if r.changes[0].kind == "priority"}
    assert counts == {(1, 2)}
    assert [result(r) for r in found.remedies if r.changes[0].kind == "priority"] == [
        "placed after preempting 1 to 2 pods on n1"
    ]


def test_a_pod_of_another_quota_may_take_a_placed_pods_node_by_default_preemption() -> None:
    """ElasticQuota finds no victim in the pod's own quota; the plugin after it knows no quotas."""
    of = state(
        node(cpu="4"), WIDE, quota("b", {"cpu": 4}, {"cpu": 90}), pod("there", "b", {"cpu": 4}, node="n1"), ASKED
    )
    there = next(p for p in of.source.pods if p.key.name == "there")
    risk = EvictionRisks(of, line(of)).of(there)
    assert ([p.key.name for p in risk.across], risk.preemptors) == (["asked"], ())
    alone = replace(of, source=replace(of.source, profiles=("s",), alone=frozenset({"s", "default-scheduler"})))
    risk = EvictionRisks(alone, line(alone)).of(there)
    assert risk.across == ()
