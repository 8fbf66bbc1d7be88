"""Pods that start together and are too many for all nodes, even while these are empty."""

from random import Random
from typing import Any

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.explain.planning import plan
from kubectl_fairshare.schedulers.kai.gaps import figures_fidelity
from kubectl_fairshare.schedulers.kai.solver.layers import Layer
from kubectl_fairshare.schedulers.kai.solver.predicates import crowd
from kubectl_fairshare.schedulers.kai.words.reasons import reason_clause
from tests.unit.schedulers.kai.solver.scenes import job, layer, node, one, pod, queue


def gang(minimum: int, spec: dict[str, Any] | None = None) -> Layer:
    """Three pods of 2 GPUs each, with nodes of 4 and 3 GPUs of which one is in use."""
    pods = [pod("g", number, 2, spec=spec or {}) for number in range(3)]
    running = one("r", "a", 3, "n0")
    return layer([node("n0", 4), node("n1", 3), queue("a")], running, job("g", "a", *pods, minMember=minimum))


@pytest.mark.parametrize("minimum", [1, 2, 3])
def test_pods_fit_that_empty_nodes_hold(minimum: int) -> None:
    assert crowd(gang(minimum), "g") == ()


def test_three_pods_of_which_the_open_nodes_hold_two_never_start() -> None:
    first = gang(3, {"nodeSelector": {"kubernetes.io/hostname": "n0"}})
    assert crowd(first, "g") == ("g-0", "g-1", "g-2")
    found = plan(first.ground.session, "g")
    assert (found.outcome, found.fidelity.exact) == (Outcome.NEVER, True)
    assert reason_clause(found) == (
        "it needs 3 pods that are equal at once (g-0, g-1 and 1 more), and all nodes hold fewer even while empty"
    )


def test_where_one_pod_is_enough_two_of_three_may_start() -> None:
    first = gang(1, {"nodeSelector": {"kubernetes.io/hostname": "n0"}})
    assert plan(first.ground.session, "g").outcome is not Outcome.NEVER


@pytest.mark.parametrize("seed", range(60))
def test_equal_parts_of_gpus_never_start_exactly_where_empty_nodes_hold_fewer(seed: int) -> None:
    dice = Random(seed)
    nodes = [node(f"n{number}", dice.randint(0, 2)) for number in range(dice.randint(1, 2))]
    for each in nodes:
        each["status"]["allocatable"]["pods"] = str(dice.randint(0, 4))
    count = dice.randint(1, 5)
    part = dice.choice((0.3, 0.5, 0.6))
    pods = [pod("g", number, part) for number in range(count)]
    first = layer([*nodes, queue("a")], job("g", "a", *pods, minMember=count))
    found = plan(first.ground.session, "g")
    assert found.outcome in (Outcome.ADMITTED, Outcome.NEVER)
    assert found.fidelity.exact


def test_a_node_that_names_more_gpus_than_it_has_shares_as_many() -> None:
    large = node("n0", 1, labels={"nvidia.com/gpu.count": "2"})
    first = layer([large, queue("a")], job("g", "a", pod("g", 0, 0.3), pod("g", 1, 0.8), minMember=2))
    assert plan(first.ground.session, "g").outcome is Outcome.ADMITTED
    equal = [pod("g", number, 0.4) for number in range(4)]
    first = layer([large, queue("a")], job("g", "a", *equal, minMember=4))
    assert crowd(first, "g") == ()


def test_each_gpu_has_memory_for_so_many_parts() -> None:
    """Two GPUs hold 1.8 GPUs in sum, and one part of 0.6 each."""
    three = [pod("g", number, 0.6) for number in range(3)]
    first = layer([node("n0", 2), queue("a")], job("g", "a", *three, minMember=3))
    assert plan(first.ground.session, "g").outcome is Outcome.NEVER


def test_a_single_pod_that_no_empty_node_holds_is_told_so() -> None:
    small = node("n0", 1)
    small["status"]["allocatable"]["pods"] = "0"
    found = plan(layer([small, queue("a")], job("g", "a", pod("g", 0, 1))).ground.session, "g")
    assert (found.outcome, found.crowd) == (Outcome.NEVER, ("g-0",))
    told = reason_clause(replace(found, gates=(), reclaim=None))
    assert told == "no node can hold its pod g-0, not even while it is empty"


def test_claims_of_a_pod_behind_a_gate_leave_answers_about_others_exact() -> None:
    gated, waits = pod("c", 0, 1, spec={"schedulingGates": [{"name": "x"}]}), pod("w", 0, 1)
    gated["spec"]["resourceClaims"] = [{"name": "gpu", "resourceClaimName": "elsewhere"}]
    session = layer([node("n0", 2), queue("a")], job("c", "a", gated), job("w", "a", waits)).ground.session
    assert plan(session, "w").fidelity.exact
    assert figures_fidelity(session).exact
