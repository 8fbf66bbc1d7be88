"""``--nodes`` describes hypothetical Nodes: each slip has its remedy, and every scheduler decides with them."""

import json
from collections.abc import Callable

import pytest

from kubectl_fairshare.cli.options.nodes_option import node_group
from kubectl_fairshare.model.errors import UsageError
from kubectl_fairshare.model.nodes import NodeGroup
from tests.screens import Screen

Run = Callable[[str], Screen]
KAI = "plan -f testdata/nodes/queues.yaml --queue vision --request nvidia.com/gpu=8,cpu=4,memory=1Gi"
QUOTA = "plan -f testdata/nodes/quota.yaml -n ml --request nvidia.com/gpu=8,cpu=4"
KUEUE = "plan -f testdata/nodes/topology.yaml -w testdata/nodes/train.yaml"
LARGE = "nvidia.com/gpu=8,cpu=96,memory=1Ti,label=pool=gpu,label=example.com/rack=a"
SMALL = LARGE.replace("gpu=8", "gpu=4")


def test_a_text_describes_equal_nodes() -> None:
    assert node_group("4xnvidia.com/gpu=8,cpu=96,memory=1Ti,label=example.com/rack=a,name=new") == NodeGroup(
        4, {"nvidia.com/gpu": "8", "cpu": "96", "memory": "1Ti"}, {"example.com/rack": "a"}, "new"
    )


@pytest.mark.parametrize(
    ("text", "message", "remedy"),
    [
        ("nvidia.com/gpu=8", "has no count", "--nodes 1xnvidia.com/gpu=8"),
        ("many", "has no count", "--nodes 4x"),
        ("4×cpu=1", "has no count", "--nodes 4x"),
        ("0xcpu=1", "out of range", "from 1 to 5000"),
        ("5001xcpu=1", "out of range", "from 1 to 5000"),
        ("4xcpu", "`cpu` is not `RESOURCE=AMOUNT`", "--nodes 4x"),
        ("4xname=a", "names no resource", "--nodes 4x"),
        ("4xcpu=96GB", "`96GB` of `cpu` is not a quantity", "`1Ti`"),
        ("4xcpu=-1", "is negative", "0 or more"),
        ("4xnvidia.com/gpu=1.5", "is not a whole number", "whole"),
        ("4xgpu=8", "`gpu` is not a resource", "nvidia.com/gpu=8"),
        ("4xcores=8", "`cores` is not a resource", "cpu"),
        ("4xrequests.nvidia.com/gpu=8", "is not the name of a resource", "nvidia.com/gpu"),
        ("4xcpu=1,cpu=2", "`cpu` is given twice", "once"),
        ("4xcpu=1,label=a=b,label=a=c", "label `a` is given twice", "once"),
        ("4xcpu=1,label=zone", "`zone` is not a label", "label="),
        ("4xcpu=1,name=A_b", "is not a name", "name=gpu"),
    ],
)
def test_a_slip_has_its_remedy(text: str, message: str, remedy: str) -> None:
    with pytest.raises(UsageError) as error:
        node_group(text)
    (problem,) = error.value.problems
    assert message in problem.message
    assert remedy in str(problem.help)


@pytest.mark.parametrize("command", [KAI, QUOTA, KUEUE])
def test_every_scheduler_decides_with_them(run: Run, command: str) -> None:
    assert run(f"kubectl-fairshare {command}").code == 5, "without Nodes nothing is decided"
    found = run(f"kubectl-fairshare {command} --nodes 4x{LARGE}")
    assert (found.code, "exact" in found.stdout, "not exact" in found.stdout) == (0, True, False)
    assert "hypothetical Nodes are added: node-1 to node-4" in found.stderr
    assert run(f"kubectl-fairshare {command} --nodes 4x{SMALL}").code == 4


@pytest.mark.parametrize(
    "command", [KAI, KUEUE, QUOTA, "shares -f testdata/nodes/queues.yaml", "cycle -f testdata/nodes/queues.yaml"]
)
def test_a_document_counts_them(run: Run, command: str) -> None:
    made = json.loads(run(f"kubectl-fairshare {command} -o json --nodes 4x{LARGE}").stdout)
    assert made["fidelity"]["hypotheticalNodes"] == 4
    assert "hypotheticalNodes" not in run(f"kubectl-fairshare {command} -o json").stdout


def test_the_documents_of_workloads_that_wait_count_them(run: Run) -> None:
    waiting = "kubectl-fairshare why -f testdata/nodes/topology.yaml -f testdata/nodes/train.yaml -o json"
    for command in (waiting, f"{waiting} job/train"):
        found = run(f"{command} --nodes 4x{LARGE}")
        assert json.loads(found.stdout)["fidelity"]["hypotheticalNodes"] == 4, found.stderr


@pytest.mark.parametrize("command", [KAI, QUOTA, KUEUE])
def test_an_answer_without_them_names_the_option(run: Run, command: str) -> None:
    assert "--nodes" in run(f"kubectl-fairshare {command}").stdout


def test_several_groups_are_counted_on(run: Run) -> None:
    one_rack = run(f"kubectl-fairshare {KUEUE} --nodes 2x{LARGE} --nodes 1x{LARGE}")
    two_racks = run(f"kubectl-fairshare {KUEUE} --nodes 2x{LARGE} --nodes 1x{LARGE.replace('rack=a', 'rack=b')}")
    assert (one_rack.code, two_racks.code) == (0, 4)
    assert "node-3" in one_rack.stdout


def test_all_groups_together_are_bounded(run: Run) -> None:
    found = run(f"kubectl-fairshare {KAI} --nodes 5000xcpu=1 --nodes 1xcpu=1")
    assert (found.code, "5001 Nodes are out of range" in found.stderr) == (2, True)
