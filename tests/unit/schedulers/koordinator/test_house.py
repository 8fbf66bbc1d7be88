"""The house: what it declares, what it leaves out and says so."""

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers import ALL, holding, scheduler_named
from kubectl_fairshare.schedulers.koordinator.explain.figures import runtime_table
from kubectl_fairshare.schedulers.koordinator.explain.planning import plan
from kubectl_fairshare.schedulers.koordinator.model.objects import Gates
from kubectl_fairshare.schedulers.koordinator.quotas.state import state_of
from tests.unit.schedulers.koordinator.build import Object, node, pod, quota, snapshot, state

HOUSE = scheduler_named("koordinator")


def features(*objects: Object, gates: Gates | None = None) -> dict[str, bool]:
    """The gaps of the figures, and whether each touches them."""
    table = runtime_table(state(*objects, gates=gates), {})
    return {gap.feature: gap.touches for gap in table.fidelity.gaps}


def pod_features(*objects: Object) -> dict[str, bool]:
    """The gaps of the plan of the pod called ``asked``."""
    of = state(*objects)
    asked = next(p for p in of.source.pods if p.key.name == "asked")
    return {gap.feature: gap.touches for gap in plan(of, asked, None).fidelity.gaps}


def test_it_holds_a_snapshot_with_one_of_its_quotas() -> None:
    found = snapshot(node(), quota("a", {"cpu": 1}, {"cpu": 2}))
    assert ("koordinator" in ALL, [each.name for each in holding(found)]) == (True, ["koordinator"])
    assert not HOUSE.holds(snapshot(node()))


def test_several_quotas_of_one_name_are_a_gap_where_they_differ() -> None:
    same = [quota("a", {"cpu": 1}, {"cpu": 2}, namespace=namespace) for namespace in ("x", "y")]
    assert features(node(), *same) == {"QuotaTwice": False}
    assert features(node(), same[0], quota("a", {"cpu": 2}, {"cpu": 2}, namespace="z")) == {"QuotaTwice": True}


def test_no_nodes_two_roots_and_a_namespace_that_is_listed_twice_are_gaps() -> None:
    assert features(quota("a", {"cpu": 1}, {"cpu": 2})) == {"NoNodes": True}
    roots = [quota(name, {}, {"cpu": 9}, is_root="true", tree_id="t") for name in "ab"]
    for each, cpu in zip(roots, "12", strict=True):
        each["metadata"]["annotations"] = {"quota.scheduling.koordinator.sh/total-resource": f'{{"cpu":"{cpu}"}}'}
    assert features(node(), *roots, gates=Gates(multi_tree=True)) == {"TwoRoots": True}
    listing = [quota(name, {}, {"cpu": 9}) for name in "ab"]
    for each in listing:
        each["metadata"]["annotations"] = {"quota.scheduling.koordinator.sh/namespaces": '["lab"]'}
    assert features(node(), *listing, pod("p")) == {"ListedTwice": True}
    assert features(node(), *listing) == {"ListedTwice": False}


def test_devices_gangs_and_the_quotas_of_another_project_are_named() -> None:
    base = (node(), quota("a", {}, {"cpu": 9}))
    gang = {"pod-group.scheduling.sigs.k8s.io": "g"}
    asked = pod("asked", "a", {"cpu": 1, "koordinator.sh/gpu-core": 0}, labels=gang)
    assert pod_features(*base, asked) == {"DeviceShare": True, "GangScheduling": True}
    other = {**quota("a", {"cpu": 1}), "apiVersion": "scheduling.x-k8s.io/v1alpha1"}
    assert pod_features(*base, other, pod("asked", "a")) == {"SchedulerPluginsQuota": False}


def test_a_gate_that_ends_deleted_pods_needs_a_moment() -> None:
    leaving = pod("p", "a", {"cpu": 1}, node="n1")
    leaving["metadata"]["deletionTimestamp"] = "2026-08-01T00:00:00Z"
    objects = (node(), quota("a", {}, {"cpu": 9}), leaving)
    assert features(*objects, gates=Gates(ignores_ended=True)) == {"NoMoment": True}
    source = replace(snapshot(*objects).part(type(state(*objects).source)), gates=Gates(ignores_ended=True))
    later = replace(source, moment=1 << 62)
    assert state_of(later).sums("a").used == {}


def test_a_plan_without_a_moment_is_known_where_every_moment_gives_it() -> None:
    leaving = pod("p", "a", {"cpu": 5}, node="n1")
    leaving["metadata"]["deletionTimestamp"] = "2026-08-01T00:00:00Z"
    for cpu, outcome, moments in ((4, Outcome.ADMITTED, ()), (5, Outcome.UNKNOWN, (Outcome.WAITS, Outcome.ADMITTED))):
        objects = (node(), quota("a", {"cpu": 9}, {"cpu": 9}), leaving, pod("asked", "a", {"cpu": cpu}))
        source = replace(snapshot(*objects).part(type(state(*objects).source)), gates=Gates(ignores_ended=True))
        at = state_of(source)
        asked = next(each for each in at.source.pods if each.key.name == "asked")
        found = plan(at, asked, None)
        assert (found.outcome, found.moments) == (outcome, moments)
        touching = outcome is Outcome.UNKNOWN
        assert [(gap.feature, gap.touches) for gap in found.fidelity.gaps] == [("NoMoment", touching)]


def test_its_own_options_choose_release_and_gates() -> None:
    assert [option.flags for option in HOUSE.options] == ["--release", "--koordinator-gate"]
