"""The headline is the filter that refuses: a cordon, a taint, a selector, not what was tried last."""

import json

import pytest

from tests.screens import shown

FOLDER = "testdata/reports/kueue-headline"
# Kueue's TAS snapshot: nodes that are cordoned or not ready are no part of it; findTopologyAssignment counts the others
# that it excludes, by taint, nodeSelector and resource (the excluded nodes of its message).
HEADLINES = {
    "tas-cordoned": ("Waits", "topology top has room for 0 of 1 pods: 1 node is cordoned, 1 node lacks cpu"),
    "tas-all-cordoned": ("Waits", "no ready node of the flavor has the label rack: 1 node is cordoned"),
    "tas-tainted": (
        "Never",
        "topology top has room for 0 of 1 pods: taint k=v:NoSchedule excludes 1 node, 1 node lacks cpu",
    ),
    "tas-selector": (
        "Never",
        "topology top has room for 0 of 1 pods: the node selector excludes 1 node, 1 node lacks cpu",
    ),
    "taint-then-quota": ("Never", "(spot: its taint k=v:NoSchedule is not tolerated)"),
    "taint-only": ("Never", "its taint k=v:NoSchedule is not tolerated"),
}


@pytest.mark.parametrize("name", HEADLINES)
def test_plan_and_why_name_the_filter_that_refuses(name: str) -> None:
    outcome, words = HEADLINES[name]
    state, job = f"{FOLDER}/{name}.state.yaml", f"{FOLDER}/{name}.job.yaml"
    plan = json.loads(shown(f"kubectl-fairshare plan -f {state} -w {job} -o json").stdout)
    assert (plan["outcome"], plan["fidelity"]["exact"]) == (outcome, True)
    assert words in plan["verdict"]
    why = json.loads(shown(f"kubectl-fairshare why job/j -n t -f {state} -f {job} -o json").stdout)
    assert words in why["sentence"]
    assert why["verdict"] == {"Waits": "NotNow", "Never": "Never"}[outcome]


# A cordon is a field and a taint; the controller removes the taint with the field (NodeLifecycleController).
@pytest.mark.parametrize("name", ["tas-cordoned", "tas-all-cordoned"])
def test_a_cordoned_node_is_not_never_and_its_uncordoning_helps(name: str) -> None:
    call = f"kubectl-fairshare plan -f {FOLDER}/{name}.state.yaml -w {FOLDER}/{name}.job.yaml"
    assert "uncordon Node n1: admitted now, without preemption" in " ".join(shown(call).stdout.split())


def test_capacity_names_the_filter_too() -> None:
    text = " ".join(shown(f"kubectl-fairshare capacity -f {FOLDER}/tas-cordoned.state.yaml").stdout.split())
    assert "1 node is cordoned, 1 node lacks cpu" in text
