"""Who has to leave one node."""

import pytest

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.model.semantics import Semantics, semantics_of
from kubectl_fairshare.schedulers.kubescheduler.decision import CycleEnd
from tests.unit.schedulers.elasticquota.build import budget, cycle, kept, node, pod, quota, state, victims

LENT = (quota("a", {"cpu": 4}), quota("b", {"cpu": 4}))


def test_a_borrower_gives_way_whatever_its_priority() -> None:
    at = state(node("n", cpu=8), *LENT, pod("b/x", "n", 1000, cpu=6))
    assert victims(cycle(at, pod("a/new", cpu=3))) == ["x"]


def test_taking_stops_when_the_borrower_is_within_its_minimum() -> None:
    pods = [pod(f"b/x{i}", "n", started=i, cpu=2) for i in (1, 2, 3)]
    found = cycle(state(node("n", cpu=8), *LENT, *pods), pod("a/new", cpu=4))
    assert [t.pod.key.name for t in found.trials["n"].taken] == ["x3"]


def test_under_1_36_all_of_a_borrower_are_taken_and_put_back() -> None:
    pods = [pod(f"b/x{i}", "n", started=i, cpu=2) for i in (1, 2, 3)]
    found = cycle(state(node("n", cpu=8), *LENT, *pods), pod("a/new", cpu=4), semantics=Semantics.K8S_1_36)
    trial = found.trials["n"]
    assert [t.pod.key.name for t in trial.taken] == ["x3", "x2", "x1"]
    assert [f.taken.pod.key.name for f in trial.fates if not f.leaves] == ["x1", "x2"]
    assert victims(found) == ["x3"]


def test_the_versions_differ_where_one_pod_within_the_minimum_is_in_the_way() -> None:
    at = state(node("n", cpu=7), *LENT, pod("b/small", "n", started=2, cpu=1), pod("b/large", "n", started=1, cpu=4))
    asking = pod("a/new", cpu=4)
    assert cycle(at, asking).trials["n"].rejected is Law.DOES_NOT_FIT
    assert victims(cycle(at, asking, semantics=Semantics.K8S_1_36)) == ["large"]


def test_beyond_its_minimum_a_namespace_takes_its_own_lower_priorities() -> None:
    own, low = quota("a", {"cpu": 1}), pod("a/low", "n", 1, cpu=4)
    at = state(node("n", cpu=4), own, quota("b", {"cpu": 9}), low)
    assert victims(cycle(at, pod("a/new", priority=2, cpu=4))) == ["low"]
    assert cycle(at, pod("a/new", priority=1, cpu=4)).trials["n"].rejected is Law.NO_VICTIMS


def test_quotas_and_those_without_one_take_nothing_from_each_other() -> None:
    at = state(node("n", cpu=4), quota("a", {"cpu": 9}), pod("x/low", "n", -5, cpu=4))
    assert cycle(at, pod("a/new", priority=9, cpu=4)).course is CycleEnd.NO_CANDIDATE
    at = state(node("n", cpu=4), quota("a", {"cpu": 9}), pod("a/low", "n", -5, cpu=4))
    assert cycle(at, pod("x/new", priority=9, cpu=4)).course is CycleEnd.NO_CANDIDATE
    at = state(node("n", cpu=4), quota("a", {"cpu": 9}), pod("x/low", "n", -5, cpu=4))
    assert victims(cycle(at, pod("y/new", priority=9, cpu=4))) == ["low"]


def test_the_most_important_are_put_back_first() -> None:
    pods = [pod("x/a", "n", 2, 5, cpu=1), pod("x/b", "n", 1, 1, cpu=1), pod("x/c", "n", 1, 2, cpu=2)]
    found = cycle(state(node("n", cpu=4), *pods), pod("x/new", priority=9, cpu=2))
    assert victims(found) == ["c"]
    assert [f.taken.pod.key.name for f in found.trials["n"].fates] == ["a", "b", "c"]


def test_who_would_break_a_budget_is_put_back_before_all_others() -> None:
    pods = [pod("x/kept", "n", 1, cpu=2), pod("x/free", "n", 5, cpu=2)]
    found = cycle(state(node("n", cpu=4), *pods, budget("x", "kept")), pod("x/new", priority=9, cpu=2))
    assert victims(found) == ["free"]


def test_a_broken_budget_counts_where_the_node_needs_it_and_not_where_a_quota_does() -> None:
    full = state(node("n", cpu=4), pod("x/kept", "n", cpu=4), budget("x", "kept"))
    assert cycle(full, pod("x/new", priority=9, cpu=2)).trials["n"].violations == 1
    roomy = state(node("n", cpu=9), quota("x", {"cpu": 4}, {"cpu": 4}), pod("x/kept", "n", cpu=4), budget("x", "kept"))
    trial = cycle(roomy, pod("x/new", priority=9, cpu=2)).trials["n"]
    assert (trial.violations, trial.victims[0].law) == (0, Law.QUOTA_NEEDS)


def test_a_budget_spares_as_many_as_it_allows() -> None:
    pods = [pod(f"x/same{i}", "n", started=i, cpu=2) for i in (1, 2)]
    alike = [replace(p, labels={"app": "same"}) for p in pods]
    found = cycle(state(node("n", cpu=4), *alike, budget("x", "same", 1)), pod("x/new", priority=9, cpu=4))
    assert found.trials["n"].violations == 1


def test_kept_places_can_make_the_scheduler_fail() -> None:
    peer = kept(pod("a/peer", priority=5, cpu=4), "n")
    at = state(node("n", cpu=5), quota("a", {"cpu": 4}, {"cpu": 4}), pod("a/old", "n", cpu=4), peer)
    found = cycle(at, pod("a/new", priority=5, cpu=1))
    assert found.course is CycleEnd.ERROR
    assert found.trials["n"].rejected is Law.REMOVED_TWICE


def test_equals_of_whom_some_leave_are_told() -> None:
    pods = [pod(f"x/p{i}", "n", cpu=2) for i in (1, 2)]
    (tie,) = cycle(state(node("n", cpu=4), *pods), pod("x/new", priority=9, cpu=2)).trials["n"].ties
    assert sorted(p.key.name for p in tie) == ["p1", "p2"]
    both = cycle(state(node("n", cpu=4), *pods), pod("x/new", priority=9, cpu=4))
    assert both.trials["n"].ties == ()


@pytest.mark.parametrize(
    ("release", "semantics"),
    [
        ("", "1.35"),
        ("v0.28.9", "1.35"),
        ("v0.34.7", "1.35"),
        ("v0.36.0", "1.36"),
        ("v0.37.1-rc.1", "1.36"),
        ("newest", "1.35"),
    ],
)
def test_an_installed_release_decides_as_its_kubernetes(release: str, semantics: str) -> None:
    assert semantics_of(release) is Semantics(semantics)
