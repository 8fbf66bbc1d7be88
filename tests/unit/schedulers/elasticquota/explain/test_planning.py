"""What a plan adds to a scheduling cycle: the outcome, and what quotas say without nodes."""

from kubectl_fairshare.answers.outcome import Outcome
from tests.unit.schedulers.elasticquota.build import node, planned, pod, quota, state


def test_never_is_what_even_an_empty_cluster_would_not_do() -> None:
    full = state(node("n", cpu=4), quota("a", {"cpu": 9}, {"cpu": 9}), pod("x/old", "n", cpu=4))
    assert planned(full, pod("a/new", cpu=4)).outcome is Outcome.WAITS
    assert planned(full, pod("a/new", cpu=5)).outcome is Outcome.NEVER
    assert planned(full, pod("a/new", cpu=10)).outcome is Outcome.NEVER


def test_without_nodes_the_quotas_answer_alone() -> None:
    found = planned(state(quota("a", {"cpu": 4})), pod("a/new", cpu=4))
    assert (found.half, found.computed, found.outcome) == (True, Outcome.ADMITTED, Outcome.UNKNOWN)
    assert [g.feature for g in found.fidelity.gaps] == ["NoNodes"]


def test_without_nodes_what_can_never_be_is_told_exactly() -> None:
    found = planned(state(quota("a", {"cpu": 4})), pod("a/new", cpu=5))
    assert (found.outcome, found.fidelity.exact) == (Outcome.NEVER, True)
