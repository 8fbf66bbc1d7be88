"""What is not modelled, and whether it can touch an answer."""

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.explain.planning import plan
from kubectl_fairshare.schedulers.elasticquota.quotas.state import state_of
from tests.unit.schedulers.elasticquota.build import cycle, kept, node, planned, pod, quota, source, state


@pytest.mark.parametrize("feature", ["InterPodAffinity", "Volumes"])
def test_a_filter_that_is_not_modelled_touches_a_placement_alone(feature: str) -> None:
    asking = replace(pod("x/new", cpu=4), unmodelled=(feature,))
    assert planned(state(node("n", cpu=4)), asking).outcome is Outcome.UNKNOWN
    assert planned(state(node("n", cpu=3)), asking).outcome is Outcome.NEVER


def test_pods_that_keep_others_off_are_not_modelled() -> None:
    lonely = replace(pod("x/old", "n", cpu=1), repelling=True)
    assert planned(state(node("n", cpu=4), lonely), pod("x/new", cpu=1)).outcome is Outcome.UNKNOWN


def test_a_release_that_was_not_measured_is_never_exact() -> None:
    at = replace(source(node("n", cpu=4)), odd_release="v0.28.9")
    found = plan(state_of(at), pod("x/new", cpu=1), None)
    assert found.outcome is Outcome.UNKNOWN
    assert [gap.feature for gap in found.fidelity.gaps] == ["ReleaseNotMeasured"]


def test_a_pod_waits_for_its_gates_unless_it_is_never_placed() -> None:
    """kube-scheduler, PreEnqueue of SchedulingGates: a gated pod is not in the queue of those that are tried."""
    for cpu, outcome in ((1, Outcome.WAITS), (5, Outcome.NEVER)):
        found = planned(state(node("n", cpu=4)), replace(pod("x/new", cpu=cpu), gates=("example.com/wait",)))
        assert (found.outcome, found.fidelity.gaps) == (outcome, ())


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


def test_a_scheduler_that_placed_nothing_is_presumed_to_run_the_plugin() -> None:
    old = pod("a/old", "n", cpu=1)
    old.scheduler = "capacity"
    at = state(node("n", cpu=4), quota("a", {"cpu": 4}), old)
    (gap,) = planned(at, pod("a/new", cpu=1)).fidelity.gaps
    assert (gap.feature, gap.subject, gap.touches) == ("PluginPresumed", "default-scheduler", True)
    assert planned(at, replace(pod("a/new", cpu=1), scheduler="capacity")).fidelity.gaps == ()


def test_pods_of_koordinators_scheduler_are_not_answered_for_beside_its_quotas() -> None:
    asking = replace(pod("a/new", cpu=1), scheduler="koord-scheduler")
    at = source(node("n", cpu=4), quota("a", {"cpu": 4}))
    (gap,) = plan(state_of(at), asking, None).fidelity.gaps
    assert (gap.feature, gap.touches) == ("OtherScheduler", True)
    beside = replace(at, foreign=(Place(ObjectKey("scheduling.sigs.k8s.io", "ElasticQuota", "q", "b")),))
    assert plan(state_of(beside), asking, None).outcome is Outcome.UNKNOWN
    assert plan(state_of(beside), pod("a/new", cpu=1), None).outcome is Outcome.ADMITTED
    configured = replace(beside, profiles=("koord-scheduler",))
    assert plan(state_of(configured), asking, None).outcome is Outcome.ADMITTED


def test_profiles_of_one_scheduler_know_each_others_kept_places() -> None:
    peer = kept(replace(pod("a/peer", cpu=1), scheduler="other"), "n")
    at = source(node("n", cpu=4), quota("a", {"cpu": 4}), peer)
    asking = pod("a/new", cpu=1)
    for profiles, peers in ((None, 0), (("default-scheduler", "other"), 1), (("default-scheduler",), 0)):
        assert len(cycle(state_of(replace(at, profiles=profiles)), asking).gate.peers) == peers


# The chart of scheduler-plugins enables Coscheduling next to CapacityScheduling (values.yaml, plugins.enabled).
def test_a_pod_of_a_pod_group_may_wait_for_the_others() -> None:
    asking = replace(pod("a/new", cpu=1), unmodelled=("PodGroup",))
    at = source(node("n", cpu=4), quota("a", {"cpu": 4}))
    assert plan(state_of(at), asking, None).outcome is Outcome.UNKNOWN
    configured = replace(at, profiles=("default-scheduler",))
    assert plan(state_of(configured), asking, None).outcome is Outcome.ADMITTED
