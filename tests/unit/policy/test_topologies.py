"""Made-up work in queues whose pods a topology places: nodes count, and what is not simulated is no exact answer."""

import json
from pathlib import Path

import pytest

from tests.screens import shown

STATE = """\
apiVersion: kueue.x-k8s.io/v1beta2
kind: Topology
metadata: {name: t}
spec: {levels: [{nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: f}
spec: {nodeLabels: {pool: a}, topologyName: t}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: cq}
spec:
  namespaceSelector: {}
  preemption: {withinClusterQueue: LowerPriority}
  resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, resources: [{name: cpu, nominalQuota: 100}]}]}]
---
apiVersion: v1
kind: Pod
metadata: {name: p, namespace: kube-system}
spec: {nodeName: x1, containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]}
status: {phase: Running}
"""
NODE = """\
---
apiVersion: v1
kind: Node
metadata: {name: NAME, labels: {pool: a, rack: RACK, kubernetes.io/hostname: NAME}}
status: {allocatable: {cpu: 4, pods: 10}, conditions: [{type: Ready, status: "True"}]}
"""
TESTS = """\
given: {paths: [state.yaml], scheduler: kueue}
tests:
- name: one
  because: one pod fits
  when: {RUNNING submit: {queue: cq, request: {cpu: SIZE}}}
  then: {outcome: OUTCOME}
"""


@pytest.fixture
def state(tmp_path: Path) -> Path:
    nodes = (NODE.replace("NAME", name).replace("RACK", f"r-{name[0]}") for name in ("x1", "x2", "y1"))
    (tmp_path / "state.yaml").write_text(STATE + "".join(nodes))
    return tmp_path / "state.yaml"


def test_the_largest_pod_and_the_copies_are_those_of_the_nodes(state: Path) -> None:
    (row,) = json.loads(shown(f"kubectl-fairshare capacity -f {state} --complete -o json").stdout)["queues"]
    assert [row[name]["size"]["value"] for name in ("now", "preempting", "ever")] == [4000] * 3
    assert row["copies"] == 11
    assert row["now"]["binds"].endswith('any of 1 pod(s). Total nodes: 3; excluded: resource "cpu": 3')


def test_the_words_of_the_topology_bind_where_no_quota_does(tmp_path: Path) -> None:
    (tmp_path / "state.yaml").write_text(STATE + NODE.replace("pool: a", "pool: b"))
    (row,) = json.loads(shown(f"kubectl-fairshare capacity -f {tmp_path}/state.yaml --complete -o json").stdout)[
        "queues"
    ]
    assert row["ever"]["size"]["value"] == 0
    assert row["ever"]["binds"] == "no topology domains at level: kubernetes.io/hostname"


@pytest.mark.parametrize(
    ("size", "running", "outcome", "passed"),
    [
        (4, "", "Admitted", True),
        (5, "", "Admitted", False),
        (4, "running: [{queue: cq, request: {cpu: 4}}],", "Admitted", False),
    ],
)
def test_a_test_places_pods_on_nodes(size: int, running: str, outcome: str, passed: bool, state: Path) -> None:
    text = TESTS.replace("SIZE", str(size)).replace("RUNNING", running).replace("OUTCOME", outcome)
    (state.parent / "tests.yaml").write_text(text)
    screen = shown(f"kubectl-fairshare test {state.parent}/tests.yaml")
    assert (screen.code == 0) is passed, str(screen)
    assert ("the nodes of work that the test assumes to be running" in " ".join(screen.stdout.split())) is bool(running)


def test_full_nodes_are_not_simulated(state: Path) -> None:
    document = json.loads(shown(f"kubectl-fairshare shares -f {state} --complete --saturated -o json").stdout)
    touching = [each["feature"] for each in document["fidelity"]["notModelled"] if each["touches"]]
    assert (document["fidelity"]["exact"], touching) == (False, ["TopologySaturation"])


def test_a_search_among_nodes_that_are_not_given_is_not_exact(state: Path) -> None:
    bare = state.parent / "bare.yaml"
    bare.write_text(STATE)
    few = "--never 'cascade > 1' --workloads 1 --random 0 --jobs 1 --complete -o json"
    found = [json.loads(shown(f"kubectl-fairshare search -f {path} {few}").stdout) for path in (state, bare)]
    assert [each["fidelity"]["exact"] for each in found] == [True, False]
    assert [each["feature"] for each in found[1]["fidelity"]["notModelled"] if each["touches"]] == ["TopologyNodes"]


def test_holdings_beside_work_without_a_place_are_not_decided(state: Path) -> None:
    test = "- {name: a, when: {running: [WORK], arrive: [WORK]}, then: {holds: {cq: {cpu: 8}}}}\n"
    test = test.replace("WORK", "{queue: cq, request: {cpu: 4}}")
    (state.parent / "tests.yaml").write_text(f"given: {{paths: [state.yaml]}}\ntests:\n{test}")
    assert "the nodes of work that the test assumes to be running" in " ".join(
        shown(f"kubectl-fairshare test {state.parent}/tests.yaml").stdout.split()
    )


def test_a_scan_that_goes_on_after_a_flavor_without_room_on_its_nodes_gets_in_now(state: Path) -> None:
    other = "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: g}\n"
    text = state.read_text().replace("flavors: [{", "flavors: [{name: g, resources: [{name: cpu, nominalQuota: 9}]}, {")
    state.write_text(f"{text}{other}spec: {{nodeLabels: {{pool: b}}, topologyName: t}}\n")
    shape = f"-f {state} --complete --request cpu=1 -o json"
    (row,) = json.loads(shown(f"kubectl-fairshare capacity {shape}").stdout)["queues"]
    assert [row[name]["size"]["value"] for name in ("now", "preempting", "ever")] == [4000] * 3
    assert row["copies"] == 11


@pytest.mark.parametrize(
    ("was", "now", "kind"), [("{nodeLabel: rack}, ", "", "Topology"), ("cpu: 4, pods", "cpu: 2, pods", "Node")]
)
def test_a_change_of_levels_or_nodes_is_a_change(was: str, now: str, kind: str, state: Path, tmp_path: Path) -> None:
    (tmp_path / "after.yaml").write_text(state.read_text().replace(was, now))
    found = json.loads(shown(f"kubectl-fairshare diff {state} {tmp_path}/after.yaml --complete -o json").stdout)

    assert {each["object"]["kind"] for each in found["changed"]} == {kind}
    assert found["rewritten"] == 0
