"""What a plan adds to the scheduler's own course: outcome, what no node can give alone, remedies, what is not exact."""

from dataclasses import replace

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.schedulers.elasticquota.explain.decision import ChangeKind, Plan, PodOrigin
from kubectl_fairshare.schedulers.elasticquota.explain.planning import plan
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.preemption.gate import QuotaVerdict
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import CycleEnd
from kubectl_fairshare.schedulers.elasticquota.quotas.state import state_of, with_quota
from tests.unit.schedulers.elasticquota.build import cycle, kept, node, planned, pod, quota, source, state

Changes = list[tuple[str, int | None, int | None]]


def changes(found: Plan, kind: ChangeKind) -> list[Changes]:
    """The remedies that change amounts of ``kind`` alone."""
    wanted = (r.changes for r in found.remedies if all(c.kind is kind for c in r.changes))
    return [[(c.resource, c.before, c.after) for c in all_of] for all_of in wanted]


def test_never_is_what_even_an_empty_cluster_would_not_do() -> None:
    full = state(node("n", cpu=4), quota("a", {"cpu": 9}, {"cpu": 9}), pod("x/old", "n", cpu=4))
    assert planned(full, pod("a/new", cpu=4)).outcome is Outcome.WAITS
    assert planned(full, pod("a/new", cpu=5)).outcome is Outcome.NEVER
    assert planned(full, pod("a/new", cpu=10)).outcome is Outcome.NEVER


def test_scattered_room_is_told_node_by_node() -> None:
    nodes = (node("n1", cpu=4), node("n2", cpu=4))
    at = state(*nodes, quota("a", {"cpu": 9}), pod("a/x", "n1", cpu=3), pod("a/y", "n2", cpu=1))
    spread = planned(at, pod("a/new", cpu=4)).spread
    assert spread is not None
    assert [(r.node, r.free.cpu if r.free else None) for r in spread.rooms] == [("n2", 3000), ("n1", 1000)]
    assert spread.is_reason


def test_room_in_sum_is_no_reason_where_quotas_refuse_in_any_case() -> None:
    at = state(node("n1", cpu=4), node("n2", cpu=4), quota("a", {"cpu": 3}))
    spread = planned(at, pod("a/new", cpu=4)).spread
    assert spread is not None
    assert (spread.in_sum, spread.quotas_allow, spread.is_reason) == (True, False, False)


def test_a_pod_that_any_node_could_give_is_counted_once_in_the_sum() -> None:
    nodes = [node(f"n{i}", cpu=4) for i in range(4)]
    borrowed = [pod(f"b/x{i}", f"n{i}", cpu=2) for i in range(4)]
    unquoted = [pod(f"x/y{i}", f"n{i}", cpu=2) for i in range(4)]
    at = state(*nodes, quota("a", {"cpu": 9}), quota("b", {"cpu": 7}), *borrowed, *unquoted)
    spread = planned(at, pod("a/new", cpu=4)).spread
    assert spread is not None
    assert [r.takeable.cpu for r in spread.rooms] == [2000] * 4
    assert (spread.takeable, spread.in_sum) == (1, False)


def test_nodes_that_keep_the_pod_off_give_nothing() -> None:
    cordoned = node("n2", unschedulable=True, cpu=9)
    at = state(node("n1", cpu=4), cordoned, quota("a", {"cpu": 9}), pod("a/x", "n1", cpu=3))
    spread = planned(at, pod("a/new", cpu=4)).spread
    assert spread is not None
    assert [r.node for r in spread.rooms] == ["n1"]


def test_a_maximum_is_raised_to_what_is_reached() -> None:
    at = state(node("n", cpu=9), quota("a", {"cpu": 9}, {"cpu": 4}), pod("a/old", "n", cpu=3))
    assert changes(planned(at, pod("a/new", cpu=2)), ChangeKind.MAX) == [[("cpu", 4000, 5000)]]


def test_a_minimum_that_lists_nothing_of_it_is_given_some() -> None:
    at = state(node("n", cpu=9, gpu=1), quota("a", {"cpu": 9}))
    assert changes(planned(at, pod("a/new", gpu=1)), ChangeKind.MIN) == [[("nvidia.com/gpu", None, 1)]]


def test_the_smallest_raise_that_does_is_told() -> None:
    nodes = (node("n1", cpu=2), node("n2", cpu=2))
    lent = (quota("q1", {"cpu": 0}, {"cpu": 2}), quota("q2", {"cpu": 2}, {"cpu": 2}))
    at = state(*nodes, *lent, pod("q1/x1", "n1", cpu=1), pod("q1/x2", "n2", cpu=1))
    asking = pod("q2/new", cpu=2)
    assert changes(planned(at, asking), ChangeKind.MIN) == [[("cpu", 2000, 3000)]]
    for amount, course in ((3000, CycleEnd.PREEMPT), (2999, CycleEnd.NO_CANDIDATE)):
        raised = replace(lent[1], min=lent[1].least._replace(cpu=amount))
        assert cycle(with_quota(at, raised), asking).course is course


def test_maximum_and_minimum_are_raised_together_where_neither_is_enough() -> None:
    at = state(node("n", cpu=9), quota("a", {"cpu": 1}, {"cpu": 1}))
    (remedy,) = planned(at, pod("a/new", cpu=2)).remedies
    assert [(c.kind, c.after) for c in remedy.changes] == [(ChangeKind.MAX, 2000), (ChangeKind.MIN, 2000)]


def test_a_priority_just_above_a_victims_is_told_with_its_class() -> None:
    at = state(node("n", cpu=4), pod("x/old", "n", 7, cpu=4))
    at = replace(at, source=replace(at.source, priorities={"high": 9, "higher": 20, "low": 3}))
    found = planned(at, pod("x/new", cpu=4)).remedies[0]
    assert [(c.kind, c.before, c.after) for c in found.changes] == [(ChangeKind.PRIORITY, 0, 8)]
    assert (found.named, found.victims) == ("high", 1)


def test_a_priority_above_a_place_that_is_kept_is_tried_too() -> None:
    waiting = kept(pod("a/waiting", priority=7, cpu=3), "n")
    at = state(node("n", cpu=4), quota("a", {"cpu": 4}, {"cpu": 4}), waiting)
    found = planned(at, pod("a/new", cpu=2))
    assert found.attempt.gate.verdict is QuotaVerdict.OVER_MAX
    by_priority = [r for r in found.remedies if r.changes[0].kind is ChangeKind.PRIORITY]
    assert [(r.changes[0].after, r.course) for r in by_priority] == [(8, CycleEnd.SCHEDULABLE)]


def test_without_nodes_the_remedies_let_the_quotas_admit_the_pod() -> None:
    at = state(quota("a", {"cpu": 4}, {"cpu": 4}), quota("b", {"cpu": 4}), pod("a/x", "far", cpu=3))
    found = planned(at, pod("a/new", cpu=2))
    assert changes(found, ChangeKind.MAX) == [[("cpu", 4000, 5000)]]
    gone = [c.pod.name for r in found.remedies for c in r.changes if c.pod is not None]
    assert gone == ["a/x"]
    assert {r.nodes for r in found.remedies} == {()}


def test_remedies_of_a_template_stand_in_the_template() -> None:
    at = state(node("n", cpu=4), pod("x/old", "n", 7, cpu=4))
    written = Place(ObjectKey("apps", "Deployment", "x", "web"), ("spec", "template"))
    found = plan(at, pod("x/new", cpu=4), None, PodOrigin(written))
    assert str(found.remedies[0].changes[0].place) == "Deployment x/web spec.template.spec.priority"


def test_the_least_important_pod_is_the_one_to_delete() -> None:
    at = state(node("n", cpu=4), pod("x/a", "n", 5, cpu=2), pod("x/b", "n", 3, cpu=2), pod("x/c", "n", 1, cpu=0))
    (found,) = (r for r in planned(at, pod("x/new", cpu=2)).remedies if r.changes[0].kind is ChangeKind.DELETION)
    gone = found.changes[0].pod
    assert gone is not None
    assert (gone.key.name, found.alternatives, found.nodes) == ("b", 1, ("n",))


def test_who_never_preempts_is_told_what_preempting_would_do() -> None:
    at = state(node("n", cpu=4), pod("x/old", "n", cpu=4))
    found = planned(at, replace(pod("x/new", priority=9, cpu=4), preempts=False))
    assert [r.changes[0].kind for r in found.remedies] == [ChangeKind.POLICY, ChangeKind.DELETION]


def test_a_placed_pod_needs_no_remedy() -> None:
    assert planned(state(node("n", cpu=4)), pod("x/new", cpu=4)).remedies == ()


def test_without_nodes_the_quotas_answer_alone() -> None:
    found = planned(state(quota("a", {"cpu": 4})), pod("a/new", cpu=4))
    assert (found.half, found.computed, found.outcome) == (True, Outcome.ADMITTED, Outcome.UNKNOWN)
    assert [g.feature for g in found.fidelity.gaps] == ["NoNodes"]


def test_without_nodes_what_can_never_be_is_told_exactly() -> None:
    found = planned(state(quota("a", {"cpu": 4})), pod("a/new", cpu=5))
    assert (found.outcome, found.fidelity.exact) == (Outcome.NEVER, True)


def test_without_nodes_it_is_told_who_could_be_taken() -> None:
    at = state(quota("a", {"cpu": 4}), quota("b", {"cpu": 0}), pod("b/x", "far", cpu=2))
    found = planned(at, pod("a/new", cpu=4))
    assert found.outcome is Outcome.UNKNOWN
    assert found.spread is not None
    assert [(r.node, r.free, r.pods) for r in found.spread.rooms] == [("far", None, 1)]


@pytest.mark.parametrize("feature", ["InterPodAffinity", "Volumes"])
def test_a_filter_that_is_not_modelled_touches_a_placement_alone(feature: str) -> None:
    asking = replace(pod("x/new", cpu=4), unmodelled=(feature,))
    assert planned(state(node("n", cpu=4)), asking).outcome is Outcome.UNKNOWN
    assert planned(state(node("n", cpu=3)), asking).outcome is Outcome.NEVER


def test_pods_that_keep_others_off_are_not_modelled() -> None:
    lonely = replace(pod("x/old", "n", cpu=1), repelling=True)
    assert planned(state(node("n", cpu=4), lonely), pod("x/new", cpu=1)).outcome is Outcome.UNKNOWN


def test_gates_hold_a_pod_back() -> None:
    assert planned(state(node("n", cpu=4)), replace(pod("x/new", cpu=1), gated=True)).outcome is Outcome.UNKNOWN


def test_a_scheduler_without_the_plugin_is_not_answered_for() -> None:
    with_profiles = replace(source(node("n", cpu=4)), profiles=("capacity",))
    asking = pod("x/new", cpu=1)
    found = plan(state_of(with_profiles), asking, None)
    assert found.outcome is Outcome.UNKNOWN
    asking.scheduler = "capacity"
    assert plan(state_of(with_profiles), asking, None).outcome is Outcome.ADMITTED


def test_a_second_quota_touches_answers_only_where_it_differs() -> None:
    first, second = quota("a", {"cpu": 4}), quota("a", {"cpu": 4})
    for written, outcome in ((second, Outcome.ADMITTED), (quota("a", {"cpu": 9}), Outcome.UNKNOWN)):
        other = replace(written, key=ObjectKey(*written.key[:3], "second"))
        several = replace(source(node("n", cpu=4), first), others={"a": (other,)})
        assert plan(state_of(several), pod("a/new", cpu=1), None).outcome is outcome


def test_the_proof_names_the_fields_of_the_bound() -> None:
    at = state(node("n", cpu=9), quota("a", {"cpu": 4}, {"cpu": 4}), pod("a/old", "n", cpu=3))
    (step,) = (s for s in planned(at, pod("a/new", cpu=2)).proof if s.law is Law.OVER_MAX)
    assert [str(part.place) for part in step.rests_on if hasattr(part, "place")] == [
        "ElasticQuota a/quota spec.max.cpu"
    ]
    assert step.operand("more") == 1000


def test_a_scheduler_that_placed_nothing_is_presumed_to_run_the_plugin() -> None:
    old = pod("a/old", "n", cpu=1)
    old.scheduler = "capacity"
    at = state(node("n", cpu=4), quota("a", {"cpu": 4}), old)
    (gap,) = planned(at, pod("a/new", cpu=1)).fidelity.gaps
    assert (gap.feature, gap.subject, gap.touches) == ("PluginPresumed", "default-scheduler", False)
    assert planned(at, replace(pod("a/new", cpu=1), scheduler="capacity")).fidelity.gaps == ()


def test_profiles_of_one_scheduler_know_each_others_kept_places() -> None:
    peer = kept(replace(pod("a/peer", cpu=1), scheduler="other"), "n")
    at = source(node("n", cpu=4), quota("a", {"cpu": 4}), peer)
    asking = pod("a/new", cpu=1)
    for profiles, peers in ((None, 0), (("default-scheduler", "other"), 1), (("default-scheduler",), 0)):
        assert len(cycle(state_of(replace(at, profiles=profiles)), asking).gate.peers) == peers
