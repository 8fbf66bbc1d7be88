"""What a plan adds to a scheduling cycle: the outcome, and what quotas say without nodes."""

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.words.plan_clauses import WORDS
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


def test_a_pod_that_only_the_quotas_reject_can_come_to_any_node_with_room_once_its_victims_are_gone() -> None:
    min_of = {"cpu": 2}
    full = state(
        node("full", cpu=2),
        node("roomy", cpu=4),
        node("small", cpu=1),
        quota("a", min_of),
        quota("b", min_of),
        pod("b/borrows", "full", cpu=2),
        pod("b/stays", "roomy", cpu=2, priority=9),
    )
    found = planned(full, pod("a/new", cpu=2))
    assert found.chosen is not None
    assert (found.chosen.node, found.elsewhere) == ("full", ("roomy",))
    assert WORDS.clause(found) == "nominated to full after preempting 1 pod"


def test_a_pod_that_nodes_reject_comes_to_the_node_of_its_victims() -> None:
    found = planned(
        state(
            node("n", cpu=2), node("m", cpu=1), quota("a", {"cpu": 1}), quota("b", {"cpu": 9}), pod("a/low", "n", cpu=2)
        ),
        pod("a/new", cpu=2, priority=5),
    )
    assert (found.outcome, found.elsewhere) == (Outcome.PREEMPTS, ())
    assert WORDS.clause(found) == "placed on n after preempting 1 pod"


def test_an_outcome_that_ties_decide_is_named_with_what_else_can_be() -> None:
    found = planned(state(node("n", cpu=4), quota("a", {"cpu": 4})), pod("a/new", cpu=4))
    assert WORDS.verdict(found) == "placed now on n"
    assert (
        WORDS.verdict(replace(found, outcome=Outcome.UNKNOWN))
        == "unknown: left to chance: placed now on n, or otherwise"
    )


def test_what_never_fits_is_said_of_the_nodes_that_refuse_it_and_not_of_quotas_that_are_full_now() -> None:
    full = (quota("a", {"cpu": 9}, {"cpu": 6}), pod("a/old", "n", cpu=3))
    small = planned(state(node("n", cpu=4), *full), pod("a/new", cpu=5))
    assert (
        WORDS.verdict(small)
        == "can never be placed: no single node is large enough for it: it needs 5 cpu, the largest has 4"
    )
    alone = planned(state(node("n", cpu=4), quota("a", {"cpu": 9}, {"cpu": 6})), pod("a/new", cpu=5))
    assert WORDS.verdict(alone).endswith("no single node is large enough for it: it needs 5 cpu, the largest has 4")
    over = planned(state(node("n", cpu=9), *full), pod("a/new", cpu=7))
    assert WORDS.verdict(over) == "can never be placed: cpu: 7 requested > 6 (max of a)"
