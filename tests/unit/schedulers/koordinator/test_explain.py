"""Figures, derivations and plans: every remedy was simulated, and what a plan cites alone decides alike."""

import pytest

from kubectl_fairshare.answers.answer import Maker
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.demand import demand_of
from kubectl_fairshare.model.errors import UsageError
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.koordinator.explain.citation import cited_objects
from kubectl_fairshare.schedulers.koordinator.explain.decision import Plan
from kubectl_fairshare.schedulers.koordinator.explain.derivation import NamedAmount, runtime_derivation
from kubectl_fairshare.schedulers.koordinator.explain.figures import runtime_table
from kubectl_fairshare.schedulers.koordinator.explain.planning import plan
from kubectl_fairshare.schedulers.koordinator.explain.saturation import saturated_quotas, sum_of_top
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.quotas.state import State, state_of
from kubectl_fairshare.schedulers.koordinator.why.verdict import Reason, computed_reason
from kubectl_fairshare.schedulers.koordinator.words.plan_answer import plan_answer
from kubectl_fairshare.schedulers.koordinator.words.plan_clauses import WORDS
from kubectl_fairshare.schedulers.koordinator.words.sentences import sentence
from kubectl_fairshare.schedulers.kubescheduler.decision import ChangeKind
from tests.unit.schedulers.koordinator.build import Object, node, pod, quota, state

FIRM = {"quota.scheduling.koordinator.sh/preemptible": "false"}
FULL = (
    node(cpu="10"),
    quota("a", {"cpu": 5}, {"cpu": 10}),
    quota("b", {"cpu": 5}, {"cpu": 10}),
    pod("big", "b", {"cpu": 9}, node="n1"),
)


def planned(*objects: Object) -> tuple[State, Plan]:
    of = state(*objects)
    asked = next(p for p in of.source.pods if p.key.name == "asked")
    return of, plan(of, asked, None)


def test_what_is_lent_and_borrowed_is_seen_at_both_quotas() -> None:
    of = state(
        node(cpu="20"),
        quota("idle", {"cpu": 10}, {"cpu": 20}),
        quota("busy", {"cpu": 10}, {"cpu": 20}),
        pod("p", "busy", {"cpu": 16}, node="n1"),
    )
    figures = {e.name: e.pairs["", "cpu"] for e in runtime_table(of, {}).quotas}
    assert (figures["idle"].lent, figures["busy"].borrowed, figures["busy"].runtime) == (10_000, 6_000, 16_000)
    assert figures["busy"].used == 16_000


def test_without_nodes_no_runtime_is_known() -> None:
    of = state(quota("a", {"cpu": 10}, {"cpu": 20}))
    table = runtime_table(of, {})
    assert (next(table.quotas).pairs["", "cpu"].runtime, table.fidelity.exact) == (None, False)


def test_a_derivation_has_the_division_at_each_level_down_to_the_quota() -> None:
    of = state(
        node(),
        quota("org", {"cpu": 20}, {"cpu": 90}, is_parent="true"),
        quota("a", {"cpu": 10}, {"cpu": 90}, "org"),
        pod("p", "a", {"cpu": 50}),
    )
    (cpu,) = runtime_derivation(of, runtime_table(of, {}), "a").resources
    assert [(level.parent, level.child, level.held) for level in cpu.levels] == [
        ("koordinator-root-quota", "org", 100_000),
        ("org", "a", 50_000),
    ]
    assert cpu.pods == (NamedAmount("lab/p", 50_000),)


def test_when_all_request_without_end_a_surplus_goes_by_weight() -> None:
    of = state(
        node(cpu="40"), *(quota(name, {"cpu": 5}, {"cpu": 40}, weight={"cpu": w}) for name, w in (("a", 1), ("b", 2)))
    )
    found = saturated_quotas(of, {"cpu": 4000})
    assert [(q.name, q.runtime["cpu"], q.pods) for q in found.quotas] == [("a", 15_000, 3), ("b", 25_000, 6)]
    assert sum_of_top(found, "cpu") == 40_000


@pytest.mark.parametrize(
    ("texts", "runtimes"),
    [
        (["unlimited", "a=0"], {"a": 0, "b": 40_000}),
        (["unlimited", "a=7"], {"a": 7_000, "b": 33_000}),
        (["unlimited", "a=cpu=7", "b=0"], {"a": 7_000, "b": 0}),
        (["b=unlimited"], {"a": 6_000, "b": 34_000}),
    ],
)
def test_quotas_may_request_other_amounts(texts: list[str], runtimes: dict[str, int]) -> None:
    quotas = (quota(name, {"cpu": 5}, {"cpu": 40}, allow_lent_resource="true") for name in ("a", "b"))
    of = state(node(cpu="40"), *quotas, pod("busy", "a", {"cpu": 6}))
    found = saturated_quotas(of, {}, demand_of(texts))
    assert {q.name: q.runtime["cpu"] for q in found.quotas} == runtimes


def test_a_demand_for_a_parent_is_one_for_those_below() -> None:
    of = state(
        node(cpu="40"),
        quota("org", {"cpu": 5}, {"cpu": 40}, is_parent="true"),
        quota("a", {"cpu": 5}, {"cpu": 40}, "org"),
        quota("b", {"cpu": 5}, {"cpu": 40}),
    )
    found = saturated_quotas(of, {}, demand_of(["unlimited", "org=0"]))
    assert {q.name: q.runtime["cpu"] for q in found.quotas} == {"org": 0, "a": 0, "b": 40_000}


@pytest.mark.parametrize("text", ["lost=0", "a=nvidia.com/gpu=1", "a=cpu=many"])
def test_a_demand_that_no_quota_has_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        saturated_quotas(state(node(), quota("a", {"cpu": 5}, {"cpu": 40})), {}, demand_of([text]))


def test_being_owed_a_runtime_moves_no_other_quota() -> None:
    of, found = planned(*FULL, pod("asked", "a", {"cpu": 5}))
    assert (found.outcome, found.attempt.gate.admits) == (Outcome.WAITS, True)
    assert [c.kind for r in found.remedies for c in r.changes] == [ChangeKind.REQUEST, ChangeKind.DELETION]
    assert of.runtime("a")["cpu"] == 5 * 10**9


def test_pods_may_be_evicted_in_vain() -> None:
    _, found = planned(
        node(cpu="20"),
        node("n2", cpu="20"),
        quota("q", {"cpu": 10}, {"cpu": 10}),
        pod("least", "q", {"cpu": 1}, node="n1", priority=10),
        pod("most", "q", {"cpu": 9}, node="n2", priority=100),
        pod("asked", "q", {"cpu": 9}, priority=50),
    )
    assert (found.in_vain, found.outcome) == (True, Outcome.WAITS)
    assert found.attempt.chosen is not None
    assert [fate.pod.key.name for fate in found.attempt.chosen.victims] == ["least"]


def test_a_pod_that_only_the_quotas_reject_can_come_to_any_node_with_room() -> None:
    held = pod("low", "a", {"cpu": 4}, node="n1", priority=1)
    objects = (quota("a", {"cpu": 4}, {"cpu": 4}), held, pod("asked", "a", {"cpu": 4}, priority=9))
    _, found = planned(node("n1"), node("n2"), node("n3", cpu="1"), *objects)
    assert found.attempt.choice is not None
    assert (found.attempt.choice.nodes, found.elsewhere) == (("n1",), ("n2",))
    assert WORDS.clause(found) == "nominated to n1 after preempting 1 pod"


def test_every_remedy_gets_the_pod_in_when_it_is_made() -> None:
    of, found = planned(
        node(cpu="20"),
        quota("a", {"cpu": 5}, {"cpu": 5}),
        pod("p", "a", {"cpu": 4}, node="n1"),
        pod("asked", "a", {"cpu": 4}),
    )
    kinds = {c.kind for r in found.remedies for c in r.changes}
    assert kinds == {ChangeKind.MAX, ChangeKind.REQUEST, ChangeKind.PRIORITY, ChangeKind.DELETION}
    (smaller,) = (c for r in found.remedies for c in r.changes if c.kind is ChangeKind.REQUEST)
    assert (smaller.resource, smaller.before, smaller.after) == ("cpu", 4_000, 1_000)
    (raised,) = (c for r in found.remedies for c in r.changes if c.kind is ChangeKind.MAX)
    assert (raised.before, raised.after) == (5_000, 8_000)
    group = replace(of.quotas["a"], max={"cpu": 8 * 10**9})
    changed = state_of(replace(of.source, quotas={"a": group}))
    assert plan(changed, found.pod, None).outcome is Outcome.ADMITTED


def test_without_the_label_a_fixed_pod_may_use_the_runtime() -> None:
    _, found = planned(node(cpu="20"), quota("a", {"cpu": 1}, {"cpu": 9}), pod("asked", "a", {"cpu": 4}, labels=FIRM))
    assert ChangeKind.PREEMPTIBLE in {c.kind for r in found.remedies for c in r.changes}
    assert found.message.startswith("Insufficient non-preemptible quotas, quotaName: a, min: cpu:1, ")


def test_a_request_above_max_never_gets_in() -> None:
    _, found = planned(node(), quota("a", {}, {"cpu": 2}), pod("asked", "a", {"cpu": 4}))
    assert found.outcome is Outcome.NEVER


@pytest.mark.parametrize("priority", [1, 9])
def test_default_preemption_may_evict_across_quotas_and_is_a_gap(priority: int) -> None:
    _, found = planned(*FULL, pod("asked", "a", {"cpu": 5}, priority=priority))
    assert (found.outcome, found.computed) == (Outcome.UNKNOWN, Outcome.WAITS)
    assert [gap.feature for gap in found.fidelity.gaps if gap.touches] == ["DefaultPreemption"]


def unsure(found: Plan) -> list[str]:
    return [gap.feature for gap in found.fidelity.gaps if gap.touches]


def test_default_preemption_evicts_even_for_pods_that_the_quotas_refuse_where_nodes_are_full() -> None:
    """Quotas are no filter of nodes: the pods are evicted in vain."""
    objects = (quota("a", {}, {"cpu": 4}), quota("b", {}, {"cpu": 10}), pod("big", "b", {"cpu": 9}, node="n1"))
    asked = {"cpu": 5}
    _, found = planned(node(cpu="10"), *objects, pod("asked", "a", asked, priority=9))
    assert (found.attempt.gate.admits, found.outcome, unsure(found)) == (False, Outcome.UNKNOWN, ["DefaultPreemption"])
    for sure in (
        (node(cpu="20"), *objects, pod("asked", "a", asked, priority=9)),
        (node(cpu="4"), *objects, pod("asked", "a", asked, priority=9)),
        (node(cpu="10"), *objects, pod("asked", "a", asked)),
        (node(cpu="10"), *objects, pod("asked", "a", asked, priority=9, preemptionPolicy="Never")),
    ):
        assert unsure(planned(*sure)[1]) == []


def test_default_preemption_does_not_wait_for_a_pod_that_its_owner_deletes() -> None:
    """ElasticQuota waits for every less important pod that leaves the nominated node, DefaultPreemption for victims."""
    waiting = pod("asked", "a", {"cpu": 9}, priority=9, status={"nominatedNodeName": "n1"})
    objects = (node(cpu="10"), quota("a", {"cpu": 10}, {"cpu": 20}), waiting)
    for reason, expected in (("PreemptionByScheduler", []), ("EvictionByEvictionAPI", ["DefaultPreemption"])):
        condition = {"type": "DisruptionTarget", "status": "True", "reason": reason}
        leaving = pod("old", "a", {"cpu": 9}, node="n1", status={"conditions": [condition]})
        leaving["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
        _, found = planned(*objects, leaving)
        assert (found.attempt.eligible, unsure(found)) == (Law.VICTIMS_LEAVING, expected)


def test_where_default_preemption_runs_first_every_pod_that_preempts_is_a_gap() -> None:
    of, found = planned(
        node(cpu="10"),
        quota("a", {}, {"cpu": 9}),
        pod("p", "a", {"cpu": 9}, node="n1"),
        pod("asked", "a", {"cpu": 9}, priority=9),
    )
    assert (found.outcome, unsure(found)) == (Outcome.PREEMPTS, [])
    first = replace(of.source, profiles=("koord-scheduler",), early=frozenset({"koord-scheduler"}))
    source = replace(first, pods=tuple(replace(p, scheduler="koord-scheduler") for p in first.pods))
    assert unsure(plan(state_of(source), next(p for p in source.pods if p.key.name == "asked"), None)) == [
        "DefaultPreemption"
    ]


def test_pods_of_another_scheduler_are_not_answered_for_beside_quotas_of_scheduler_plugins() -> None:
    theirs = {**quota("b", {}, {"cpu": 1}), "apiVersion": "scheduling.x-k8s.io/v1alpha1"}
    objects = (node(), quota("a", {}, {"cpu": 9}))
    for scheduler, of, expected in (
        ("koord-scheduler", "", []),
        ("default-scheduler", "", ["PluginPresumed"]),
        ("default-scheduler", "a", []),
    ):
        asked = pod("asked", of, {"cpu": 1}, schedulerName=scheduler)
        assert unsure(planned(*objects, asked)[1]) == []
        assert unsure(planned(*objects, asked, theirs)[1]) == expected


def test_the_default_quota_is_said_to_limit_nothing_only_while_runtime_quotas_are_on() -> None:
    for uses_runtime, expected in ((True, "which limits nothing"), (False, "whose max limits it")):
        for labels in ({}, {"quota.scheduling.koordinator.sh/name": "typo"}):
            of = state(node(), pod("asked", "", {"cpu": 1}, labels=labels), quota("a", {}, {"cpu": 1}))
            of = state_of(replace(of.source, arguments=replace(of.source.arguments, uses_runtime=uses_runtime)))
            text = sentence(plan(of, of.source.pods[0], None).proof[0])
            assert text.endswith(f"it belongs to the default quota, {expected}")


def test_the_cited_objects_alone_give_the_same_decision() -> None:
    of, found = planned(*FULL, pod("asked", "a", {"cpu": 6}))
    cited = set(cited_objects(of, replace(found, origin=replace(found.origin, exists=True))))
    source = of.source
    kept = replace(
        source,
        quotas={n: q for n, q in source.quotas.items() if q.key in cited},
        pods=tuple(p for p in source.pods if p.key in cited),
        nodes={n: m for n, m in source.nodes.items() if m.key in cited},
    )
    again = plan(state_of(kept), found.pod, None)
    assert (again.outcome, again.message) == (found.outcome, found.message)


def test_what_a_quota_does_not_limit_is_a_step_with_its_reason() -> None:
    org = quota("org", {"cpu": 5}, {"cpu": 10}, is_parent="true")
    kid = quota("kid", {"cpu": 5}, {"cpu": 10, "nvidia.com/gpu": 2}, parent="org")
    wanted = {"cpu": 1, "nvidia.com/gpu": 4, "example.com/fpga": 1}
    _, found = planned(node(gpu="8", **{"example.com/fpga": "2"}), org, kid, pod("asked", "kid", wanted))
    said = [sentence(step) for step in found.proof if step.law is Law.UNLIMITED]
    assert said == [
        "kid does not limit example.com/fpga: its max does not list it",
        "kid does not limit nvidia.com/gpu: the max of its parent does not list it",
    ]


def test_what_never_fits_is_said_of_the_nodes_that_refuse_it_and_not_of_quotas_that_are_full_now() -> None:
    full = (quota("a", {"cpu": 8}, {"cpu": 9}), pod("old", "a", {"cpu": 4}, node="n1"))
    _, found = planned(node("n1", cpu="4"), node("n2", cpu="4"), *full, pod("asked", "a", {"cpu": 5}))
    assert (
        WORDS.clause(found)
        == "can never be placed: no single node is large enough for it: it needs 5 cpu, the largest has 4"
    )
    _, found = planned(node("n1", cpu="4"), node("n2", cpu="5"), *full, pod("asked", "a", {"cpu": 6}, priority=-1))
    assert (
        WORDS.clause(found)
        == "can never be placed: no single node is large enough for it: it needs 6 cpu, the largest has 5"
    )


def test_what_is_not_modelled_after_the_change_is_not_promised() -> None:
    old = pod("old", "a", {"cpu": 9}, node="n1")
    for claims in ([], [{"name": "gpu", "resourceClaimName": "c"}]):
        of, found = planned(*FULL[:2], old, pod("asked", "a", {"cpu": 2}, resourceClaims=claims))
        answer = plan_answer(found, of, ())
        assert answer.remedies
        assert {each.outcome is Outcome.UNKNOWN for each in answer.remedies} == {bool(claims)}
        told = {each.result.startswith("ignoring what is not modelled: ") for each in answer.remedies}
        assert told == {bool(claims)}


def test_what_is_refused_alone_may_get_in_once_others_ask() -> None:
    """A parent without requests has a runtime of 0, of which a child's scaled min is 0, too.

    Source: koordinator v1.8.0, ``getScaledMinQuota``, ``GetScaledMinQuota`` under ``refreshRuntimeNoLock``.
    """
    tree = (
        node(cpu="2"),
        quota("org", {"cpu": 2}, {"cpu": 8}, is_parent="true"),
        quota("a", {"cpu": 1}, {"cpu": 0}, "org", allow_lent_resource="false"),
        quota("b", {"cpu": 1}, {"cpu": 8}, "org"),
    )
    asked, other = pod("asked", "a", {"cpu": "500m"}), pod("other", "b", {"cpu": 3})
    _, alone = planned(*tree, asked)
    assert (alone.outcome, WORDS.clause(alone)) == (
        Outcome.WAITS,
        "waits: 500m requested + 0 used = 500m > 0 cpu (runtime of a)",
    )
    assert planned(*tree, asked, other)[1].outcome is Outcome.ADMITTED
    assert planned(*tree, pod("asked", "a", {"cpu": "1500m"}), other)[1].outcome is Outcome.NEVER


def test_what_siblings_never_lend_is_never_got() -> None:
    keeping = quota("k", {"cpu": 6}, {"cpu": 9}, allow_lent_resource="false")
    tree = (node(cpu="10"), keeping, quota("a", {"cpu": 0}, {"cpu": 9}))
    for cpu, outcome in ((4, Outcome.ADMITTED), (5, Outcome.NEVER)):
        assert planned(*tree, pod("asked", "a", {"cpu": cpu}))[1].outcome is outcome


def test_a_pod_that_never_fits_does_not_wait_for_its_victims() -> None:
    leaving = pod("old", "a", {"cpu": 4}, node="n1")
    leaving["metadata"]["deletionTimestamp"] = "2026-08-01T00:00:00Z"
    objects = (node(cpu="4"), quota("a", {"cpu": 9}, {"cpu": 9}), leaving)
    for cpu, outcome, text in (
        (4, Outcome.WAITS, "waits: 4 requested + 4 used = 8 > 4 cpu (runtime of a)"),
        (5, Outcome.NEVER, "can never be placed: cpu: 5 requested > 4 (the most that a can ever use)"),
    ):
        asked = pod("asked", "a", {"cpu": cpu}, priority=5, status={"nominatedNodeName": "n1"})
        _, found = planned(*objects, asked)
        assert (found.computed, WORDS.clause(found), computed_reason(found)) == (
            outcome,
            text,
            Reason.VICTIMS_LEAVING if outcome is Outcome.WAITS else Reason.OVER_RUNTIME,
        )


def test_a_cordoned_node_that_would_take_the_pod_is_put_in_service() -> None:
    """Kubernetes, ``NodeUnschedulable``; the cordoned node counts into the total all the while."""
    cordoned = node(cpu="4") | {"spec": {"unschedulable": True}}
    of, found = planned(cordoned, quota("a", {"cpu": 4}, {"cpu": 4}), pod("asked", "a", {"cpu": 2}))
    uncordon = next(each for each in plan_answer(found, of, ()).remedies if each.change == "uncordon n1")
    assert (uncordon.outcome, uncordon.result, uncordon.maker) == (Outcome.ADMITTED, "placed on n1", Maker.ADMIN)
    _, full = planned(cordoned, quota("a", {"cpu": 1}, {"cpu": 1}), pod("asked", "a", {"cpu": 2}))
    assert ChangeKind.UNCORDON not in {change.kind for remedy in full.remedies for change in remedy.changes}
