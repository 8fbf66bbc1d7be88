"""What would place a pod: the least change of each kind."""

import random

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.selectors import Taint
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.explain.decision import Plan
from kubectl_fairshare.schedulers.elasticquota.explain.planning import plan
from kubectl_fairshare.schedulers.elasticquota.explain.trying import helps
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuota, Node, Pod
from kubectl_fairshare.schedulers.elasticquota.model.vector import vector_from
from kubectl_fairshare.schedulers.elasticquota.preemption.gate import QuotaVerdict
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State, with_quota
from kubectl_fairshare.schedulers.elasticquota.words.plan_answer import plan_answer
from kubectl_fairshare.schedulers.kubescheduler.clauses import change_clause
from kubectl_fairshare.schedulers.kubescheduler.cycle import is_placed
from kubectl_fairshare.schedulers.kubescheduler.decision import ChangeKind, CycleEnd, RemedyChange
from kubectl_fairshare.schedulers.question import PodOrigin
from tests.unit.schedulers.elasticquota.build import cycle, kept, node, planned, pod, quota, state

Changes = list[tuple[str, int | None, int | None]]


def changes(found: Plan, kind: ChangeKind) -> list[Changes]:
    """The remedies that change amounts of ``kind`` alone."""
    wanted = (r.changes for r in found.remedies if all(c.kind is kind for c in r.changes))
    return [[(c.resource, c.before, c.after) for c in all_of] for all_of in wanted]


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
    (remedy,) = (r for r in planned(at, asking).remedies if r.changes[0].kind is ChangeKind.MAX)
    # A min above max is what rule E001 reports, so max is raised with it.
    assert [(c.kind, c.before, c.after) for c in remedy.changes] == [
        (ChangeKind.MAX, 2000, 3000),
        (ChangeKind.MIN, 2000, 3000),
    ]
    for amount, course in ((3000, CycleEnd.PREEMPT), (2999, CycleEnd.NO_CANDIDATE)):
        raised = replace(lent[1], min=lent[1].least._replace(cpu=amount))
        assert cycle(with_quota(at, raised), asking).course is course


@pytest.mark.parametrize(("node_cpu", "most", "amount"), [(9, 4, 4_000), (3, 8, 3_000), (9, 8, 5_000)])
def test_a_smaller_request_is_the_largest_with_which_the_pod_is_placed(node_cpu: int, most: int, amount: int) -> None:
    # The node, the maximum, or the sum of all minima (5 cores) is the bound.
    at = state(node("n", cpu=node_cpu), quota("a", {"cpu": 5}, {"cpu": most}))
    found = planned(at, pod("a/new", cpu=9))
    changes = [each for remedy in found.remedies for each in remedy.changes if each.kind is ChangeKind.REQUEST]
    assert [(each.resource, each.before, each.after) for each in changes] == [("cpu", 9_000, amount)]


def test_maximum_and_minimum_are_raised_together_where_neither_is_enough() -> None:
    at = state(node("n", cpu=9), quota("a", {"cpu": 1}, {"cpu": 1}))
    remedy, _ = planned(at, pod("a/new", cpu=2)).remedies
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


def test_who_never_preempts_is_told_what_preempting_would_do() -> None:
    at = state(node("n", cpu=4), pod("x/old", "n", cpu=4))
    found = planned(at, replace(pod("x/new", priority=9, cpu=4), preempts=False))
    assert [r.changes[0].kind for r in found.remedies] == [ChangeKind.POLICY, ChangeKind.DELETION]


def test_a_placed_pod_needs_no_remedy() -> None:
    assert planned(state(node("n", cpu=4)), pod("x/new", cpu=4)).remedies == ()


def test_a_remedy_counts_the_fewest_and_the_most_victims_that_ties_allow() -> None:
    there = [pod(f"x/{name}", "n1", cpu=c, priority=5) for name, c in (("large", 2), ("a", 1), ("b", 1))]
    found = planned(state(node("n1", cpu=4), *there), pod("x/new", cpu=2, priority=5))
    counts = {(r.fewest, r.victims) for r in found.remedies if r.changes[0].kind is ChangeKind.PRIORITY}
    assert counts == {(1, 2)}


def random_state(seed: int) -> tuple[State, Pod]:
    """Two quotas that lend to each other, with pods, and a pod that asks."""
    chance = random.Random(seed)
    objects: list[ElasticQuota | Node | Pod] = [
        node(f"n{i}", cpu=chance.randint(2, 5), memory=chance.randint(2, 5)) for i in range(2)
    ]
    for name in ("a", "b"):
        most = {r: chance.randint(1, 6) for r in ("cpu", "memory")}
        objects.append(quota(name, {r: chance.randint(0, v) for r, v in most.items()}, most))
    for i in range(chance.randint(0, 4)):
        where, cpu, memory = chance.choice(("n0", "n1")), chance.randint(0, 2), chance.randint(0, 2)
        objects.append(pod(f"{chance.choice('ab')}/p{i}", where, chance.randint(0, 2), cpu=cpu, memory=memory))
    return state(*objects), pod("a/new", priority=1, cpu=chance.randint(0, 4), memory=chance.randint(0, 4))


def with_changes(at: State, made: tuple[RemedyChange, ...]) -> State:
    held = at.source.quotas["a"]
    lists = {"min": held.least, "max": held.most}
    for change in made:
        assert change.after is not None
        old = lists[change.kind.value]
        lists[change.kind.value] = vector_from({**{r: old.of(r) for r in old.listed()}, change.resource: change.after})
    return with_quota(at, replace(held, min=lists["min"], max=lists["max"]))


def test_raises_are_sound_and_help_and_need_each_change() -> None:
    sizes = set()
    for seed in range(300):
        at, asking = random_state(seed)
        found = (r.changes for r in planned(at, asking).remedies)
        for made in (m for m in found if all(c.kind in (ChangeKind.MIN, ChangeKind.MAX) for c in m)):
            sizes.add(len(made))
            then = with_changes(at, made)
            raised = then.source.quotas["a"]
            assert all(raised.least.of(c.resource) <= raised.most.of(c.resource) for c in made), seed
            assert is_placed(then.nodes, cycle(then, asking)), seed
            for change in made if len(made) > 1 else ():
                less = with_changes(at, tuple(c for c in made if c != change))
                fewer = less.source.quotas["a"]
                sound = all(fewer.least.of(c.resource) <= fewer.most.of(c.resource) for c in made)
                assert not sound or not helps(less, cycle(less, asking)), (seed, change)
    assert {1, 2} <= sizes


def test_a_maximum_that_is_set_is_not_below_the_minimum() -> None:
    at = state(node("n", cpu=9, gpu=1), quota("a", {"cpu": 4}, {"gpu": 1}))
    assert changes(planned(at, pod("a/new", cpu=1)), ChangeKind.MAX) == [[("cpu", None, 4000)]]


def test_what_is_not_modelled_after_the_change_is_not_promised() -> None:
    at = state(node("n", cpu=9), quota("a", {"cpu": 9}, {"cpu": 4}), pod("a/old", "n", cpu=3))
    asking = pod("a/new", cpu=2)
    for asked, outcome in ((asking, Outcome.ADMITTED), (replace(asking, unmodelled=("Volumes",)), Outcome.UNKNOWN)):
        answer = plan_answer(planned(at, asked), at, ())
        assert {each.outcome for each in answer.remedies} == {outcome}
        told = {each.result.startswith("ignoring what is not modelled: ") for each in answer.remedies}
        assert told == {outcome is Outcome.UNKNOWN}


def test_a_request_that_counts_otherwise_in_the_quota_and_on_the_node_is_not_made_smaller() -> None:
    """A sidecar of 3 next to a container of 2: the quota counts 3, the node 5."""
    at = state(node("n", cpu=4), quota("a", {"cpu": 9}))
    asked = pod("a/new", cpu=3)
    assert changes(planned(at, replace(asked, request=vector_from({"cpu": 5_000}))), ChangeKind.REQUEST) == []
    alike = planned(at, pod("a/new", cpu=5))
    assert changes(alike, ChangeKind.REQUEST) == [[("cpu", 5_000, 4_000)]]


def test_a_cordoned_node_that_would_take_the_pod_is_put_in_service() -> None:
    """Kubernetes, ``NodeUnschedulable``: the cordon is a field, and the taint that the controller adds for it."""
    cordon = Taint("node.kubernetes.io/unschedulable", "", "NoSchedule")
    small, large = node("n1", (cordon,), unschedulable=True, cpu=1), node("n2", (cordon,), unschedulable=True, cpu=4)
    tainted = node("n3", (cordon, Taint("dedicated", "x", "NoSchedule")), unschedulable=True, cpu=4)
    at = state(small, large, tainted, quota("a", {"cpu": 9}))
    (remedy,) = (r for r in planned(at, pod("a/new", cpu=2)).remedies if r.changes[0].kind is ChangeKind.UNCORDON)
    assert (change_clause(remedy), remedy.nodes, remedy.victims) == ("uncordon n2", ("n2",), 0)
    full = state(large, quota("a", {"cpu": 1}))
    assert [r.changes[0].kind for r in planned(full, pod("a/new", cpu=2)).remedies] == []


def test_of_cordoned_nodes_the_one_with_the_fewest_victims_is_named() -> None:
    nodes = (node("n1", unschedulable=True, cpu=1), node("n2", unschedulable=True, cpu=1))
    at = state(*nodes, quota("a", {"cpu": 2}), quota("b", {"cpu": 0}), pod("b/old", "n1", cpu=1))
    (remedy,) = (r for r in planned(at, pod("a/new", cpu=1)).remedies if r.changes[0].kind is ChangeKind.UNCORDON)
    assert (change_clause(remedy), remedy.victims) == ("uncordon n2 (or the other one)", 0)


def test_one_of_two_equal_quotas_that_is_changed_promises_nothing() -> None:
    """Which quota of a namespace counts is open, which does not matter as long as they are alike."""
    one = quota("a", {"cpu": 1}, {"cpu": 1})
    at = state(node("n", cpu=9), one, pod("a/old", "n", cpu=1))
    twice = replace(at, source=replace(at.source, others={"a": (replace(one, key=one.key._replace(name="twin")),)}))
    for where, doubted in ((at, False), (twice, True)):
        found = {r.changes[0].kind: r.doubted for r in planned(where, pod("a/new", cpu=1)).remedies}
        assert found == {ChangeKind.MAX: doubted, ChangeKind.PRIORITY: False, ChangeKind.DELETION: False}
