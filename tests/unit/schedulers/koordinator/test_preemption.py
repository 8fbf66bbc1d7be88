"""One scheduling cycle of a pod: the quotas' test, nodes, victims, and the over-use revoker."""

from kubectl_fairshare.schedulers.koordinator.explain.proof import victim_step
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.model.objects import Arguments, Gates
from kubectl_fairshare.schedulers.koordinator.preemption.gate import GateStatus
from kubectl_fairshare.schedulers.koordinator.preemption.revoking import over_used, revoked
from kubectl_fairshare.schedulers.koordinator.preemption.scheduling import PodAttempt, schedule
from kubectl_fairshare.schedulers.kubescheduler.decision import CycleEnd
from kubectl_fairshare.schedulers.kubescheduler.importance import equals, least_first, most_first
from tests.unit.schedulers.koordinator.build import Object, node, pod, quota, state

FIRM = {"quota.scheduling.koordinator.sh/preemptible": "false"}


def attempt(*objects: Object, arguments: Arguments | None = None, gates: Gates | None = None) -> PodAttempt:
    """The cycle of the pod called ``asked``."""
    of = state(*objects, arguments=arguments, gates=gates)
    return schedule(of, next(p for p in of.source.pods if p.key.name == "asked"))


def test_a_resource_that_the_pod_does_not_request_may_refuse_it() -> None:
    bound = Arguments(uses_runtime=False)
    running = pod("p", "a", {"memory": "8Gi"}, node="n1")
    found = attempt(
        node(), quota("a", {}, {"cpu": 8, "memory": "4Gi"}), running, pod("asked", "a", {"cpu": 1}), arguments=bound
    )
    assert found.gate.refusal is not None
    assert (found.gate.status, found.gate.refusal.exceeded) == (GateStatus.UNSCHEDULABLE, ("memory",))


def test_the_default_quota_admits_everything() -> None:
    found = attempt(node(), quota("a", {}, {"cpu": 1}), pod("asked", request={"cpu": 50}))
    assert (found.gate.status, found.course) == (GateStatus.SUCCESS, CycleEnd.SCHEDULABLE)


def test_a_pod_that_is_not_preemptible_needs_min() -> None:
    objects = (node(), quota("a", {"cpu": 4}, {"cpu": 20}), pod("p", "a", {"cpu": 3}, node="n1", labels=FIRM))
    refused = attempt(*objects, pod("asked", "a", {"cpu": 2}, labels=FIRM)).gate.refusal
    assert refused is not None
    assert refused.law is Law.OVER_MIN
    assert attempt(*objects, pod("asked", "a", {"cpu": 2})).gate.admits


def test_parents_are_checked_only_if_that_is_turned_on() -> None:
    objects = (
        node(),
        quota("org", {}, {"cpu": 4}, is_parent="true"),
        *(quota(name, {}, {"cpu": 4}, "org") for name in "ab"),
        pod("p", "a", {"cpu": 4}, node="n1"),
        pod("asked", "b", {"cpu": 2}),
    )
    plain = Arguments(uses_runtime=False)
    assert attempt(*objects, arguments=plain).gate.admits
    refused = attempt(*objects, arguments=Arguments(uses_runtime=False, checks_parents=True)).gate.refusal
    assert refused is not None
    assert (refused.law, refused.topology) == (Law.PARENT_OVER, ("org", "b"))


def test_a_parent_that_does_not_exist_is_an_error_where_parents_are_checked() -> None:
    found = attempt(
        node(), quota("a", {}, {"cpu": 4}, "gone"), pod("asked", "a"), arguments=Arguments(checks_parents=True)
    )
    assert (found.gate.status, found.course) == (GateStatus.ERROR, CycleEnd.NONE)


def test_only_lower_priorities_of_the_own_quota_are_victims() -> None:
    objects = (
        node(cpu="4"),
        *(quota(name, {"cpu": 2}, {"cpu": 4}) for name in "ab"),
        pod("own", "a", {"cpu": 2}, node="n1", priority=1),
        pod("other", "b", {"cpu": 2}, node="n1"),
    )
    found = attempt(*objects, pod("asked", "a", {"cpu": 2}, priority=5))
    assert found.chosen is not None
    assert [fate.pod.key.name for fate in found.chosen.victims] == ["own"]
    assert attempt(*objects, pod("asked", "a", {"cpu": 2}, priority=1)).course is CycleEnd.NO_CANDIDATE


def test_pods_without_a_quota_preempt_one_another() -> None:
    objects = (
        node(cpu="4"),
        quota("a", {"cpu": 2}, {"cpu": 4}),
        pod("own", "a", {"cpu": 2}, node="n1"),
        pod("loose", request={"cpu": 2}, node="n1"),
    )
    found = attempt(*objects, pod("asked", request={"cpu": 2}, priority=5), gates=Gates(no_default=True))
    assert found.chosen is not None
    assert [fate.pod.key.name for fate in found.chosen.victims] == ["loose"]
    assert victim_step(found.chosen.victims[0], "").rests_on[0].law is Law.UNQUOTED_LOWER  # type: ignore[union-attr]
    waits = attempt(*objects, pod("asked", request={"cpu": 2}), gates=Gates(no_default=True))
    assert waits.course is CycleEnd.NO_CANDIDATE


def test_pods_of_the_default_quota_and_fixed_ones_are_spared() -> None:
    objects = (node(cpu="4"), quota("a", {"cpu": 4}, {"cpu": 4}))
    fixed = pod("fixed", "a", {"cpu": 4}, node="n1", labels=FIRM)
    assert attempt(*objects, fixed, pod("asked", "a", {"cpu": 2}, priority=5)).course is CycleEnd.NO_CANDIDATE
    default = (pod("p", request={"cpu": 4}, node="n1"), pod("asked", request={"cpu": 4}, priority=5))
    assert attempt(*objects, *default).course is CycleEnd.NO_CANDIDATE
    assert attempt(*objects, *default, arguments=Arguments(spares_default=False)).course is CycleEnd.PREEMPT


def test_a_refusal_by_a_parent_alone_ends_in_an_error() -> None:
    found = attempt(
        node(),
        quota("org", {}, {"cpu": 4}, is_parent="true"),
        *(quota(name, {}, {"cpu": 4}, "org") for name in "ab"),
        pod("p", "a", {"cpu": 4}, node="n1"),
        pod("own", "b", {"cpu": 0}, node="n1"),
        pod("asked", "b", {"cpu": 2}, priority=5),
        arguments=Arguments(uses_runtime=False, checks_parents=True),
    )
    assert (found.course, found.trials["n1"].rejected) == (CycleEnd.ERROR, Law.ALL_SPARED)


def test_a_pod_that_never_preempts_or_waits_for_its_victim_is_not_eligible() -> None:
    objects = (node(cpu="4"), quota("a", {"cpu": 4}, {"cpu": 4}), pod("p", "a", {"cpu": 4}, node="n1"))
    never = attempt(*objects, pod("asked", "a", {"cpu": 2}, priority=5, preemptionPolicy="Never"))
    assert (never.course, never.eligible) == (CycleEnd.NOT_ELIGIBLE, Law.NEVER_PREEMPTS)
    objects[2]["metadata"]["deletionTimestamp"] = "2026-08-01T00:00:00Z"
    nominated = pod("asked", "a", {"cpu": 2}, priority=5, status={"nominatedNodeName": "n1"})
    waits = attempt(*objects, nominated)
    assert (waits.course, waits.eligible) == (CycleEnd.NOT_ELIGIBLE, Law.VICTIMS_LEAVING)


def test_of_several_nodes_the_one_with_the_least_victims_is_chosen() -> None:
    objects = (
        *(node(name, cpu="4") for name in ("n1", "n2")),
        quota("a", {"cpu": 8}, {"cpu": 8}),
        pod("one", "a", {"cpu": 4}, node="n1", priority=2),
        pod("two", "a", {"cpu": 4}, node="n2", priority=1),
    )
    found = attempt(*objects, pod("asked", "a", {"cpu": 4}, priority=5))
    assert found.choice is not None
    assert (found.choice.nodes, found.choice.lost[0].law) == (("n2",), Law.LOWEST_PRIORITY)


def test_a_cordoned_node_and_an_untolerated_taint_keep_a_pod_off() -> None:
    cordoned, tainted = node("n1"), node("n2")
    cordoned["spec"] = {"unschedulable": True}
    tainted["spec"] = {"taints": [{"key": "k", "value": "v", "effect": "NoSchedule"}]}
    found = attempt(cordoned, tainted, quota("a", {}, {"cpu": 9}), pod("asked", "a", {"cpu": 1}))
    assert [lack.law for f in found.filters.values() for lack in f.lacks] == [Law.UNSCHEDULABLE, Law.UNTOLERATED_TAINT]


def test_the_revoker_takes_the_least_important_and_forgets_other_resources() -> None:
    objects = (
        node(),
        quota("a", {}, {"cpu": 4, "memory": "4Gi"}),
        pod("cpu", "a", {"cpu": 1}, node="n1", priority=0),
        pod("both", "a", {"cpu": 4, "memory": "8Gi"}, node="n1", priority=5),
    )
    of = state(*objects)
    assert over_used(of) == ("a",)
    assert [pod.key.name for pod in revoked(of, "a")] == ["cpu"]


def test_importance_is_priority_then_an_earlier_start() -> None:
    early, late = {"startTime": "2026-08-01T00:00:00Z"}, {"startTime": "2026-08-01T01:00:00Z"}
    of = state(
        quota("a", {}, {"cpu": 1}),
        pod("low", "a", node="n1", priority=1, status=early),
        pod("new", "a", node="n1", priority=2, status=late),
        pod("old", "a", node="n1", priority=2, status=early),
        pod("old-too", "a", node="n1", priority=2, status=early),
    )
    pods = of.source.pods
    assert [p.key.name for p in most_first(pods)] == ["old", "old-too", "new", "low"]
    assert [p.key.name for p in least_first(pods)] == ["low", "new", "old-too", "old"]
    assert [[p.key.name for p in group] for group in equals(pods)] == [["old", "old-too"]]


def test_a_pod_nominated_to_a_node_counts_there_for_those_that_are_not_more_important() -> None:
    """Victims of ``first`` leave n1: until it is placed, only higher priorities may take what they leave."""
    nominated = pod("first", "a", {"cpu": 80}, priority=5, status={"nominatedNodeName": "n1"})
    objects = (node(), quota("a", {}, {"cpu": 200}), quota("b", {}, {"cpu": 200}), nominated)
    ends = {n: attempt(*objects, pod("asked", "b", {"cpu": 40}, priority=n)).course for n in (4, 5, 6)}
    assert ends[6] is CycleEnd.SCHEDULABLE
    assert CycleEnd.SCHEDULABLE not in (ends[4], ends[5])
    other = pod("asked", "b", {"cpu": 40}, priority=4, schedulerName="other")
    assert attempt(*objects, other).course is CycleEnd.SCHEDULABLE, "each scheduler knows its own nominations"
